import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// Tiles and pictures of windows.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RenderTests {
  static let windows: [[String]] = [
    ["book", "--page", "2"],
    ["book", "--offset", "300.25", "--zoom", "1.3", "--viewport", "333.3x444.4"],
    ["book", "--spread", "book", "--page", "3+0.5", "--fit", "width", "--scale", "1.5"],
    ["book", "--spread", "double", "--rtl", "--offset", "500", "--scale", "0.37"],
    ["mixed-sizes", "--offset", "1700", "--tile", "100", "--viewport", "500x300"],
    ["mixed-sizes", "--axis", "horizontal", "--fit", "height", "--offset", "900,0"],
    ["mixed-sizes", "--fit", "page", "--mode", "paged", "--page", "4"],
    ["mixed-sizes", "--page", "6", "--scale", "3", "--viewport", "200x150", "--tile", "64"],
    ["rotate", "--rotate", "90", "--offset", "200", "--scale", "2"],
    ["rotate", "--rotate", "180", "--viewport", "350x1800"],
    ["rotate", "--rotate", "270", "--page", "2", "--zoom", "0.1"],
    ["crop-shifted", "--offset", "50,120", "--viewport", "100x100", "--scale", "2.5"],
    ["fold-out", "--spread", "book", "--page", "4", "--tile", "200", "--viewport", "900x300"],
    ["book", "--pages", "z,1-2", "--viewport", "300x1500"],
    ["rotate", "--zoom", "0.01"],
  ]

  @Test(arguments: windows) func `tiles cover what is visible and overlap nowhere`(
    arguments: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      ["render", fixture(arguments[0]), "-o", "out"] + arguments.dropFirst()
    )
    #expect(result.code == 0, "\(result.errors)")
    let output: RenderOutput = try result.decoded()
    let side = try #require(output.tileSize)
    #expect(!output.tiles.isEmpty)
    for page in output.pages {
      let tiles = try #require(page.tiles)
      #expect(tiles.isEmpty == (page.visible.area == 0))
      var covered = 0.0
      for (place, tile) in tiles.enumerated() {
        covered += tile.frame.common(page.visible)?.area ?? 0
        #expect((tile.frame.common(page.frame)?.area ?? 0) >= tile.frame.area * 0.9999)
        for other in tiles[(place + 1)...] {
          #expect((tile.frame.common(other.frame)?.area ?? 0) < 1e-3)
        }
        #expect(tile.pixels.x == tile.column * side && tile.pixels.y == tile.row * side)
        #expect((1...side).contains(tile.pixels.width) && (1...side).contains(tile.pixels.height))
        let file = try #require(tile.file)
        let bytes = try Data(contentsOf: URL(filePath: sandbox.folder.path(file)))
        #expect(bytes.count == tile.bytes)
        let decoded = try picture(sandbox.folder.path(file))
        #expect(decoded.size.width == tile.pixels.width)
        #expect(decoded.size.height == tile.pixels.height)
      }
      #expect(abs(covered - page.visible.area) < 1e-3 * max(1, page.visible.area))
    }
    #expect(sandbox.folder.files.count == output.tiles.count)
  }

  @Test func `neighboring viewports share tiles`() throws {
    let sandbox = try CommandSandbox()
    let arguments = ["render", fixture("book"), "--viewport", "400x600", "--tile", "128"]
    let first: RenderOutput = try sandbox.recto(arguments + ["--offset", "0"]).decoded()
    let second: RenderOutput = try sandbox.recto(arguments + ["--offset", "300"]).decoded()
    /// The tiles by page, column and row: those that look the same have one file.
    func places(_ output: RenderOutput) -> [[Int]: RenderOutput.Tile] {
      var places: [[Int]: RenderOutput.Tile] = [:]
      for page in output.pages {
        for tile in page.tiles ?? [] { places[[page.number, tile.column, tile.row]] = tile }
      }
      return places
    }
    let seen = places(first)
    let found = places(second)
    #expect(found.keys.contains { seen[$0] != nil })
    for (place, tile) in found {
      #expect(tile.source == (seen[place] == nil ? "rendered" : "disk"))
    }
  }

  @Test func `tile files have the documented paths`() throws {
    let sandbox = try CommandSandbox()
    let output: RenderOutput = try sandbox.recto(
      "render",
      fixture("rotate"),
      "-o",
      "out",
      "--scale",
      "2",
      "--page",
      "2",
      "--viewport",
      "430x290"
    ).decoded()
    #expect(output.pixelScale == 2)
    #expect(
      output.tiles.compactMap(\.file) == [
        "out/p000002/2x/0_0.png", "out/p000002/2x/1_0.png", "out/p000002/2x/0_1.png",
        "out/p000002/2x/1_1.png",
      ]
    )
  }

  @Test(arguments: [("640x480", "1"), ("333x222", "1.5"), ("1280x100", "0.25"), ("50x50", "4")])
  func `the picture of a window has the viewport's pixels`(viewport: String, scale: String) throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "render",
      fixture("book"),
      "--viewport",
      viewport,
      "--scale",
      scale,
      "--page",
      "2+0.9",
      "--image",
      "window.png",
      "--no-cache",
      "--shadow"
    )
    #expect(result.code == 0, "\(result.errors)")
    let size = viewport.split(separator: "x").compactMap { Double($0) }
    let factor = try #require(Double(scale))
    let image = try picture(sandbox.folder.path("window.png"))
    #expect(abs(Double(image.size.width) - size[0] * factor) < 1.01)
    #expect(abs(Double(image.size.height) - size[1] * factor) < 1.01)
    #expect(!image.pixels.isEmpty)
    #expect(sandbox.folder.files == ["window.png"])
  }

  @Test func `the picture is composed of the tiles on the given background`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "render",
      fixture("rotate"),
      "--viewport",
      "400x900",
      "--image",
      "window.png",
      "-o",
      "out",
      "--background",
      "#102030",
      "--tile",
      "150"
    )
    let output: RenderOutput = try result.decoded()
    let window = try picture(sandbox.folder.path("window.png"))
    #expect(window.pixels[0] == 0xFF10_2030)
    for page in output.pages where page.frame.x.rounded() == page.frame.x {
      for tile in page.tiles ?? [] {
        let part = try picture(sandbox.folder.path(try #require(tile.file)))
        let left = Int(page.frame.x - output.viewport.x) + tile.pixels.x
        let top = Int(page.frame.y - output.viewport.y) + tile.pixels.y
        // A tile may reach beyond the window on any side.
        let columns = max(0, -left)..<min(part.size.width, window.size.width - left)
        let rows = max(0, -top)..<min(part.size.height, window.size.height - top)
        let isEqual = rows.allSatisfy { y in
          columns.allSatisfy { x in
            window.pixels[(top + y) * window.size.width + left + x]
              == part.pixels[y * part.size.width + x]
          }
        }
        #expect(isEqual, "page \(page.number), tile \(tile.column), \(tile.row)")
      }
    }
  }

  @Test func `a picture that is too large is refused with one message`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "render",
      fixture("rotate"),
      "--viewport",
      "100000x100000",
      "--image",
      "window.png",
      "--no-cache"
    )
    #expect(result.code == 64)
    #expect(result.messages.count == 1)
    #expect(sandbox.folder.files.isEmpty)
  }

  @Test func `a page that is too large fails without affecting the others`() throws {
    let result = try CommandSandbox().recto("render", fixture("rotate"), "--zoom", "100000")
    #expect(result.code == 1)
    let output: RenderOutput = try result.decoded()
    #expect(output.pages.allSatisfy { $0.error?.code == "page-size" })
    #expect(result.messages.count == output.pages.count)
  }

  @Test func `errors are printed as JSON lines with --errors json`() throws {
    let result = try CommandSandbox().recto(
      "render",
      fixture("page-empty"),
      "--viewport",
      "400x3000",
      "--errors",
      "json"
    )
    #expect(result.code == 1)
    let lines = try result.messages.map {
      try JSONDecoder().decode(MessageLine.self, from: Data($0.utf8))
    }
    let output: RenderOutput = try result.decoded()
    let failed = output.pages.filter { $0.error != nil }
    #expect(!failed.isEmpty)
    #expect(lines.compactMap(\.page) == failed.map(\.number))
    #expect(lines.map(\.code) == failed.compactMap(\.error?.code))
    #expect(lines.allSatisfy { $0.path == fixture("page-empty") })
  }

  @Test func `usage errors are printed as JSON too`() throws {
    for style in [["--errors", "json"], ["--errors=json"]] {
      let result = try CommandSandbox().recto(["render", "a.pdf", "--tile", "x"] + style)
      #expect(result.code == 64)
      let line = try JSONDecoder().decode(MessageLine.self, from: Data(result.errors.utf8))
      #expect(line.code == "usage")
    }
  }

  @Test func `warnings of a page are reported once, and the exit code stays 0`() throws {
    let result = try CommandSandbox().recto("render", fixture("syntax-errors"))
    #expect(result.code == 0)
    let output: RenderOutput = try result.decoded()
    #expect(output.pages.allSatisfy { $0.tiles?.isEmpty == false })
    // How many warnings a page has depends on the version of poppler.
    let expected = [
      (1, "Restoring state when no valid states to pop"), (2, "Unterminated string"),
    ]
    #expect(result.messages.count == expected.count)
    for (message, (number, text)) in zip(result.messages, expected) {
      let start = "recto: \(fixture("syntax-errors")): page \(number): "
      #expect(message.hasPrefix(start))
      let pattern = /(\d+ warnings, the first: )?Syntax error at position -1: (.*)/
      let match = try #require(message.dropFirst(start.count).wholeMatch(of: pattern))
      #expect(match.2 == text)
    }
  }

  // MARK: Prefetch

  private static let first = [
    "render", fixture("book"), "--viewport", "400x500", "--offset", "0", "--tile", "128",
  ]

  @Test func `prefetch draws the next viewports without output`() throws {
    let sandbox = try CommandSandbox()
    let plain = try CommandSandbox().recto(Self.first)
    let ahead = try sandbox.recto(Self.first + ["--prefetch", "2"])
    #expect(ahead.code == 0)
    #expect(ahead.errors.isEmpty)
    let (one, other): (RenderOutput, RenderOutput) = (try plain.decoded(), try ahead.decoded())
    #expect(one.tiles.map(\.frame) == other.tiles.map(\.frame))
    for (offset, source) in [("500", "disk"), ("1000", "disk"), ("1700", "rendered")] {
      let next: RenderOutput = try sandbox.recto(Self.first + ["--offset", offset]).decoded()
      #expect(!next.tiles.isEmpty)
      #expect(next.tiles.contains { $0.source == source })
      if source == "disk" { #expect(next.tiles.allSatisfy { $0.source == source }) }
    }
  }

  @Test func `prefetch includes the last viewport and ends there`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto(Self.first + ["--prefetch", "1000"]).code == 0)
    let last: RenderOutput = try sandbox.recto(Self.first + ["--offset", "1e9"]).decoded()
    #expect(!last.tiles.isEmpty)
    #expect(last.tiles.allSatisfy { $0.source == "disk" })
  }

  @Test func `a failing page in prefetch does not fail the command`() throws {
    let sandbox = try CommandSandbox()
    let arguments = ["render", fixture("page-empty"), "--viewport", "400x300"]
    let alone = try sandbox.recto(arguments)
    #expect(alone.code == 0, "the first window shows only good pages")
    let whole = try sandbox.recto(arguments + ["--viewport", "400x3000"])
    #expect(whole.code == 1, "a page further on fails")
    let ahead = try CommandSandbox().recto(arguments + ["--prefetch", "20"])
    #expect(ahead.code == 0)
    #expect(ahead.errors.isEmpty)
    let output: RenderOutput = try ahead.decoded()
    #expect(output.pages.allSatisfy { $0.error == nil })
  }
}
