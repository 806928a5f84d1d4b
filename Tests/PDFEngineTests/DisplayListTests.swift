import DocumentModel
import Foundation
import PDFEngine
import PNGCoding
import RectoGeometry
import RectoTiles
import SystemPackage
import TestSupport
import Testing

extension PopplerTests {
  @Test func `recordings are kept by bytes, those used last longest`() throws {
    try withPages(of: TestPaths.fixture("book")) { page in
      let pages = try Range(pageCount: 3).map { index in
        let page = try page(index)
        let raster = try raster(of: page, scale: 1)
        return try DisplayList(page, raster: raster)
      }
      let total = pages.reduce(0) { $0 + $1.bytes }
      var lists = DisplayLists(limit: total)
      for list in pages { lists.keep(list) }
      #expect(lists.count == 3 && lists.bytes == total)
      // The first is used, so the second has to go for a fourth.
      let foundFirst = lists.list(of: pages[0].raster, holding: pages[0].rect)
      #expect(foundFirst === pages[0])
      let fourth = try page(3)
      let list = try DisplayList(fourth, raster: raster(of: fourth, scale: 1))
      lists.keep(list)
      #expect(lists.bytes <= total)
      let foundSecond = lists.list(of: pages[1].raster, holding: pages[1].rect)
      #expect(foundSecond == nil)
      let foundFourth = lists.list(of: list.raster, holding: list.rect)
      #expect(foundFourth === list)
    }
  }

  @Test func `a recording larger than the budget is not kept and costs no other its place`() throws
  {
    try withPages(of: TestPaths.fixture("book")) { page in
      let first = try page(0)
      let small = try DisplayList(first, raster: raster(of: first, scale: 1))
      var lists = DisplayLists(limit: small.bytes)
      let isSmallKept = lists.keep(small)
      #expect(isSmallKept)
      let sheet = try ImageSheet(count: 20, side: 1000)
      try withPages(of: sheet.file) { page in
        let images = try page(0)
        let large = try DisplayList(images, raster: raster(of: images, scale: 1))
        // Twenty images of 1000×1000 pixels, four bytes each; other tests may free memory meanwhile.
        #expect(large.bytes >= 60_000_000)
        let isLargeKept = lists.keep(large)
        #expect(!isLargeKept)
        #expect(lists.count == 1 && lists.bytes == small.bytes)
      }
    }
  }

  @Test func `tiles are the same whether there is room for recordings or not`() throws {
    let cases: [(String, PageIndex)] = [("book", 4), ("transparency", 1), ("rotate", 2)]
    for (name, index) in cases {
      let file = try FileDescriptor.open(TestPaths.fixture(name).path, .readOnly)
      defer { try? file.close() }
      let sessions = try [DisplayLists.defaultLimit, 0].map { bytes in
        try DrawingSession(
          descriptor: file.rawValue,
          password: nil,
          subset: nil,
          listBytes: bytes
        )
      }
      var info: [PageInfo] = []
      sessions[0].measure(Range(only: index), batchSize: 1) { _, pages in
        info += pages.compactMap { try? $0.get() }
      }
      let raster = try PageRaster(
        page: index,
        info: try #require(info.first),
        scale: 2,
        rotation: .none
      )
      let grid = TileGrid(page: raster.size, tileSide: 300)
      let tiles = grid.tiles(touching: raster.whole).map(grid.rect(of:))
      // Twice: the first request without room still plays back, the second draws strips.
      for _ in 0..<2 {
        let pictures = try sessions.map { session in
          var pictures: [[UInt8]] = []
          _ = try session.draw(PageDrawing(raster, .parts(tiles), purpose: .tiles)) {
            pictures.append($0)
          }
          return pictures
        }
        #expect(pictures[0].count == tiles.count && pictures[1].count == tiles.count)
        for (one, other) in zip(pictures[0], pictures[1]) {
          let one = try #require(Picture(png: one))
          let other = try #require(Picture(png: other))
          let difference = try #require(Difference(one, other, rim: 1))
          #expect(difference.visibleCount * 1000 <= difference.area, "\(name): \(difference)")
        }
      }
    }
  }

