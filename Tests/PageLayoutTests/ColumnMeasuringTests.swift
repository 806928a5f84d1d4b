import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// Sizes that arrive for parts of a column.
@Suite struct ColumnMeasuringTests {
  @Test(arguments: [BruteForceTests.modes, BruteForceTests.allModes])
  func `an invalidation tells all that moved, and the anchor stays where it was`(
    modes: [LayoutConfiguration.Mode]
  ) throws {
    for seed in seeds(150) {
      var input = try ColumnInput(seed: seed, modes: modes, measuring: 0.3)
      for _ in 0..<6 {
        let offset = input.window().origin
        let anchor = input.column.anchor(at: offset)
        guard let path = input.column.layoutPaths.randomElement(using: &input.generator) else {
          continue
        }
        let old = input.column
        let batch = input.batch(of: path, input.generator.pick([1, 1, 5]))
        let isEverywhere = input.generator.chance(0.2)
        let change =
          isEverywhere
          ? input.column.measure(batch, keeping: anchor)
          : input.column.measure(batch, in: path, keeping: anchor)
        if !isEverywhere { #expect(change.changes.map(\.path).allSatisfy { $0 == path }) }
        check(change, old, input.column, "seed \(seed)")
        guard let anchor, let before = FlatColumn(old).place(of: anchor) else { continue }
        let follows = old.layout(at: anchor.path)?.configuration.mode == .carousel
        if follows {
          let adjusted = old.offset(of: anchor)?.moved(by: change.offsetAdjustment)
          let now = input.column.offset(of: anchor)
          #expect(isClose(adjusted?.y ?? 0, now?.y ?? 0, old.size.height), "seed \(seed)")
          continue
        }
        let after = try #require(FlatColumn(input.column).place(of: anchor))
        let extent = max(old.size.width, old.size.height, input.column.size.height)
        let adjustment = change.offsetAdjustment
        #expect(isClose(after.x - before.x, adjustment.x, extent), "seed \(seed)")
        #expect(isClose(after.y - before.y, adjustment.y, extent), "seed \(seed)")
        // And the anchor is what was at that offset.
        #expect(isClose(before.y, offset.y + old.readingPoint.y, extent), "seed \(seed)")
      }
    }
  }

  private func check(
    _ change: ColumnInvalidation,
    _ old: LayoutColumn,
    _ new: LayoutColumn,
    _ context: String
  ) {
    let extent = max(1, old.size.width, old.size.height, new.size.height)
    let growth = change.contentSizeAdjustment
    #expect(isClose(old.size.width + growth.width, new.size.width, extent), "\(context)")
    #expect(isClose(old.size.height + growth.height, new.size.height, extent), "\(context)")
    let before = FlatColumn(old)
    let after = FlatColumn(new)
    #expect(before.parts.count == after.parts.count)
    for (first, second) in zip(before.parts, after.parts) {
      let distance = change.displacement(of: first.path)
      #expect(
        isClose(first.frame.minX + distance.x, second.frame.minX, extent)
          && isClose(first.frame.minY + distance.y, second.frame.minY, extent),
        "\(context): \(first.path) of \(change)"
      )
      let naming = change.displacements.filter { displacement in
        let level = displacement.column.indices.count
        return first.path.isWithin(displacement.column)
          && displacement.parts.contains(first.path.indices[level])
      }
      #expect(naming.count <= 1, "\(context)")
      if change.changes.contains(where: { $0.path == first.path }) { continue }
      #expect(isClose(first.frame.height, second.frame.height, extent), "\(context)")
      for index in 0..<min(5, first.layout.spreadCount) {
        let frames = [first, second].map { $0.layout.spread(index)?.frame ?? .zero }
        #expect(isClose(frames[0], frames[1], extent), "\(context)")
      }
    }
  }

  @Test func `any order of measuring ends in the same column to the last bit`() throws {
    for seed in seeds(60) {
      var input = try ColumnInput(seed: seed, measuring: 0)
      let reference = input.measured
      var rest = input.sizes.flatMap { path, sizes in
        sizes.measured.map { (path, $0) }
      }
      rest.sort { ($0.0, $0.1.page) < ($1.0, $1.1.page) }
      rest.shuffle(using: &input.generator)
      for (path, entry) in rest { input.column.measure(entry.page, as: entry.size, in: path) }
      let column = input.column
      #expect(column.size == reference.size, "seed \(seed)")
      #expect(column.isContentExact && column.unmeasuredPages.isEmpty, "seed \(seed)")
      for path in column.layoutPaths {
        #expect(column.part(at: path)?.frame == reference.part(at: path)?.frame, "seed \(seed)")
      }
      let made = try remade(column)
      #expect(made.size == column.size && made.parts.map(\.frame) == column.parts.map(\.frame))
    }
  }

