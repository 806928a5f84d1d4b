import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// What a column shows, and where.
@Suite struct ColumnTests {
  @Test func `parts sit where a column flattened by hand has them`() throws {
    for seed in seeds(200) {
      var input = try ColumnInput(seed: seed, measuring: 0.5)
      let column = input.column
      let flat = FlatColumn(column)
      #expect(column.layoutPaths == flat.parts.map(\.path), "seed \(seed)")
      #expect(column.layoutPaths == column.layoutPaths.sorted(), "seed \(seed)")
      let extent = max(1, column.size.width, column.size.height)
      #expect(isClose(column.size.width, flat.size.width, extent), "seed \(seed)")
      #expect(isClose(column.size.height, flat.size.height, extent), "seed \(seed)")
      for part in flat.parts {
        let own = try #require(column.part(at: part.path))
        #expect(isClose(own.frame, part.frame, extent), "seed \(seed): \(part.path)")
      }
      for _ in 0..<8 {
        let window = input.window()
        check(window, column, flat, extent, "seed \(seed), \(window)")
      }
    }
  }

  /// The spreads that are not pinned are those of the flattened column, each part's in their place.
  private func check(
    _ window: Rect,
    _ column: LayoutColumn,
    _ flat: FlatColumn,
    _ extent: Double,
    _ context: String
  ) {
    let shown = column.spreads(visibleIn: window)
    let paths = shown.map(\.path)
    #expect(paths == paths.sorted(), "\(context)")
    for part in flat.parts {
      let own = shown.filter { $0.path == part.path }.map(\.spread)
      let pinned = own.filter(\.isPinned)
      #expect(Array(own.suffix(pinned.count)) == pinned, "\(context)")
      #expect(Set(own.map(\.index)).count == own.count, "\(context): shown twice")
      let inner = window.offsetBy(x: -part.frame.minX, y: -part.frame.minY)
      let isSeen = inner.minY < part.frame.height && inner.maxY > 0
      var expected: [Int] = []
      for index in isSeen ? part.layout.spreads(touching: inner) : 0..<0 {
        guard let spread = part.layout.spread(index), spread.cell.intersects(inner) else {
          continue
        }
        if !pinned.contains(where: { $0.index == index }) { expected.append(index) }
      }
      let rest = own.filter { !$0.isPinned }
      // What is pinned to another place outside of the window is not seen at its own.
      let sticky = Set(
        part.layout.configuration.stickyPages.compactMap(part.layout.spread(containingPage:))
      )
      #expect(
        rest.map(\.index).filter { !sticky.contains($0) }
          == expected.filter { !sticky.contains($0) },
        "\(context)"
      )
      for spread in rest {
        guard let plain = part.layout.spread(spread.index) else { continue }
        #expect(
          isClose(
            spread.frame,
            plain.frame.offsetBy(x: part.frame.minX, y: part.frame.minY),
            extent
          ),
          "\(context)"
        )
      }
    }
  }

  @Test func `the page at a point is the one on top there`() throws {
    for seed in seeds(150) {
      var input = try ColumnInput(seed: seed, measuring: 0.5)
      let column = input.column
      for _ in 0..<5 {
        let window = input.window()
        let shown = column.spreads(visibleIn: window)
        for _ in 0..<10 {
          let point = Point(
            x: input.generator.number(window.minX...window.maxX),
            y: input.generator.number(window.minY...window.maxY)
          )
          guard window.contains(point) else { continue }
          let pages = shown.reversed().flatMap { entry in
            entry.spread.pages.map { (path: entry.path, page: $0) }
          }
          let onTop = pages.first { $0.page.frame.contains(point) && $0.page.clip.contains(point) }
          let found = column.page(at: point, in: window)
          // Within rounding of an edge either answer will do.
          let isNearEdge = pages.contains { entry in
            let frame = entry.page.frame
            return [point.x - frame.minX, point.x - frame.maxX].contains { abs($0) < 1e-6 }
              || [point.y - frame.minY, point.y - frame.maxY].contains { abs($0) < 1e-6 }
          }
          if isNearEdge { continue }
          #expect(found?.path == onTop?.path, "seed \(seed)")
          #expect(found?.page.position == onTop?.page.position, "seed \(seed)")
        }
      }
    }
  }

  @Test func `offsets are held within the column, and anchors lead back to where they were made`()
    throws
  {
    for seed in seeds(200) {
      var input = try ColumnInput(seed: seed, measuring: 0.5)
      let column = input.column
      let flat = FlatColumn(column)
      for _ in 0..<8 {
        let offset = input.window().origin
        let held = column.clamped(offset)
        #expect(held == column.clamped(held) && column.window(at: offset).origin == held)
        #expect(held.y >= -column.contentInsets.top && held.x >= -column.contentInsets.left)
        let end = column.size.height - column.viewport.height + column.contentInsets.bottom
        #expect(held.y <= max(end, -column.contentInsets.top), "seed \(seed)")
        let point = input.generator.pick([nil, Point(x: 40, y: 90)])
        guard let anchor = column.anchor(at: offset, point: point) else {
          let showsPage = flat.parts.contains { part in
            (0..<part.layout.pages.count).contains { part.layout.pages.page(at: $0) != nil }
              && !part.layout.isEmpty
          }
          #expect(!showsPage, "seed \(seed)")
          continue
        }
        let back = try #require(column.offset(of: anchor, point: point))
        let extent = max(column.size.width, column.size.height)
        #expect(isClose(back.x, offset.x, extent) && isClose(back.y, offset.y, extent))
        let place = try #require(flat.place(of: anchor))
        let seen = point ?? column.readingPoint
        #expect(isClose(place.x, offset.x + seen.x, extent), "seed \(seed)")
        #expect(isClose(place.y, offset.y + seen.y, extent), "seed \(seed)")
        // The part at that height, or the next one behind.
        let part = try #require(flat[anchor.path])
        let between = flat.parts.contains { other in
          !other.layout.isEmpty && other.path < part.path
            && other.frame.maxY > offset.y + seen.y + 1e-6
            && (0..<other.layout.pages.count).contains { other.layout.pages.page(at: $0) != nil }
        }
        #expect(!between, "seed \(seed)")
      }
    }
  }

  // MARK: Examples

  private func part(
    _ count: Int,
    width: Double = 400,
    height: Double = 100,
    _ change: (inout LayoutConfiguration) -> Void = { _ in }
  ) throws -> Layout {
    var configuration = LayoutConfiguration()
    configuration.margins = .zero
    configuration.gap = 0
    change(&configuration)
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: count),
      sizes: PageSizes(estimate: .fixed(Size(width: width, height: height))),
      width: width
    )
  }

  @Test func `narrow parts are aligned in the viewport, and none moves for another`() throws {
    let narrow = try part(2, width: 100)
    let wide = try part(1, width: 700)
    for (alignment, start) in [
      (LayoutConfiguration.Alignment.start, 0.0), (.center, 150), (.end, 300),
    ] {
      let column = try LayoutColumn(
        [narrow, wide, try part(1)],
        alignment: alignment,
        viewport: Size(width: 400, height: 300)
      )
      #expect(column.parts.map(\.frame.minX) == [start, 0, 0])
      #expect(column.size == Size(width: 700, height: 400))
      #expect(column.page(at: Point(x: start + 1, y: 150))?.page.page == 1)
      let outer = try LayoutColumn(
        parts: [.column(column)],
        alignment: alignment,
        viewport: Size(width: 1000, height: 300)
      )
      #expect(outer.part(at: [0, 0])?.frame.minX == start * 2)
    }
  }

  @Test func `a path leads through columns`() throws {
    let inner = try LayoutColumn([try part(1), try part(2)], gap: 7)
    let middle = try LayoutColumn(parts: [.layout(try part(3)), .column(inner)], gap: 5)
    let column = try LayoutColumn(parts: [.column(middle), .layout(try part(4))], gap: 3)
    #expect(column.layoutPaths == [[0, 0], [0, 1, 0], [0, 1, 1], [1]])
    #expect(column.depth == 3 && column.count == 2)
    #expect(column.part(at: [0, 1, 1])?.frame == Rect(x: 0, y: 412, width: 400, height: 200))
    #expect(column.part(at: [0, 1])?.column?.count == 2)
    #expect(column.layout(at: [0, 1]) == nil && column.layout(at: [1])?.spreadCount == 4)
    #expect(column.size.height == 615 + 400)
    let seen = column.spreads(visibleIn: Rect(x: 0, y: 390, width: 9, height: 130))
    #expect(seen.map(\.path) == [[0, 1, 0], [0, 1, 1], [0, 1, 1]])
    #expect(seen.map(\.spread.frame.minY) == [305, 412, 512])
    for path: PartPath in [[], [2], [-1], [.max], [0, 2], [0, 1, 1, 0], [1, 0]] {
      #expect(column.layout(at: path) == nil)
    }
  }

  @Test func `a column without anything to see gives empty answers`() throws {
    let none = try part(0)
    let columns = [
      try LayoutColumn([]), try LayoutColumn([none, none], gap: 10),
      try LayoutColumn(parts: [.column(try LayoutColumn([])), .layout(none)], gap: 4),
    ]
    for column in columns {
      #expect(column.isEmpty && column.size == .zero && column.isContentExact)
      let window = Rect(x: -1e6, y: -1e6, width: 1e7, height: 1e7)
      #expect(column.spreads(visibleIn: window).isEmpty)
      #expect(column.anchor(at: .zero) == nil && column.page(at: .zero) == nil)
      #expect(column.unmeasuredPages(neededFor: window).isEmpty)
      #expect(column.unmeasuredPages(inside: window).isEmpty && column.unmeasuredPages.isEmpty)
      #expect(column.clamped(Point(x: 5, y: -7)) == .zero)
    }
  }

  @Test func `no window, offset or path is too strange`() throws {
    let strange: [Double] = [
      .nan, .infinity, -.infinity, 1e300, -1e300, 0, -0.0, .leastNonzeroMagnitude,
    ]
    for seed in seeds(6) {
      var column = try ColumnInput(seed: seed, modes: BruteForceTests.allModes, measuring: 0.2)
        .column
      for x in strange {
        for y in strange {
          let point = Point(x: x, y: y)
          _ = column.clamped(point)
          _ = column.anchor(at: point)
          _ = column.anchor(at: .zero, point: point)
          _ = column.page(at: point)
          let anchor = ColumnAnchor(path: [0], anchor: Anchor(page: 0, place: point))
          _ = column.offset(of: anchor)
          column.measure(0, as: Size(width: x, height: y), in: [0], keeping: anchor)
          for size in [Size(width: 10, height: 10), Size(width: y, height: x)] {
            let window = Rect(origin: point, size: size)
            _ = column.spreads(visibleIn: window)
            _ = column.page(at: .zero, in: window)
            _ = column.unmeasuredPages(neededFor: window)
            _ = column.unmeasuredPages(inside: window)
          }
        }
      }
      for path: PartPath in [[], [-1], [.min], [.max], [0, .max], [99], [0, 0, 0, 0, 0, 0, 0]] {
        let anchor = ColumnAnchor(path: path, anchor: Anchor(page: -4, place: .zero))
        #expect(column.measure(0, as: .zero, in: path, keeping: anchor).isEmpty)
        column.markMissing(0..<9, in: path)
        #expect(column.offset(of: anchor) == nil)
        #expect(column.edited(path) { $0.remove(0..<9) }.changes == nil)
        #expect(column.removing(path).column.layoutPaths == column.layoutPaths)
        _ = try column.moving([0], to: path, keeping: anchor)
        _ = try column.moving(path, to: [0], keeping: anchor)
        _ = try column.inserting([], at: path, keeping: anchor)
      }
    }
  }

  @Test func `what is no column is refused by name`() throws {
    func refused(_ field: String, _ make: () throws -> LayoutColumn) {
      let error = #expect(throws: LayoutError.self) { _ = try make() }
      #expect(error?.field == field)
    }
    for value in [-1, .nan, .infinity, 2e9] {
      refused("gap") { try LayoutColumn([], gap: value) }
      refused("viewport.width") { try LayoutColumn([], viewport: Size(width: value, height: 1)) }
      refused("contentInsets.left") {
        try LayoutColumn([], contentInsets: Insets(top: 0, right: 0, bottom: 0, left: value))
      }
      refused("viewport.height") {
        try LayoutColumn([]).resized(to: Size(width: 0, height: value))
      }
    }
    var column = try LayoutColumn([try part(1)])
    while column.depth < LayoutColumn.largestDepth {
      column = try LayoutColumn(parts: [.column(column)])
    }
    let deepest = PartPath(Array(repeating: 0, count: LayoutColumn.largestDepth))
    #expect(column.layoutPaths == [deepest])
    #expect(column.measure(0, as: Size(width: 9, height: 9), in: deepest).changes.count == 1)
    #expect(column.spreads(visibleIn: Rect(x: 0, y: 0, width: 9, height: 9)).count == 1)
    refused("parts") { try LayoutColumn(parts: [.column(column)]) }
    refused("parts") {
      try column.inserting([.column(try LayoutColumn([]))], at: deepest).column
    }
  }
}
