import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// Sticky pages in a column: they are seen as long as their part is, and never leave it.
@Suite struct ColumnStickyTests {
  /// Parts of pages 100 high, the first of which is sticky.
  private func part(_ count: Int, sticky: [PageIndex] = [0]) throws -> Layout {
    var configuration = LayoutConfiguration()
    configuration.margins = .zero
    configuration.gap = 0
    configuration.stickyPages = sticky
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: count),
      sizes: PageSizes(estimate: .fixed(Size(width: 400, height: 100))),
      width: 400
    )
  }

  /// Where a page of a part is, and how often, in a window 250 high.
  private func tops(_ page: PageIndex, of path: PartPath, in column: LayoutColumn, at y: Double)
    -> [Double]
  {
    column.spreads(visibleIn: Rect(x: 0, y: y, width: 400, height: 250))
      .filter { $0.path == path && $0.spread.pages.contains { $0.page == page } }
      .map(\.spread.frame.minY)
  }

  @Test func `a sticky page is at its own place before its part begins`() throws {
    let column = try LayoutColumn([try part(5), try part(5)])
    for y: Double in [260, 300, 400, 500] {
      #expect(tops(0, of: [1], in: column, at: y) == [500], "\(y)")
    }
    #expect(tops(0, of: [1], in: column, at: 250).isEmpty)
    #expect(tops(0, of: [1], in: column, at: 501) == [501])
  }

  @Test func `the end of its part pushes a sticky page out`() throws {
    let column = try LayoutColumn([try part(5), try part(5)])
    #expect(tops(0, of: [0], in: column, at: 120) == [120])
    #expect(tops(0, of: [0], in: column, at: 400) == [400])
    // The part ends at 500.
    for y: Double in [410, 450, 499] {
      #expect(tops(0, of: [0], in: column, at: y) == [400], "\(y)")
    }
    for y: Double in [500, 501, 700, 900] { #expect(tops(0, of: [0], in: column, at: y).isEmpty) }
    let window = Rect(x: 0, y: 450, width: 400, height: 250)
    let shown = column.spreads(visibleIn: window)
    #expect(shown.map(\.spread.isPinned) == [false, true, false, false])
    #expect(shown.map(\.path) == [[0], [0], [1], [1]])
    #expect(column.page(at: Point(x: 1, y: 480), in: window)?.page.page == 0)
    #expect(column.page(at: Point(x: 1, y: 480))?.page.page == 4)
  }

  @Test func `the start of its part pushes a later sticky page out of the lower edge`() throws {
    let column = try LayoutColumn([try part(5), try part(9, sticky: [8])])
    #expect(tops(8, of: [1], in: column, at: 300) == [500])
    #expect(tops(8, of: [1], in: column, at: 350) == [500])
    #expect(tops(8, of: [1], in: column, at: 400) == [550])
    #expect(tops(8, of: [1], in: column, at: 1200) == [1300])
  }

  @Test func `several sticky pages are pushed out together`() throws {
    let column = try LayoutColumn([try part(9, sticky: [0, 3]), try part(9)])
    #expect(tops(0, of: [0], in: column, at: 650) == [650])
    #expect(tops(3, of: [0], in: column, at: 650) == [750])
    #expect(tops(0, of: [0], in: column, at: 750) == [700])
    #expect(tops(3, of: [0], in: column, at: 750) == [800])
    #expect(tops(0, of: [0], in: column, at: 850).isEmpty)
    #expect(tops(3, of: [0], in: column, at: 850) == [800])
    #expect(tops(0, of: [1], in: column, at: 850) == [900])
  }

  @Test
  func `a part in a nested column is the end of its sticky pages, and the column's insets count`()
    throws
  {
    let inner = try LayoutColumn([try part(5), try part(5)])
    let column = try LayoutColumn(
      parts: [.layout(try part(2, sticky: [])), .column(inner)],
      contentInsets: Insets(top: 30, right: 0, bottom: 20, left: 0)
    )
    #expect(tops(0, of: [1, 0], in: column, at: 190) == [220])
    #expect(tops(0, of: [1, 0], in: column, at: 580) == [600])
    #expect(tops(0, of: [1, 1], in: column, at: 580) == [700])
    #expect(tops(0, of: [1, 1], in: column, at: 680) == [710])
  }

  @Test func `one sticky page is at the nearer edge, held inside its part`() throws {
    var pinned = 0
    for seed in seeds(600) {
      var input = try ColumnInput(seed: seed, measuring: 0.5)
      let column = input.column
      let extent = max(1, column.size.width, column.size.height)
      for part in FlatColumn(column).parts {
        let layout = part.layout
        guard let page = layout.configuration.stickyPages.first,
          layout.configuration.stickyPages.allSatisfy({ $0 == page }),
          let index = layout.spread(containingPage: page), let plain = layout.spread(index)
        else { continue }
        // A spread larger than its cell is not seen beyond it.
        guard let whole = plain.frame.intersection(plain.cell) else { continue }
        let natural = whole.offsetBy(x: part.frame.minX, y: part.frame.minY)
        let isVertical = layout.configuration.axis == .vertical
        func along(_ rect: Rect) -> (min: Double, max: Double) {
          isVertical ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
        }
        let own = along(natural)
        let limits = along(part.frame)
        guard own.min >= limits.min - 1e-6, own.max <= limits.max + 1e-6 else { continue }
        for _ in 0..<6 {
          var window = input.window()
          // Near the ends of the part more often than chance has it.
          let edge = input.generator.pick([part.frame.minY, part.frame.maxY])
          window.origin.y = edge + input.generator.number(-300...300) - window.height / 2
          guard window.minY < part.frame.maxY, window.maxY > part.frame.minY else { continue }
          let edges = along(window.inset(by: column.contentInsets))
          let extentAlong = own.max - own.min
          guard extentAlong <= edges.max - edges.min else { continue }
          let wanted = min(max(own.min, edges.min), edges.max - extentAlong)
          let start = min(max(wanted, limits.min), limits.max - extentAlong)
          let shown = column.spreads(visibleIn: window)
            .filter { $0.path == part.path && $0.spread.index == index }
          let seen = along(window)
          let across =
            isVertical
            ? natural.minX < window.maxX && natural.maxX > window.minX
            : natural.minY < window.maxY && natural.maxY > window.minY
          let isSeen = start < seen.max - 1e-6 && start + extentAlong > seen.min + 1e-6 && across
          if isSeen { #expect(shown.count == 1, "seed \(seed), \(window)") }
          for entry in shown {
            if entry.spread.isPinned { pinned += 1 }
            let found = try #require(entry.spread.frame.intersection(entry.spread.cell))
            #expect(isClose(along(found).min, start, extent), "seed \(seed), \(window)")
          }
        }
      }
    }
    #expect(pinned > 100)
  }

  @Test func `sticky pages stay inside their part, and are all seen where there is room for them`()
    throws
  {
    for seed in seeds(300) {
      var input = try ColumnInput(seed: seed, measuring: 0.5)
      let column = input.column
      let tolerance = 1e-9 * max(1e3, column.size.width, column.size.height)
      for _ in 0..<10 {
        let window = input.window()
        let shown = column.spreads(visibleIn: window)
        for part in FlatColumn(column).parts {
          let layout = part.layout
          let isVertical = layout.configuration.axis == .vertical
          func along(_ rect: Rect) -> ClosedRange<Double> {
            isVertical ? rect.minY...rect.maxY : rect.minX...rect.maxX
          }
          guard window.minY < part.frame.maxY, window.maxY > part.frame.minY else { continue }
          let limits = along(part.frame)
          let indices = Set(
            layout.configuration.stickyPages.compactMap(layout.spread(containingPage:))
          )
          // A spread larger than its cell is not seen beyond it.
          let natural = indices.compactMap { layout.spread($0) }
            .compactMap { $0.frame.intersection($0.cell) }
            .map { $0.offsetBy(x: part.frame.minX, y: part.frame.minY) }
          let areInside = natural.allSatisfy {
            along($0).lowerBound >= limits.lowerBound - tolerance
              && along($0).upperBound <= limits.upperBound + tolerance
          }
          guard areInside else { continue }
          let own = shown.filter {
            $0.path == part.path && indices.contains($0.spread.index)
              && $0.spread.frame.intersects($0.spread.cell)
          }
          for entry in own {
            let found = along(try #require(entry.spread.frame.intersection(entry.spread.cell)))
            #expect(found.lowerBound >= limits.lowerBound - tolerance, "seed \(seed), \(window)")
            #expect(found.upperBound <= limits.upperBound + tolerance, "seed \(seed), \(window)")
            let cell = entry.spread.cell
            #expect(cell.maxY <= part.frame.maxY + 1e-5, "seed \(seed), \(window)")
          }
          let edges = along(window.inset(by: column.contentInsets)).clamped(to: limits)
          let room = edges.upperBound - edges.lowerBound
          let needed = natural.reduce(0) { $0 + (along($1).upperBound - along($1).lowerBound) }
          let isInWindow = natural.allSatisfy {
            isVertical
              ? $0.minX >= window.minX && $0.maxX <= window.maxX
              : $0.minY >= window.minY && $0.maxY <= window.maxY
          }
          guard needed < room - tolerance, isInWindow else { continue }
          #expect(own.count == natural.count, "seed \(seed), \(window), \(part.path)")
          for entry in own {
            let found = along(try #require(entry.spread.frame.intersection(entry.spread.cell)))
            #expect(found.lowerBound >= edges.lowerBound - tolerance, "seed \(seed), \(window)")
            #expect(found.upperBound <= edges.upperBound + tolerance, "seed \(seed), \(window)")
          }
        }
      }
    }
  }
}
