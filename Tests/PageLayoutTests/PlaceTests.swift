import RectoGeometry
import TestSupport
import Testing

@testable import PageLayout

/// A reader's place: chosen by movements, kept by everything else.
@Suite struct PlaceTests {
  @Test(arguments: BruteForceTests.allModes)
  func `changes without a movement show the page that is current and end where they began`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(400) {
      var input = RandomInput(seed: seed, mode: mode)
      let layout = try input.layout(measuring: input.generator.pick([0, 0.5, 1]))
      guard !layout.isEmpty, input.hasPages else { continue }
      let start = try chosen(in: layout, &input)
      guard let current = start.current else { continue }
      var viewpoint = start
      for step in 0..<Int.random(in: 1...6, using: &input.generator) {
        viewpoint = try changed(viewpoint, &input)
        let context = "seed \(seed), step \(step), page \(current)"
        #expect(viewpoint.current == current, "\(context)")
        guard viewpoint.showsAnything, start.shows(current) else { continue }
        #expect(viewpoint.shows(current), "\(context)")
      }
      let back = try viewpoint.reconfigured(start.layout.configuration)
        .resized(to: start.layout.viewport)
      expectSame(back, start, "seed \(seed)")
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `a place that is given back is the same viewpoint`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(400) {
      var input = RandomInput(seed: seed, mode: mode)
      let layout = try input.layout(measuring: input.generator.pick([0, 0.5, 1]))
      guard !layout.isEmpty, input.hasPages else { continue }
      let viewpoint = try chosen(in: layout, &input)
      let place = try #require(viewpoint.place)
      let back = try #require(Viewpoint(viewpoint.layout).showing(place))
      expectSame(back, viewpoint, "seed \(seed)")
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `a step moves every page that stays in sight by the step, whatever is measured after it`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(400) {
      var input = RandomInput(seed: seed, mode: mode)
      input.configuration.pairing = PairingRules()
      input.configuration.centering = .viewport
      input.configuration.fitScope = .spread
      let layout = try input.layout(measuring: 0.3)
      // Where sizes decide what is in a row, what is seen cannot stay as it is.
      guard !layout.isEmpty, input.hasPages, mode != .flow, mode != .carousel else { continue }
      var viewpoint = measuringSeen(Viewpoint(layout, at: randomOffset(layout, &input)), input)
      for step in 0..<4 {
        let isVertical = input.configuration.axis == .vertical
        let share = input.generator.number(-1...1) * 0.6
        let distance = Point(
          x: isVertical ? 0 : share * layout.viewport.width,
          y: isVertical ? share * layout.viewport.height : 0
        )
        let before = viewpoint
        let stepped = viewpoint.scrolled(by: distance)
        viewpoint = measuringSeen(stepped, input)
        guard stepped.clampingIsFar, viewpoint.clampingIsFar, !layout.restsAtSpreads else {
          continue
        }
        for position in before.seen.intersection(viewpoint.seen) {
          let moved = viewpoint.onScreen(position) - before.onScreen(position)
          #expect(
            abs(moved.x + distance.x) < 0.01 && abs(moved.y + distance.y) < 0.01,
            "seed \(seed), step \(step): position \(position) by \(moved) for \(distance)"
          )
        }
      }
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `measuring what is not seen moves nothing that is`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(300) {
      var input = RandomInput(seed: seed, mode: mode)
      input.configuration.pairing = PairingRules()
      // One that is centered by the widest page moves across with it.
      input.configuration.centering = .viewport
      input.configuration.fitScope = .spread
      let layout = try input.layout(measuring: 0.3)
      guard !layout.isEmpty, input.hasPages, mode != .flow else { continue }
      var viewpoint = measuringSeen(try chosen(in: layout, &input), input)
      let (seen, frames) = (viewpoint.seen, viewpoint)
      for page in input.sizes.indices.shuffled(using: &input.generator) {
        var layout = viewpoint.layout
        layout.measure(PageIndex(page), as: input.sizes[page])
        viewpoint = viewpoint.measured(layout)
      }
      guard viewpoint.clampingIsFar, frames.clampingIsFar else { continue }
      for position in seen {
        let moved = viewpoint.onScreen(position) - frames.onScreen(position)
        #expect(
          abs(moved.x) < 0.01 && abs(moved.y) < 0.01,
          "seed \(seed): position \(position) by \(moved)"
        )
      }
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `a zoom about a point keeps a page in sight, and the opposite one ends where it began`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(400) {
      var input = RandomInput(seed: seed, mode: mode)
      let layout = try input.layout(measuring: input.generator.pick([0, 0.5, 1]))
      guard !layout.isEmpty, input.hasPages else { continue }
      let start = try chosen(in: layout, &input).settled
      guard let current = start.current, start.shows(current) else { continue }
      let point = point(in: layout, &input)
      let factor = input.generator.pick([0.5, 0.8, 1.25, 2])
      let zoomed = try start.zoomed(by: factor, about: point)
      let context = "seed \(seed), page \(current), × \(factor) about \(point)"
      #expect(zoomed.current.map { start.shows($0) && zoomed.shows($0) } == true, "\(context)")
      // A window with no movement in it is the same.
      expectSame(try zoomed.resized(to: layout.viewport), zoomed, "\(context), resized")
      guard zoomed.currentPosition == start.currentPosition else { continue }
      let back = try zoomed.zoomed(by: 1 / factor, about: point)
      guard !layout.restsAtSpreads else { continue }
      expectSame(back, start, context)
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `a place keeps while nothing can be seen, wherever the window is moved`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(200) {
      var input = RandomInput(seed: seed, mode: mode)
      let layout = try input.layout(measuring: 1)
      guard !layout.isEmpty, input.hasPages else { continue }
      let start = try chosen(in: layout, &input)
      let small = try start.resized(to: Size(width: 0, height: 0))
        .moved(to: .zero).scrolled(by: Point(x: 3, y: 5)).settled
      #expect(small.current == start.current)
      expectSame(try small.resized(to: layout.viewport), start, "seed \(seed)")
    }
  }

  // MARK: Random input

  /// A viewpoint that a movement leads to.
  private func chosen(in layout: Layout, _ input: inout RandomInput) throws -> Viewpoint {
    let position = Int.random(in: 0..<layout.pages.count, using: &input.generator)
    let start = Viewpoint(layout, at: randomOffset(layout, &input))
    switch Int.random(in: 0..<6, using: &input.generator) {
    case 0:
      guard let page = layout.pages.page(at: position) else { return start }
      let occurrence = layout.pages.positions(of: page).firstIndex(of: position) ?? 0
      let fraction = input.generator.number(-0.5...1.5)
      return start.showing(page: page, occurrence: occurrence, fraction: fraction) ?? start
    case 1:
      return start.scrolled(
        by: Point(x: input.generator.number(-99...99), y: input.generator.number(-99...99))
      )
    case 2:
      guard let page = layout.pages.page(at: position) else { return start }
      let space = PageSpace(cropBox: Rect(x: 0, y: 0, width: 600, height: 800))
      let destination = Destination.xyz(
        left: input.generator.chance(0.5) ? 100 : nil,
        top: input.generator.chance(0.5) ? 300 : nil,
        zoom: input.generator.pick([nil, 1, 3])
      )
      return start.following(destination, on: page, in: space) ?? start
    case 3: return start.settled
    case 4:
      return try start.zoomed(
        by: input.generator.pick([0.5, 0.8, 1.25, 3]),
        about: point(in: layout, &input)
      )
    default: return start
    }
  }

  /// A point of the viewport.
  private func point(in layout: Layout, _ input: inout RandomInput) -> Point {
    Point(
      x: input.generator.number(0...1) * layout.viewport.width,
      y: input.generator.number(0...1) * layout.viewport.height
    )
  }

  private func randomOffset(_ layout: Layout, _ input: inout RandomInput) -> Point {
    randomWindow(layout, &input.generator).origin
  }

  /// Another mode, spread, fit, axis, direction, rotation, gap, inset, zoom or viewport.
  private func changed(_ viewpoint: Viewpoint, _ input: inout RandomInput) throws -> Viewpoint {
    var configuration = viewpoint.layout.configuration
    switch Int.random(in: 0..<12, using: &input.generator) {
    case 0: configuration.mode = input.generator.pick(BruteForceTests.allModes)
    case 1: configuration.spread = input.generator.pick([.single, .double, .book])
    case 2: configuration.fit = input.generator.pick(LayoutConfiguration.Fit.allCases)
    case 3: configuration.axis = input.generator.pick(LayoutConfiguration.Axis.allCases)
    case 4: configuration.rotation = input.generator.pick(Rotation.allCases)
    case 5: configuration.gap = input.generator.pick([0, 5, 400])
    case 6: configuration.contentInsets = Insets(input.generator.pick([0, 20, 60]))
    case 7: configuration.zoom = input.generator.pick([0.005, 0.3, 1, 2, 6])
    case 8: configuration.isRightToLeft.toggle()
    case 9: configuration.margins = Insets(input.generator.pick([0, 10, 1000]))
    case 10:
      return try viewpoint.resized(to: input.generator.pick([.zero, Size(width: 1, height: 1)]))
    default:
      return try viewpoint.resized(
        to: Size(
          width: input.generator.number(30...1500),
          height: input.generator.number(30...1500)
        )
      )
    }
    return try viewpoint.reconfigured(configuration)
  }

  /// The same with all pages measured that are seen, as a viewer does after each step.
  private func measuringSeen(_ viewpoint: Viewpoint, _ input: RandomInput) -> Viewpoint {
    var viewpoint = viewpoint
    if let first = viewpoint.layout.pages.page(at: 0) {
      // Estimates and cells follow from it.
      var layout = viewpoint.layout
      layout.measure(first, as: input.sizes[first.value])
      viewpoint = viewpoint.measured(layout)
    }
    for _ in 0..<200 {
      let missing = viewpoint.layout.unmeasuredPages(inside: viewpoint.window)
      guard !missing.isEmpty else { break }
      var layout = viewpoint.layout
      for range in missing {
        for page in range { layout.measure(page, as: input.sizes[page.value]) }
      }
      viewpoint = viewpoint.measured(layout)
    }
    return viewpoint
  }

  func expectSame(_ found: Viewpoint, _ wanted: Viewpoint, _ context: String) {
    let extent = 1e-6 + 1e-12 * max(abs(wanted.offset.x), abs(wanted.offset.y))
    #expect(abs(found.offset.x - wanted.offset.x) <= extent, "\(context)")
    #expect(abs(found.offset.y - wanted.offset.y) <= extent, "\(context)")
    #expect(found.current == wanted.current, "\(context)")
    for position in wanted.seen {
      let moved = found.onScreen(position) - wanted.onScreen(position)
      #expect(abs(moved.x) < 1e-5 && abs(moved.y) < 1e-5, "\(context): position \(position)")
    }
  }
}

extension Viewpoint {
  private var pages: [LaidOutPage] {
    layout.spreads(visibleIn: window).filter { !$0.isPinned }.flatMap(\.pages)
      .filter { $0.isSeen(in: window) }
  }

  var showsAnything: Bool { !pages.isEmpty }

  func shows(_ page: PageIndex) -> Bool { pages.contains { $0.page == page } }

  /// The positions of the pages in sight.
  var seen: Set<Int> { Set(pages.map(\.position)) }

  /// Where the page at a position is in the viewport.
  func onScreen(_ position: Int) -> Point {
    guard let page = layout.pages.page(at: position),
      let frame = layout.page(page, at: position, in: window)?.frame
    else { return Point(x: .nan, y: .nan) }
    return Point(x: frame.minX - offset.x, y: frame.minY - offset.y)
  }

  /// Whether no end of the content holds the window back, nor may have.
  var clampingIsFar: Bool {
    let content = layout.contentSize
    func isFree(_ start: Double, _ extent: Double, _ all: Double) -> Bool {
      start > 1e-3 && start + extent < all - 1e-3
    }
    let isVertical = layout.configuration.axis == .vertical
    return isVertical
      ? isFree(offset.y, layout.viewport.height, content.height)
      : isFree(offset.x, layout.viewport.width, content.width)
  }
}
