import PageLayout
import RectoGeometry
import Testing

/// What single options promise, each by an example that can be worked out by hand.
@Suite struct OptionTests {
  private func layout(
    _ count: Int,
    size: Size = Size(width: 400, height: 500),
    viewport: Size = Size(width: 1000, height: 700),
    _ change: (inout LayoutConfiguration) -> Void
  ) throws -> Layout {
    try PageLayoutTests.layout(count, size: size, viewport: viewport, change)
  }

  @Test func `a book's cover stands on its side of the spine, also from right to left`() throws {
    for isRightToLeft in [false, true] {
      let layout = try layout(4) {
        $0.spread = .book
        $0.isRightToLeft = isRightToLeft
      }
      #expect((0..<3).map { layout.positions(inSpread: $0) } == [0..<1, 1..<3, 3..<4])
      let cover = try #require(layout.spread(0)?.pages[0].frame)
      #expect(isRightToLeft ? cover.maxX == 500 : cover.minX == 500)
      let pair = try #require(layout.spread(1)?.pages)
      #expect(pair[isRightToLeft ? 1 : 0].frame.maxX == 500)
      #expect(pair[isRightToLeft ? 0 : 1].frame.minX == 500)
      let last = try #require(layout.spread(2)?.pages[0].frame)
      #expect(isRightToLeft ? last.minX == 500 : last.maxX == 500, "the column of its parity")
    }
    let paged = try layout(4) {
      $0.spread = .book
      $0.mode = .paged
    }
    #expect(paged.spread(0)?.frame.center.x == 500, "in a cell of its own, in the middle")
  }

  @Test func `appending a page moves no page in front`() throws {
    for count in 1..<20 {
      let before = try layout(count + 1) { $0.spread = .double }
      let after = try layout(count + 2) { $0.spread = .double }
      for page in Range(pageCount: count + 1) where count > 0 {
        #expect(before.page(page)?.frame == after.page(page)?.frame)
      }
    }
  }

  @Test func `a wide page stands alone once it is known to be wide`() throws {
    var layout = try layout(6) {
      $0.spread = .double
      $0.pairing.wideRatio = 1
    }
    layout.measure(0, as: Size(width: 400, height: 500))
    #expect(layout.spread(0)?.isExact == false, "page 1 may yet be wide")
    layout.measure(1, as: Size(width: 800, height: 500))
    #expect((0..<4).map { layout.positions(inSpread: $0) } == [0..<1, 1..<2, 2..<4, 4..<6])
    #expect(layout.spread(0)?.isExact == true)
    #expect(layout.spread(1)?.frame.center.x == 500, "in the middle")
    #expect(layout.spread(0)?.frame.maxX == 500, "single, in its column")
    #expect(layout.spread(2)?.isExact == false)
  }

