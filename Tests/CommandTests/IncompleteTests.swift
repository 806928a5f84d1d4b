import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// Pages in the middle of which cairo gives up: Splash draws them, or what was drawn before is shown, with a warning.
@Suite struct IncompleteTests {
  /// A page member that is there for incomplete pages only.
  private struct Output: Decodable {
    struct Spread: Decodable { var pages: [Page] }
    struct Page: Decodable {
      var number: Int
      var incomplete: String?
      var rasterizer: String?
      var tiles: [RenderOutput.Tile]?
    }
    var spreads: [Spread]
    var pages: [Page] { spreads.flatMap(\.pages) }
  }

  private struct Line: Decodable {
    struct Thumbnail: Decodable {
      var file: String
      var source: String
      var incomplete: String?
    }
    var thumbnails: [Thumbnail]
  }

  private static let render = [
    "render", fixture("incomplete"), "--viewport", "320x1400", "--tile", "128",
  ]
  private static let cairo = ["--rasterizer", "cairo"]

  @Test func `a page at which cairo gives up is drawn with Splash, and kept in the cache`() throws {
    let sandbox = try CommandSandbox()
    for rasterizer in ["splash", nil] {
      let result = try sandbox.recto(Self.render)
      #expect(result.code == 0)
      let output: Output = try result.decoded()
      #expect(output.pages.allSatisfy { $0.incomplete == nil && $0.tiles?.count == 12 })
      #expect(output.pages.map(\.rasterizer) == [nil, rasterizer, rasterizer])
    }
    #expect(try sandbox.recto("cache", "info").json()["tiles"] as? Int == 36)
  }

  @Test func `an incomplete page is shown with a warning, and not kept in the cache`() throws {
    let sandbox = try CommandSandbox()
    for _ in 1...2 {
      let result = try sandbox.recto(Self.render + Self.cairo + ["-o", "out"])
      #expect(result.code == 0)
      let output: Output = try result.decoded()
      #expect(output.pages.map { $0.incomplete != nil } == [false, true, true])
      #expect(output.pages.allSatisfy { $0.tiles?.count == 12 })
      let contents = try sandbox.recto("cache", "info").json()
      #expect(contents["tiles"] as? Int == 12)
      #expect(result.messages.count == 2)
      for (message, page) in zip(result.messages, [2, 3]) {
        let start = "recto: \(fixture("incomplete")): page \(page): incomplete: "
        #expect(message.hasPrefix(start), "\(message)")
      }
    }
    #expect(
      try sandbox.recto(Self.render + Self.cairo + ["-o", "out", "--quiet"]).messages.isEmpty
    )
  }

  @Test func `an incomplete page without a destination for its tiles is an error of the page`()
    throws
  {
    let json = try CommandSandbox().recto(Self.render + Self.cairo + ["--errors", "json"])
    #expect(json.code == 1)
    #expect(json.messages.count == 2)
    for line in json.messages {
      let message = try JSONDecoder().decode(MessageLine.self, from: Data(line.utf8))
      #expect(message.code == "incomplete")
    }
  }

  @Test(arguments: [1, 2])
  func `an incomplete page is what pdftocairo draws, over paper`(_ scale: Int) throws {
    let sandbox = try CommandSandbox()
    let thumbs = try sandbox.recto(
      "thumbs",
      fixture("incomplete"),
      "--pages",
      "all",
      "--size",
      "\(420 * scale)",
      "--text",
      "poppler",
      "-o",
      "out"
    )
    #expect(thumbs.code == 0)
    let line: Line = try thumbs.decoded()
    #expect(line.thumbnails.map { $0.incomplete != nil } == [false, true, true])
    // The tiles of pages that are 10 units apart, as one picture.
    let window = try sandbox.recto(
      Self.render + ["--scale", "\(scale)", "--image", "window.png", "--text", "poppler"]
    )
    #expect(window.code == 0)
    let whole = try picture("window.png", in: sandbox)
    for page in 2...3 {
      let drawn = try picture(line.thumbnails[page - 1].file, in: sandbox)
      let tool = try Program.runInPath(
        "pdftocairo",
        [
          "-png", "-transp", "-r", "\(72 * scale)", "-f", "\(page)", "-l", "\(page)",
          "-singlefile", fixture("incomplete"), sandbox.folder.path("tool"),
        ]
      )
      #expect(tool.code == 0)
      let other = try picture("tool.png", in: sandbox)
      #expect(drawn.size == other.size)
      let paper = other.pixels.map { $0 >> 24 == 0 ? 0xFFFF_FFFF : $0 }
      #expect(drawn.pixels == paper)
      #expect(Set(drawn.pixels).count > 1)
      let top = (10 + (page - 1) * 430) * scale
      for y in 0..<drawn.size.height {
        let row = (top + y) * whole.size.width + 10 * scale
        let own = y * drawn.size.width
        #expect(
          whole.pixels[row..<(row + drawn.size.width)]
            == drawn.pixels[own..<(own + drawn.size.width)]
        )
      }
    }
  }

  private func picture(_ name: String, in sandbox: CommandSandbox) throws -> PNGPicture {
    let data = try Data(contentsOf: sandbox.folder.url.appending(path: name))
    return try PNGDecoder.decode([UInt8](data).span.bytes, maxPixels: 1 << 24)
  }
}
