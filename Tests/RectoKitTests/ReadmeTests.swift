import DocumentModel
import ExampleArrangements
import Foundation
import PNGCoding
import PageLayout
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// The README's example, on the sample book.
@Suite struct ReadmeTests {
  @Test func `the library does what the README shows`() async throws {
    let folder = try TemporaryFolder()
    let settings = DocumentSettings(
      cache: CacheDirectory(root: FilePath(folder.path("cache"))),
      workerProgram: FilePath(TestPaths.worker.path)
    )
    let document = try Document(FilePath(TestPaths.fixture("book").path), settings: settings)
    let info = try await document.info()
    var documentLayout = try DocumentLayout(
      document,
      configuration: LayoutConfiguration(),
      pages: PageSequence(pageCount: info.pageCount),
      viewport: Size(width: 1280, height: 800)
    )
    let window = try await documentLayout.window(at: .offset(Point(x: 0, y: 1500)), sizes: .exact)
    let spreads = try await documentLayout.spreads(in: window)
    let tiles = await documentLayout.tiles(of: spreads, in: window, scale: 2, tileSide: 512)

    #expect(window == Rect(x: 0, y: 1500, width: 1280, height: 800))
    #expect(spreads.map(\.index) == [2, 3])
    #expect(tiles.count == 2)
    for (page, result) in zip(spreads.flatMap(\.pages), tiles) {
      let drawn = try result.get()
      let visible = try #require(page.visible(in: window))
      let area = drawn.tiles.compactMap { $0.frame.intersection(visible)?.area }.reduce(0, +)
      #expect(abs(area - visible.area) < 1e-3)
      for tile in drawn.tiles {
        let header = try PNGStructure.validate(tile.picture.bytes.span.bytes)
        #expect(header.size == tile.pixels.size)
        #expect(tile.picture.source == .rendered)
      }
    }
  }

  @Test func `the example with an arrangement of one's own draws a picture`() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run(
      TestPaths.products.appending(path: "mosaic-picture"),
      [TestPaths.fixture("book").path, folder.path("mosaic.png")],
      environment: ["XDG_CACHE_HOME": folder.path("cache")]
    )
    #expect(result.code == 0, "\(result.errors)")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path("mosaic.png"))))
    let picture = try PNGDecoder.decode(bytes.span.bytes, maxPixels: 1 << 20)
    #expect(picture.size == PixelSize(width: 560, height: 420))
    #expect(Set(picture.pixels).count > 100)
  }

  @Test func `a page is found by either reader and drawn the same`() async throws {
    var pictures: [[UInt8]] = []
    for reader in [PageReader.tree, .poppler] {
      let settings = DocumentSettings(
        cache: nil,
        pageReader: reader,
        workerProgram: FilePath(TestPaths.worker.path)
      )
      let document = try Document(FilePath(TestPaths.fixture("inherited").path), settings: settings)
      let info = try await document.page(at: 3)
      let raster = try PageRaster(page: 3, info: info, scale: 1, rotation: .none)
      let whole = PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
      let drawn = try await document.pictures(of: raster, parts: [whole])
      pictures.append(drawn.pictures[0].bytes)
      #expect(await document.pageReader.name == (reader == .tree ? "tree" : "poppler"))
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test func `a viewer shows a layout of one's own and keeps it`() async throws {
    let settings = DocumentSettings(
      cache: nil,
      workerProgram: FilePath(TestPaths.worker.path)
    )
    let document = try Document(FilePath(TestPaths.fixture("book").path), settings: settings)
    let viewer = try await Viewer(
      document,
      configuration: LayoutConfiguration(),
      arrangement: Mosaic(),
      pages: PageSequence(pageCount: 12),
      viewport: Size(width: 1000, height: 600),
      scale: 1,
      tileSide: 256
    )
    var move = ViewerMove()
    move.place = .page(7, fraction: 0)
    let scene = try await viewer.show(move)
    let pages = scene.spreads.flatMap(\.pages)
    let large = try #require(pages.first { $0.page == 5 })
    let small = try #require(pages.first { $0.page == 7 })
    #expect(large.frame.height > 1.9 * small.frame.height)
    move.place = nil
    move.zoom = 0.5
    let zoomed = try await viewer.show(move)
    let other = try #require(zoomed.spreads.flatMap(\.pages).first { $0.page == 7 })
    #expect(other.frame.height < 0.6 * small.frame.height)
    #expect(zoomed.documentLayout.layout.hasTwoSmallPagesInRow)
  }
}

extension Layout {
  /// Whether two of the small pages stand side by side, as no mode places them.
  fileprivate var hasTwoSmallPagesInRow: Bool {
    guard let first = spread(6)?.frame, let second = spread(7)?.frame else { return false }
    return abs(first.center.y - second.center.y) < 1e-6 && first.maxX < second.minX
  }
}
