import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// Parts and pages that are inserted, removed and moved.
@Suite struct ColumnEditingTests {
  /// The parts of a column as names, changed in the plainest way.
  private indirect enum Tree: Equatable {
    case leaf(Int)
    case node([Tree])

    var leaves: [Int] {
      switch self {
      case .leaf(let name): [name]
      case .node(let trees): trees.flatMap(\.leaves)
      }
    }

    subscript(path: ArraySlice<Int>) -> Tree? {
      guard let index = path.first else { return self }
      guard case .node(let trees) = self, trees.indices.contains(index) else { return nil }
      return trees[index][path.dropFirst()]
    }

    func with(_ path: ArraySlice<Int>, _ change: (inout [Tree]) -> Void) -> Tree {
      guard case .node(var trees) = self else { return self }
      if let index = path.first {
        trees[index] = trees[index].with(path.dropFirst(), change)
      } else {
        change(&trees)
      }
      return .node(trees)
    }
  }

  /// Each layout carries its name in an option that its mode does not look at.
  private func named(_ column: LayoutColumn, _ next: inout Int) throws -> LayoutColumn {
    var parts: [LayoutColumn.Content] = []
    for part in column.parts {
      switch part.content {
      case .layout(let layout):
        var configuration = layout.configuration
        configuration.carousel.hiddenShare = Double(next + 1) / 1000
        next += 1
        parts.append(.layout(try layout.reconfigured(configuration)))
      case .column(let nested): parts.append(.column(try named(nested, &next)))
      }
    }
    return try LayoutColumn(parts: parts, gap: column.gap, viewport: column.viewport)
  }

  private func name(_ layout: Layout?) -> Int? {
    layout.map { Int(($0.configuration.carousel.hiddenShare * 1000).rounded()) - 1 }
  }

  private func tree(_ content: LayoutColumn.Content) -> Tree {
    switch content {
    case .layout(let layout): .leaf(name(layout) ?? -1)
    case .column(let column): .node(column.parts.map { tree($0.content) })
    }
  }

  private func showsPage(_ layout: Layout) -> Bool {
    !layout.isEmpty && (0..<layout.pages.count).contains { layout.pages.page(at: $0) != nil }
  }

  private func randomPath(_ column: LayoutColumn, _ random: inout SeededGenerator) -> PartPath {
    var path: PartPath = []
    var current = column
    while current.count > 0 {
      let index = Int.random(in: 0..<current.count, using: &random)
      path = path.appending(index)
      guard let nested = current.part(at: [index])?.column, random.chance(0.7) else { break }
      current = nested
    }
    return path
  }

  @Test func `parts go where a plain list has them, and the anchor follows its part`() throws {
    for seed in seeds(300) {
      var input = try ColumnInput(seed: seed, measuring: 0.5)
      var next = 0
      var column = try named(input.column, &next)
      for _ in 0..<5 {
        let old = column
        let before = tree(.column(old))
        let anchor = old.anchor(at: Point(x: 0, y: input.window().minY))
        let path = randomPath(old, &input.generator)
        guard let index = path.indices.last else { break }
        let around = path.indices.dropLast()
        let edited: EditedColumn
        var expected = before
        switch Int.random(in: 0..<3, using: &input.generator) {
        case 0:
          edited = old.removing(path, keeping: anchor)
          expected = before.with(around) { $0.remove(at: index) }
        case 1:
          let layout = try #require(old.layout(at: old.layoutPaths.first ?? []) ?? Self.plain)
          var configuration = layout.configuration
          configuration.carousel.hiddenShare = Double(next + 1) / 1000
          let content = LayoutColumn.Content.layout(try layout.reconfigured(configuration))
          edited = try old.inserting([content], at: path, keeping: anchor)
          let name = next
          expected = before.with(around) { $0.insert(.leaf(name), at: index) }
          next += 1
        default:
          let target = randomPath(old, &input.generator)
          edited = try old.moving(path, to: target, keeping: anchor)
          expected = moved(path, to: target, in: before)
        }
        column = edited.column
        #expect(tree(.column(column)) == expected, "seed \(seed)")
        checkFrames(column, "seed \(seed)")
        check(edited, anchor, old, "seed \(seed)")
      }
    }
  }

  private static var plain: Layout? {
    try? Layout(
      LayoutConfiguration(),
      pages: PageSequence(pageCount: 3),
      sizes: PageSizes(),
      width: 9
    )
  }

