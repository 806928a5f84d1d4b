import Foundation
import PNGCoding
import TestSupport
import Testing

/// The picture of a page that is being turned.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TurningPageTests {
  private static let viewport = (width: 320, height: 240)

  /// The picture of a spread at a moment of its turn.
  private static func picture(
    _ sandbox: CommandSandbox,
    _ options: [String],
    page: Int = 4,
    progress: Double?
  ) throws -> PNGPicture {
    let moment = progress.map { ["--progress", "\($0)"] } ?? []
    let result = try sandbox.recto(
      ["render", fixture("book"), "--mode", "paged", "--page", "\(page)", "--image", "-"]
        + ["--viewport", "\(viewport.width)x\(viewport.height)"] + options + moment
    )
    #expect(result.code == 0, "\(result.errors)")
    return try PNGDecoder.decode(Array(result.output).span.bytes, maxPixels: 1 << 20)
  }

  static let spreads: [[String]] = [
    [], ["--rtl"], ["--spread", "book"], ["--spread", "book", "--rtl"],
    ["--spread", "double", "--shadow"], ["--axis", "horizontal"],
    ["--axis", "horizontal", "--rtl", "--spread", "book"],
  ]

  @Test(arguments: spreads) func `a turn begins with the spread as it is`(
    options: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    let flat = try Self.picture(sandbox, options, progress: nil)
    #expect(try Self.picture(sandbox, options, progress: 0).pixels == flat.pixels)
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
