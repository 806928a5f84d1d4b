import DocumentModel
import Foundation
import PDFEngine
import PDFStructure
import PNGCoding
import RectoGeometry
import RectoKit
import RectoTiles
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

/// What stands behind `DocumentEngine`.
enum EngineKind: String, CaseIterable, CustomTestStringConvertible {
  case workers
  case inProcess

  var testDescription: String { self == .workers ? "worker processes" : "this process" }

  func make(_ file: FileDescriptor, password: String?) throws(DocumentError) -> any DocumentEngine {
    switch self {
    case .workers:
      WorkerPool(
        WorkerPool.Settings(
          executable: FilePath(TestPaths.worker.path),
          password: password,
          workers: 2
        ),
        document: file
      )
    case .inProcess: try InProcessEngine(descriptor: file.rawValue, password: password)
    }
  }
}

/// What an engine promises, whichever it is.
@Suite(.timeLimit(.minutes(10))) struct DocumentEngineTests {
  private func engine(
    _ kind: EngineKind,
    _ fixture: String,
    password: String? = nil,
    _ body: (any DocumentEngine) async throws -> Void
  ) async throws {
    let file = try FileDescriptor.open(TestPaths.fixture(fixture).path, .readOnly)
    defer { try? file.close() }
    let engine = try kind.make(file, password: password)
    try await body(engine)
    await engine.close()
  }

  private func raster(
    _ page: PageIndex,
    of engine: any DocumentEngine,
    scale: Double = 1
  ) async throws -> PageRaster {
    let info = try #require(await engine.measure(Range(only: page)).first).get()
    return try PageRaster(page: page, info: info, scale: scale, rotation: .none)
  }

  private func whole(_ raster: PageRaster) -> PixelRect {
    PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
  }

  private func decoded(_ png: [UInt8]) throws -> PNGPicture {
    try PNGDecoder.decode(png, maxPixels: 1 << 24)
  }

  private func code(
    _ body: () async throws(DocumentError) -> some Any
  ) async -> DocumentError.Code? {
    do throws(DocumentError) {
      _ = try await body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a document opens and its pages are measured and drawn`(_ kind: EngineKind) async throws {
    try await engine(kind, "mixed-sizes") { engine in
      let opened = try await engine.open()
      #expect(opened.engine.hasPrefix("poppler "))
      let count = opened.info.pageCount
      #expect(try await engine.measure(Range(pageCount: count)).count == count)
      let raster = try await raster(0, of: engine)
      let drawn = try await engine.draw(PageDrawing(raster, .parts([whole(raster)])), subset: nil)
      let picture = try decoded(drawn.pictures[0])
      #expect(picture.size == raster.size)
      #expect(Set(picture.pixels).count > 1)
    }
  }

  @Test(
    "Links, outline and destinations are those that the page tree reader finds",
    arguments: EngineKind.allCases
  )
  func links(_ kind: EngineKind) async throws {
    let file = try FileDescriptor.open(TestPaths.fixture("links").path, .readOnly)
    defer { try? file.close() }
    let reader = try PageTreeReader(descriptor: file.rawValue)
    try await engine(kind, "links") { engine in
      // An engine does not know user units.
      func unit(_ page: PageIndex) -> Double { page == 4 ? 2 : 1 }
      for page in Range(pageCount: reader.pageCount) {
        let found = try await engine.links(of: page).map { $0.scaled(by: unit(page)) }
        let expected = try #require(try reader.links(of: page))
        #expect(found.map { $0.target.scaled(by: unit) } == expected.map(\.target))
        for (found, expected) in zip(found, expected) where expected.areas.count == 1 {
          #expect(found.areas == expected.areas)
        }
      }
      let outline = try await engine.outline().mapTargets { $0.scaled(by: unit) }
      #expect(try outline == reader.outline())
      for page in 1...4 {
        for fit in ["xyz", "xyz-null", "fit", "fith", "fitv", "fitr", "fitb", "fitbh", "fitbv"] {
          let place = try await engine.destination(named: "\(fit).\(page)")
          #expect(place?.page.number == page)
          #expect(try place == reader.destination(named: "\(fit).\(page)"))
        }
      }
      #expect(try await engine.destination(named: "nowhere") == nil)
      #expect(
        await code { () throws(DocumentError) in try await engine.links(of: 6) } == .pageMissing
      )
    }
  }

  @Test(
    "A page reduced to its own size is the page, and parts put together are the reduced page",
    arguments: EngineKind.allCases
  )
  func reducing(_ kind: EngineKind) async throws {
    try await engine(kind, "transparency") { engine in
      let raster = try await raster(0, of: engine, scale: 1.5)
      let half = PixelSize(
        width: (raster.size.width + 1) / 2,
        height: (raster.size.height + 1) / 2
      )
      let left = PixelRect(x: 0, y: 0, width: 100, height: half.height)
      let right = PixelRect(x: 100, y: 0, width: half.width - 100, height: half.height)
      let parts =
        [ReducedPart(raster.size), ReducedPart(half)]
        + [left, right].map { ReducedPart(size: half, part: $0) }
        + [ReducedPart(PixelSize(width: 1, height: 1))]
      let transparent = try PictureStyle(.png, isTransparent: true)
      for style in [PictureStyle.tile, transparent] {
        let drawn = try await engine.draw(
          PageDrawing(raster, .reduced(parts), style: style),
          subset: nil
        )
        let page = try await engine.draw(
          PageDrawing(raster, .parts([whole(raster)]), style: style),
          subset: nil
        )
        #expect(drawn.pictures.first == page.pictures.first)
        let pictures = try drawn.pictures.map(decoded)
        #expect(pictures.map(\.size) == parts.map(\.part.size))
        for y in 0..<half.height {
          let row = pictures[1].pixels[y * half.width..<(y + 1) * half.width]
          let joined = [2, 3].flatMap { index in
            let width = pictures[index].size.width
            return Array(pictures[index].pixels[y * width..<(y + 1) * width])
          }
          #expect(Array(row) == joined)
        }
        // Not opened by Pillow as premultiplied, so only the opaque ones are compared.
        if !style.isTransparent {
          #expect(average(of: pictures[0]).isNear(average(of: pictures[4]), within: 1.5))
        }
      }
    }
  }

  /// The average of the green channel.
  private func average(of picture: PNGPicture) -> Double {
    Double(picture.pixels.reduce(0) { $0 + Int($1 >> 8 & 255) }) / Double(picture.pixels.count)
  }

  @Test("Parts that cannot be made of a page are refused", arguments: EngineKind.allCases)
  func refusedParts(_ kind: EngineKind) async throws {
    try await engine(kind, "book") { engine in
      let raster = try await raster(0, of: engine)
      let small = ReducedPart(PixelSize(width: 10, height: 10))
      let size = small.size
      func refused(_ parts: [ReducedPart], _ style: PictureStyle = .tile) async
        -> DocumentError.Code?
      {
        await code { () throws(DocumentError) in
          try await engine.draw(PageDrawing(raster, .reduced(parts), style: style), subset: nil)
        }
      }
      #expect(await refused([]) == nil)
      #expect(await refused([small, small]) == nil)
      let wrong = [
        PixelSize(width: raster.size.width + 1, height: 10), PixelSize(width: 0, height: 10),
        PixelSize(width: 10, height: -1), PixelSize(width: .max, height: .max),
      ].map { ReducedPart($0) }
      for part in wrong { #expect(await refused([part]) == .usage) }
      #expect(await refused([small, ReducedPart(PixelSize(width: 11, height: 10))]) == .usage)
      let outside = [
        PixelRect(x: -1, y: 0, width: 5, height: 5), PixelRect(x: 6, y: 0, width: 5, height: 5),
        PixelRect(x: 0, y: 10, width: 1, height: 1), PixelRect(x: 0, y: 0, width: 0, height: 1),
        PixelRect(x: .max, y: 0, width: .max, height: 1),
        PixelRect(x: 0, y: .min, width: 1, height: .max),
      ].map { ReducedPart(size: size, part: $0) }
      for part in outside { #expect(await refused([part]) == .usage) }
      let many = [ReducedPart](repeating: small, count: ReducedPart.largestCount + 1)
      #expect(await refused(many) == .pageSize)
      let large = ReducedPart(raster.size)
      let area = try #require(raster.size.area)
      let total = [ReducedPart](repeating: large, count: ReducedPart.largestTotal / area + 1)
      #expect(await refused(total) == .pageSize)
    }
  }

  @Test("An engine tells the properties of a document", arguments: EngineKind.allCases)
  func properties(_ kind: EngineKind) async throws {
    try await engine(kind, "book") { engine in
      let properties = try await engine.properties()
      #expect(properties.author == "Recto")
      #expect(properties.created?.description == "2024-01-01T00:00:00Z")
      #expect(properties.permissions == .all)
    }
    try await engine(kind, "encrypted") { engine in
      #expect(
        await code { () throws(DocumentError) in try await engine.properties() } == .passwordNeeded
      )
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `the tiles of a page put together equal the page`(_ kind: EngineKind) async throws {
    try await engine(kind, "book") { engine in
      let raster = try await raster(4, of: engine, scale: 1.7)
      let page = try await engine.draw(
        PageDrawing(raster, .parts([whole(raster)]), purpose: .tiles),
        subset: nil
      )
      let expected = try decoded(page.pictures[0])
      let grid = TileGrid(page: raster.size, tileSide: 200)
      let rects = grid.tiles(touching: whole(raster)).map(grid.rect(of:))
      let tiles = try await engine.draw(
        PageDrawing(raster, .parts(rects), purpose: .tiles),
        subset: nil
      )
      for (rect, tile) in zip(rects, tiles.pictures) {
        let picture = try decoded(tile)
        #expect(picture.size == rect.size)
        for y in 0..<rect.height {
          let row = (rect.y + y) * raster.size.width + rect.x
          #expect(
            picture.pixels[(y * rect.width)..<((y + 1) * rect.width)]
              == expected.pixels[row..<(row + rect.width)]
          )
        }
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `passwords are asked for, refused and accepted`(_ kind: EngineKind) async throws {
    try await engine(kind, "encrypted") { engine in
      #expect(await code { () throws(DocumentError) in try await engine.open() } == .passwordNeeded)
    }
    try await engine(kind, "encrypted", password: "wrong") { engine in
      #expect(await code { () throws(DocumentError) in try await engine.open() } == .passwordWrong)
    }
    for password in ["secret", "owner"] {
      try await engine(kind, "encrypted", password: password) { engine in
        let opened = try await engine.open()
        #expect(opened.info.pageCount == 6)
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `what is no PDF is told from what is damaged`(_ kind: EngineKind) async throws {
    try await engine(kind, "not-a-pdf") { engine in
      #expect(await code { () throws(DocumentError) in try await engine.open() } == .notPDF)
    }
    try await engine(kind, "truncated") { engine in
      #expect(await code { () throws(DocumentError) in try await engine.open() } == .damaged)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a page nested deep enough to overflow an ordinary stack is drawn`(
    _ kind: EngineKind
  ) async throws {
    try await engine(kind, "crash") { engine in
      let raster = try await raster(1, of: engine)
      let drawn = try await engine.draw(
        PageDrawing(raster, .parts([whole(raster)]), purpose: .tiles),
        subset: nil
      )
      #expect(drawn.pictures.count == 1)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a page that is counted but missing is an error of that page`(
    _ kind: EngineKind
  ) async throws {
    try await engine(kind, "page-missing") { engine in
      let count = try await engine.open().info.pageCount
      let codes = try await engine.measure(Range(pageCount: count)).map { page in
        do throws(DocumentError) {
          _ = try page.get()
          return DocumentError.Code?.none
        } catch {
          return error.code
        }
      }
      #expect(codes == [nil, nil, .pageMissing])
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `warnings are those of the page and of no other document`(_ kind: EngineKind) async throws {
    try await engine(kind, "syntax-errors") { bad in
      try await engine(kind, "book") { good in
        let count = try await bad.open().info.pageCount
        var warned = 0
        for index in Range(pageCount: count) {
          let raster = try await raster(index, of: bad)
          let other = try await self.raster(index, of: good)
          async let clean = good.draw(PageDrawing(other, .parts([whole(other)])), subset: nil)
          let drawn = try await bad.draw(PageDrawing(raster, .parts([whole(raster)])), subset: nil)
          warned += drawn.warnings.count
          #expect((drawn.warnings.first == nil) == (drawn.warnings.count == 0))
          #expect(try await clean.warnings.count == 0)
        }
        #expect(warned > 0)
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `many requests at once are all answered`(_ kind: EngineKind) async throws {
    try await engine(kind, "book") { engine in
      var rasters: [PageRaster] = []
      for index in Range(pageCount: 12) { rasters.append(try await raster(index, of: engine)) }
      let whole = rasters.map(whole)
      try await withThrowingTaskGroup(of: Int.self) { [rasters] group in
        for index in 0..<48 {
          group.addTask {
            let drawn = try await engine.draw(
              PageDrawing(
                rasters[index % 12],
                .parts([whole[index % 12]]),
                purpose: index % 2 == 0 ? .picture : .tiles
              ),
              subset: nil
            )
            return drawn.pictures.count
          }
        }
        for try await count in group { #expect(count == 1) }
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a page drawn through a subset is the page drawn from the document`(
    _ kind: EngineKind
  ) async throws {
    let file = try FileDescriptor.open(TestPaths.fixture("book").path, .readOnly)
    defer { try? file.close() }
    let reader = try PageTreeReader(descriptor: file.rawValue)
    let info = try #require(try reader.page(at: 7)).info
    var page = DocumentSubset.Page(index: 7, cropBox: info.cropBox, rotation: .none)
    let subset = DocumentSubset(pages: [page], pieces: try reader.subset(of: [7]))
    page.cropBox = Rect(x: 0, y: 0, width: 10, height: 10)
    let wrong = DocumentSubset(pages: [page], pieces: subset.pieces)
    let broken = DocumentSubset(pages: [page], pieces: [.bytes(Array("%PDF-1.4".utf8))])
    let engine = try kind.make(file, password: nil)
    let raster = try await raster(7, of: engine)
    func draw(_ subset: DocumentSubset?) async throws(DocumentError) -> DrawnPage {
      try await engine.draw(PageDrawing(raster, .parts([whole(raster)])), subset: subset)
    }
    #expect(try await draw(subset) == draw(nil))
    for mistake in [wrong, broken] {
      let found = await code { () throws(DocumentError) in try await draw(mistake) }
      #expect(found == .pageMismatch)
    }
    #expect(try await draw(subset) == draw(nil))
    await engine.close()
  }

  @Test(arguments: EngineKind.allCases)
  func `what is cancelled, or asked for after the end, is cancelled`(
    _ kind: EngineKind
  ) async throws {
    try await engine(kind, "book") { engine in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await code { () throws(DocumentError) in try await engine.open() }
      }
      #expect(await task.value == .cancelled)
      _ = try await engine.open()
      await engine.close()
      #expect(await code { () throws(DocumentError) in try await engine.open() } == .cancelled)
    }
  }

  @Test func `both engines draw the same pixels`() async throws {
    for fixture in ["book", "transparency", "labels"] {
      var pictures: [[UInt8]] = []
      for kind in EngineKind.allCases {
        try await engine(kind, fixture) { engine in
          let raster = try await raster(0, of: engine, scale: 1.3)
          pictures += try await engine.draw(
            PageDrawing(raster, .parts([whole(raster)]), purpose: .tiles),
            subset: nil
          ).pictures
        }
      }
      #expect(pictures[0] == pictures[1], "\(fixture)")
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a document is the same over either engine`(_ kind: EngineKind) async throws {
    let path = FilePath(TestPaths.fixture("book").path)
    let document = try Document(path, settings: DocumentSettings(cache: nil)) {
      file throws(DocumentError) in try kind.make(file, password: nil)
    }
    let count = try await document.info().pageCount
    let info = try #require(try await document.measure([Range(pageCount: count)]).info(of: 3))
    let raster = try PageRaster(page: 3, info: info, scale: 1, rotation: .none)
    let drawn = try await document.draw(PageDrawing(raster, .parts([whole(raster)])))
    #expect(try decoded(drawn.pictures[0].bytes).size == raster.size)
  }
}

extension Double {
  fileprivate func isNear(_ other: Double, within distance: Double) -> Bool {
    abs(self - other) <= distance
  }
}
