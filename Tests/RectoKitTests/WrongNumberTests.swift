import DocumentModel
import PageLayout
import RectoGeometry
import RectoKit
import RectoTiles
import Testing

/// Numbers that no document and no picture has, at every function that takes one: each ends in a typed error, and the
/// call after it is answered.
@Suite(.timeLimit(.minutes(10))) struct WrongNumberTests {
  /// A function with something wrong.
  private typealias Call = (name: String, call: () async throws -> Void)

  private static let indices: [PageIndex] = [
    -1, -17, PageIndex(.min), 12, 500, PageIndex(1 << 40), PageIndex(.max),
  ]

  private static func calls(_ document: Document, at index: PageIndex) -> [Call] {
    let place = PagePlace(page: index, point: .zero)
    let raster = PageRaster(
      pageIndex: index,
      scale: 1,
      rotation: .none,
      userUnit: 1,
      size: PixelSize(width: 10, height: 10)
    )
    let part = PixelRect(x: 0, y: 0, width: 10, height: 10)
    let ranges =
      index < 0
      ? [index..<1, index..<PageIndex(.max)]
      : [0..<index.advanced(by: 1), PageIndex(.min)..<index.advanced(by: 1)]
    let size = PictureGeometry(size: .longestSide(10))
    let drawing: [Call] = [
      ("picture", { _ = try await document.picture(of: index, geometry: size) }),
      (
        "pictures",
        { _ = try await document.pictures(of: index, geometry: size, reducedTo: [.longestSide(5)]) }
      ),
      ("pictures of a raster", { _ = try await document.pictures(of: raster, parts: [part]) }),
      (
        "draw",
        { _ = try await document.draw(PageDrawing(raster, .parts([part]), purpose: .tiles)) }
      ),
      (
        "reduce",
        { _ = try await document.draw(PageDrawing(raster, .reduced([ReducedPart(raster.size)]))) }
      ),
      (
        "draw tiles",
        {
          let tile = TileKey(raster: raster, tile: TileIndex(column: 0, row: 0), side: 10)
          _ = try await document.draw([tile])
        }
      ),
    ]
    let reading: [Call] = [
      ("page", { _ = try await document.page(at: index) }),
      ("measure", { _ = try await document.measure([1, index]) }),
      ("text", { _ = try await document.text(of: index) }),
      ("links", { _ = try await document.links(of: index) }),
      ("labels", { _ = try await document.labels(of: [0, index]) }),
      (
        "selection",
        { _ = try await document.selection(from: place, to: PagePlace(page: 0, point: .zero)) }
      ),
    ]
    let several = ranges.flatMap { range -> [Call] in
      [
        ("measure \(range.values)", { _ = try await document.measure([0..<2, range]) }),
        ("text of \(range.values)", { _ = try await document.text(of: range) }),
      ]
    }
    return drawing + reading + several
  }

  @Test(arguments: indices, [PageReader.auto, .poppler])
  func `a page that the document does not have is an error, and the next one is drawn`(
    index: PageIndex,
    reader: PageReader
  ) async throws {
    let document = try OpenedFixture.document("book", reader: reader)
    let size = PictureGeometry(size: .longestSide(10))
    let right = try await document.picture(of: 0, geometry: size)
    for (name, call) in Self.calls(document, at: index) {
      let error = await #expect(throws: DocumentError.self, "\(name)") { try await call() }
      #expect(error?.code == .pageMissing, "\(name)")
      #expect(try await document.picture(of: 0, geometry: size).bytes == right.bytes, "\(name)")
    }
    // What is only said ahead is left out.
    await document.willDraw(Range(only: index))
    document.willShow(Range(only: index))
    await document.prepareToDraw(page: index)
    let range = index < 0 ? index..<1 : 0..<index.advanced(by: 1)
    #expect(await document.measureAtOnce([range]).info(of: 0) != nil || reader == .poppler)
    await document.willDraw(range)
    document.willShow(range)
    #expect(try await document.picture(of: 3, geometry: size).size.height == 10)
  }

  @Test(
    arguments: [
      .longestSide(0), .longestSide(-5), .longestSide(.min), .resolution(0), .resolution(-72),
      .resolution(.nan), .resolution(.infinity), .resolution(-.infinity),
      .box(width: 0, height: nil),
      .box(width: 100, height: 0), .box(width: -1, height: -1), .box(width: nil, height: .min),
    ] as [PictureSize]
  )
  func `a picture without a size is an error`(size: PictureSize) async throws {
    let document = try OpenedFixture.document("book")
    for crop in [nil, Rect(x: 10, y: 10, width: 30, height: 30)] {
      let geometry = PictureGeometry(size: size, crop: crop)
      let error = await #expect(throws: DocumentError.self) {
        _ = try await document.picture(of: 0, geometry: geometry)
      }
      #expect(error?.code == .usage)
      let reduced = await #expect(throws: DocumentError.self) {
        let whole = PictureGeometry(size: .longestSide(100))
        _ = try await document.pictures(of: 0, geometry: whole, reducedTo: [size])
      }
      #expect(reduced?.code == .usage)
    }
  }

  @Test func `the largest sizes are errors, not traps`() async throws {
    let document = try OpenedFixture.document("book")
    for size in [
      PictureSize.longestSide(.max), .resolution(1e300), .box(width: .max, height: .max),
    ] {
      let error = await #expect(throws: DocumentError.self) {
        _ = try await document.picture(of: 0, geometry: PictureGeometry(size: size))
      }
      #expect(error?.code == .pageSize)
    }
    let info = try await document.page(at: 0)
    let raster = try PageRaster(page: 0, info: info, scale: 1, rotation: .none)
    for part in [
      PixelRect(x: .max, y: .max, width: .max, height: .max),
      PixelRect(x: .min, y: .min, width: .max, height: .max),
      PixelRect(x: 0, y: 0, width: -1, height: 5),
      PixelRect(x: 0, y: 0, width: 0, height: 0),
    ] {
      await #expect(throws: DocumentError.self) {
        _ = try await document.draw(PageDrawing(raster, .parts([part]), purpose: .tiles))
      }
    }
    #expect(
      try await document.picture(of: 0, geometry: PictureGeometry(size: .longestSide(9))).size
        .height == 9
    )
  }

  @Test(arguments: [0, -1, .nan, .infinity] as [Double])
  func `a viewer without pixels is an error, and one that is shown stays as it was`(
    scale: Double
  ) async throws {
    let document = try OpenedFixture.document("book")
    await #expect(throws: LayoutError.self) {
      _ = try await OpenedFixture.viewer(document, scale: scale)
    }
    let viewer = try await OpenedFixture.viewer(document)
    #expect(await viewer.scene.current == 0)
    var move = ViewerMove()
    move.scale = scale
    move.place = .page(3, fraction: 0)
    let wrong = move
    await #expect(throws: ViewerError.self) { _ = try await viewer.show(wrong) }
    let scene = await viewer.scene
    #expect(scene.current == 0 && scene.scale == 1)
  }

  @Test(arguments: [0, -1, .min])
  func `a viewer without tiles is an error`(side: Int) async throws {
    let document = try OpenedFixture.document("book")
    await #expect(throws: LayoutError.self) {
      _ = try await OpenedFixture.viewer(document, tileSide: side)
    }
  }

  @Test func `a picture is described without its bytes`() async throws {
    let document = try OpenedFixture.document("book")
    let picture = try await document.picture(
      of: 0,
      geometry: PictureGeometry(size: .longestSide(100))
    )
    #expect("\(picture)" == "71 × 100 pixels, \(picture.bytes.count) bytes, rendered")
    #expect("\([picture])".utf8.count < 100)
  }
}