  /// The part is put into its new place before it is taken out of the old one.
  private func moved(_ path: PartPath, to target: PartPath, in tree: Tree) -> Tree {
    guard let part = tree[path.indices[...]], let last = target.indices.last,
      !PartPath(Array(target.indices.dropLast())).isWithin(path)
    else { return tree }
    let marker = Tree.leaf(-7)
    let marked = tree.with(path.indices.dropLast()) { $0[path.indices.last ?? 0] = marker }
    let both = marked.with(target.indices.dropLast()) { $0.insert(part, at: last) }
    func without(_ tree: Tree) -> Tree {
      guard case .node(let trees) = tree else { return tree }
      return .node(trees.filter { $0 != marker }.map(without))
    }
    return without(both)
  }

  private func checkFrames(_ column: LayoutColumn, _ context: String) {
    let flat = FlatColumn(column)
    let extent = max(1, flat.size.width, flat.size.height)
    #expect(isClose(column.size.height, flat.size.height, extent), "\(context)")
    for part in flat.parts {
      let frame = column.part(at: part.path)?.frame ?? .zero
      #expect(isClose(frame, part.frame, extent), "\(context)")
    }
    let exact = flat.parts.allSatisfy(\.layout.isContentExact)
    #expect(column.isContentExact == exact, "\(context)")
  }

  private func check(
    _ edited: EditedColumn,
    _ anchor: ColumnAnchor?,
    _ old: LayoutColumn,
    _ context: String
  ) {
    #expect(edited.changes == nil)
    guard let anchor, let own = name(old.layout(at: anchor.path)) else {
      #expect(edited.anchor == nil, "\(context)")
      return
    }
    let after = FlatColumn(edited.column).parts
    guard !after.contains(where: { name($0.layout) == own }) else {
      // The same place of the same part.
      #expect(name(edited.column.layout(at: edited.anchor?.path ?? [])) == own, "\(context)")
      #expect(edited.anchor?.anchor == anchor.anchor, "\(context)")
      return
    }
    // Gone: the next part that shows a page, or else the one in front.
    let before = FlatColumn(old).parts
    let place = before.firstIndex { name($0.layout) == own } ?? 0
    let left = Set(after.map { name($0.layout) })
    func isLeft(_ part: FlatColumn.Part) -> Bool {
      left.contains(name(part.layout)) && showsPage(part.layout)
    }
    let behind = before[place...].first(where: isLeft)
    let inFront = before[..<place].last(where: isLeft)
    let found = edited.anchor.flatMap { edited.column.layout(at: $0.path) }
    #expect(name(found) == name((behind ?? inFront)?.layout), "\(context)")
    guard let found, let anchor = edited.anchor?.anchor else { return }
    let pages = (0..<found.pages.count).compactMap { found.pages.page(at: $0) }
    #expect(anchor.page == (behind == nil ? pages.last : pages.first), "\(context)")
  }

  @Test func `pages are edited in their part as in a layout of their own`() throws {
    for seed in seeds(200) {
      var input = try ColumnInput(seed: seed, measuring: 0.5)
      var column = input.column
      for _ in 0..<4 {
        guard let path = column.layoutPaths.randomElement(using: &input.generator),
          let layout = column.layout(at: path)
        else { break }
        let anchor = column.anchor(at: Point(x: 0, y: input.window().minY))
        let count = layout.pages.count
        let start = Int.random(in: 0...count, using: &input.generator)
        let range = start..<Int.random(in: start...count, using: &input.generator)
        let kind = Int.random(in: 0..<4, using: &input.generator)
        func edit(_ steps: inout PageEdit) {
          switch kind {
          case 0: steps.remove(range)
          case 1: steps.remove(0..<count)
          case 2: steps.move(range, to: 0)
          default: steps.duplicate(range)
          }
        }
        let alone = layout.edited(keeping: anchor?.anchor, edit)
        let edited = column.edited(path, keeping: anchor, edit)
        #expect(edited.changes == alone.changes)
        #expect(edited.column.layout(at: path)?.pages == alone.layout.pages)
        if let anchor, anchor.path == path, alone.anchor != nil {
          #expect(edited.anchor == ColumnAnchor(path: path, anchor: alone.anchor ?? anchor.anchor))
        } else if let anchor, anchor.path == path {
          let isAnyLeft = FlatColumn(edited.column).parts.contains { showsPage($0.layout) }
          #expect((edited.anchor != nil) == isAnyLeft, "seed \(seed)")
          #expect(edited.anchor?.path != path)
        } else {
          #expect(edited.anchor == anchor, "seed \(seed)")
        }
        column = edited.column
        checkFrames(column, "seed \(seed)")
      }
    }
  }

