import ExampleArrangements
import PageLayout
import RectoGeometry
import Testing

/// A layout of one's own: spreads on a staircase, each a step to the right of the one above it.
///
/// Nothing but public declarations. Fitting, pairing, measuring, anchors and queries come with it.
struct Staircase: PageArranging {
  /// How far each spread stands to the right of the one above.
  var step: Double

  func contentSize(of spreads: Spreads) -> Size {
    guard spreads.count > 0 else { return .zero }
    let last = frame(spreads.count - 1, spreads)
    return Size(width: last.minX + widest(spreads), height: last.maxY)
  }

  func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    SpreadPlace(frame: frame(index, spreads))
  }

  func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let shown = (0..<spreads.count).filter { index in
      let frame = frame(index, spreads)
      return frame.minY < window.maxY && frame.maxY > window.minY
    }
    guard let first = shown.first, let last = shown.last else { return 0..<0 }
    return first..<last + 1
  }

  private func frame(_ index: Int, _ spreads: Spreads) -> Rect {
    let gap = spreads.environment.gap
    let y = (0..<index).reduce(0) { $0 + spreads.size(of: $1).height + gap }
    let origin = Point(x: Double(index) * step, y: y)
    return Rect(origin: origin, size: spreads.size(of: index))
  }

  private func widest(_ spreads: Spreads) -> Double {
    (0..<spreads.count).map { spreads.size(of: $0).width }.max() ?? 0
  }
}

@Suite struct CustomLayoutTests {
  private func staircase() throws -> Layout {
    var configuration = LayoutConfiguration()
    configuration.zoom = 0.5
    return try Layout(
      configuration,
      arrangement: Staircase(step: 25),
      pages: PageSequence(pageCount: 20),
      sizes: PageSizes(estimate: .fixed(Size(width: 600, height: 800))),
      viewport: Size(width: 1000, height: 700)
    )
  }

  @Test func `a layout of one's own places pages and answers every query`() throws {
    let layout = try staircase()
    #expect(layout.spread(3)?.frame == Rect(x: 75, y: 3 * 410, width: 300, height: 400))
    #expect(layout.contentSize == Size(width: 19 * 25 + 300, height: 20 * 410 - 10))
    #expect(layout.page(at: Point(x: 80, y: 1240))?.page == 3)
    #expect(layout.currentPage(in: layout.window(at: Point(x: 0, y: 1200))) == 3)
    #expect(layout.spreads(touching: Rect(x: 0, y: 405, width: 10, height: 10)) == 1..<2)
    #expect(layout.stop(.forward, from: Point(x: 0, y: 300)) == Point(x: 0, y: 410))
  }

  @Test func `a layout of one's own keeps anchors while sizes arrive`() throws {
    var layout = try staircase()
    let offset = Point(x: 0, y: 2000)
    let anchor = try #require(layout.anchor(at: offset))
    let change = layout.measure(1, as: Size(width: 600, height: 1000), keeping: anchor)
    #expect(change.spreads == 1..<20)
    #expect(change.contentSizeAdjustment == Size(width: 0, height: 100))
    #expect(change.offsetAdjustment == Point(x: 0, y: 100))
    #expect(layout.spread(1)?.isExact == false)
    layout.measure(0, as: Size(width: 600, height: 800))
    #expect(layout.spread(1)?.isExact == true)
    #expect(layout.spread(2)?.isExact == false)
  }

  private func mosaic(_ count: Int = 23) throws -> Layout {
    try Layout(
      LayoutConfiguration(),
      arrangement: Mosaic(),
      pages: PageSequence(pageCount: count),
      sizes: PageSizes(estimate: .fixed(Size(width: 600, height: 800))),
      viewport: Size(width: 1000, height: 700)
    )
  }