  /// The same column made from its parts as they are.
  private func remade(_ column: LayoutColumn) throws -> LayoutColumn {
    try LayoutColumn(
      parts: column.parts.map { part in
        if let nested = part.column { .column(try remade(nested)) } else { part.content }
      },
      gap: column.gap,
      alignment: column.alignment,
      viewport: column.viewport,
      contentInsets: column.contentInsets
    )
  }

  @Test(arguments: [true, false])
  func `with the needed pages measured, all that a window shows is what it ends up to be`(
    isExact: Bool
  ) throws {
    for seed in seeds(150) {
      var input = try ColumnInput(seed: seed, modes: BruteForceTests.allModes, measuring: 0)
      let final = input.measured
      var window = input.window()
      window.origin = final.clamped(
        Point(x: window.minX, y: input.generator.number(0...(final.size.height + 1)))
      )
      var column = input.column
      var rounds = 0
      while true {
        let need =
          isExact
          ? column.unmeasuredPages(neededFor: window) : column.unmeasuredPages(inside: window)
        if need.isEmpty { break }
        #expect(need.map(\.path) == need.map(\.path).sorted())
        for entry in need {
          let sizes = try #require(input.sizes[entry.path])
          column.measure(entry.pages.joined().map(sizes.measured), in: entry.path)
        }
        rounds += 1
        try #require(rounds < 300)
      }
      let shown = column.spreads(visibleIn: window)
      guard isExact else {
        for entry in shown where entry.spread.frame.intersects(window) {
          let areMeasured = entry.spread.pages.allSatisfy(\.isMeasured)
          #expect(areMeasured, "seed \(seed)")
        }
        continue
      }
      let end = final.spreads(visibleIn: window)
      #expect(shown.map(\.path) == end.map(\.path), "seed \(seed)")
      #expect(shown.map(\.spread.index) == end.map(\.spread.index), "seed \(seed)")
      for (first, second) in zip(shown, end) {
        let areExact = first.spread.isExact && first.spread.pages.allSatisfy(\.isExact)
        #expect(areExact, "seed \(seed): \(first.path)")
        #expect(isClose(first.spread.frame, second.spread.frame, window.maxY), "seed \(seed)")
      }
    }
  }

  @Test func `what says that it is exact never moves`() throws {
    for seed in seeds(150) {
      var input = try ColumnInput(seed: seed, measuring: 0.8)
      let final = input.measured
      var column = input.column
      for path in column.layoutPaths where input.generator.chance(0.6) {
        let sizes = try #require(input.sizes[path])
        column.measure(sizes.measured, in: path)
      }
      for _ in 0..<6 {
        let window = input.window()
        let end = final.spreads(visibleIn: window)
        for entry in column.spreads(visibleIn: window)
        where entry.spread.isExact && !entry.spread.isPinned {
          let part = try #require(final.part(at: entry.path))
          let spread = try #require(part.layout?.spread(entry.spread.index))
          let frame = spread.frame.offsetBy(x: part.frame.minX, y: part.frame.minY)
          #expect(isClose(entry.spread.frame, frame, window.maxY), "seed \(seed)")
        }
        // A pinned one that is exact is pinned there in the end too.
        for entry in column.spreads(visibleIn: window)
        where entry.spread.isExact && entry.spread.isPinned {
          let same = end.first { $0.path == entry.path && $0.spread.index == entry.spread.index }
          let frame = same?.spread.frame ?? .zero
          #expect(isClose(entry.spread.frame, frame, window.maxY), "seed \(seed), \(window)")
        }
      }
    }
  }

  // MARK: Examples

  private func part(_ pages: Range<PageIndex>, width: Double = 400) throws -> Layout {
    var configuration = LayoutConfiguration()
    configuration.margins = .zero
    configuration.gap = 0
    return try Layout(
      configuration,
      pages: PageSequence([.pages(pages)]),
      sizes: PageSizes(estimate: .fixed(Size(width: width, height: 100))),
      width: width
    )
  }

