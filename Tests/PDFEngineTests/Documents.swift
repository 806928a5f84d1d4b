import DocumentModel
import Foundation
import PageNumbers
import RenderWorkers
import SystemPackage
import TestSupport

/// A document of the corpus, as its lists describe it.
struct CorpusFile: Sendable {
  var name: String
  var url: URL
  /// Whether it was made to lie at the edge of the format or beyond it.
  var isGenerated: Bool
  /// Seconds `pdftocairo` took for the first page; nil when it did not come to an end or failed.
  var seconds: Double?

  /// The documents that `pdfinfo` opens without a password and in time, without those of 18 MB that
  /// are only described; empty when there is no corpus.
  static let openable: [CorpusFile] = {
    guard let corpus = TestPaths.corpus else { return [] }
    return rows(corpus, "real").compactMap { row in
      guard row["pdfinfo_exit"] == "0" else { return nil }
      return CorpusFile(corpus, "real", row, row["pdftocairo_exit"], row["pdftocairo_s"])
    }
      + rows(corpus, "generated").compactMap { row in
        guard row["info_rc"] == "0", row["included"] == "yes" else { return nil }
        return CorpusFile(corpus, "generated", row, row["render_rc"], row["render_s"])
      }
  }()

  /// Those whose first page `pdftocairo` draws within three seconds.
  static let drawable = openable.filter { $0.seconds.map { $0 < 3 } ?? false }

  private init(
    _ corpus: URL,
    _ folder: String,
    _ row: [String: String],
    _ exit: String?,
    _ seconds: String?
  ) {
    name = row["file"] ?? ""
    url = corpus.appending(path: "\(folder)/\(name)")
    isGenerated = folder == "generated"
    self.seconds = exit == "0" ? seconds.flatMap(Double.init) : nil
  }

  private static func rows(_ corpus: URL, _ folder: String) -> [[String: String]] {
    let list = try? String(contentsOf: corpus.appending(path: "\(folder).tsv"), encoding: .utf8)
    let lines = (list ?? "").split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }
}

/// Runs `body` with a pool of one worker over a file: what cannot be trusted cannot hurt the test.
func withPool<Result: Sendable>(
  _ file: URL,
  password: String? = nil,
  _ body: (WorkerPool) async throws -> Result
) async throws -> Result {
  let descriptor = try FileDescriptor.open(file.path, .readOnly)
  defer { try? descriptor.close() }
  let settings = WorkerPool.Settings(
    executable: FilePath(TestPaths.worker.path),
    password: password,
    workers: 1,
    limits: WorkerLimits(open: 30, measure: 30, draw: 30)
  )
  let pool = WorkerPool(settings, document: descriptor)
  let result = try await body(pool)
  await pool.close()
  return result
}

/// Does something with each element, two at a time.
func twoAtATime<Element: Sendable, Result: Sendable>(
  _ elements: [Element],
  _ body: @escaping @Sendable (Element) async throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: Result.self) { group in
    var waiting = elements.makeIterator()
    for _ in 0..<2 {
      if let element = waiting.next() { group.addTask { try await body(element) } }
    }
    var results: [Result] = []
    for try await result in group {
      results.append(result)
      if let element = waiting.next() { group.addTask { try await body(element) } }
    }
    return results
  }
}

/// poppler's own tools, killed when they take too long.
enum Peer {
  /// A page as `pdftocairo` draws it; nil when it does not.
  static func picture(
    of file: URL,
    page: PageIndex = 0,
    dotsPerInch: Double,
    password: String? = nil
  ) async throws -> Picture? {
    let result = try await run(
      ["pdftocairo", "-png", "-singlefile", "-cropbox", "-r", "\(dotsPerInch)"]
        + ["-f", "\(page.number)", "-l", "\(page.number)"]
        + (password.map { ["-upw", $0] } ?? []) + [file.path, "-"]
    )
    return Picture(png: Array(result.output))
  }

  /// What `pdfinfo` says of all pages.
  static func pages(of file: URL) async throws -> InfoPages {
    InfoPages(try await run(["pdfinfo", "-f", "1", "-l", "-1", "-box", file.path]).text)
  }

  private static func run(_ words: [String]) async throws -> ProgramResult {
    // Waiting for a process blocks: not on a thread that tasks need.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try Program.run(URL(filePath: "/usr/bin/timeout"), ["20"] + words)
          }
        )
      }
    }
  }
}

/// The pages of a document as `pdfinfo -box` prints them.
struct InfoPages: Sendable {
  struct Page: Sendable {
    var width = 0.0
    var height = 0.0
    var rotation = 0
    /// Left, bottom, right, top; nil for a page that is counted but missing.
    var crop: [Double]?
  }

  var count = 0
  var pages: [PageIndex: Page] = [:]

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1 else { continue }
      if words[0] == "Pages:" { count = Int(words[1]) ?? 0 }
      guard words[0] == "Page", words.count > 3,
        let index = Int(words[1]).flatMap(PageIndex.init(number:))
      else { continue }
      var page = pages[index] ?? Page()
      switch words[2] {
      case "size:" where words.count > 5:
        page.width = Double(words[3]) ?? .nan
        page.height = Double(words[5]) ?? .nan
      case "rot:": page.rotation = Int(words[3]) ?? 0
      case "CropBox:": page.crop = words[3...].compactMap { Double($0) }
      default: break
      }
      pages[index] = page
    }
  }
}
