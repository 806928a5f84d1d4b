import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// What draws a page, and what it looks like then.
@Suite struct RasterizerTests {
  private struct Line: Decodable {
    var page: Int
    var rasterizer: String?
  }

  /// The pages of the fixture, and what draws each.
  private func pages(
    _ sandbox: CommandSandbox,
    _ rasterizer: String
  ) throws -> (pictures: [PNGPicture], rasterizers: [String?]) {
    let result = try sandbox.recto(
      [
        "pages", fixture("rasterizers"), "--dpi", "96", "-o", "\(rasterizer)/{page}.png", "--json",
        "--rasterizer", rasterizer,
      ]
    )
    #expect(result.code == 0, "\(result.errors)")
    let lines = try result.output.split(separator: 0x0A).map {
      try JSONDecoder().decode(Line.self, from: Data($0))
    }
    let pictures = try (1...lines.count).map { page in
      let file = sandbox.folder.url.appending(path: "\(rasterizer)/\(page).png")
      let data = try Data(contentsOf: file)
      return try PNGDecoder.decode([UInt8](data).span.bytes, maxPixels: 1 << 20)
    }
    return (pictures, lines.sorted { $0.page < $1.page }.map(\.rasterizer))
  }

  @Test func `what cairo draws wrong is drawn with Splash, and JSON says so`() throws {
    let sandbox = try CommandSandbox()
    let cairo = try pages(sandbox, "cairo")
    let splash = try pages(sandbox, "splash")
    let auto = try pages(sandbox, "auto")
    #expect(cairo.rasterizers == [nil, nil, nil, nil, nil])
    #expect(splash.rasterizers == .init(repeating: "splash", count: 5))
    #expect(auto.rasterizers == ["splash", "splash", "splash", "splash", nil])
    #expect(auto.pictures[..<4].elementsEqual(splash.pictures[..<4]) { $0.pixels == $1.pixels })
    #expect(auto.pictures[4].pixels == cairo.pictures[4].pixels)
    for page in 0..<4 { #expect(auto.pictures[page].pixels != cairo.pictures[page].pixels) }
  }

  @Test func `glyphs have their colors, a highlighter lets text through, and a matte is taken out`()
    throws
  {
    let pictures = try pages(CommandSandbox(), "auto").pictures
    let colors = Set(pictures[0].pixels)
    #expect(colors.isSuperset(of: [0xFFFF_0000, 0xFF00_9900, 0xFF00_00FF]))
    // Ink on yellow.
    #expect(pictures[1].pixels.count { $0 >> 16 & 255 < 64 } > 100)
    let middle = pictures[2].pixels[133 * pictures[2].size.width + 133]
    for (shift, expected) in [(16, 255), (8, 191), (0, 127)] as [(UInt32, Int)] {
      #expect(abs(Int(middle >> shift & 255) - expected) <= 3)
    }
  }

  @Test func `strips of an image and boxes that adjoin have no seams, at any resolution`() throws {
    for dpi in [48, 72, 96, 131, 192] {
      let sandbox = try CommandSandbox()
      for (page, color) in [(4, 0xFF80_4020), (5, 0xFF33_6699)] as [(Int, UInt32)] {
        let result = try sandbox.recto(
          "pages",
          fixture("rasterizers"),
          "\(page)",
          "--dpi",
          "\(dpi)",
          "-o",
          "\(page).png"
        )
        #expect(result.code == 0)
        let data = try Data(contentsOf: sandbox.folder.url.appending(path: "\(page).png"))
        let picture = try PNGDecoder.decode([UInt8](data).span.bytes, maxPixels: 1 << 20)
        let column = stride(
          from: picture.size.height * 15 / 100,
          to: picture.size.height * 85 / 100,
          by: 1
        )
        let colors = Set(
          column.map { picture.pixels[$0 * picture.size.width + picture.size.width / 2] }
        )
        #expect(
          colors == [color],
          "page \(page), \(dpi) dpi: \(colors.map { String($0, radix: 16) })"
        )
      }
    }
  }
}
