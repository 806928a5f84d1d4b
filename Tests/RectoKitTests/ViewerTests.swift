import DocumentModel
import PageLayout
import RectoGeometry
import RectoKit
import RectoTiles
import RenderWorkers
import TestSupport
import Testing

/// A viewer keeps the place of its reader.
@Suite(.timeLimit(.minutes(10))) struct ViewerTests {
  private static let fixtures = ["book", "mixed-sizes", "fold-out", "rotate", "user-unit"]

  /// A point of a page.
  private struct Spot {
    var page: PageIndex
    /// The share of the page's frame, from its top left.
    var share: Point

    /// The anchor of the reader's place; nil if an end of the content keeps it from where it was put.
    init?(in scene: ViewerScene) {
      let layout = scene.documentLayout.layout
      guard let anchor = scene.viewpoint.place?.anchor else { return nil }
      let (along, across) = (layout.fraction(of: anchor), layout.fractionAcross(of: anchor))
      page = anchor.page
      share =
        layout.configuration.axis == .vertical
        ? Point(x: across, y: along) : Point(x: along, y: across)
      guard let place = place(in: scene), let wanted = Self.wanted(in: scene),
        abs(place.x - wanted.x) < 1e-6 || layout.configuration.axis == .vertical,
        abs(place.y - wanted.y) < 1e-6 || layout.configuration.axis == .horizontal
      else { return nil }
    }

    /// Where the place's anchor was put in the viewport, which has no insets.
    static func wanted(in scene: ViewerScene) -> Point? {
      let viewport = scene.documentLayout.layout.viewport
      return scene.viewpoint.place.map {
        Point(x: $0.point.x * viewport.width, y: $0.point.y * viewport.height)
      }
    }

    /// The point on the page turned clockwise.
    mutating func turn(quarters: Int) {
      for _ in 0..<quarters { share = Point(x: 1 - share.y, y: share.x) }
    }

    /// Where the spot is in the viewport; nil when its page is not visible.
    func place(in scene: ViewerScene) -> Point? {
      scene.pages.first { $0.page == page }.map { page in
        Point(
          x: page.frame.minX + share.x * page.frame.width - scene.window.minX,
          y: page.frame.minY + share.y * page.frame.height - scene.window.minY
        )
      }
    }
  }

  /// How far a spot is along the axis from where it was put; 0 where the content ends before it could be
  /// there, nil when its page is not visible.
  private func drift(of spot: Spot, in scene: ViewerScene) -> Double? {
    let layout = scene.documentLayout.layout
    guard let place = spot.place(in: scene), let wanted = Spot.wanted(in: scene) else { return nil }
    let axis: KeyPath<Point, Double> =
      layout.configuration.axis == .vertical ? \.y : \.x
    let drift = place[keyPath: axis] - wanted[keyPath: axis]
    let ends = [-1e9, 1e9].map { layout.clamped(Point(x: $0, y: $0))[keyPath: axis] }
    let offset = scene.window.origin[keyPath: axis]
    let isAtEnd = ends.contains { abs($0 - offset) < 1e-6 }
    return isAtEnd ? 0 : drift
  }

  @Test(arguments: 0..<60)
  func `what is read stays in place when zoom, viewport, rotation or spreads change`(
    seed: Int
  ) async throws {
    var random = SeededGenerator(seed)
    let viewer = try await OpenedFixture.viewer(
      try OpenedFixture.document(Self.fixtures[seed % Self.fixtures.count])
    )
    try await viewer.measureAll()
    var compared = 0
    for _ in 0..<8 {
      var start = ViewerMove()
      let count = await viewer.scene.documentLayout.layout.pages.count
      start.place = .page(
        PageIndex(Int.random(in: 0..<count, using: &random)),
        fraction: Double.random(in: 0..<1, using: &random)
      )
      let before = try await viewer.show(start)
      guard var spot = Spot(in: before) else { continue }
      var configuration = before.documentLayout.layout.configuration
      let after: ViewerScene
      let change = Int.random(in: 0..<4, using: &random)
      switch change {
      case 0:
        var move = ViewerMove()
        move.zoom = random.pick([0.5, 0.8, 1.3, 2])
        after = try await viewer.show(move)
      case 1:
        var move = ViewerMove()
        move.viewport = Size(width: random.pick([300, 700]), height: random.pick([250, 600]))
        after = try await viewer.show(move)
      case 2:
        let turn = random.pick([Rotation.quarter, .half, .threeQuarters])
        configuration.rotation = configuration.rotation + turn
        spot.turn(quarters: turn.degrees / 90)
        after = try await viewer.rearrange(configuration, pages: before.documentLayout.layout.pages)
      default:
        configuration.spread = random.pick([.single, .double, .book])
        configuration.axis = random.pick([.vertical, .horizontal])
        configuration.mode = random.pick([.continuous, .grid, .flow])
        after = try await viewer.rearrange(configuration, pages: before.documentLayout.layout.pages)
      }
      let words = "page \(spot.page), \(after.documentLayout.layout.configuration.mode)"
      let drift = try #require(self.drift(of: spot, in: after), "\(words) is out of sight")
      // Where pages are arranged anew, one that would be out of sight is shown instead.
      #expect(abs(drift) < 1e-6 || change > 1, "\(words)")
      let shown = after.pages.first { $0.page == before.current }
      #expect(after.current == before.current && shown?.visible(in: after.window) != nil)
      #expect(after.geometry == before.geometry + 1)
      compared += 1
    }
    #expect(compared > 0)
  }

  @Test(arguments: [LayoutConfiguration.Mode.paged, .carousel])
  func `the page that is read is shown at rest where spreads rest`(
    mode: LayoutConfiguration.Mode
  ) async throws {
    let viewer = try await OpenedFixture.viewer(try OpenedFixture.document("book"))
    for page in Range(pageCount: 12) {
      var move = ViewerMove()
      move.place = .page(page, fraction: 0.4)
      let before = try await viewer.show(move)
      let read = try #require(before.current)
      var configuration = before.documentLayout.layout.configuration
      configuration.mode = mode
      configuration.fit = .page
      let after = try await viewer.rearrange(
        configuration,
        pages: before.documentLayout.layout.pages
      )
      #expect(after.current == read)
      let shown = try #require(after.pages.first { $0.page == read })
      #expect(abs(shown.visibleFraction(in: after.window) - 1) < 1e-9)
      configuration.mode = .continuous
      configuration.fit = .none
      _ = try await viewer.rearrange(configuration, pages: before.documentLayout.layout.pages)
    }
  }

  @Test(arguments: fixtures)
  func `visible pages stay where they are while others are measured`(fixture: String) async throws {
    let document = try OpenedFixture.document(fixture)
    let viewer = try await OpenedFixture.viewer(document)
    var move = ViewerMove()
    move.place = .page(PageIndex(try await document.info().pageCount - 2), fraction: 0.3)
    var last = try await viewer.show(move)
    let spot = try #require(Spot(in: last))
    var moves = 0
    try await viewer.measureAll { change in
      guard case .moved(let invalidation, let scene) = change else { return }
      moves += 1
      // Where nothing has moved, more of what is said is exact.
      #expect(scene.geometry == last.geometry + (invalidation.isEmpty ? 0 : 1))
      let drift = self.drift(of: spot, in: scene)
      #expect(drift.map { abs($0) < 1e-6 } == true)
      let distance = scene.window.minY - last.window.minY
      #expect(abs(distance - invalidation.offsetAdjustment.y) < 1e-6)
      last = scene
    }
    // Where pages have the size of the first one, estimates are right.
    #expect(moves > 0 || !["mixed-sizes", "fold-out"].contains(fixture))
    let scene = await viewer.scene
    #expect(scene.pages.allSatisfy { $0.isExact && $0.isMeasured })
    var all = try DocumentLayout(
      document,
      configuration: LayoutConfiguration(),
      pages: scene.documentLayout.layout.pages,
      viewport: Size(width: 500, height: 400)
    )
    try await all.measureAll()
    #expect(scene.spreads == all.layout.spreads(visibleIn: scene.window))
  }

  @Test func `an offset from before pages were measured shows what it showed then`() async throws {
    let viewer = try await OpenedFixture.viewer(try OpenedFixture.document("mixed-sizes"))
    var move = ViewerMove()
    move.place = .page(5, fraction: 0.25)
    let old = try await viewer.show(move)
    let spot = try #require(Spot(in: old))
    try await viewer.measureAll()
    _ = try await viewer.show(ViewerMove())
    var late = ViewerMove()
    late.place = .offset(old.window.origin)
    late.geometry = old.geometry
    let scene = try await viewer.show(late)
    #expect(scene.geometry > old.geometry)
    #expect(scene.window.minY != old.window.minY)
    #expect(try abs(#require(drift(of: spot, in: scene))) < 1e-6)
  }

  @Test(
    arguments: [
      [.pages(2..<8)], [.pages(0..<8), .pages(0..<8)],
      [.pages(6..<8), .blanks(2), .pages(1..<6), .pages(6..<8)], [.backwards(0..<8)],
    ] as [[PageSequence.Run]]
  )
  func `pages around the one that is read can be removed, inserted and reordered`(
    runs: [PageSequence.Run]
  ) async throws {
    let viewer = try await OpenedFixture.viewer(try OpenedFixture.document("mixed-sizes"))
    try await viewer.measureAll()
    var move = ViewerMove()
    move.place = .page(4, fraction: 0.5)
    let spot = try #require(Spot(in: try await viewer.show(move)))
    let scene = try await viewer.rearrange(LayoutConfiguration(), pages: PageSequence(runs))
    let drift = try #require(self.drift(of: spot, in: scene))
    #expect(abs(drift) < 1e-6)
    let without = PageSequence(
      runs.flatMap { run -> [PageSequence.Run] in
        let places = (0..<run.count).filter { run.page(at: $0) != 4 }
        return places.map { run.part($0..<$0 + 1) }
      }
    )
    let gone = try await viewer.rearrange(LayoutConfiguration(), pages: without)
    // The page behind it begins where reading starts.
    let next = gone.pages.first { $0.page == (runs == [.backwards(0..<8)] ? 3 : 5) }
    #expect(try abs(#require(next).frame.minY - gone.window.minY) < 1e-6)
  }

  @Test func `a request that is refused changes nothing`() async throws {
    let viewer = try await OpenedFixture.viewer(try OpenedFixture.document("book"))
    var move = ViewerMove()
    move.place = .page(3, fraction: 0.5)
    let before = try await viewer.show(move)
    var missing = ViewerMove()
    missing.place = .page(12, fraction: 0)
    missing.scale = 3
    await #expect(throws: ViewerError.noSuchPage(12)) { try await viewer.show(missing) }
    var huge = ViewerMove()
    huge.zoom = -1
    huge.velocity = Point(x: 0, y: 50)
    await #expect(throws: ViewerError.self) { try await viewer.show(huge) }
    await #expect(throws: ViewerError.self) { try await viewer.zoom(ViewerZoom(change: .to(0))) }
    var forgotten = ViewerMove()
    forgotten.place = .offset(.zero)
    forgotten.geometry = 77
    await #expect(throws: ViewerError.forgottenGeometry(77)) { try await viewer.show(forgotten) }
    let after = await viewer.scene
    #expect(after.window == before.window)
    #expect(after.scale == before.scale)
    #expect(after.velocity == before.velocity)
    #expect(after.geometry == before.geometry)
    #expect(after.spreads == before.spreads)
  }

  @Test func `the last 64 layouts are remembered`() async throws {
    let viewer = try await OpenedFixture.viewer(try OpenedFixture.document("book"))
    let first = await viewer.scene.geometry
    for step in 0..<65 {
      var move = ViewerMove()
      move.zoom = step.isMultiple(of: 2) ? 0.5 : 1
      _ = try await viewer.show(move)
    }
    var late = ViewerMove()
    late.place = .offset(Point(x: 0, y: 900))
    late.geometry = first
    await #expect(throws: ViewerError.forgottenGeometry(first)) { try await viewer.show(late) }
    late.geometry = first + 1
    #expect(try await viewer.show(late).geometry == first + 65)
  }

  @Test func `a zoom keeps the point that it is about`() async throws {
    let viewer = try await OpenedFixture.viewer(try OpenedFixture.document("mixed-sizes"))
    try await viewer.measureAll()
    var move = ViewerMove()
    move.place = .page(3, fraction: 0.2)
    let before = try await viewer.show(move)
    let pointer = Point(x: 250, y: 180)
    let (page, point, _) = try #require(
      try await viewer.page(at: before.window.origin + pointer)
    )
    for factor in [1.7, 0.9, 2] {
      let scene = try await viewer.zoom(ViewerZoom(change: .by(factor), about: pointer))
      let found = try #require(try await viewer.page(at: scene.window.origin + pointer))
      #expect(found.page.page == page.page)
      #expect(abs(found.point.y - point.y) < 1e-6)
    }
  }
}
