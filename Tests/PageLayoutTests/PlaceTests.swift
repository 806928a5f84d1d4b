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

  // MARK: Examples

  private func layout(
    _ count: Int = 1000,
    viewport: Size = Size(width: 900, height: 700),
    _ change: (inout LayoutConfiguration) -> Void = { _ in }
  ) throws -> Layout {
    var configuration = LayoutConfiguration()
    change(&configuration)
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: count),
      sizes: PageSizes(estimate: .fixed(Size(width: 400, height: 500))),
      viewport: viewport
    )
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases)
  func `a window of no size, or smaller than its margins, keeps the place`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for isRightToLeft in [false, true] {
      let layout = try layout {
        $0.mode = mode
        $0.isRightToLeft = isRightToLeft
      }
      let start = try #require(Viewpoint(layout).showing(page: 600, fraction: 0.25))
      for size in [Size.zero, Size(width: 1, height: 1), Size(width: 20, height: 700)] {
        let small = try start.resized(to: size)
        #expect(small.layout.isEmpty && small.current == 600)
        expectSame(try small.resized(to: layout.viewport), start, "\(mode)")
      }
      var tiny = layout.configuration
      tiny.zoom = 0.005
      expectSame(
        try start.reconfigured(tiny).reconfigured(layout.configuration),
        start,
        "\(mode)"
      )
      let opened = try #require(
        Viewpoint(try layout.resized(to: .zero)).showing(page: 600, fraction: 0.25)
      )
      expectSame(try opened.resized(to: layout.viewport), start, "\(mode)")
    }
  }

  @Test(arguments: [LayoutConfiguration.Mode.continuous, .grid, .flow])
  func `zooming out about a point until all fits, and back, ends where it began`(
    mode: LayoutConfiguration.Mode
  ) throws {
    let layout = try layout { $0.mode = mode }
    let start = try #require(Viewpoint(layout).showing(page: 600))
    for point in [nil, Point(x: 123, y: 456)] {
      var viewpoint = start
      for _ in 0..<14 { viewpoint = try viewpoint.zoomed(by: 0.7, about: point) }
      viewpoint = try viewpoint.zoomed(to: 1, about: point)
      expectSame(viewpoint, start, "\(mode)")
    }
  }

  @Test(arguments: [LayoutConfiguration.Mode.grid, .flow])
  func `widths that come and go do not wander`(mode: LayoutConfiguration.Mode) throws {
    let layout = try layout { $0.mode = mode }
    let start = try #require(Viewpoint(layout).showing(page: 600))
    var viewpoint = start
    var generator = SeededGenerator(7)
    for _ in 0..<200 {
      viewpoint = try viewpoint.resized(
        to: Size(width: generator.number(300...1900), height: 700)
      )
      #expect(viewpoint.current == 600 && viewpoint.shows(600))
    }
    expectSame(try viewpoint.resized(to: layout.viewport), start, "\(mode)")
  }

  @Test func `four turns of the view end where they began`() throws {
    let start = try #require(
      Viewpoint(try layout { $0.fit = .width }).showing(page: 3, fraction: 0.3)
    )
    var viewpoint = start
    for rotation in [Rotation.quarter, .half, .threeQuarters, .none] {
      var configuration = start.layout.configuration
      configuration.rotation = rotation
      viewpoint = try viewpoint.reconfigured(configuration)
    }
    expectSame(viewpoint, start, "")
  }

  @Test func `reading starts at the right edge where it goes from right to left`() throws {
    let insets = Insets(top: 40, right: 0, bottom: 0, left: 0)
    for mode in BruteForceTests.allModes {
      let layout = try layout {
        $0.mode = mode
        $0.axis = .horizontal
        $0.isRightToLeft = true
        $0.contentInsets = insets
      }
      let start = Viewpoint(layout)
      #expect(start.current == 0 && start.shows(0), "\(mode)")
    }
    let wide = try layout {
      $0.zoom = 5
      $0.isRightToLeft = true
      $0.contentInsets = insets
    }
    let start = Viewpoint(wide)
    #expect(start.offset.y == -40, "nothing is covered by what covers the top")
    #expect(isClose(start.window.maxX, wide.contentSize.width))
    #expect(Viewpoint(try layout { $0.zoom = 5 }).offset == .zero)
  }

  @Test(arguments: [LayoutConfiguration.Mode.continuous, .paged])
  func `each page of a spread that is wider than the window can be gone to`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for isRightToLeft in [false, true] {
      for zoom in [1, 1.5, 4] {
        let layout = try layout(viewport: Size(width: 500, height: 700)) {
          $0.mode = mode
          $0.spread = .double
          $0.fit = .height
          $0.zoom = zoom
          $0.isRightToLeft = isRightToLeft
        }
        for page in [PageIndex(4), 5] {
          let found = try #require(Viewpoint(layout).showing(page: page))
          #expect(found.current == page)
          let frame = try #require(found.layout.page(page, in: found.window)).frame
          let start =
            isRightToLeft ? found.window.maxX - frame.maxX : frame.minX - found.window.minX
          if frame.width > 500 {
            #expect(isClose(start, 0), "\(zoom): \(start)")
          } else {
            #expect(found.window.minX <= frame.minX && frame.maxX <= found.window.maxX)
          }
        }
      }
    }
    let high = try layout(viewport: Size(width: 500, height: 300)) {
      $0.axis = .horizontal
      $0.zoom = 2
    }
    let found = try #require(Viewpoint(high).showing(page: 5))
    #expect(found.offset.y == 10, "the top of the page, not its middle")
  }

  @Test func `an occurrence of a page that is shown several times is kept`() throws {
    let sequence = PageSequence([.pages(0..<2), .pages(0..<2), .pages(0..<2)])
    let layout = try layout().reordered(sequence)
    let third = try #require(Viewpoint(layout).showing(page: 1, occurrence: 2))
    #expect(third.place?.anchor.occurrence == 2)
    #expect(third.offset.y > 2000)
    var grid = layout.configuration
    grid.mode = .grid
    expectSame(
      try third.reconfigured(grid).reconfigured(layout.configuration),
      third,
      ""
    )
  }

  @Test(arguments: [LayoutConfiguration.Mode.paged, .carousel])
  func `a page that is larger than the window is shown from where it starts`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for axis in LayoutConfiguration.Axis.allCases {
      let layout = try layout {
        $0.mode = mode
        $0.axis = axis
        $0.spread = .double
        $0.fit = .page
        $0.zoom = 3
      }
      for page: PageIndex in [5, 6, 7] {
        let viewpoint = try #require(Viewpoint(layout).showing(page: page))
        #expect(viewpoint.current == page)
        let position = try #require(layout.pages.positions(of: page).first)
        #expect(
          abs(viewpoint.onScreen(position).x) < 11 && abs(viewpoint.onScreen(position).y) < 11
        )
      }
    }
  }

  @Test func `a page is not panned below what covers the window`() throws {
    let layout = try layout {
      $0.mode = .carousel
      $0.axis = .horizontal
      $0.spread = .double
      $0.zoom = 3
    }
    let start = try #require(Viewpoint(layout).showing(page: 3))
    var configuration = layout.configuration
    configuration.contentInsets = Insets(top: 0, right: 0, bottom: 0, left: 700)
    let covered = try start.reconfigured(configuration)
    #expect(covered.current == 3)
    expectSame(try covered.reconfigured(layout.configuration), start, "without insets")
  }

  @Test func `a current page that the layout does not show is the anchor's`() throws {
    let anchor = Anchor(page: 7, place: .zero)
    let wrong = Place(anchor, at: .zero, current: PageOccurrence(page: 2000))
    for viewport in [Size.zero, Size(width: 900, height: 700)] {
      let found = try Viewpoint(layout()).resized(to: viewport).showing(wrong)
      #expect(found?.current == 7 && found?.place?.current.page == 7)
    }
  }

  @Test func `a page that takes the place of a removed one begins where reading starts`() throws {
    for size in [Size.zero, Size(width: 900, height: 700)] {
      let start = try #require(Viewpoint(layout()).showing(page: 600))
      let rest = try start.resized(to: size).carried(
        to: start.layout.resized(to: size)
          .reordered(PageSequence([.pages(0..<600), .pages(601..<1000)]))
      ).resized(to: start.layout.viewport)
      #expect(rest.current == 601)
      #expect(rest.onScreen(600).y == 0)
    }
  }

  @Test func `an offset that is the present one chooses nothing`() throws {
    let layout = try layout(12, viewport: Size(width: 800, height: 1600))
    let last = try #require(Viewpoint(layout).showing(page: 10))
    #expect(last.current == 10, "with page 11 behind it")
    #expect(last.moved(to: last.offset).current == 10)
    #expect(last.scrolled(by: .zero).current == 10)
    #expect(last.scrolled(by: Point(x: 0, y: 1000)).current == 10, "the content has ended")
    #expect(last.scrolled(by: Point(x: 0, y: -1)).current == 9, "the first of equal areas")
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

  private func expectSame(_ found: Viewpoint, _ wanted: Viewpoint, _ context: String) {
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

  fileprivate var showsAnything: Bool { !pages.isEmpty }

  fileprivate func shows(_ page: PageIndex) -> Bool { pages.contains { $0.page == page } }

  /// The positions of the pages in sight.
  fileprivate var seen: Set<Int> { Set(pages.map(\.position)) }

  /// Where the page at a position is in the viewport.
  fileprivate func onScreen(_ position: Int) -> Point {
    guard let page = layout.pages.page(at: position),
      let frame = layout.page(page, at: position, in: window)?.frame
    else { return Point(x: .nan, y: .nan) }
    return Point(x: frame.minX - offset.x, y: frame.minY - offset.y)
  }

  /// Whether no end of the content holds the window back, nor may have.
  fileprivate var clampingIsFar: Bool {
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