  @Test func `a size in a nested part moves what is behind it, and nothing else`() throws {
    let inner = try LayoutColumn([try part(0..<2), try part(2..<4), try part(4..<6)], gap: 10)
    let middle = LayoutColumn.Content.column(inner)
    var column = try LayoutColumn(
      parts: [.layout(try part(0..<1)), middle, .layout(try part(0..<1)), middle],
      gap: 5
    )
    let anchor = try #require(column.anchor(at: Point(x: 0, y: 1000)))
    #expect(anchor.path == [3, 0])
    let change = column.measure(
      3,
      as: Size(width: 400, height: 130),
      in: [1, 1],
      keeping: anchor
    )
    #expect(change.changes.map(\.path) == [[1, 1]])
    #expect(change.contentSizeAdjustment == Size(width: 0, height: 30))
    #expect(change.offsetAdjustment == Point(x: 0, y: 30))
    let down = Point(x: 0, y: 30)
    #expect(
      change.displacements == [
        .init(column: [1], parts: 2..<3, distance: down),
        .init(column: [], parts: 2..<4, distance: down),
      ]
    )
    #expect(change.displacement(of: [3, 2]) == down && change.displacement(of: [1, 2]) == down)
    #expect(change.displacement(of: [1, 1]) == .zero && change.displacement(of: [0]) == .zero)
    #expect(column.measure(3, as: Size(width: 400, height: 130), in: [1, 1]).isEmpty)
  }

  @Test func `a page is measured in all parts that show it`() throws {
    var column = try LayoutColumn(
      parts: [
        .layout(try part(0..<4)), .layout(try part(4..<8)),
        .column(try LayoutColumn([try part(2..<6)])),
      ]
    )
    let anchor = ColumnAnchor(path: [2, 0], anchor: Anchor(page: 5, place: .zero))
    let change = column.measure(
      [MeasuredSize(page: 3, size: Size(width: 400, height: 150))],
      keeping: anchor
    )
    #expect(change.changes.map(\.path) == [[0], [2, 0]])
    #expect(change.displacements.map(\.column) == [[], [2]])
    #expect(change.offsetAdjustment == Point(x: 0, y: 100))
    #expect(column.layout(at: [1])?.sizes.measuredCount == 0)
    #expect(column.size.height == 1300)
  }

  @Test func `an aligned part that gets wider moves sideways alone`() throws {
    var column = try LayoutColumn(
      [try part(0..<2), try part(2..<4), try part(4..<6)],
      alignment: .center,
      viewport: Size(width: 1000, height: 500)
    )
    let change = column.measure(2, as: Size(width: 600, height: 100), in: [1])
    #expect(
      change.displacements == [.init(column: [], parts: 1..<2, distance: Point(x: -100, y: 0))]
    )
    #expect(column.parts.map(\.frame.minX) == [300, 200, 300])
  }

  @Test func `the pages in front of a part are needed for it, and missing ones count as known`()
    throws
  {
    var column = try LayoutColumn([try part(0..<3), try part(10..<20)])
    let window = Rect(x: 0, y: 420, width: 400, height: 60)
    #expect(
      column.unmeasuredPages(neededFor: window) == [
        ColumnPages(path: [0], pages: [0..<3]), ColumnPages(path: [1], pages: [10..<12]),
      ]
    )
    #expect(
      column.unmeasuredPages(inside: window) == [ColumnPages(path: [1], pages: [11..<12])]
    )
    column.markMissing(10..<12, in: [1])
    #expect(column.unmeasuredPages(neededFor: window).map(\.path) == [[0]])
    #expect(column.spreads(visibleIn: window).map(\.spread.isExact) == [false])
    column.markMissing(0..<3)
    #expect(column.unmeasuredPages(neededFor: window).isEmpty)
    #expect(column.spreads(visibleIn: window).map(\.spread.isExact) == [true])
  }

  @Test func `a copy taken before sizes arrive goes on answering as before`() throws {
    var column = try LayoutColumn([try part(0..<3), try part(0..<3)])
    let copy = column
    column.measure(1, as: Size(width: 50, height: 60), in: [0])
    #expect(copy.size.height == 600 && copy.layout(at: [0])?.sizes.measuredCount == 0)
    #expect(column.size.height == 560)
  }
}

extension Point {
  fileprivate func moved(by other: Point) -> Point { Point(x: x + other.x, y: y + other.y) }
}
