import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import RectoTiles
import RenderWorkers
import TestSupport
import Testing

extension PopplerTests {
  static let scales = [0.5, 1, 1.37, 2]

  /// Fixtures and the pages of each that are cut into tiles.
  static let cutPages: [(String, [PageIndex])] = [
    ("book.pdf", [0, 4, 7]), ("mixed-sizes.pdf", [0, 6]), ("rotate.pdf", [0, 1, 2, 3]),
    ("rotate-odd.pdf", [0, 3]), ("crop.pdf", [1]), ("crop-shifted.pdf", [2]),
    ("crop-overhang.pdf", [0]), ("user-unit.pdf", [0, 3]), ("inherited.pdf", [1]),
    ("transparency.pdf", [0, 1, 2]), ("form.pdf", [0]), ("layers.pdf", [0]),
    ("syntax-errors.pdf", [0]), ("fold-out.pdf", [3]),
  ]

  private func eachCutPage(
    _ text: TextPlacement = .precise,
    _ body: (String, PDFPage) throws -> Void
  ) throws {
    let fixtures = try Fixture.all
    for (name, indices) in Self.cutPages {
      let fixture = try #require(fixtures.first { $0.name == name })
      try fixture.withDocument(text: text) { document in
        for index in indices { try body("\(name), page \(index.number)", document.page(at: index)) }
      }
    }
  }

  @Test(arguments: TextPlacement.allCases)
  func `tiles put together are the page, at any scale and view rotation`(
    _ text: TextPlacement
  ) throws {
    var tiles = 0
    try eachCutPage(text) { name, page in
      for scale in Self.scales {
        for rotation in Rotation.allCases {
          let raster = try PageRaster(
            page: page.index,
            info: page.info(),
            scale: scale,
            rotation: rotation
          )
          let list = try DisplayList(page, raster: raster)
          let whole = Picture(try list.bitmap(of: raster.whole))
          var joined = Picture(size: whole.size, pixels: .init(repeating: 0, count: raster.area))
          let grid = TileGrid(page: raster.size, tileSide: 160)
          for rect in grid.tiles(touching: raster.whole).map(grid.rect(of:)) {
            joined.paste(Picture(try list.bitmap(of: rect)), at: rect)
            tiles += 1
          }
          expectSame(joined, whole, "\(name) at \(scale), \(rotation)")
        }
      }
    }
    print("\(tiles) tiles of fixtures make up their pages")
  }

  @Test(arguments: TextPlacement.allCases)
  func `tiles drawn without a recording are the page, too`(_ text: TextPlacement) throws {
    try eachCutPage(text) { name, page in
      let raster = try PageRaster(
        page: page.index,
        info: page.info(),
        scale: 1.37,
        rotation: .quarter
      )
      let whole = Picture(try page.bitmap(of: raster.whole, raster: raster))
      var joined = Picture(size: whole.size, pixels: .init(repeating: 0, count: raster.area))
      let grid = TileGrid(page: raster.size, tileSide: 256)
      for rect in grid.tiles(touching: raster.whole).map(grid.rect(of:)) {
        joined.paste(Picture(try page.bitmap(of: rect, raster: raster)), at: rect)
      }
      expectSame(joined, whole, name)
    }
  }

  @Test func `a turned view is the upright one turned`() throws {
    var worst = 0.0
    try eachCutPage { name, page in
      for scale in [1, 2.0] {
        let raster = { (rotation: Rotation) throws in
          try PageRaster(page: page.index, info: page.info(), scale: scale, rotation: rotation)
        }
        let upright = try raster(.none)
        let picture = Picture(try page.bitmap(of: upright.whole, raster: upright))
        for rotation in Rotation.allCases.dropFirst() {
          let turned = try raster(rotation)
          let own = Picture(try page.bitmap(of: turned.whole, raster: turned))
          let expected = picture.turned(by: rotation)
          #expect(own.size == expected.size, "\(name), \(rotation)")
          // Edges are antialiased and glyphs placed anew, so from afar.
          let distances = zip(own.coarse(8), expected.coarse(8)).map { abs($0 - $1) }
          worst = max(worst, distances.max() ?? 0)
          #expect(distances.allSatisfy { $0 < 8 }, "\(name), \(rotation): \(distances.max() ?? 0)")
        }
      }
    }
    print("turned views differ from turned pictures by \(worst) at the most, from afar")
  }

  /// Documents of different kinds.
  private static let cutDocuments = [
    "poppler-test__blend.pdf", "poppler-test__mask-seams.pdf", "poppler-test__type3.pdf",
    "pdfium__shade-tensor.pdf", "pdf.js__S2.pdf", "pikepdf__jbig2global.pdf",
    "sample-files__habibi-rotated.pdf", "qpdf__boxes.pdf", "pdf.js__noembed-sjis.pdf",
    "veraPDF-corpus__veraPDF_test_suite_6-2-9-t06-pass-a.pdf",
  ]

  @Test(hasCorpus)
  func `tiles of corpus pages put together are the pages`() async throws {
    let files = Corpus.files.filter { Self.cutDocuments.contains($0.lastPathComponent) }
    try #require(!files.isEmpty)
    let tiles = try await twoAtATime(files) { file in
      try await withPool(file) { pool in
        let info = try await pool.measure(0..<1)[0].get()
        var tiles = 0
        for (scale, rotation) in zip(Self.scales, Rotation.allCases) {
          let raster = try PageRaster(page: 0, info: info, scale: scale, rotation: rotation)
          let grid = TileGrid(page: raster.size, tileSide: 300)
          let rects = grid.tiles(touching: raster.whole).map(grid.rect(of:))
          let drawn = try await pool.draw(
            PageDrawing(raster, .parts([raster.whole] + rects), purpose: .tiles),
            subset: nil
          )
          let pictures = try drawn.pictures.map { try #require(Picture(png: $0)) }
          var joined = Picture(size: raster.size, pixels: .init(repeating: 0, count: raster.area))
          for (rect, picture) in zip(rects, pictures.dropFirst()) {
            #expect(picture.size == rect.size)
            joined.paste(picture, at: rect)
          }
          expectSame(joined, pictures[0], "\(file.lastPathComponent) at \(scale), \(rotation)")
          tiles += rects.count
        }
        return tiles
      }
    }
    print("\(tiles.reduce(0, +)) tiles of corpus pages make up their pages")
  }
}

extension PageRaster {
  fileprivate var area: Int { size.width * size.height }
}

/// Expects that the two pictures look the same.
///
/// cairo cuts a shape at the edges of what it draws on. The cut moves the rest of an oblique or
/// curved edge by up to 1/256 of a pixel, so its antialiasing may come out otherwise, by up to 12 of
/// 255, in a tile; so may the outermost pixels of a page that ends within them, where the clip to
/// the page is left out if it seems to change nothing. No pixel may differ by more.
func expectSame(_ one: Picture, _ other: Picture, _ what: String) {
  guard let difference = Difference(one, other, rim: 1) else {
    Issue.record("\(what): sizes differ")
    return
  }
  if !difference.isNone { print("\(what): \(difference)") }
  #expect(difference.visibleCount * 10_000 <= difference.area, "\(what): \(difference)")
  #expect(difference.share < 0.02, "\(what): \(difference)")
}
