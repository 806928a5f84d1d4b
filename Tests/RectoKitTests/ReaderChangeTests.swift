import DocumentModel
import DocumentText
import Foundation
import PageLayout
import RectoBase
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// Documents whose page tree reader is contradicted while they are open.
@Suite(.timeLimit(.minutes(10))) struct ReaderChangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func code(_ body: () async throws -> Void) async -> DocumentError.Code? {
    do {
      try await body()
      return nil
    } catch let error as DocumentError {
      return error.code
    } catch PageExportError.document(let error) {
      return error.code
    } catch {
      return .fault
    }
  }

  private static func drawing(_ page: PageIndex, _ info: PageInfo) throws -> PageDrawing {
    let raster = try PageRaster(page: page, info: info, scale: 1, rotation: .none)
    let part = PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
    return PageDrawing(raster, .parts([part]), purpose: .tiles)
  }

  private static func string(_ text: PageText) -> String {
    String(decoding: text.utf8, as: UTF8.self)
  }

  @Test func `every call is answered by poppler from the contradiction on`() async throws {
    let document = try ContradictingEngine.document(in: folder)
    #expect(try await document.info().title == nil)
    #expect(try await document.page(at: 1).size == Size(width: 200, height: 300))
    #expect(await document.pageReader.name == "tree")
    #expect(document.generation == 0 && document.mismatch == nil)
    #expect(Self.string(try await document.text(of: 0)) == "poppler 1")
    #expect(document.generation == 1)
    #expect(document.mismatch?.code == .pageMismatch)
    #expect(await document.pageReader.name == "poppler")
    #expect(await document.pageReader.reason == "page 1: find: page 1 is another one")
    #expect(try await document.info().title == "poppler")
    #expect(try await document.properties().author == "poppler")
    #expect(try await document.page(at: 1).size == Size(width: 400, height: 300))
    #expect(try await document.measure([0..<4]).generation == 1)
    #expect(try await document.page(labeled: "p3") == 2)
    #expect(try await document.labels(of: [3]) == [3: "p4"])
    #expect(try await document.links(of: 0).map(\.target) == [.uri("poppler")])
    #expect(try await document.outline().items.map(\.title) == ["poppler"])
    #expect(try await document.destination(named: "here")?.page == 1)
    let picture = try await document.picture(
      of: 1,
      geometry: PictureGeometry(size: .longestSide(100))
    )
    #expect(picture.size == PixelSize(width: 100, height: 75))
  }

  @Test func `a picture that stands alone is planned with the size that poppler finds`()
    async throws
  {
    let document = try ContradictingEngine.document(in: folder)
    let geometry = PictureGeometry(size: .longestSide(100))
    #expect(try await document.page(at: 1).size.width == 200)
    let picture = try await document.picture(of: 1, geometry: geometry)
    #expect(picture.size == PixelSize(width: 100, height: 75))
    let embedded = try await document.pictures(
      of: 1,
      geometry: geometry,
      reducedTo: [.longestSide(20)],
      allowsEmbedded: true
    )
    #expect(embedded.map(\.size.width) == [100, 20])
    #expect(document.generation == 1)
  }

  @Test func `a drawing that was planned with another size fails, and not once it is planned anew`()
    async throws
  {
    let document = try ContradictingEngine.document(in: folder)
    let same = try Self.drawing(0, try await document.page(at: 0))
    let other = try Self.drawing(1, try await document.page(at: 1))
    // The first call finds the contradiction; the second one comes after it.
    for _ in 0..<2 {
      #expect(await Self.code { _ = try await document.draw(other) } == .pageMismatch)
    }
    #expect(document.generation == 1)
    // This page is as large as before.
    #expect(try await document.draw(same).pictures.count == 1)
    let plan = try Self.drawing(1, try await document.page(at: 1))
    #expect(try await document.draw(plan).pictures.count == 1)
  }

  @Test func `a drawing that was planned with the size that poppler finds does not fail`()
    async throws
  {
    let document = try ContradictingEngine.document(in: folder)
    let plan = try Self.drawing(0, try await document.page(at: 0))
    #expect(try await document.draw(plan).pictures.count == 1)
    #expect(document.generation == 1)
  }

  @Test func `what is said in one call is of one generation, however many calls there are`()
    async throws
  {
    let gate = ContradictingEngine.Gate(40)
    let document = try ContradictingEngine.document(in: folder, gate: gate)
    let plan = try Self.drawing(0, try await document.page(at: 0))
    let geometry = PictureGeometry(size: .longestSide(100))
    await withTaskGroup(of: String?.self) { group in
      for number in 0..<200 {
        group.addTask {
          do {
            switch number % 5 {
            case 0: return try await document.draw(plan).pictures.count == 1 ? nil : "draw"
            case 1:
              let texts = try await document.text(of: 0..<4).map { Self.string(try $0.get()) }
              return texts == (1...4).map { "poppler \($0)" } ? nil : "\(texts)"
            case 2:
              let known = try await document.measure([0..<4])
              let width = known.info(of: 1)?.size.width
              return width == (known.generation == 0 ? 200 : 400) ? nil : "measure"
            case 3:
              let size = try await document.picture(of: 1, geometry: geometry).size
              return size == PixelSize(width: 100, height: 75) ? nil : "\(size)"
            default:
              let page = try await document.page(labeled: "2")
              return page == 1 || (page == nil && document.generation == 1) ? nil : "label"
            }
          } catch {
            return "\(error)"
          }
        }
      }
      for await failure in group {
        if let failure { Issue.record("\(failure)") }
      }
    }
    #expect(document.generation == 1)
    #expect(try await document.page(at: 1).size.width == 400)
  }

  @Test func `the page tree reader alone fails for ever`() async throws {
    let settings = DocumentSettings(cache: nil, pageReader: .tree)
    let document = try ContradictingEngine.document(in: folder, settings)
    #expect(try await document.page(at: 1).size.width == 200)
    for _ in 0..<2 {
      #expect(await Self.code { _ = try await document.text(of: 0) } == .pageMismatch)
    }
    #expect(await Self.code { _ = try await document.info() } == .pageMismatch)
    #expect(await Self.code { _ = try await document.measure([0..<1]) } == .pageMismatch)
    #expect(document.generation == 0)
  }

  @Test func `a file that was changed contradicts any reader`() async throws {
    let document = try ContradictingEngine.document(in: folder)
    #expect(try await document.info().pageCount == 4)
    FileIdentity.waitForTick()
    let file = try FileDescriptor.open(FilePath(folder.path("book.pdf")), .readWrite)
    defer { try? file.close() }
    _ = try file.writeAll(toAbsoluteOffset: 0, [UInt8(ascii: "%")])
    #expect(await Self.code { _ = try await document.text(of: 0) } == .changed)
    #expect(document.generation == 0)
  }

  @Test func `those who have shown something are told once`() async throws {
    let document = try ContradictingEngine.document(in: folder)
    let changes = [document.generations, document.generations]
    _ = try await document.text(of: 0)
    for stream in changes {
      var next = stream.makeAsyncIterator()
      #expect(await next.next() == 1)
    }
  }

  @Test func `a layout and a viewer are made once more`() async throws {
    let document = try ContradictingEngine.document(in: folder)
    let viewer = try await OpenedFixture.viewer(document)
    #expect(await viewer.scene.documentLayout.pages.info(of: 0)?.size.width == 200)
    _ = try await document.text(of: 0)
    #expect(await Self.code { try await viewer.measureAll() } == .pageMismatch)
    let other = try await viewer.carried(to: document)
    try await other.measureAll()
    #expect(await other.scene.documentLayout.pages.info(of: 1)?.size.width == 400)
    #expect(await other.scene.geometry > viewer.scene.geometry)

    let second = try ContradictingEngine.document(in: folder)
    let (tiles, pages) = try await second.withOneReader {
      var layout = try DocumentLayout(
        second,
        configuration: LayoutConfiguration(),
        pages: PageSequence(pageCount: try await second.info().pageCount),
        viewport: Size(width: 500, height: 2000)
      )
      let window = try await layout.window(at: .start, sizes: .exact)
      let spreads = try await layout.spreads(in: window)
      let tiles = await layout.tiles(of: spreads, in: window, scale: 1, tileSide: 512)
      return (tiles, layout.pages)
    }
    #expect(tiles.count > 1 && tiles.allSatisfy { (try? $0.get()) != nil })
    #expect(pages.generation == 1 && pages.info(of: 1)?.size.width == 400)
  }

  @Test func `texts begin again if none was handed over`() async throws {
    let document = try ContradictingEngine.document(pageCount: 40, in: folder)
    var texts: [String] = []
    try await PageTexts().read(document, workers: 2) { page in
      texts.append((try? page.text.get()).map(Self.string) ?? "")
      return true
    }
    #expect(texts == (1...40).map { "poppler \($0)" })
    var hits = 0
    try await TextSearch(TextQuery("poppler")).run(document, width: 2) { page in
      hits += (try? page.hits.get().count) ?? 0
      return true
    }
    #expect(hits == 40)
  }

  @Test func `texts fail if some were handed over, and not when they are read again`() async throws
  {
    let gate = ContradictingEngine.Gate(.max)
    let document = try ContradictingEngine.document(
      pageCount: 40,
      in: folder,
      refusing: 16..<40,
      gate: gate
    )
    var pages = 0
    let code = await Self.code {
      try await TextSearch(TextQuery("tree")).run(document, width: 3) { page in
        pages += 1
        if pages == 1 { await gate.open() }
        return true
      }
    }
    #expect(code == .pageMismatch)
    #expect(pages == 16)
    pages = 0
    try await TextSearch(TextQuery("poppler")).run(document, width: 3) { page in
      pages += (try? page.hits.get().count) ?? 0
      return true
    }
    #expect(pages == 40)
  }

  @Test func `what was learned from the page tree is not kept`() async throws {
    let cache = FilePath(folder.path("cache"))
    let settings = DocumentSettings(cache: CacheDirectory(root: cache))
    let document = try ContradictingEngine.document(in: folder, settings)
    _ = try await document.measure([0..<4])
    let record = folder.url.appending(path: "cache")
    func files() -> [String] {
      (try? FileManager.default.subpathsOfDirectory(atPath: record.path))?
        .filter { $0.contains("documents/") && $0.contains("pages-") } ?? []
    }
    #expect(!files().isEmpty)
    _ = try await document.text(of: 0)
    _ = try await document.measure([0..<4])
    #expect(files().isEmpty)
  }
}
