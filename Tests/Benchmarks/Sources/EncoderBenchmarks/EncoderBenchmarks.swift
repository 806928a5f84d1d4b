import Foundation
import PNGCoding

/// Encodes the tiles of dumped pages with every coder, and prints a table in Markdown.
///
///     EncoderBenchmarks FOLDER [--methods byContent,quick,1,4,6] [--filters byContent,up]
///                              [--runs 3] [--tile 512] [--no-cairo] [--write FOLDER] [--json]
@main
struct EncoderBenchmarks {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let options = try Options(&arguments)
    let files = try FileManager.default.contentsOfDirectory(
      at: options.folder,
      includingPropertiesForKeys: nil
    )
    let dumps = try files.filter { $0.pathExtension == "bgra" }
      .sorted { $0.path < $1.path }
      .compactMap { try Dump($0) }
    let documents = Dictionary(grouping: dumps, by: \.document)
    let names = documents.keys.sorted()

    var report = Report(documents: names)
    for coder in try options.coders() {
      report.methods.append(
        Report.Method(
          name: coder.name,
          pages: try names.map { try measure(coder, documents[$0] ?? [], options) }
        )
      )
    }
    report.reading = try names.map { try reading(documents[$0] ?? [], options) }
    print(options.json ? try report.json() : report.table())
  }

  /// The sum of each tile's fastest run: other processes disturb single tiles, seldom the same
  /// tile in every run. Bytes are the same in each.
  static func measure(
    _ coder: any Coder,
    _ pages: [Dump],
    _ options: Options
  ) throws -> Report.Page {
    var coder = coder
    var spent = 0.0
    var bytes = 0
    for page in pages {
      for tile in page.tiles(side: options.tile) {
        var best = Double.infinity
        for run in 0..<options.runs {
          let start = processorTime()
          let file = try coder.encode(page, tile)
          best = min(best, processorTime() - start)
          guard run == 0 else { continue }
          bytes += file.count
          if let folder = options.output {
            let name = "\(page.file)-\(tile.x)-\(tile.y)-\(coder.name).png"
            try Data(file).write(to: folder.appending(component: name))
          }
        }
        spent += best
      }
    }
    let count = Double(max(pages.count, 1))
    return Report.Page(milliseconds: spent / count, bytes: Double(bytes) / count)
  }

  /// What reading tiles back costs: the mean over all tiles of the fastest run.
  static func reading(_ pages: [Dump], _ options: Options) throws -> Report.Reading {
    let encoder = try RectoCoder(compression: .byContent, filtering: .byContent)
    var check = 0.0
    var decode = 0.0
    var count = 0.0
    for page in pages {
      for tile in page.tiles(side: options.tile) {
        let file = try encoder.encode(page, tile)
        check += try fastest(options.runs) { _ = try PNGStructure.validate(file) }
        decode += try fastest(options.runs) {
          _ = try PNGDecoder.decode(file, maxPixels: options.tile * options.tile)
        }
        count += 1
      }
    }
    return Report.Reading(check: check / count * 1000, decode: decode / count * 1000)
  }

  private static func fastest(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<runs {
      let start = processorTime()
      try body()
      best = min(best, processorTime() - start)
    }
    return best
  }

  /// Processor time of this thread in milliseconds: what others do on a busy machine counts less.
  static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}

/// What the command line asks for.
struct Options {
  var folder: URL
  var compressions = [PNGEncoder.Compression.byContent]
  var filters = [PNGEncoder.Filtering.byContent]
  var runs = 3
  var tile = 512
  var cairo = true
  var output: URL?
  var json = false

  struct Usage: Error { var message: String }

  private static let filterNames: [String: PNGEncoder.Filtering] = [
    "byContent": .byContent, "none": .none, "sub": .sub, "up": .up, "paeth": .paeth,
    "adaptive": .adaptive,
  ]

  init(_ arguments: inout [String]) throws {
    guard !arguments.isEmpty else { throw Usage(message: "name a folder of .bgra files") }
    folder = URL(fileURLWithPath: arguments.removeFirst())
    while !arguments.isEmpty {
      let name = arguments.removeFirst()
      if name == "--no-cairo" {
        cairo = false
        continue
      }
      if name == "--json" {
        json = true
        continue
      }
      guard !arguments.isEmpty else { throw Usage(message: "\(name) needs a value") }
      let value = arguments.removeFirst()
      switch name {
      case "--methods":
        compressions = value.split(separator: ",").compactMap { name in
          switch name {
          case "byContent": .byContent
          case "quick": .quick
          default: Int(name).map { .libdeflate(level: $0) }
          }
        }
      case "--filters":
        filters = value.split(separator: ",").compactMap { Self.filterNames[String($0)] }
      case "--runs": runs = Int(value) ?? runs
      case "--tile": tile = Int(value) ?? tile
      case "--write": output = URL(fileURLWithPath: value)
      default: throw Usage(message: "unknown option \(name)")
      }
    }
  }

  /// The coders in the order of the table's rows; cairo, when asked for, is the measure.
  func coders() throws -> [any Coder] {
    var coders: [any Coder] = cairo ? [CairoCoder()] : []
    for filter in filters {
      for compression in compressions {
        coders.append(try RectoCoder(compression: compression, filtering: filter))
      }
    }
    return coders
  }
}
