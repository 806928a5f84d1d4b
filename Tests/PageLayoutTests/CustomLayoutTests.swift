import Geometry
import PageLayout
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
}
