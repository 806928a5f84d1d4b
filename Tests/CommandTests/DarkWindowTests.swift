import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// Windows of dark pages: the picture, the tiles of `render` and those of `serve` are the same pixels,
/// and no paper shows at an edge.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DarkWindowTests {
  private static let black: UInt32 = 0xFF00_0000
  private static let background: UInt32 = 0xFF20_C040

  /// Layout options, viewport, scale and the offset along y.
  struct Window: Sendable {
    var layout: [String]
    var width: Double
    var height: Double
    var scale: Double
    var y: Double
  }

  static let windows: [Window] = [
    Window(
      layout: ["--spread", "double", "--fit", "width"],
      width: 401,
      height: 300,
      scale: 1,
      y: 0
    ),
    Window(
      layout: ["--spread", "book", "--fit", "width"],
      width: 333,
      height: 411,
      scale: 1.5,
      y: 301
    ),
    Window(layout: ["--zoom", "0.37"], width: 500, height: 480, scale: 1, y: 155.7),
    Window(layout: ["--zoom", "0.25", "--gap", "0"], width: 351, height: 500, scale: 2, y: 80),
    Window(
      layout: ["--spread", "double", "--page-gap", "0", "--fit", "width", "--zoom", "1.3"],
      width: 277,
      height: 390,
      scale: 1,
      y: 999.9
    ),
    Window(layout: ["--mode", "grid", "--zoom", "0.15"], width: 399, height: 300, scale: 1, y: 0),
  ]

  /// A page's place in the content and its tiles with their files.
  private struct Placed {
    var place: PixelRect
    var tiles: [(pixels: PixelRect, file: String)]
  }

  /// The picture that a client makes: tiles at the places of their pages, and cut off there.
  private func composed(_ pages: [Placed], x: Int, y: Int, size: PixelSize) throws -> [UInt32] {
    var pixels = [UInt32](repeating: Self.background, count: size.width * size.height)
    for page in pages {
      for tile in page.tiles {
        let part = try picture(tile.file)
        #expect(part.size == tile.pixels.size)
        let left = page.place.x - x + tile.pixels.x
        let top = page.place.y - y + tile.pixels.y
        let whole = PixelRect(x: left, y: top, width: part.size.width, height: part.size.height)
        let window = PixelRect(x: x, y: y, width: size.width, height: size.height)
        guard var seen = page.place.intersection(window) else { continue }
        seen.x -= x
        seen.y -= y
        guard let seen = seen.intersection(whole) else { continue }
        for row in seen.y..<seen.maxY {
          let source = (row - top) * part.size.width + seen.x - left
          let target = row * size.width + seen.x
          pixels.replaceSubrange(
            target..<(target + seen.width),
            with: part.pixels[source..<(source + seen.width)]
          )
        }
      }
    }
    return pixels
  }

  private func expected(_ pages: [Placed], x: Int, y: Int, size: PixelSize) -> [UInt32] {
    var pixels = [UInt32](repeating: Self.background, count: size.width * size.height)
    let window = PixelRect(x: x, y: y, width: size.width, height: size.height)
    for page in pages {
      guard let part = page.place.intersection(window) else { continue }
      for row in part.y..<part.maxY {
        let start = (row - y) * size.width + part.x - x
        pixels.replaceSubrange(
          start..<(start + part.width),
          with: repeatElement(Self.black, count: part.width)
        )
      }
    }
    return pixels
  }

  @Test(arguments: windows.indices)
  func `picture and tiles are black where pages are, and nowhere else`(index: Int) throws {
    let window = Self.windows[index]
    let sandbox = try CommandSandbox()
    let dark = try DarkPages.mixed()
    let common =
      window.layout + [
        "--viewport", "\(window.width)x\(window.height)", "--scale", "\(window.scale)",
        "--tile", "100",
      ]
    let result = try sandbox.recto(
      ["render", dark.file.path] + common + [
        "--offset", "\(window.y)", "--image", "window.png", "--background", "#20c040",
      ]
    )
    #expect(result.code == 0, "\(result.errors)")
    let output: RenderOutput = try result.decoded()
    let image = try picture(sandbox.folder.path("window.png"))
    let x = Int((output.viewport.x * window.scale + 0.5).rounded(.down))
    let y = Int((output.viewport.y * window.scale + 0.5).rounded(.down))
    let rendered = try output.pages.map { page in
      Placed(
        place: PixelRect(try #require(page.place)),
        tiles: try (page.tiles ?? []).map { (PixelRect($0.pixels), try #require($0.file)) }
      )
    }
    #expect(rendered.contains { !$0.tiles.isEmpty })
    let wanted = expected(rendered, x: x, y: y, size: image.size)
    #expect(image.pixels == wanted)
    #expect(try composed(rendered, x: x, y: y, size: image.size) == wanted)

    let client = try ServeClient(sandbox, [dark.file.path] + common)
    _ = try client.event()
    var files: [ServedTile: String] = [:]
    func takeFiles() throws {
      for event in try client.eventsUntilIdle() {
        if let tile = event.servedTile { files[tile] = event["file"] as? String }
      }
    }
    // Then all sizes are known, as they are to `render`.
    try takeFiles()
    let scene = try client.done("view", ["offset": ["x": 0, "y": window.y]])
    try takeFiles()
    let served = try scene.scenePages.map { page in
      let tiles = page["tiles"] as? [ServeClient.Line] ?? []
      return Placed(
        place: try #require(PixelRect(page, "place")),
        tiles: try tiles.map { tile in
          let name = ServedTile(page: page.number("number"), raster: page, tile: tile)
          let file = try #require(name.flatMap { files[$0] })
          return (try #require(PixelRect(tile, "pixels")), file)
        }
      )
    }
    #expect(Set(served.flatMap(\.tiles).map(\.file)) == Set(rendered.flatMap(\.tiles).map(\.file)))
    #expect(try composed(served, x: x, y: y, size: image.size) == wanted)
    #expect(try client.end().code == 0)
  }

  @Test func `a page shown twice at sizes that differ by a pixel keeps both`() throws {
    let sandbox = try CommandSandbox()
    let dark = try DarkPages([(width: 60.5, height: 40.5)])
    let output: RenderOutput = try sandbox.recto(
      ["render", dark.file.path, "--pages", "1,1,1,1", "--viewport", "200x300"]
        + ["--spread", "double", "--page-gap", "0.2", "--align", "start", "-o", "out"]
    ).decoded()
    #expect(Set(output.pages.compactMap(\.place?.width)) == [60, 61])
    for page in output.pages {
      let place = try #require(page.place)
      let file = try #require(page.tiles?.first?.file)
      let part = try picture(sandbox.folder.path(file))
      #expect(part.size == PixelSize(width: place.width, height: 41))
      #expect(part.pixels.allSatisfy { $0 == Self.black })
    }
  }
}

extension PixelRect {
  fileprivate init(_ pixels: RenderOutput.Pixels) {
    self.init(x: pixels.x, y: pixels.y, width: pixels.width, height: pixels.height)
  }

  fileprivate init?(_ line: ServeClient.Line, _ key: String) {
    guard let x = line.number(key, "x"), let y = line.number(key, "y"),
      let width = line.number(key, "width"), let height = line.number(key, "height")
    else { return nil }
    self.init(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
  }
}
