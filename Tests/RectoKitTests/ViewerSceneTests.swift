import DocumentModel
import PageLayout
import RectoGeometry
import RectoKit
import RectoTiles
import TestSupport
import Testing

/// A scene lists what its layout says, and the tiles of it.
@Suite(.timeLimit(.minutes(10))) struct ViewerSceneTests {
  /// A scene somewhere in a document in a layout of some kind.
  private func scene(_ seed: Int, of document: Document) async throws -> ViewerScene {
    var random = SeededGenerator(seed)
    var configuration = LayoutConfiguration()
    configuration.mode = random.pick([.continuous, .grid, .flow])
    configuration.spread = random.pick([.single, .double, .book])
    configuration.axis = random.pick(LayoutConfiguration.Axis.allCases)
    configuration.isRightToLeft = random.pick([false, false, true])
    configuration.rotation = random.pick(Rotation.allCases)
    configuration.zoom = random.pick([0.3, 0.7, 1, 1.6])
    let viewer = try await OpenedFixture.viewer(
      document,
      configuration: configuration,
      viewport: Size(width: random.pick([300, 500.5]), height: random.pick([250, 611])),
      scale: random.pick([0.5, 1, 1.37, 2]),
      tileSide: random.pick([50, 128, 512])
    )
    try await viewer.measureAll()
    let layout = await viewer.scene.documentLayout.layout
    let size = layout.contentSize
    var move = ViewerMove()
    var offset = Point(
      x: Double.random(in: 0...size.width, using: &random),
      y: Double.random(in: 0...size.height, using: &random)
    )
    let all = layout.spreads(visibleIn: Rect(origin: .zero, size: size))
    if Bool.random(using: &random), let frame = all.randomElement(using: &random)?.frame {
      // A strip one unit wide of a spread, at the end or at the start of the window.
      let isAtEnd = Bool.random(using: &random)
      offset = Point(
        x: isAtEnd ? frame.minX - layout.viewport.width + 1 : frame.maxX - 1,
        y: isAtEnd ? frame.minY - layout.viewport.height + 1 : frame.maxY - 1
      )
    }
    move.place = .offset(offset)
    return try await viewer.show(move)
  }

  @Test(arguments: 0..<40)
  func `a scene has the spreads of the layout that the window shows, and no others`(
    seed: Int
  ) async throws {
    let document = try OpenedFixture.document(seed.isMultiple(of: 2) ? "mixed-sizes" : "book")
    let scene = try await scene(seed, of: document)
    let layout = scene.documentLayout.layout
    let size = layout.contentSize
    let everything = Rect(x: -1e4, y: -1e4, width: size.width + 2e4, height: size.height + 2e4)
    let all = layout.spreads(visibleIn: everything)
    #expect(all.flatMap(\.pages).count == layout.pages.count)
    // Less than nothing of a spread is no visible part.
    let inner = scene.window.inset(by: Insets(1e-6))
    let outer = scene.window.inset(by: Insets(-1e-6))
    let listed = scene.spreads.map(\.index)
    #expect(all.filter { $0.frame.intersects(inner) }.allSatisfy { listed.contains($0.index) })
    for spread in scene.spreads {
      #expect(spread.cell.intersects(outer))
      #expect(spread == all.first { $0.index == spread.index })
    }
    #expect(scene.refusal == nil)
  }

  @Test(arguments: 0..<40)
  func `each page has a drawing of its frame, whose tiles cover what is visible`(
    seed: Int
  ) async throws {
    let document = try OpenedFixture.document(seed.isMultiple(of: 2) ? "mixed-sizes" : "book")
    let scene = try await scene(seed, of: document)
    let drawings = scene.drawings()
    #expect(drawings.count == scene.pages.count)
    for (page, drawing) in zip(scene.pages, drawings) {
      let drawn = try #require(try drawing?.get())
      #expect(drawn.frame == page.frame)
      #expect(drawn.raster.pageIndex == page.page)
      #expect(abs(Double(drawn.raster.size.width) - page.frame.width * scene.scale) < 1.5)
      #expect(abs(Double(drawn.raster.size.height) - page.frame.height * scene.scale) < 1.5)
      try expectTiles(of: drawn, page, in: scene)
    }
  }

  /// Compares the tiles of a page with all tiles of its grid, tried one by one.
  private func expectTiles(
    of drawn: TileWindow.Page,
    _ page: LaidOutPage,
    in scene: ViewerScene
  ) throws {
    let listed = scene.tiles(of: drawn)
    #expect(Set(listed).count == listed.count)
    let size = drawn.raster.size
    let visible = page.visible(in: scene.window)
    for row in 0...(size.height - 1) / scene.tileSide {
      for column in 0...(size.width - 1) / scene.tileSide {
        let frame = Rect(
          x: page.frame.minX + Double(column * scene.tileSide) / scene.scale,
          y: page.frame.minY + Double(row * scene.tileSide) / scene.scale,
          width: Double(min(scene.tileSide, size.width - column * scene.tileSide)) / scene.scale,
          height: Double(min(scene.tileSide, size.height - row * scene.tileSide)) / scene.scale
        )
        let isListed = listed.contains { $0.tile == TileIndex(column: column, row: row) }
        let pixel = 1.01 / scene.scale
        if visible?.intersects(frame.inset(by: Insets(pixel))) == true {
          #expect(isListed, "tile \(column), \(row) of page \(page.page)")
        }
        if visible?.intersects(frame.inset(by: Insets(-pixel))) != true {
          #expect(!isListed, "tile \(column), \(row) of page \(page.page)")
        }
      }
    }
    #expect(listed.allSatisfy { $0.raster == drawn.raster && $0.side == scene.tileSide })
  }

  @Test func `pages have no drawing until their size is known`() async throws {
    // The engine reads the pages: it is asked in the background.
    let viewer = try await OpenedFixture.viewer(
      try OpenedFixture.document("mixed-sizes", reader: .poppler),
      viewport: Size(width: 500, height: 1500)
    )
    let early = await viewer.scene
    #expect(early.pages.count > 2)
    var changed = ViewerMove()
    changed.place = .page(5, fraction: 0)
    let scene = try await viewer.show(changed)
    #expect(scene.pages.contains { $0.page == 5 && !$0.isMeasured })
    for (page, drawing) in zip(scene.pages, scene.drawings()) {
      #expect((drawing == nil) == !page.isMeasured)
    }
    try await viewer.measureAll()
    let known = await viewer.scene
    #expect(known.pages.contains { $0.page == 5 })
    #expect(known.drawings().allSatisfy { (try? $0?.get()) != nil })
  }

  @Test(arguments: [(0.0, 1.0, 1.0), (1500, 3, 1), (-1500, 1, 3), (1e9, 8, 1), (-1e9, 1, 8)])
  func `pages drawn ahead are those of a second of movement, and of one viewport behind`(
    velocity: Double,
    ahead: Double,
    behind: Double
  ) async throws {
    let viewer = try await OpenedFixture.viewer(
      try OpenedFixture.document("book"),
      viewport: Size(width: 500, height: 620)
    )
    try await viewer.measureAll()
    for page in Range(pageCount: 12) {
      var move = ViewerMove()
      move.place = .page(page, fraction: 0.1)
      move.velocity = Point(x: 0, y: velocity)
      let scene = try await viewer.show(move)
      let layout = scene.documentLayout.layout
      let far = layout.contentSize.height - scene.window.height
      // No viewport begins before the content or ends behind it.
      let top = max(0, scene.window.minY - behind * scene.window.height)
      let bottom = min(far, scene.window.minY + ahead * scene.window.height) + scene.window.height
      let reached = Rect(x: -1e4, y: top, width: 2e4, height: bottom - top)
      let shown = Set(scene.pages.map(\.page))
      let window = scene.tileWindow()
      #expect(window.pages.map(\.raster.pageIndex) == scene.pages.map(\.page))
      let neighbors = window.neighbors.map(\.raster.pageIndex)
      let expected = layout.spreads(visibleIn: reached).flatMap(\.pages).map(\.page)
      #expect(Set(neighbors) == Set(expected).subtracting(shown))
      #expect(Set(neighbors).count == neighbors.count)
      #expect(scene.tileWindow(reachesOut: false).neighbors.isEmpty)
      #expect((window.viewport, window.scale) == (scene.window, scene.scale))
    }
  }
}