  @Test func `deep zoom records no more than the cells that are looked at`() throws {
    let file = try FileDescriptor.open(TestPaths.fixture("transparency").path, .readOnly)
    defer { try? file.close() }
    let document = try PDFDocument(descriptor: file.rawValue)
    for index in Range(pageCount: 3) {
      let page = try document.page(at: index)
      let session = try DrawingSession(descriptor: file.rawValue, password: nil, subset: nil)
      // More than cairo's longest side: a mask as large as the page could not be made.
      let raster = try raster(of: page, scale: 50_000 / page.info().size.width)
      #expect(raster.size.width > Bitmap.largestSide)
      let middle = PixelRect(
        x: raster.size.width / 2,
        y: raster.size.height / 2,
        width: 256,
        height: 256
      )
      let corner = PixelRect(
        x: raster.size.width - 100,
        y: raster.size.height - 50,
        width: 100,
        height: 50
      )
      var pictures: [[UInt8]] = []
      _ = try session.draw(PageDrawing(raster, .parts([middle, corner]), purpose: .tiles)) {
        pictures.append($0)
      }
      for (part, picture) in zip([middle, corner], pictures) {
        let drawn = try #require(Picture(png: picture))
        let expected = Picture(try page.bitmap(of: part, raster: raster))
        let difference = try #require(Difference(drawn, expected, rim: 1))
        #expect(
          difference.visibleCount * 1000 <= difference.area,
          "page \(index.number): \(difference)"
        )
      }
      #expect(pictures.count == 2)
    }
  }

  @Test func `the tiles of a cut page are those of the page`() throws {
    try withPages(of: TestPaths.fixture("book")) { page in
      let page = try page(7)
      let raster = try raster(of: page, scale: 11)
      #expect(raster.size.height > 4096)
      for side in [512, 300] {
        let grid = TileGrid(page: raster.size, tileSide: side)
        let around = PixelRect(x: 1900, y: 1900, width: 400, height: 400)
        for tile in grid.tiles(touching: around).map(grid.rect(of:)) {
          let cell = DisplayList.rect(around: tile, of: raster)
          #expect(cell.contains(tile))
          #expect(cell != raster.whole)
          let list = try DisplayList(page, raster: raster, rect: cell)
          let whole = try DisplayList(page, raster: raster)
          let difference = try #require(
            Difference(
              Picture(try list.bitmap(of: tile)),
              Picture(try whole.bitmap(of: tile)),
              rim: 1
            )
          )
          #expect(difference.isNone, "\(tile): \(difference)")
        }
      }
    }
  }

  @Test func `every part lies in its cell, and small pages are one`() throws {
    let size = Size(width: 10_000, height: 5_000)
    let box = Rect(x: 0, y: 0, width: size.width, height: size.height)
    let info = PageInfo(cropBox: box, rotation: nil, userUnit: 1, size: size, label: nil)
    let large = try PageRaster(page: 0, info: info, scale: 1, rotation: .none)
    for side in [1, 256, 300, 512, 513, 1024, 3000] {
      let grid = TileGrid(page: large.size, tileSide: max(side, 200))
      for tile in grid.tiles(touching: large.whole).map(grid.rect(of:)) {
        let cell = DisplayList.rect(around: tile, of: large)
        #expect(cell.contains(tile) && large.whole.contains(cell))
      }
    }
    let small = try PageRaster(page: 0, info: info, scale: 0.4, rotation: .none)
    let corner = PixelRect(x: 3999, y: 1999, width: 1, height: 1)
    #expect(DisplayList.rect(around: corner, of: small) == small.whole)
  }

  @Test func `a strip holds whole rows and only the rows that were requested`() {
    let grid = TileGrid(page: PixelSize(width: 1000, height: 700), tileSide: 300)
    let all = grid.tiles(touching: PixelRect(x: 0, y: 0, width: 1000, height: 700))
      .map(grid.rect(of:))
    #expect(
      Strip.strips(of: all) == [
        Strip(rect: PixelRect(x: 0, y: 0, width: 1000, height: 700), parts: 0..<12)
      ]
    )
    // Without its corner, the page is a row and a rest.
    let rects = Strip.strips(of: Array(all.dropLast())).map(\.rect)
    #expect(rects.count == 2)
    #expect(rects[0] == PixelRect(x: 0, y: 0, width: 1000, height: 600))
    #expect(Strip.strips(of: []).isEmpty)
    let apart = [all[0], all[2]]
    #expect(Strip.strips(of: apart).map(\.rect) == apart)
  }

  @Test func `a strip stays within cairo's limits and its own`() {
    let wide = (0..<200).map { PixelRect(x: $0 * 256, y: 0, width: 256, height: 256) }
    let strips = Strip.strips(of: wide)
    #expect(strips.count == 2)
    #expect(strips.allSatisfy { $0.rect.width <= Bitmap.largestSide })
    #expect(strips.flatMap(\.parts) == Array(wide.indices))
    let tall = (0..<40).map { PixelRect(x: 0, y: $0 * 1000, width: 2000, height: 1000) }
    for strip in Strip.strips(of: tall) {
      #expect((strip.rect.size.area ?? .max) <= Strip.largestArea)
    }
  }

  private func withPages(
    of file: URL,
    _ body: ((PageIndex) throws -> PDFPage) throws -> Void
  ) throws {
    let file = try FileDescriptor.open(file.path, .readOnly)
    defer { try? file.close() }
    let document = try PDFDocument(descriptor: file.rawValue)
    try body { try document.page(at: $0) }
  }

  private func raster(of page: PDFPage, scale: Double) throws -> PageRaster {
    try PageRaster(page: page.index, info: page.info(), scale: scale, rotation: .none)
  }
}
