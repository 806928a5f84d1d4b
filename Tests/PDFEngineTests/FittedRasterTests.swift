import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// Pages stretched to whole pixels by a factor of its own for each side.
extension PopplerTests {
  /// The rasters of a page that fill a pixel a side more, as many as it has, or fewer.
  private func fitted(
    _ page: PDFPage,
    scale: Double,
    rotation: Rotation
  ) throws -> [PageRaster] {
    let natural = try PageRaster(
      page: page.index,
      info: page.info(),
      scale: scale,
      rotation: rotation
    )
    return [(-1, 0), (0, -1), (-1, -1), (1, 0), (0, 0)].compactMap { more in
      let size = PixelSize(
        width: natural.size.width + more.0,
        height: natural.size.height + more.1
      )
      let raster = natural.filling(size, of: page.info())
      #expect(raster.size == size)
      #expect(raster.isFitted || raster == natural)
      return raster.isFitted ? raster : nil
    }
  }

  @Test func `a dark page fills every pixel that it is fitted to`() throws {
    let dark = try DarkPages.mixed()
    let file = try FileDescriptor.open(FilePath(dark.file.path), .readOnly)
    defer { try? file.close() }  // opened for reading: closing cannot lose anything
    let document = try PDFDocument(descriptor: file.rawValue)
    var count = 0
    for index in Range(pageCount: document.info.pageCount) {
      let page = try document.page(at: index)
      for scale in [0.1, 0.331, 1, 1.25] {
        for rotation in Rotation.allCases {
          for raster in try fitted(page, scale: scale, rotation: rotation) {
            #expect(page.hasSize(of: raster))
            let direct = Picture(try page.bitmap(of: raster.whole, raster: raster))
            let recorded = Picture(
              try DisplayList(page, raster: raster).bitmap(of: raster.whole)
            )
            for picture in [direct, recorded] {
              let light = picture.pixels.count { $0 != 0xFF00_0000 }
              #expect(light == 0, "page \(index.number) in \(raster.size), \(rotation)")
            }
            count += 1
          }
        }
      }
    }
    #expect(count > 500)
  }

  @Test func `tiles of a fitted page put together are the page`() throws {
    for fixture in ["book", "rotate-odd", "user-unit", "crop-shifted"] {
      let file = try FileDescriptor.open(TestPaths.fixture(fixture).path, .readOnly)
      defer { try? file.close() }  // as above
      let document = try PDFDocument(descriptor: file.rawValue)
      let page = try document.page(at: 0)
      for rotation in Rotation.allCases {
        for raster in try fitted(page, scale: 0.77, rotation: rotation) {
          let list = try DisplayList(page, raster: raster)
          let whole = Picture(try list.bitmap(of: raster.whole))
          var joined = Picture(
            size: whole.size,
            pixels: [UInt32](repeating: 0, count: whole.pixels.count)
          )
          let grid = TileGrid(page: raster.size, tileSide: 160)
          for rect in grid.tiles(touching: raster.whole).map(grid.rect(of:)) {
            joined.paste(Picture(try list.bitmap(of: rect)), at: rect)
          }
          expectSame(joined, whole, "\(fixture) in \(raster.size), \(rotation)")
        }
      }
    }
  }

  @Test func `a fitted page is no more than a pixel a side off its size`() throws {
    let file = try FileDescriptor.open(TestPaths.fixture("book").path, .readOnly)
    defer { try? file.close() }  // as above
    let page = try PDFDocument(descriptor: file.rawValue).page(at: 0)
    let info = page.info()
    let natural = try PageRaster(page: 0, info: info, scale: 1, rotation: .none)
    for more in [-400, -2, 2, 1 << 40] {
      let size = PixelSize(width: natural.size.width + more, height: natural.size.height)
      #expect(natural.filling(size, of: info) == natural)
      var other = natural
      other.size = size
      other.isFitted = true
      #expect(!page.hasSize(of: other))
    }
  }
}
