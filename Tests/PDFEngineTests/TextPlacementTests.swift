import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import RectoTiles
import TestSupport
import Testing

/// Text where the document puts it.
extension PopplerTests {
  @Test func `precise text is nearer to the page as many more pixels would show it`() throws {
    let book = try #require(try Fixture.all.first { $0.name == "book.pdf" })
    for scale in [0.5, 1, 4 / 3.0] {
      for index: PageIndex in [2, 4] {
        let reference = try picture(of: book.url, index, scale: scale * 8, .poppler).averaged(by: 8)
        let distances = try TextPlacement.allCases.map { text in
          try picture(of: book.url, index, scale: scale, text).distance(from: reference)
        }
        #expect(distances[0] * 2 < distances[1], "page \(index.number) at \(scale): \(distances)")
      }
    }
  }

  @Test func `glyphs of any color and opacity are the pixels that cairo paints`() throws {
    var random = SystemRandomNumberGenerator()
    var content = ""
    for line in 0..<60 {
      // Also those between two values of a byte.
      let color = (0..<3).map { _ in
        line < 20
          ? "\(Double(Int.random(in: 0...256, using: &random)) / 256)"
          : "\(Double.random(in: 0...1, using: &random))"
      }
      content += "/G\(line % 4) gs \(color.joined(separator: " ")) rg BT /F \(6 + line % 30) Tf "
      content += "\(Double.random(in: 0...150, using: &random)) "
      content += "\(Double.random(in: 0...290, using: &random)) Td (Overlaps \(line)) Tj ET\n"
    }
    let states = ["1", "0.5", "0.013", "0.77"].enumerated().map { "/G\($0)<</ca \($1)>>" }
    let resources =
      "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/ExtGState<<\(states.joined())>>"
    try withPage(content, resources) { file in
      for scale in [0.4, 1, 2.3] {
        try withDocument(file, .precise) { document in
          let page = try document.page(at: 0)
          let raster = try PageRaster(page: 0, info: page.info(), scale: scale, rotation: .none)
          // In a picture the glyphs are blended by Recto, in a recording by cairo.
          let direct = Picture(try page.bitmap(of: raster.whole, raster: raster))
          let recorded = Picture(try DisplayList(page, raster: raster).bitmap(of: raster.whole))
          let difference = try #require(Difference(direct, recorded))
          let isSame = direct.pixels == recorded.pixels
          #expect(isSame, "\(scale): \(difference)")
          #expect(Set(direct.pixels).count > 500)
        }
      }
    }
  }

  @Test func `a page is the same whatever was drawn before`() throws {
    let book = try #require(try Fixture.all.first { $0.name == "book.pdf" })
    for scale in [0.3, 0.5, 1, 4 / 3.0, 4] {
      let alone = try picture(of: book.url, 4, scale: scale, .precise)
      try withDocument(book.url, .precise) { document in
        for index: PageIndex in [2, 3, 5, 4] {
          let page = try document.page(at: index)
          let raster = try PageRaster(page: index, info: page.info(), scale: scale, rotation: .none)
          let picture = Picture(try page.bitmap(of: raster.whole, raster: raster))
          let isSame = picture == alone
          #expect(isSame == (index == 4), "page \(index.number) at \(scale)")
        }
      }
    }
  }

  @Test func `tiles of glyphs larger than an image of a glyph are the page`() throws {
    // Beside letters of the same size that have images.
    let content = "BT /F 60 Tf 20 200 Td (W.i|,W) Tj 0 -90 Td (.WMW) Tj ET"
    let font = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    try withPage(content, font) { file in
      try withDocument(file, .precise) { document in
        let page = try document.page(at: 0)
        for scale in [0.9, 4.4, 5.1, 11.3] {
          let raster = try PageRaster(page: 0, info: page.info(), scale: scale, rotation: .none)
          let list = try DisplayList(page, raster: raster)
          let grid = TileGrid(page: raster.size, tileSide: 128)
          let tiles = grid.tiles(touching: raster.whole).map(grid.rect(of:))
          let empty = [UInt32](repeating: 0, count: raster.size.width * raster.size.height)
          var drawn = Picture(size: raster.size, pixels: empty)
          var played = drawn
          for rect in tiles {
            drawn.paste(Picture(try page.bitmap(of: rect, raster: raster)), at: rect)
            played.paste(Picture(try list.bitmap(of: rect)), at: rect)
          }
          let whole = Picture(try page.bitmap(of: raster.whole, raster: raster))
          #expect(whole.pixels.contains(0xFF00_0000))
          expectSame(drawn, whole, "drawn at \(scale)")
          expectSame(played, Picture(try list.bitmap(of: raster.whole)), "played at \(scale)")
        }
      }
    }
  }
}

extension Picture {
  /// The picture with each square of so many pixels a side as one pixel, its mean.
  fileprivate func averaged(by factor: Int) -> Picture {
    let smaller = PixelSize(width: size.width / factor, height: size.height / factor)
    var result = Picture(size: smaller, pixels: [])
    result.pixels.reserveCapacity(smaller.width * smaller.height)
    for y in 0..<smaller.height {
      for x in 0..<smaller.width {
        var mean: UInt32 = 0
        for shift: UInt32 in [0, 8, 16, 24] {
          var sum = 0
          for row in 0..<factor {
            for column in 0..<factor {
              sum += Int(
                pixels[(y * factor + row) * size.width + x * factor + column] >> shift & 255
              )
            }
          }
          mean |= UInt32((sum + factor * factor / 2) / (factor * factor)) << shift
        }
        result.pixels.append(mean)
      }
    }
    return result
  }

  /// The root mean square of the difference in green, where both pictures are.
  fileprivate func distance(from other: Picture) -> Double {
    let (width, height) = (min(size.width, other.size.width), min(size.height, other.size.height))
    var sum = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let one = Double(pixels[y * size.width + x] >> 8 & 255)
        let two = Double(other.pixels[y * other.size.width + x] >> 8 & 255)
        sum += (one - two) * (one - two)
      }
    }
    return (sum / Double(width * height)).squareRoot()
  }
}
