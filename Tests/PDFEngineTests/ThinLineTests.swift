import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import RectoTiles
import TestSupport
import Testing

/// Lines and bars that are thinner than a pixel.
extension PopplerTests {
  /// Thumbnails, and the resolutions of screens.
  private static let lineScales = [0.35, 48 / 72.0, 96 / 72.0, 192 / 72.0]

  @Test func `a line is a pixel wide or as wide as it is`() throws {
    for scale in Self.lineScales {
      for angle in [0.0, 7, 45, 90, 131] {
        let (x, y) = (80 * cos(angle * .pi / 180), 80 * sin(angle * .pi / 180))
        var lighter = 0.0
        for width in [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 3] {
          let content = "\(width) w \(100.3 - x) \(150.2 - y) m \(100.3 + x) \(150.2 + y) l S"
          let ink = try ink(of: content, scale: scale) / (160 * scale)
          #expect(abs(ink - max(1, width * scale)) < 0.08, "\(width) at \(angle)°: \(ink)")
          #expect(ink > lighter - 0.01, "\(width) at \(angle)°: \(ink)")
          lighter = max(lighter, ink)
        }
      }
    }
  }

  @Test func `a bar is a pixel wide or as wide as it is`() throws {
    for scale in Self.lineScales {
      for width in [0.0, 0.05, 0.2, 0.5, 1, 3] {
        for box in [
          "20.3 150.2 160 \(width)", "20.3 150.2 \(width) 140", "20.3 150.2 160 -\(width)",
        ] {
          let length = box.contains("140") ? 140.0 : 160
          let ink = try ink(of: "\(box) re f", scale: scale) / (length * scale)
          #expect(abs(ink - max(1, width * scale)) < 0.08, "\(box): \(ink)")
        }
      }
    }
  }

  @Test func `dashes, curves, figures and the outlines of letters are seen`() throws {
    let font = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    for width in [0, 0.01] {
      let dashed = try ink(of: "\(width) w [6 6] 0 d 20 150.2 m 140 150.2 l S", scale: 0.6)
      #expect(abs(dashed - 36) < 4, "\(dashed)")
      let curve = try ink(of: "\(width) w 20 20 m 60 250 140 250 180 20 c S", scale: 0.6)
      #expect(curve > 200, "\(curve)")
      let box = try ink(of: "\(width) w 20.3 20.3 100 100 re S", scale: 0.6)
      #expect(abs(box - 240) < 10, "\(box)")
      let text = "\(width) w BT /F 60 Tf 1 Tr 20 100 Td (RO) Tj ET"
      let outline = try ink(of: text, font, scale: 0.6)
      #expect(outline > 100, "\(outline)")
    }
  }

  @Test func `a hatch does not become black`() throws {
    for distance in [0.5, 1, 2, 3, 6] {
      for angle in [0, 0.5, 1.5] {
        let turn = "\(cos(angle)) \(sin(angle)) \(-sin(angle)) \(cos(angle)) 100 150 cm"
        let lines = (0..<Int(100 / distance)).map { number in
          let y = Double(number) * distance - 50
          return "-50 \(y) m 50 \(y) l"
        }
        for content in [lines.joined(separator: " S "), lines.joined(separator: " ")] {
          let ink = try ink(of: "0 w \(turn) \(content) S", scale: 1) / 10_000
          #expect(ink < 0.85, "at \(angle), \(distance) apart: \(ink)")
          #expect(ink > 0.15, "at \(angle), \(distance) apart: \(ink)")
        }
      }
    }
  }

  @Test func `bars that touch are one area`() throws {
    let bars = (0..<200).map { "20 \(20 + Double($0) / 2) 100 0.5 re f" }.joined(separator: " ")
    let ink = try ink(of: "0.5 g \(bars)", scale: 1)
    #expect(abs(ink - 10_000 * 0.5) < 60, "\(ink)")
  }

  @Test func `a clip cuts lines and bars as it does all else`() throws {
    for content in ["0 w 0 150.5 m 200 150.5 l S", "0 150.5 200 0 re f"] {
      let ink = try ink(of: "50 0 60 300 re W n \(content)", scale: 1)
      #expect(abs(ink - 60) < 1, "\(ink)")
    }
  }

  @Test func `tiles of thin lines are the page`() throws {
    var random = SeededGenerator(seed: 45)
    func place() -> String {
      "\(Double.random(in: 0...200, using: &random)) \(Double.random(in: 0...300, using: &random))"
    }
    let content = (0..<200).map { number in
      switch number % 4 {
      case 0: "\(Double(number % 7) / 10) w \(place()) m \(place()) l S"
      case 1: "\(place()) m \(place()) \(place()) \(place()) c S"
      case 2: "\(place()) 80 0.1 re f"
      default: "0 \(number) m 200 \(number) l S"
      }
    }
    try withPage(content.joined(separator: "\n"), "") { file in
      try withDocument(file, .precise) { document in
        let page = try document.page(at: 0)
        for scale in [0.7, 1.3, 4.4] {
          let raster = try PageRaster(page: 0, info: page.info(), scale: scale, rotation: .none)
          let list = try DisplayList(page, raster: raster)
          let whole = Picture(try page.bitmap(of: raster.whole, raster: raster))
          var drawn = whole
          var played = whole
          let grid = TileGrid(page: raster.size, tileSide: 128)
          for rect in grid.tiles(touching: raster.whole).map(grid.rect(of:)) {
            drawn.paste(Picture(try page.bitmap(of: rect, raster: raster)), at: rect)
            played.paste(Picture(try list.bitmap(of: rect)), at: rect)
          }
          for tiles in [drawn, played] {
            let difference = try #require(Difference(tiles, whole, rim: 1))
            // A cut can move an oblique edge past one of the fifteen rows in which cairo samples a pixel.
            #expect(difference.worst <= 255 / 15, "at \(scale): \(difference)")
            #expect(difference.share < 0.01, "at \(scale): \(difference)")
          }
        }
      }
    }
  }

  @Test func `lines are as poppler draws them if text is`() throws {
    for (width, expected) in [(0.0, 1.0), (0.1, 1), (1, 1), (3, 3)] {
      try withPage("\(width) w 20.3 0 m 20.3 300 l S", "") { file in
        let ink = try picture(of: file, 0, scale: 1, .poppler).ink
        #expect(abs(ink - expected * 300) < 6, "width \(width): \(ink / 300)")
      }
    }
  }

  /// How many pixels the ink of a page would cover if it was black.
  private func ink(of content: String, _ resources: String = "", scale: Double) throws -> Double {
    var ink = 0.0
    try withPage(content, resources) { ink = try picture(of: $0, 0, scale: scale, .precise).ink }
    return ink
  }
}

extension Picture {
  /// How many pixels the ink would cover if it was black.
  fileprivate var ink: Double { pixels.reduce(0) { $0 + 1 - Double($1 >> 8 & 255) / 255 } }
}
