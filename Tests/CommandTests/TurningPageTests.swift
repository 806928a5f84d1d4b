import Foundation
import PNGCoding
import TestSupport
import Testing

/// The picture of a page that is being turned.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TurningPageTests {
  private static let viewport = (width: 240, height: 180)

  /// The picture of a spread at a moment of its turn.
  ///
  /// - Parameters:
  ///   - sandbox: Where the command runs.
  ///   - options: Layout options.
  ///   - document: A fixture.
  ///   - page: The number of a page of the spread.
  ///   - progress: The moment; nil: at rest.
  /// - Returns: The pixels.
  /// - Throws: What keeps the command from being run, or its picture from being decoded.
  private static func picture(
    _ sandbox: CommandSandbox,
    _ options: [String],
    of document: String = "book",
    page: Int = 4,
    progress: Double?
  ) throws -> PNGPicture {
    let moment = progress.map { ["--progress", "\($0)"] } ?? []
    let result = try sandbox.recto(
      ["render", fixture(document), "--mode", "paged", "--page", "\(page)", "--image", "-"]
        + ["--viewport", "\(viewport.width)x\(viewport.height)"] + options + moment
    )
    #expect(result.code == 0, "\(result.errors)")
    return try PNGDecoder.decode(Array(result.output).span.bytes, maxPixels: 1 << 20)
  }

  /// The mean difference of two pictures in gray levels.
  private static func difference(_ first: PNGPicture, _ second: PNGPicture) -> Double {
    var sum = 0
    for (pixel, other) in zip(first.pixels, second.pixels) {
      for shift: UInt32 in [0, 8, 16] {
        sum += abs(Int(pixel >> shift & 255) - Int(other >> shift & 255))
      }
    }
    return Double(sum) / Double(3 * max(1, first.pixels.count))
  }

  static let spreads: [[String]] = [
    [], ["--rtl"], ["--spread", "book"], ["--spread", "book", "--rtl"],
    ["--spread", "double", "--shadow"], ["--axis", "horizontal"],
    ["--axis", "horizontal", "--rtl", "--spread", "book"],
  ]

  /// Spreads that are followed by one of another shape: a document, a page of each, and options.
  static let shapes: [(document: String, page: Int, next: Int, options: [String])] = [
    ("book", 6, 8, ["--spread", "book", "--fit", "page", "--shadow"]),
    ("book", 1, 2, ["--spread", "book", "--fit", "page", "--page-gap", "12"]),
    ("book", 10, 12, ["--spread", "book", "--rtl"]),
    ("mixed-sizes", 4, 6, ["--spread", "book", "--fit", "page"]),
    ("mixed-sizes", 3, 5, ["--spread", "double", "--rtl", "--shadow"]),
    ("mixed-sizes", 7, 8, ["--fit", "width", "--axis", "horizontal"]),
    ("mixed-sizes", 2, 3, ["--fit", "page", "--shadow"]),
    ("mixed-sizes", 1, 4, ["--spread-columns", "3", "--fit", "page"]),
    ("fold-out", 2, 4, ["--spread", "book", "--wide-alone", "1.2", "--fit", "page"]),
    ("fold-out", 4, 5, ["--spread", "book", "--sections", "5", "--fit", "width", "--pan", "1,1"]),
  ]

  @Test(arguments: shapes.indices) func `a turn begins with the one spread and ends with the other`(
    index: Int
  ) throws {
    let sandbox = try CommandSandbox()
    let (document, page, next, options) = Self.shapes[index]
    func picture(_ page: Int, _ progress: Double?, _ options: [String]) throws -> PNGPicture {
      try Self.picture(sandbox, options, of: document, page: page, progress: progress)
    }
    let start = try picture(page, nil, options)
    // The next spread is as it is without a pan of its own: that option is about the current one.
    let plain = options.firstIndex(of: "--pan").map { Array(options[..<$0]) } ?? options
    let end = try picture(next, nil, plain + ["--pan", "0.5,0"])
    #expect(try picture(page, 0, options).pixels == start.pixels)
    #expect(try picture(page, 1, options).pixels == end.pixels)
    let (first, last) = (try picture(page, 1e-4, options), try picture(page, 0.9999, options))
    #expect(Self.difference(first, start) < 0.3)
    #expect(Self.difference(last, end) < 0.3)
    for progress in [0.3, 0.8] {
      let now = try picture(page, progress, options)
      let after = try picture(page, progress + 1e-4, options)
      // Edges are in whole pixels.
      #expect(Self.difference(now, after) < 1.5, "at \(progress)")
      #expect(Self.difference(now, start) > 0.5 && Self.difference(now, end) > 0.5)
    }
  }

  @Test(arguments: spreads) func `both sides of the fold show their spread`(
    options: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    let isDouble = options.contains("--spread")
    let now = try Self.picture(sandbox, options, progress: nil)
    let next = try Self.picture(sandbox, options, page: isDouble ? 6 : 5, progress: nil)
    let turning = try Self.picture(sandbox, options, progress: 0.5)
    #expect(turning.pixels != now.pixels)
    // The outer eighth of the picture on the free side, and the one on the side of the spine: nothing
    // of the fold reaches them at half way.
    let width = Self.viewport.width
    let free = options.contains("--rtl") ? 0..<width / 8 : width * 7 / 8..<width
    let bound = options.contains("--rtl") ? width * 15 / 16..<width : 0..<width / 16
    for row in 0..<Self.viewport.height {
      let start = row * width
      for column in free {
        #expect(turning.pixels[start + column] == next.pixels[start + column])
      }
      for column in bound {
        #expect(turning.pixels[start + column] == now.pixels[start + column])
      }
    }
  }

  @Test func `the last page is not turned, and other modes scroll`() throws {
    let sandbox = try CommandSandbox()
    let flat = try Self.picture(sandbox, [], page: 12, progress: nil)
    #expect(try Self.picture(sandbox, [], page: 12, progress: 0.5).pixels == flat.pixels)
  }

  @Test func `a page of the next spread that fails is reported`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "render",
      fixture("page-missing"),
      "--mode",
      "paged",
      "--page",
      "2",
      "--progress",
      "0.5",
      "--image",
      "a.png",
      "-q"
    )
    #expect(result.code == 1)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains("page 3: "))
    #expect(sandbox.folder.files == ["a.png"])
  }
}