  @Test(arguments: [false, true])
  func `each visible page is found at its points, and keys go the same way back`(
    isStaircase: Bool
  ) throws {
    let layout = try isStaircase ? staircase() : mosaic()
    for step in 0..<40 {
      let window = layout.window(
        at: Point(x: 0, y: layout.contentSize.height * Double(step) / 40)
      )
      for page in layout.spreads(visibleIn: window).flatMap(\.pages) {
        let seen = try #require(page.visible(in: window))
        #expect(layout.page(at: seen.center, in: window)?.page == page.page)
        #expect(layout.nearestPage(to: seen.center)?.page == page.page)
      }
      let place = Point(x: 1, y: window.minY - 5)
      #expect(layout.nearestPage(to: place) != nil)
    }
    var forward = [layout.clamped(try #require(layout.offset(restingAt: 0)))]
    forward[0].x = 0
    while let last = forward.last, let next = layout.stop(.forward, from: last) {
      forward.append(next)
    }
    var back = [try #require(forward.last)]
    while let last = back.last, let next = layout.stop(.backward, from: last) { back.append(next) }
    #expect(forward.count > 5)
    #expect(Array(back.reversed()) == forward)
  }

  @Test func `the mode decides nothing, and a layout of one's own stays`() throws {
    let layout = try mosaic()
    let frames = (0..<layout.spreadCount).map { layout.spread($0)?.frame }
    for mode in LayoutConfiguration.Mode.allCases {
      var configuration = layout.configuration
      configuration.mode = mode
      configuration.pageGap = 3
      configuration.spread = .book
      let other = try layout.reconfigured(configuration)
      configuration.mode = .continuous
      let plain = try layout.reconfigured(configuration)
      #expect(
        (0..<other.spreadCount).map { other.spread($0) }
          == (0..<plain.spreadCount).map { plain.spread($0) }
      )
      configuration = layout.configuration
      configuration.mode = mode
      let same = try layout.reconfigured(configuration)
      #expect((0..<same.spreadCount).map { same.spread($0)?.frame } == frames)
      let left = try layout.reconfigured(configuration).rearranged(nil)
      let own = try Layout(
        configuration,
        pages: layout.pages,
        sizes: layout.sizes,
        viewport: layout.viewport
      )
      #expect(left.spread(7) == own.spread(7))
    }
  }

  @Test func `the arrangements of the modes can be wrapped`() throws {
    let layout = try Layout(
      LayoutConfiguration(),
      arrangement: Shifted(base: PagedArrangement()),
      pages: PageSequence(pageCount: 9),
      sizes: PageSizes(estimate: .fixed(Size(width: 600, height: 800))),
      viewport: Size(width: 1000, height: 700)
    )
    let plain = try layout.rearranged(PagedArrangement())
    for index in 0..<9 {
      let frame = try #require(plain.spread(index)?.frame)
      #expect(layout.spread(index)?.frame == frame.offsetBy(x: index % 2 == 0 ? 0 : 40, y: 0))
    }
    let viewpoint = try Viewpoint(layout).showing(page: 5)?.zoomed(by: 4)
    #expect(viewpoint?.isAtRest == true && viewpoint?.restingSpread == 5)
  }

  @Test func `a mosaic of a million pages looks at no more than a window`() throws {
    let layout = try mosaic(1_000_000)
    let window = layout.window(at: Point(x: 0, y: layout.contentSize.height / 2))
    #expect(layout.spreads(visibleIn: window).count < 20)
    #expect(layout.unmeasuredPages(neededFor: window).reduce(0) { $0 + $1.count } < 20)
  }
}

/// A paged layout whose every other spread stands a little to the right.
private struct Shifted: PageArranging {
  var base: PagedArrangement

  func contentSize(of spreads: Spreads) -> Size { base.contentSize(of: spreads) }

  func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    var place = base.place(index, of: spreads, in: window)
    if index % 2 == 1 { place.frame = place.frame.offsetBy(x: 40, y: 0) }
    return place
  }

  func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    base.spreads(touching: window, of: spreads)
  }

  func scale(width: Double, height: Double, columns: Int, in environment: LayoutEnvironment)
    -> Double
  {
    base.scale(width: width, height: height, columns: columns, in: environment)
  }

  func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    base.restingOffset(of: index, of: spreads)
  }

  var restsAtSpreads: Bool { base.restsAtSpreads }
  var isOneCanvas: Bool { base.isOneCanvas }
}
