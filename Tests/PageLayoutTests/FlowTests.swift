import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct FlowTests {
  private static let portrait = Size(width: 100, height: 150)
  private static let landscape = Size(width: 220, height: 100)

  /// Pages of 100 by 150, unless measured otherwise, in a room of 500 without margins.
  private func layout(
    _ count: Int = 12,
    _ measured: [PageIndex: Size] = [:],
    _ change: (inout LayoutConfiguration) -> Void = { _ in }
  ) throws -> Layout {
    var configuration = LayoutConfiguration()
    configuration.mode = .flow
    configuration.margins = .zero
    configuration.align = .start
    change(&configuration)
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: count),
      sizes: PageSizes(
        measured: measured.map { MeasuredSize(page: $0, size: $1) },
        estimate: .fixed(Self.portrait)
      ),
      viewport: Size(width: 500, height: 400)
    )
  }

  /// The pages of each row, found by their middles.
  private func rows(_ layout: Layout) -> [[Int]] {
    var rows: [[Int]] = []
    var middle: Double?
    for index in 0..<layout.spreadCount {
      guard let spread = layout.spread(index) else { continue }
      let center =
        layout.configuration.axis == .vertical ? spread.frame.center.y : spread.frame.center.x
      if let middle, isClose(middle, center) {
        rows[rows.count - 1].append(index)
      } else {
        rows.append([index])
      }
      middle = center
    }
    return rows
  }

  private func frame(_ layout: Layout, _ page: PageIndex) throws -> Rect {
    try #require(layout.page(page)).frame
  }

  // MARK: Where rows break

  @Test func `a row takes in what fits with its gaps, and no more`() throws {
    // Four of 100 and three gaps of 10: 430; a fifth would make 540.
    #expect(rows(try layout()) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])
    // What fits exactly fits, and so does what fits but for rounding.
    #expect(rows(try layout(5) { $0.gap = 0 }) == [[0, 1, 2, 3, 4]])
    let third = Size(width: 500.0 / 3, height: 100)
    #expect(rows(try layout(3, [0: third, 1: third, 2: third]) { $0.gap = 0 }) == [[0, 1, 2]])
    // 100 + 10 + 220 + 10 + 100 = 440.
    #expect(
      rows(try layout(12, [1: Self.landscape])) == [
        [0, 1, 2], [3, 4, 5, 6], [7, 8, 9, 10], [11],
      ]
    )
    // A row ends early in front of what does not fit.
    #expect(
      rows(try layout(12, [6: Self.landscape, 7: Self.landscape]))
        == [[0, 1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11]]
    )
  }

  @Test func `a small page at the start of a row goes to the row in front`() throws {
    let small = Size(width: 60, height: 150)
    #expect(rows(try layout(12, [4: small])) == [[0, 1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]])
    var late = try layout()
    late.measure(4, as: small)
    #expect(rows(late) == [[0, 1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]])
  }

  @Test func `zoom makes rows of fewer pages, gaps keep their size`() throws {
    #expect(rows(try layout { $0.zoom = 2 }).map(\.count) == [2, 2, 2, 2, 2, 2])
    #expect(rows(try layout { $0.zoom = 0.5 }).map(\.count) == [8, 4])
    #expect(
      rows(
        try layout {
          $0.zoom = 0.5
          $0.gapsScaleWithZoom = true
        }
      ).map(\.count) == [9, 3]
    )
  }

  @Test func `a page larger than the room is shrunk to it, and zoom enlarges it`() throws {
    let poster = Size(width: 1000, height: 400)
    let plain = try layout(12, [2: poster])
    #expect(rows(plain) == [[0, 1], [2], [3, 4, 5, 6], [7, 8, 9, 10], [11]])
    #expect(try frame(plain, 2) == Rect(x: 0, y: 160, width: 500, height: 200))
    #expect(plain.contentSize.width == 500)
    let zoomed = try layout(12, [2: poster]) { $0.zoom = 2 }
    #expect(try frame(zoomed, 2).size == Size(width: 1000, height: 400))
    #expect(zoomed.contentSize.width == 1000)
  }

  @Test func `pages have the height of the row, times zoom`() throws {
    let layout = try layout(12, [1: Self.landscape]) {
      $0.flow.rowHeight = 75
      $0.zoom = 2
    }
    // 100 + 10 + 330 = 440.
    #expect(rows(layout).prefix(2) == [[0, 1], [2, 3, 4, 5]])
    #expect(try frame(layout, 1) == Rect(x: 110, y: 0, width: 330, height: 150))
    let columns = try self.layout(12, [1: Self.landscape]) {
      $0.flow.rowHeight = 50
      $0.axis = .horizontal
    }
    // Heights of 75, 50 / 2.2, 75, …, in a room of 400.
    #expect(rows(columns) == [[0, 1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]])
    #expect(try frame(columns, 5).minX == 60)
  }

  // MARK: Where spreads stand in their row

  @Test func `a row is as high as its highest page, and aligned as a whole`() throws {
    let measured: [PageIndex: Size] = [1: Self.landscape]
    let layout = try layout(12, measured) { $0.align = .center }
    #expect(try frame(layout, 0) == Rect(x: 30, y: 0, width: 100, height: 150))
    #expect(try frame(layout, 1) == Rect(x: 140, y: 25, width: 220, height: 100))
    let mirrored = try self.layout(12, measured) { $0.isRightToLeft = true }
    #expect(try frame(mirrored, 0).maxX == 500)
    #expect(try frame(mirrored, 1).maxX == 390)
    #expect(try frame(mirrored, 11).maxX == 500)
  }

  @Test func `columns follow each other on a horizontal axis`() throws {
    let layout = try layout(5) { $0.axis = .horizontal }
    #expect(rows(layout) == [[0, 1], [2, 3], [4]])
    #expect(try frame(layout, 3) == Rect(x: 110, y: 160, width: 100, height: 150))
    let backwards = try self.layout(5) {
      $0.axis = .horizontal
      $0.isRightToLeft = true
    }
    #expect(backwards.contentSize.width == 320)
    #expect(try frame(backwards, 0) == Rect(x: 220, y: 0, width: 100, height: 150))
    #expect(try frame(backwards, 4) == Rect(x: 0, y: 0, width: 100, height: 150))
  }

  @Test func `justified rows fill the width, the last one as it is told to`() throws {
    let natural = try layout(10, [1: Self.landscape]) {
      $0.flow.isJustified = true
      $0.align = .center
    }
    #expect(rows(natural) == [[0, 1, 2], [3, 4, 5, 6], [7, 8, 9]])
    let rows: [(PageIndex, PageIndex, Double)] = [(0, 2, 480.0 / 420), (3, 6, 470.0 / 400)]
    for (first, last, scale) in rows {
      let start = try frame(natural, first)
      let end = try frame(natural, last)
      #expect(start.minX == 0 && end.maxX == 500)
      #expect(isClose(end.height, 150 * scale))
      #expect(
        isClose(try frame(natural, first.advanced(by: 1)).minX - start.maxX, 10),
        "gaps are constant"
      )
      #expect(isClose(natural.page(first)?.scale ?? 0, scale))
    }
    // Its own size, where the other rows begin.
    #expect(try frame(natural, 7).minX == 0)
    #expect(try frame(natural, 9).size == Self.portrait)
    let justified = try layout(10, [1: Self.landscape]) {
      $0.flow.isJustified = true
      $0.flow.lastRow = .justified
    }
    #expect(try frame(justified, 9).maxX == 500)
    let mirrored = try layout(9) {
      $0.flow.isJustified = true
      $0.isRightToLeft = true
    }
    #expect(try frame(mirrored, 8).maxX == 500)
    #expect(try frame(mirrored, 4).maxX == 500 && frame(mirrored, 7).minX == 0)
  }

  @Test func `the gaps between the pages of a spread grow with the row`() throws {
    let layout = try layout(12) {
      $0.spread = .double
      $0.pageGap = 4
      $0.flow.isJustified = true
    }
    // Two spreads of 204 and a gap of 10 fill 500.
    let scale = 490.0 / 408
    #expect(
      isClose(try frame(layout, 0), Rect(x: 0, y: 0, width: 100 * scale, height: 150 * scale))
    )
    #expect(isClose(try frame(layout, 1).minX, 104 * scale))
    #expect(try frame(layout, 3).maxX == 500)
  }

  // MARK: Sizes that arrive later

  @Test func `a late size leaves later rows alone once they break as before`() throws {
    // Every tenth page fills a row of its own, so that rows break in front of it in any case.
    let full = Size(width: 500, height: 50)
    let measured = Dictionary(
      uniqueKeysWithValues: stride(from: PageIndex(9), to: 1000, by: 10).map { ($0, full) }
    )
    var layout = try layout(1000, measured)
    let pages = Range(pageCount: 1000)
    let before = pages.map { layout.page($0)?.frame }
    let change = layout.measure(503, as: Size(width: 130, height: 150))
    // The rows 500 to 508 have room for it; 503 stays in its row, which moves 504 on by nothing.
    #expect(change.contentSizeAdjustment == .zero)
    let moved = pages.filter { layout.page($0)?.frame != before[$0.value] }
    #expect(moved == [503])
    // Wider, it sends 503 to the next row: up to the page that fills a row.
    layout.measure(503, as: Size(width: 300, height: 150))
    let late = pages.filter { layout.page($0)?.frame.minX != before[$0.value]?.minX }
    #expect(late.allSatisfy { (503..<509).contains($0) } && !late.isEmpty)
  }

  @Test func `a layout that took in sizes is the one made of them, to the last bit`() throws {
    for seed in seeds(20) {
      var input = RandomInput(seed: seed, mode: .flow, pageCount: 300)
      input.configuration.zoom = input.generator.pick([0.05, 0.1, 0.3, 1])
      // Few kinds, so that measured pages go back to the estimate.
      let kinds = [
        Size(width: 612, height: 792), Size(width: 612, height: 792),
        Size(width: 792, height: 612), Size(width: 30, height: 40), Size(width: 3000, height: 900),
      ]
      let estimate = SizeEstimate.fixed(kinds[0])
      var layout = try input.layout(measuring: input.generator.pick([0, 0.1]), estimate: estimate)
      guard !layout.isEmpty else { continue }
      for step in 0..<25 {
        let batch = (0..<input.generator.pick([1, 1, 2, 9, 60])).map { _ in
          MeasuredSize(
            page: PageIndex(Int.random(in: 0..<300, using: &input.generator)),
            size: input.generator.pick(kinds)
          )
        }
        layout.measure(batch)
        let anew = try Layout(
          layout.configuration,
          pages: layout.pages,
          sizes: PageSizes(measured: layout.sizes.measured, estimate: estimate),
          viewport: layout.viewport
        )
        #expect(layout.contentSize == anew.contentSize, "seed \(seed), step \(step)")
        for index in 0..<anew.spreadCount {
          let isSame = layout.spread(index) == anew.spread(index)
          #expect(isSame, "seed \(seed), step \(step), spread \(index)")
          if !isSame { return }
        }
      }
      compare(layout, "seed \(seed)")
    }
  }

  @Test func `a row rests on the page behind it too, which might have fitted`() throws {
    var layout = try layout()
    for page in Range(pageCount: 4) { layout.measure(page, as: Self.portrait) }
    #expect(layout.spread(3)?.isExact == false)
    #expect(layout.unmeasuredPages(neededFor: Rect(x: 0, y: 0, width: 500, height: 100)) == [4..<5])
    layout.measure(4, as: Self.portrait)
    #expect(layout.spread(3)?.isExact == true && layout.spread(4)?.isExact == false)
    layout.markMissing(5..<12)
    #expect(layout.isContentExact)
  }

  @Test func `thousands of millions of pages cost what is measured`() throws {
    let count = 4_000_000_000
    var layout = try layout(count, [1_000_000_001: Self.landscape])
    // 100 + 10 + 220 + 10 + 100 = 440: the row from 1,000,000,000 on holds three pages.
    #expect(try frame(layout, 1_000_000_001).minX == 110)
    #expect(try frame(layout, 1_000_000_003).minX == 0)
    #expect(try frame(layout, 1_000_000_003).minY == 250_000_001.0 * 160)
    layout.measure(5, as: Self.landscape)
    #expect(try frame(layout, 1_000_000_003).minX == 110)
    let last = layout.contentSize.height - 1
    let window = Rect(x: 0, y: last, width: 500, height: 400)
    #expect(layout.spreads(touching: window).upperBound == count)
    #expect(layout.page(at: Point(x: 10, y: last), in: window)?.page ?? 0 > PageIndex(count - 5))
  }

  @Test func `keys and prefetch go by rows`() throws {
    let layout = try layout(12, [1: Self.landscape])
    #expect(layout.stop(.forward, from: .zero)?.y == 160)
    #expect(
      layout.prefetchOrder(for: Rect(x: 0, y: 0, width: 500, height: 100), limit: 7)
        == [0, 1, 2, 3, 4, 5, 6]
    )
    #expect(layout.offset(restingAt: 1)?.y == 0, "the row, not the lower page in it")
  }
}
