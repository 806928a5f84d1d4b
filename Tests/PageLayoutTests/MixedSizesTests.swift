import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// One scale for the document, and pages of one height or width, with numbers computed by hand. The
/// random layouts of the other suites have both, too.
@Suite struct MixedSizesTests {
  private func layout(
    _ sizes: [Size],
    _ viewport: Size,
    measured: Int? = nil,
    _ change: (inout LayoutConfiguration) -> Void
  ) throws -> Layout {
    var configuration = LayoutConfiguration()
    configuration.margins = .zero
    change(&configuration)
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: sizes.count),
      sizes: PageSizes(
        measured: Array(sizes.measured.prefix(measured ?? sizes.count)),
        estimate: .fixed(Size(width: 100, height: 200))
      ),
      viewport: viewport
    )
  }

  private func pages(_ layout: Layout) -> [LaidOutPage] {
    (0..<layout.spreadCount).compactMap { layout.spread($0) }.flatMap(\.pages)
  }

  private static let mixed = [
    Size(width: 100, height: 200), Size(width: 400, height: 300), Size(width: 200, height: 100),
  ]

  @Test func `the widest page fits, and the others stay true to it`() throws {
    let layout = try layout(Self.mixed, Size(width: 200, height: 150)) {
      $0.fit = .width
      $0.fitScope = .document
    }
    #expect(
      pages(layout).map(\.frame) == [
        Rect(x: 75, y: 0, width: 50, height: 100), Rect(x: 0, y: 110, width: 200, height: 150),
        Rect(x: 50, y: 270, width: 100, height: 50),
      ]
    )
    #expect(layout.contentSize == Size(width: 200, height: 320))
    #expect(pages(layout).map(\.scale) == [0.5, 0.5, 0.5])
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases)
  func `the widest and the highest page fit in every mode`(mode: LayoutConfiguration.Mode) throws {
    let sizes = [
      Size(width: 400, height: 100), Size(width: 100, height: 800), Size(width: 80, height: 80),
    ]
    let layout = try layout(sizes, Size(width: 200, height: 160)) {
      $0.mode = mode
      $0.fit = .page
      $0.fitScope = .document
      $0.grid.columns = 1
      $0.flow.rowHeight = 160
      $0.carousel = CarouselOptions(currentShare: 1)
    }
    // By the width 0.5, by the height 0.2; in the square tile of the grid 0.5 and 0.25.
    let expected = mode == .grid ? 0.25 : 0.2
    for page in pages(layout) { #expect(abs(page.scale - expected) < 1e-12) }
    for (page, size) in zip(pages(layout), sizes) {
      #expect(abs(page.frame.width - size.width * expected) < 1e-9)
      #expect(abs(page.frame.height - size.height * expected) < 1e-9)
    }
  }

  @Test func `a spread with page gaps, and one turned by a quarter, decide as they are shown`()
    throws
  {
    let layout = try layout(Self.mixed, Size(width: 220, height: 1000)) {
      $0.spread = .double
      $0.pageGap = 20
      $0.fit = .width
      $0.fitScope = .document
      $0.rotation = .quarter
    }
    // 200 + 300 = 500 into 200; the lone page with its empty column would be 200 wide.
    #expect(pages(layout).map(\.scale) == [0.4, 0.4, 0.4])
    #expect(
      pages(layout).map(\.frame.size) == [
        Size(width: 80, height: 40), Size(width: 120, height: 160), Size(width: 40, height: 80),
      ]
    )
  }

  @Test func `both halves of a double page have one height, and their own scales`() throws {
    let comic = [Size(width: 1080, height: 1920), Size(width: 540, height: 960)]
    let matched = try layout(comic, Size(width: 1080, height: 960)) {
      $0.spread = .double
      $0.fit = .page
      $0.match = .height
    }
    #expect(
      pages(matched).map(\.frame) == [
        Rect(x: 0, y: 0, width: 540, height: 960), Rect(x: 540, y: 0, width: 540, height: 960),
      ]
    )
    #expect(pages(matched).map(\.scale) == [0.5, 1])
    #expect(pages(matched).map(\.size) == comic, "the pages' own sizes")

    let plain = try layout(comic, Size(width: 1080, height: 960)) {
      $0.spread = .double
      $0.fit = .page
    }
    #expect(plain.page(1)?.frame == Rect(x: 540, y: 240, width: 270, height: 480))
  }

  @Test func `pages of one width have heights of their own, and the spread that of the highest`()
    throws
  {
    let layout = try layout(Self.mixed, Size(width: 1000, height: 1000)) {
      $0.spread = .columns(3, start: 0)
      $0.match = .width
    }
    #expect(
      pages(layout).map(\.frame.size) == [
        Size(width: 400, height: 800), Size(width: 400, height: 300), Size(width: 400, height: 200),
      ]
    )
    #expect(pages(layout).map(\.frame.minY) == [0, 250, 300])
    #expect(pages(layout).map(\.scale) == [4, 1, 2])
  }

  @Test func `spreads are matched first, and then share a scale`() throws {
    let sizes = [
      Size(width: 100, height: 200), Size(width: 100, height: 100), Size(width: 100, height: 200),
      Size(width: 100, height: 200),
    ]
    let layout = try layout(sizes, Size(width: 150, height: 1000)) {
      $0.spread = .double
      $0.fit = .width
      $0.fitScope = .document
      $0.match = .height
    }
    // The first spread is 100 + 200 wide.
    #expect(pages(layout).map(\.scale) == [0.5, 1, 0.5, 0.5])
    #expect(
      pages(layout).map(\.frame) == [
        Rect(x: 0, y: 0, width: 50, height: 100), Rect(x: 50, y: 0, width: 100, height: 100),
        Rect(x: 25, y: 110, width: 50, height: 100), Rect(x: 75, y: 110, width: 50, height: 100),
      ]
    )
  }

  @Test func `no page is enlarged beyond the largest one`() throws {
    let hostile = [Size(width: 10_000, height: 0.1), Size(width: 1000, height: 100_000_000)]
    let layout = try layout(hostile, Size(width: 1000, height: 1000)) {
      $0.spread = .double
      $0.match = .height
    }
    #expect(pages(layout).map(\.scale) == [1, 1])
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases)
  func `nothing is exact before every page is measured, if sizes can change the scale`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for fit in LayoutConfiguration.Fit.allCases {
      let count = 60
      var layout = try layout(
        Array(repeating: Size(width: 100, height: 200), count: count),
        Size(width: 200, height: 300),
        measured: count - 1
      ) {
        $0.mode = mode
        $0.fit = fit
        $0.fitScope = .document
      }
      let depends = mode != .continuous || fit != .none
      let window = layout.window(at: .zero)
      let areExact = layout.spreads(visibleIn: window).map(\.isExact)
      #expect(!areExact.isEmpty && !areExact.contains(depends))
      #expect(layout.unmeasuredPages(neededFor: window) == (depends ? [59..<60] : []))
      #expect(layout.unmeasuredPages(inside: window).isEmpty)
      #expect(!layout.isContentExact)
      #expect(layout.measure(59, as: Size(width: 100, height: 200)).isEmpty)
      #expect(layout.spreads(visibleIn: window).allSatisfy { $0.isExact })
      #expect(layout.isContentExact)
    }
  }

  @Test func `only a size that changes the scale moves everything, and the reader's place stays`()
    throws
  {
    var configuration = LayoutConfiguration()
    configuration.fit = .width
    configuration.fitScope = .document
    let a4 = Size(width: 595, height: 842)
    var layout = try Layout(
      configuration,
      pages: PageSequence(pageCount: 100_000),
      sizes: PageSizes(estimate: .fixed(a4)),
      viewport: Size(width: 1210, height: 800)
    )
    #expect(layout.page(0)?.scale == 2)
    let anchor = Anchor(page: 50_000, place: Point(x: 0.5, y: 0.25))
    let before = try #require(layout.offset(of: anchor))

    #expect(layout.measure(7, as: a4, keeping: anchor).isEmpty)
    let smaller = layout.measure(8, as: Size(width: 300, height: 421), keeping: anchor)
    #expect(smaller.changed == [8..<9])
    #expect(smaller.displaced.map(\.spreads) == [9..<100_000])
    #expect(isClose(smaller.offsetAdjustment.y, -842, before.y))

    let wider = layout.measure(9, as: Size(width: 1190, height: 842), keeping: anchor)
    #expect(wider.changed == [0..<100_000] && wider.displaced.isEmpty)
    #expect(layout.page(0)?.scale == 1)
    let after = try #require(layout.offset(of: anchor))
    #expect(isClose(before.y - 842 + wider.offsetAdjustment.y, after.y))

    // The widest page that is left decides.
    let back = layout.measure(9, as: a4, keeping: anchor)
    #expect(back.changed == [0..<100_000])
    #expect(layout.page(0)?.scale == 2)
    #expect(isClose(layout.offset(of: anchor)?.y ?? 0, before.y - 842))
  }

  @Test func `the scale is that of the widest page, however sizes arrive and are corrected`() throws
  {
    var random = SeededGenerator(47)
    var configuration = LayoutConfiguration()
    configuration.fit = .width
    configuration.fitScope = .document
    configuration.margins = .zero
    var widths = [Int: Double]()
    var layout = try Layout(
      configuration,
      pages: PageSequence(pageCount: 300),
      sizes: PageSizes(estimate: .fixed(Size(width: 120, height: 100))),
      viewport: Size(width: 1000, height: 1000)
    )
    for _ in 0..<2000 {
      let batch = (0..<random.pick([1, 1, 3])).map { _ in
        let page = Int.random(in: 0..<300, using: &random)
        let width = Double(Int.random(in: 50...500, using: &random))
        widths[page] = width
        return MeasuredSize(page: PageIndex(page), size: Size(width: width, height: 100))
      }
      layout.measure(batch)
      var widest = widths.values.max() ?? 0
      if widths.count < 300 { widest = max(widest, 120) }
      #expect(layout.page(3)?.scale == 1000 / widest)
    }
    #expect(widths.count == 300)
  }
}