  @Test func `forced pairs, single pages, sections and blanks`() throws {
    let layout = try layout(10) {
      $0.spread = .double
      $0.pairing.together = [1]
      $0.pairing.alone = [4]
      $0.pairing.sectionStarts = [6]
    }
    #expect(
      (0..<6).map { layout.positions(inSpread: $0) } == [0..<1, 1..<3, 3..<4, 4..<5, 5..<6, 6..<8]
    )
    let filled = layout.reordered(PageSequence([.pages(0..<1), .blanks(1), .pages(6..<10)]))
    #expect(filled.positions(inSpread: 0) == 0..<2)
    #expect(filled.spread(0)?.pages.map(\.page) == [0])
    #expect(filled.spread(1)?.pages.map(\.page) == [6, 7])
  }

  @Test func `gaps differ by rule and section, and scale when told to`() throws {
    let layout = try layout(6) {
      $0.spacing.gaps = [GapRule(pages: 2..<4, gap: 100)]
      $0.pairing.sectionStarts = [3, 5]
      $0.spacing.sectionGap = 50
      $0.gapsScaleWithZoom = true
      $0.zoom = 2
    }
    let starts = (0..<6).compactMap { layout.spread($0)?.frame.minY }
    let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 - 1000 }
    #expect(gaps == [20, 200, 200, 20, 100])
  }

  @Test func `content shorter than its least size is centered, and content insets can be left`()
    throws
  {
    let short = try layout(1) { $0.minimumContentSize = Size(width: 0, height: 700) }
    #expect(short.spread(0)?.frame.center.y == 350)
    #expect(short.contentSize.height == 700)
    let inset = try layout(3) {
      $0.contentInsets = Insets(top: 40, right: 0, bottom: 30, left: 0)
      $0.trailingSpace = 100
    }
    #expect(inset.clamped(Point(x: 0, y: -500)).y == -40)
    #expect(inset.clamped(Point(x: 0, y: 1e9)).y == inset.contentSize.height - 700 + 30)
    // Margins, three pages, two gaps, and the space behind them.
    let length = 1500.0 + 20 + 20 + 100
    #expect(inset.contentSize.height == length)
    #expect(inset.offset(showing: 1)?.y == 480.0)
  }

  @Test func `a content shorter than the viewport rests where reading starts`() throws {
    let layout = try layout(1) {
      $0.axis = .horizontal
      $0.isRightToLeft = true
    }
    #expect(layout.clamped(.zero).x == layout.contentSize.width - 1000)
    #expect(try #require(layout.page(0)).frame.maxX - layout.clamped(.zero).x == 990)
  }

  @Test func `each spread in a cell has a zoom and a pan of its own`() throws {
    let layout = try layout(4) {
      $0.mode = .paged
      $0.fit = .page
      $0.spreadViews = [2: SpreadView(zoom: 3, pan: Point(x: 0, y: 1))]
    }
    let one = try #require(layout.spread(1))
    let zoomed = try #require(layout.spread(2))
    #expect(isClose(zoomed.pages[0].scale, 3 * one.pages[0].scale))
    #expect(isClose(zoomed.frame.maxY, zoomed.cell.maxY - 10), "panned to the bottom")
    let window = layout.window(at: layout.offset(restingAt: 2) ?? .zero)
    #expect(layout.spreads(visibleIn: window).map(\.index) == [2])
    #expect(zoomed.pages[0].visible(in: window).map { zoomed.cell.union($0) } == zoomed.cell)
  }

  @Test func `a grid has as many tiles as fit, and spreads the rest when justified`() throws {
    let plain = try layout(7) { $0.mode = .grid }
    #expect(plain.spreads(touching: Rect(x: 0, y: 0, width: 1, height: 50)) == 0..<2)
    let frames = (0..<3).compactMap { plain.spread($0)?.frame }
    #expect(frames.map(\.minX) == [95, 505, 95] && frames.map(\.minY) == [10, 10, 520])
    let justified = try layout(7) {
      $0.mode = .grid
      $0.grid = GridOptions(columns: nil, tile: 300, isJustified: true)
      $0.fit = .width
    }
    let row = (0..<3).compactMap { justified.spread($0)?.frame }
    #expect(row.map(\.minX) == [10, 350, 690] && row[2].maxX == 990)
    let sheet = try Layout(
      plain.configuration,
      pages: plain.pages,
      sizes: plain.sizes,
      width: 500
    )
    #expect(sheet.contentSize == Size(width: 500, height: 10 + 7 * 510))
  }

  @Test func `layouts stand one below the other in a column`() throws {
    let grid = try layout(5) {
      $0.mode = .grid
      $0.grid.columns = 4
    }
    let table = try layout(2) { $0.fit = .width }
    let column = try LayoutColumn([grid, table, grid], gap: 30)
    let height: Double = 2 * grid.contentSize.height + table.contentSize.height + 60
    #expect(column.size.height == height)
    let window = Rect(
      x: 0,
      y: grid.contentSize.height - 20,
      width: 1000,
      height: table.contentSize.height
    )
    let shown = column.spreads(visibleIn: window)
    #expect(shown.map(\.path) == [[0], [1], [1]] && shown.map(\.spread.index) == [4, 0, 1])
    for entry in shown {
      let part = try #require(column.part(at: entry.path))
      #expect(entry.spread.frame.minY >= part.frame.minY)
    }
  }

  @Test func `frames are right far beyond 2^31 units`() throws {
    let layout = try Layout(
      LayoutConfiguration(),
      pages: PageSequence(pageCount: 100_000_000),
      sizes: PageSizes(
        measured: [MeasuredSize(page: 3, size: Size(width: 400, height: 500.25))],
        estimate: .fixed(Size(width: 400, height: 500))
      ),
      viewport: Size(width: 1000, height: 700)
    )
    let last = try #require(layout.spread(99_999_999))
    let start = 99_999_999.0 * 510 + 10.25
    #expect(last.frame.minY == start)
    #expect(last.frame.height == 500)
    #expect(layout.spreads(touching: last.frame) == 99_999_999..<100_000_000)
    let anchor = Anchor(page: 99_999_999, place: Point(x: 0.5, y: 0.25))
    var copy = layout
    let change = copy.measure(7, as: Size(width: 400, height: 400), keeping: anchor)
    #expect(abs(change.offsetAdjustment.y + 100) < 1e-6)
  }

  @Test func `the most a hostile page can do is to be long`() throws {
    var layout = try layout(100) { $0.fit = .width }
    layout.measure(3, as: Size(width: 1e38, height: 1e38))
    layout.measure(4, as: Size(width: 0, height: 0))
    layout.measure(5, as: Size(width: .infinity, height: 2))
    layout.measure(6, as: Size(width: 1e-9, height: 1e9))
    #expect(layout.contentSize.height < 200_000)
    #expect((0..<100).allSatisfy { (layout.spread($0)?.frame.height ?? 0) > 1 })
  }

  @Test(arguments: [LayoutConfiguration.Mode.continuous, .grid])
  func `what is fitted to the viewport is not broader by a digit`(
    mode: LayoutConfiguration.Mode
  ) throws {
    var configuration = LayoutConfiguration()
    configuration.mode = mode
    for axis in LayoutConfiguration.Axis.allCases {
      configuration.axis = axis
      configuration.fit = axis == .vertical ? .width : .height
      configuration.grid.columns = 3
      for width in 300...2000 {
        let viewport = Size(width: Double(width), height: Double(width))
        let layout = try Layout(
          configuration,
          pages: PageSequence(pageCount: 9),
          sizes: PageSizes(estimate: .fixed(Size(width: 595.276, height: 841.89))),
          viewport: viewport
        )
        let size = layout.contentSize
        #expect((axis == .vertical ? size.width : size.height) == Double(width))
      }
    }
  }
}