  // MARK: Examples

  private func part(_ pages: Range<PageIndex>, width: Double = 400, zoom: Double = 1) throws
    -> Layout
  {
    var configuration = LayoutConfiguration()
    configuration.margins = .zero
    configuration.gap = 0
    configuration.zoom = zoom
    return try Layout(
      configuration,
      pages: PageSequence([.pages(pages)]),
      sizes: PageSizes(estimate: .fixed(Size(width: 400, height: 100))),
      width: width
    )
  }

  @Test func `an anchor goes to the next part where its own is removed, or to the end of the last`()
    throws
  {
    let column = try LayoutColumn(
      parts: [
        .layout(try part(0..<3)), .column(try LayoutColumn([try part(3..<6), try part(6..<9)])),
        .layout(try part(9..<9)), .layout(try part(10..<12)),
      ]
    )
    let anchor = ColumnAnchor(path: [1, 1], anchor: Anchor(page: 7, place: .zero))
    let next = column.removing([1, 1], keeping: anchor)
    #expect(next.anchor?.path == [3] && next.anchor?.anchor.page == 10)
    #expect(next.anchor.flatMap { next.column.offset(of: $0) } == Point(x: 0, y: 600))
    let outer = column.removing([1], keeping: anchor)
    #expect(outer.anchor?.path == [2])
    let last = column.removing([3]).column.edited([1, 1], keeping: anchor) { $0.remove(0..<3) }
    #expect(last.anchor?.path == [1, 0] && last.anchor?.anchor.page == 5)
    #expect(last.anchor?.anchor.place == Point(x: 0.5, y: 1))
    let moved = try column.moving([1], to: [0], keeping: anchor)
    #expect(moved.anchor?.path == [0, 1] && moved.anchor?.anchor == anchor.anchor)
    let inserted = try column.inserting([.layout(try part(0..<1))], at: [1, 0], keeping: anchor)
    #expect(inserted.anchor?.path == [1, 2])
    // Into itself a part cannot go.
    #expect(try column.moving([1], to: [1, 0]).column.layoutPaths == column.layoutPaths)
    #expect(column.removing([3], keeping: anchor).anchor == anchor)
    let strange = ColumnAnchor(path: [1, 1], anchor: Anchor(page: 99, place: .zero))
    #expect(column.removing([3], keeping: strange).anchor == nil)
  }

  @Test func `a part is replaced, and the whole column laid out for another width`() throws {
    let column = try LayoutColumn(
      [try part(0..<3), try part(3..<6)],
      viewport: Size(width: 400, height: 300)
    )
    let anchor = try #require(column.anchor(at: Point(x: 0, y: 450)))
    #expect(anchor.path == [1] && anchor.anchor.page == 4)
    let zoomed = try column.replacing([1], with: .layout(try part(3..<6, zoom: 2)), keeping: anchor)
    #expect(zoomed.anchor == anchor && zoomed.column.size.height == 900)
    #expect(zoomed.column.offset(of: anchor)?.y == 600)
    let other = try column.replacing([1], with: .layout(try part(5..<6)), keeping: anchor)
    #expect(other.anchor?.path == [1] && other.anchor?.anchor.page == 5)
    let gone = try column.replacing([1], with: .layout(try part(7..<7)), keeping: anchor)
    #expect(gone.anchor?.path == [0] && gone.anchor?.anchor.page == 2)
    let inner = try LayoutColumn([try part(0..<2), try part(3..<6)])
    let nested = try column.replacing([1], with: .column(inner), keeping: anchor)
    #expect(nested.anchor?.path == [1, 0])
    let resized = try column.resized(to: Size(width: 900, height: 700)) {
      (_, layout) throws(LayoutError) in
      try layout.resized(to: Size(width: 900, height: 900))
    }
    #expect(resized.viewport == Size(width: 900, height: 700) && resized.size.width == 900)
    #expect(resized.offset(of: anchor)?.y == 450)
  }
}
