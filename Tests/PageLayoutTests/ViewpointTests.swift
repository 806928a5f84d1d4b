import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct ViewpointTests {
  private static let resting: [LayoutConfiguration.Mode] = [.paged, .carousel]

  // MARK: Every place can be reached

  @Test(arguments: BruteForceTests.allModes)
  func `each point of each page is shown by some window, and is that page's there`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(120) {
      var input = RandomInput(seed: seed, mode: mode)
      if input.generator.chance(0.5) { input.configuration.zoom = input.generator.pick([3, 8]) }
      let layout = try input.layout(measuring: input.generator.pick([0, 0.5, 1]))
      guard !layout.isEmpty, layout.environmentHasRoom else { continue }
      for _ in 0..<6 {
        let position = Int.random(in: 0..<layout.pages.count, using: &input.generator)
        guard let page = layout.pages.page(at: position),
          let occurrence = layout.pages.positions(of: page).firstIndex(of: position)
        else { continue }
        let place = Point(
          x: Double.random(in: 0.01...0.99, using: &input.generator),
          y: Double.random(in: 0.01...0.99, using: &input.generator)
        )
        let anchor = Anchor(page: page, occurrence: occurrence, place: place)
        let viewport = layout.viewport
        let middle = Point(x: viewport.width / 2, y: viewport.height / 2)
        let found = try #require(Viewpoint(layout).showing(anchor, at: middle), "seed \(seed)")
        let shown = try #require(
          found.layout.page(page, at: position, in: found.window),
          "seed \(seed)"
        )
        let point = shown.contentPoint(
          Point(x: place.x * shown.size.width, y: place.y * shown.size.height)
        )
        #expect(found.window.contains(point), "seed \(seed): \(anchor)")
        let hit = found.layout.page(at: point, in: found.window)
        #expect(hit?.position == position, "seed \(seed): \(anchor)")
        #expect(found.layout.clamped(found.offset) == found.offset, "seed \(seed)")
      }
    }
  }

  @Test func `a page wider than its cell is panned to its end, and no further`() throws {
    var viewpoint = Viewpoint(
      try layout {
        $0.mode = .paged
        $0.fit = .width
      }
    )
    let height = try #require(viewpoint.layout.page(0)).frame.height
    #expect(height == 1000, "an 800 wide page of 4 : 5")
    #expect(viewpoint.layout.page(0)?.frame.minY == 10, "the top first")
    viewpoint = viewpoint.scrolled(by: Point(x: 0, y: 100))
    #expect(viewpoint.offset == .zero)
    #expect(isClose(viewpoint.layout.page(0)?.frame.minY ?? 0, -90))
    // 1000 in a room of 580: 420 are left over.
    viewpoint = viewpoint.scrolled(by: Point(x: 0, y: 400))
    #expect(isClose(viewpoint.layout.page(0)?.frame.maxY ?? 0, 590))
    #expect(isClose(viewpoint.offset.y, 80), "the rest turns the page")
    #expect(viewpoint.settled.offset == .zero)
    let half = try #require(viewpoint.showing(page: 4, fraction: 0.25))
    #expect(half.offset == Point(x: 0, y: 4 * 610))
    #expect(isClose(half.layout.page(4)?.frame.minY ?? 0, 4 * 610 - 250))
    #expect(isClose(half.layout.page(5)?.frame.minY ?? 0, 5 * 610 + 10), "the others stay")
  }

  @Test(arguments: resting)
  func `a zoom about a point keeps what is there and rests at its spread`(
    mode: LayoutConfiguration.Mode
  ) throws {
    let start = Viewpoint(try layout { $0.mode = mode }).showing(page: 5)
    let point = Point(x: 400, y: 280)
    let before = try #require(start)
    let page = try #require(before.layout.page(5, in: before.window))
    let place = page.pagePoint(
      Point(x: before.offset.x + point.x, y: before.offset.y + point.y)
    )
    let after = try before.zoomed(by: 3, about: point)
    #expect(after.isAtRest && after.restingSpread == 5)
    #expect(isClose(after.zoom, 3))
    let zoomed = try #require(after.layout.page(5, in: after.window))
    #expect(isClose(zoomed.frame.width, page.frame.width * 3))
    let kept = zoomed.contentPoint(place)
    #expect(isClose(kept.x - after.offset.x, point.x))
    #expect(isClose(kept.y - after.offset.y, point.y))
    #expect(after.layout.page(4) == before.layout.page(4), "the others keep their size")
    let back = try after.zoomed(to: 1)
    #expect(back.layout.page(5) == before.layout.page(5))
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases, [1.1, 1.25, 1.05, 1.2])
  func `zooming in by steps and back is at the same zooms`(
    mode: LayoutConfiguration.Mode,
    step: Double
  ) throws {
    var viewpoint = try #require(Viewpoint(try layout { $0.mode = mode }).showing(page: 5))
    var zooms = [viewpoint.zoom]
    for _ in 0..<8 {
      viewpoint = try viewpoint.zoomed(by: step)
      zooms.append(viewpoint.zoom)
    }
    for zoom in zooms.reversed() {
      #expect(viewpoint.zoom == zoom)
      viewpoint = try viewpoint.zoomed(by: 1 / step)
    }
  }

  @Test func `a zoom that is multiplied keeps its first digits`() throws {
    let viewpoint = Viewpoint(try layout())
    #expect(try viewpoint.zoomed(by: 1.1).zoomed(by: 1.1).zoom == 1.21)
    #expect(try viewpoint.zoomed(by: 1e-30).zoom == 1e-30)
    #expect(try viewpoint.zoomed(by: 12_345.678_912_345).zoom == 12_345.678_912_3)
    #expect(throws: LayoutError.self) { try viewpoint.zoomed(by: 0) }
    #expect(throws: LayoutError.self) { try viewpoint.zoomed(by: .infinity) }
    #expect(throws: LayoutError.self) { try viewpoint.zoomed(by: .nan) }
    #expect(throws: LayoutError.self) { try viewpoint.zoomed(by: -1) }
  }

  @Test func `destinations lead to their place inside a cell`() throws {
    let space = PageSpace(cropBox: Rect(x: 0, y: 0, width: 400, height: 500))
    let start = Viewpoint(try layout { $0.mode = .paged })
    func shown(_ destination: Destination) throws -> (Viewpoint, Rect) {
      let found = try #require(start.following(destination, on: 4, in: space))
      #expect(found.isAtRest && found.restingSpread == 4)
      return (found, try #require(found.layout.page(4)).pageRect(found.window))
    }
    let (point, seen) = try shown(.xyz(left: 100, top: 400, zoom: 4))
    #expect(isClose(seen, Rect(x: 100, y: 100, width: 205, height: 150)))
    #expect(isClose(point.zoom, 4))
    let (_, rectangle) = try shown(.fitRectangle(left: 100, bottom: 100, right: 305, top: 200))
    #expect(isClose(rectangle, Rect(x: 100, y: 275, width: 205, height: 150)))
    let (width, _) = try shown(.fitHorizontal(top: nil))
    #expect(isClose(width.layout.page(4)?.frame.width ?? 0, 800))
    let (kept, _) = try shown(.xyz(left: nil, top: nil, zoom: nil))
    #expect(kept.layout.page(4) == start.layout.page(4))
  }

  // MARK: Rest

  @Test(arguments: BruteForceTests.allModes)
  func `after any change the page looked at is in sight, unmoved or at rest`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(150) {
      var input = RandomInput(seed: seed, mode: mode, pageCount: 40)
      let layout = try input.layout(measuring: input.generator.pick([0, 0.5, 1]))
      guard !layout.isEmpty, input.hasPages else { continue }
      var viewpoint = Viewpoint(layout, at: randomWindow(layout, &input.generator).origin).settled
      for step in 0..<6 {
        let kind = Int.random(in: 0..<6, using: &input.generator)
        func isInSight(_ page: PageIndex, _ viewpoint: Viewpoint) -> Bool {
          viewpoint.layout.spreads(visibleIn: viewpoint.window).flatMap(\.pages)
            .contains { $0.page == page && $0.visible(in: viewpoint.window) != nil }
        }
        let before = viewpoint
        let changed = try change(viewpoint, kind, &input)
        defer { viewpoint = changed }
        let context = "seed \(seed), step \(step)"
        guard !changed.layout.isEmpty else { break }
        #expect(changed.isAtRest, "\(context)")
        #expect(changed.offset == changed.layout.clamped(changed.offset), "\(context)")
        // A zoom keeps what is in the middle.
        let kept = kind == 4 ? changed.place?.anchor.page : before.current
        guard let kept, isInSight(kept, before) else { continue }
        guard changed.layout.spread(containingPage: kept) != nil else { continue }
        // A reader who has scrolled to a gap may come back to it.
        let showsAnything = changed.layout.spreads(visibleIn: changed.window).flatMap(\.pages)
          .contains { $0.visible(in: changed.window) != nil }
        #expect(isInSight(kept, changed) || !showsAnything, "\(context): \(kept)")
      }
    }
  }

  /// Another mode, zoom, rotation, viewport or order.
  private func change(
    _ viewpoint: Viewpoint,
    _ kind: Int,
    _ input: inout RandomInput
  ) throws -> Viewpoint {
    var configuration = viewpoint.layout.configuration
    switch kind {
    case 0: configuration.mode = input.generator.pick(BruteForceTests.allModes)
    case 1: configuration.zoom = input.generator.pick([0.5, 1, 2, 5])
    case 2: configuration.rotation = input.generator.pick(Rotation.allCases)
    case 3:
      return try viewpoint.resized(
        to: Size(
          width: input.generator.number(100...1500),
          height: input.generator.number(100...1500)
        )
      )
    case 4: return try viewpoint.zoomed(by: input.generator.pick([0.5, 2, 3]))
    default:
      let count = viewpoint.layout.pages.count
      let start = Int.random(in: 0..<max(1, count), using: &input.generator)
      let kind = Int.random(in: 0..<3, using: &input.generator)
      return viewpoint.edited {
        switch kind {
        case 0: $0.insert([.pages(3..<6), .blanks(1)], at: start)
        case 1: $0.move(start..<start + 2, to: 0)
        default: $0.duplicate(start..<start + 1)
        }
      }.viewpoint
    }
    return try viewpoint.reconfigured(configuration)
  }

  @Test(arguments: resting)
  func `sizes that arrive leave what is at rest at rest`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(60) {
      var input = RandomInput(seed: seed, mode: mode, pageCount: 40)
      var layout = try input.layout(measuring: 0.2)
      guard !layout.isEmpty, input.hasPages else { continue }
      var viewpoint = Viewpoint(layout, at: randomWindow(layout, &input.generator).origin).settled
      for _ in 0..<5 {
        guard let anchor = viewpoint.anchor() else { break }
        let page = PageIndex(Int.random(in: 0..<40, using: &input.generator))
        let change = layout.measure(page, as: input.sizes[page.value], keeping: anchor)
        viewpoint = Viewpoint(
          layout,
          at: Point(
            x: viewpoint.offset.x + change.offsetAdjustment.x,
            y: viewpoint.offset.y + change.offsetAdjustment.y
          )
        )
        #expect(viewpoint.isAtRest, "seed \(seed)")
      }
    }
  }

  @Test func `in continuous modes a point that is kept does not move`() throws {
    for seed in seeds(100) {
      var input = RandomInput(seed: seed, mode: input(seed), pageCount: 60)
      input.configuration.centering = .viewport
      input.configuration.fitScope = .spread
      let layout = try input.layout(measuring: 1)
      guard !layout.isEmpty, input.hasPages else { continue }
      let start = Viewpoint(layout, at: randomWindow(layout, &input.generator).origin)
      let point = Point(x: layout.viewport.width / 2, y: layout.viewport.height / 2)
      guard let anchor = start.anchor(at: point) else { continue }
      let zoomed = try start.zoomed(by: 2, about: point)
      let wanted = zoomed.layout.offset(of: anchor, point: point) ?? .zero
      let held = zoomed.layout.clamped(wanted)
      let isInside = (0...1).contains(anchor.place.x) && (0...1).contains(anchor.place.y)
      if isInside { #expect(isClose(zoomed.offset.x, held.x) && isClose(zoomed.offset.y, held.y)) }
    }
  }

  private func input(_ seed: Int) -> LayoutConfiguration.Mode {
    [.continuous, .grid, .flow][seed % 3]
  }
}

extension Layout {
  /// Whether there is room for more than a speck of a page.
  fileprivate var environmentHasRoom: Bool {
    viewport.width - configuration.margins.horizontal - configuration.contentInsets.horizontal > 1
      && viewport.height - configuration.margins.vertical - configuration.contentInsets.vertical > 1
  }
}
