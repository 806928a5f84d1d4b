import PageLayout
import RectoGeometry
import Testing

@Suite struct ValidationTests {
  static let bad: [Double] = [.nan, .infinity, -.infinity, -1]

  private func refused(
    _ field: String,
    viewport: Size = Size(width: 100, height: 100),
    estimate: SizeEstimate = .firstPage,
    _ change: (inout LayoutConfiguration) -> Void = { _ in }
  ) {
    var configuration = LayoutConfiguration()
    change(&configuration)
    let error = #expect(throws: LayoutError.self) {
      try Layout(
        configuration,
        pages: PageSequence(pageCount: 3),
        sizes: PageSizes(estimate: estimate),
        viewport: viewport
      )
    }
    #expect(error?.field == field)
    #expect(error?.description.hasPrefix("\(field): ") == true)
  }

  @Test(arguments: bad) func `a number that is none is refused by the name of its field`(
    value: Double
  ) {
    refused("zoom") { $0.zoom = value }
    refused("gap") { $0.gap = value }
    refused("pageGap") { $0.pageGap = value }
    refused("margins.top") { $0.margins.top = value }
    refused("margins.right") { $0.margins.right = value }
    refused("margins.bottom") { $0.margins.bottom = value }
    refused("margins.left") { $0.margins.left = value }
    refused("contentInsets.left") { $0.contentInsets.left = value }
    refused("minimumContentSize.width") { $0.minimumContentSize.width = value }
    refused("minimumContentSize.height") { $0.minimumContentSize.height = value }
    refused("trailingSpace") { $0.trailingSpace = value }
    refused("grid.tile") { $0.grid.tile = value }
    refused("flow.rowHeight") { $0.flow.rowHeight = value }
    refused("carousel.currentShare") { $0.carousel.currentShare = value }
    refused("carousel.neighborShare") { $0.carousel.neighborShare = value }
    refused("carousel.hiddenShare") { $0.carousel.hiddenShare = value }
    refused("pairing.wideRatio") { $0.pairing.wideRatio = value }
    refused("spacing.gaps.gap") { $0.spacing.gaps = [GapRule(pages: 0..<1, gap: value)] }
    refused("spacing.sectionGap") { $0.spacing.sectionGap = value }
    refused("spacing.pageMargins[2].top") {
      $0.spacing.pageMargins = [2: Insets(top: value, right: 0, bottom: 0, left: 0)]
    }
    refused("spreadViews[1].zoom") { $0.spreadViews = [1: SpreadView(zoom: value)] }
    refused("spreadViews[1].pan") { $0.spreadViews = [1: SpreadView(pan: Point(x: 0, y: value))] }
    refused("viewport.width", viewport: Size(width: value, height: 1))
    refused("viewport.height", viewport: Size(width: 1, height: value))
    refused("sizes.estimate", estimate: .fixed(Size(width: value, height: 1)))
  }

  @Test func `counts and indices out of range are refused by the name of their field`() {
    refused("zoom") { $0.zoom = 0 }
    refused("spread.columns") { $0.spread = .columns(0, start: 0) }
    refused("spread.columns") { $0.spread = .columns(.max, start: 0) }
    refused("spread.start") { $0.spread = .columns(3, start: 3) }
    refused("spread.start") { $0.spread = .columns(3, start: -1) }
    refused("grid.columns") { $0.grid.columns = 0 }
    refused("grid.tile") { $0.grid.tile = 0 }
    refused("flow.rowHeight") { $0.flow.rowHeight = 0 }
    refused("pairing.alone") { $0.pairing.alone = [-1] }
    refused("pairing.together") { $0.pairing.together = [-1] }
    refused("pairing.sectionStarts") { $0.pairing.sectionStarts = [-1] }
    refused("stickyPages") { $0.stickyPages = [-1] }
    refused("spacing.gaps.pages") { $0.spacing.gaps = [GapRule(pages: -3..<1, gap: 1)] }
    #expect(throws: LayoutError.self) { try LayoutColumn([], gap: .nan) }
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases)
  func `where nothing can be seen, answers are empty`(mode: LayoutConfiguration.Mode) throws {
    for (viewport, zoom) in [
      (Size.zero, 1.0), (Size(width: 20, height: 500), 1), (Size(width: 500, height: 20), 1),
      (Size(width: 500, height: 500), 0.009),
    ] {
      var configuration = LayoutConfiguration()
      configuration.mode = mode
      configuration.zoom = zoom
      configuration.stickyPages = [2]
      var layout = try Layout(
        configuration,
        pages: PageSequence(pageCount: 5),
        sizes: PageSizes(),
        viewport: viewport
      )
      let window = Rect(x: 0, y: 0, width: 1e6, height: 1e6)
      #expect(layout.isEmpty && layout.contentSize == .zero)
      #expect(layout.spreads(touching: window).isEmpty)
      #expect(layout.spreads(visibleIn: window).isEmpty)
      #expect(layout.spread(0) == nil && layout.page(0) == nil)
      #expect(layout.page(at: .zero) == nil && layout.nearestPage(to: .zero) == nil)
      #expect(layout.anchor(at: .zero) == nil && layout.offset(showing: 1) == nil)
      #expect(layout.currentPage(in: window) == nil)
      #expect(layout.spreadPosition(at: .zero) == nil)
      #expect(layout.stop(.forward, from: .zero) == nil)
      #expect(layout.screenStop(.forward, from: .zero) == nil)
      #expect(layout.prefetchOrder(for: window, limit: 9).isEmpty)
      #expect(layout.unmeasuredPages(neededFor: window).isEmpty)
      #expect(layout.measure(1, as: Size(width: 5, height: 5)).isEmpty)
      #expect(layout.pageCurl(from: 0, progress: 0.5) == nil)
      #expect(layout.clamped(Point(x: 7, y: .nan)) == .zero)
    }
  }

  @Test func `indices, points and windows that are none do not trap`() throws {
    for mode in LayoutConfiguration.Mode.allCases {
      var configuration = LayoutConfiguration()
      configuration.mode = mode
      let layout = try Layout(
        configuration,
        pages: PageSequence([.pages(3..<9), .blanks(2), .pages(-5..<2), .blanks(-7)]),
        sizes: PageSizes(),
        viewport: Size(width: 500, height: 500)
      )
      #expect(layout.pages.count == 10)
      for index in [-1, 10, .max, .min] {
        #expect(layout.spread(index) == nil)
        #expect(layout.positions(inSpread: index) == nil)
        #expect(layout.spread(containingPosition: index) == nil)
        let page = PageIndex(index)
        #expect(layout.spread(containingPage: page) == nil)
        #expect(layout.page(page) == nil)
        #expect(layout.offset(showing: page) == nil)
        #expect(layout.pages.page(at: index) == nil)
      }
      for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
        let point = Point(x: value, y: value)
        let window = Rect(x: value, y: value, width: 10, height: 10)
        _ = layout.clamped(point)
        _ = layout.anchor(at: point)
        _ = layout.page(at: point)
        _ = layout.nearestPage(to: point)
        _ = layout.spreadPosition(at: point)
        _ = layout.offset(atSpreadPosition: value)
        _ = layout.spreads(touching: window)
        _ = layout.spreads(visibleIn: window)
        _ = layout.currentPage(in: window)
        _ = layout.unmeasuredPages(neededFor: window)
        _ = layout.prefetchOrder(for: window, velocity: value, limit: 5)
        _ = layout.stop(.forward, from: point)
        _ = layout.screenStop(.backward, from: point, overlap: value)
        _ = layout.settled(point)
        _ = layout.spreads(touching: Rect(x: 0, y: 0, width: value, height: value))
        let clamped = layout.clamped(point)
        #expect(clamped.x.isFinite && clamped.y.isFinite)
      }
    }
  }
}
