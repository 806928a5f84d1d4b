extension FlowRows {
  /// A row while it is being filled.
  struct Filling {
    private(set) var count = 0
    /// The sum of the extents across the axis, without gaps.
    private(set) var across = 0.0
    /// The largest extent along the axis.
    private(set) var along = 0.0

    /// Whether another spread fits; the first one always does.
    func takes(_ item: Item, by rule: LineBreaking) -> Bool {
      if count == 0 { return true }
      guard count < LineBreaking.largestCount else { return false }
      return across + item.across + Double(count) * rule.gap <= rule.limit
    }

    mutating func add(_ item: Item) {
      count += 1
      across += item.across
      along = max(along, item.along)
    }

    /// The row of the added spreads.
    ///
    /// - Parameters:
    ///   - first: The index of the row's first spread.
    func row(from first: Int, isLast: Bool, by rule: LineBreaking) -> Row {
      let gaps = Double(max(0, count - 1)) * rule.gap
      var row = Row(spreads: first..<first + count, along: along, across: across + gaps, scale: 1)
      // A zoomed spread may be larger than the room, and is not reduced.
      guard row.across <= rule.limit else { return row }
      row.across = min(row.across, rule.room)
      guard rule.isJustified, !isLast || rule.justifiesLastRow, across > 0, rule.room > gaps else {
        return row
      }
      row.scale = (rule.room - gaps) / across
      row.across = rule.room
      row.along = along * row.scale
      return row
    }
  }

  /// Reads the spreads that differ from the standard, in ascending order.
  struct Reader {
    private var items: SparseTree<Item>.Reader

    init(_ items: SparseTree<Item>) { self.items = SparseTree.Reader(items) }

    /// The first spread at or after `spread` that differs.
    mutating func next(from spread: Int) -> (key: Int, element: Item)? {
      items.next(from: spread, where: { $0.isDifferent }, among: { $0.different > 0 })
    }
  }

  /// Goes along the rows as they were before.
  private struct OldRows {
    private var rows: SparseTree<Row>.Reader
    private let perRow: Int
    /// The start of a row.
    private var start: Int

    /// - Parameters:
    ///   - flow: The rows before.
    init(_ flow: FlowRows, at start: Int) {
      rows = SparseTree.Reader(flow.rows)
      perRow = flow.perRow
      self.start = start
    }

    /// The first row start at or after a spread, which must not be before the last result.
    mutating func start(from spread: Int) -> Int {
      while start < spread {
        let stored = rows.next(from: start, where: { _ in true }, among: { $0.count > 0 })
        if let stored, stored.key == start {
          start = stored.element.spreads.upperBound
        } else {
          let next = start + (spread - start + perRow - 1) / perRow * perRow
          start = stored.map { min(next, $0.key) } ?? next
        }
      }
      return start
    }

    /// The start of the row of a spread after the last result.
    mutating func start(besides spread: Int) -> Int {
      while true {
        let stored = rows.next(from: start, where: { _ in true }, among: { $0.count > 0 })
        if let stored, stored.key <= spread {
          if spread < stored.element.spreads.upperBound {
            start = stored.key
            return start
          }
          start = stored.element.spreads.upperBound
        } else {
          start += (spread - start) / perRow * perRow
          return start
        }
      }
    }
  }

  /// The next event from the start of a row.
  private enum Step {
    /// Full rows of standard spreads up to here.
    case full(end: Int)
    /// Any other row.
    case row(Row)
  }

  /// The rows from a spread at which a row begins.
  private func step(from first: Int, _ reader: inout Reader) -> Step {
    let next = reader.next(from: first)
    let end = next?.key ?? count
    var full = (end - first) / perRow
    if full > 0, first + full * perRow == end, mayJoinFullRow(next?.element) { full -= 1 }
    if full > 0 { return .full(end: first + full * perRow) }
    return .row(row(from: first, &reader))
  }

  /// Whether the next item changes a row of standard spreads: a small spread that still fits, or
  /// nothing, which makes it the last row.
  private func mayJoinFullRow(_ item: Item?) -> Bool {
    guard let item else { return true }
    var filling = Filling()
    for _ in 0..<perRow { filling.add(standard) }
    return filling.takes(item, by: rule)
  }

  /// The row that begins with a spread.
  private func row(from first: Int, _ reader: inout Reader) -> Row {
    var filling = Filling()
    var end = first
    while end < count {
      let next = reader.next(from: end)
      let item = next?.key == end ? next?.element ?? standard : standard
      guard filling.takes(item, by: rule) else { break }
      filling.add(item)
      end += 1
    }
    return filling.row(from: first, isLast: end == count, by: rule)
  }

  /// Breaks all rows. O(*m*) for *m* items.
  mutating func breakAll() {
    var entries: [(key: Int, element: Row)] = []
    var reader = Reader(items)
    var first = 0
    while first < count {
      switch step(from: first, &reader) {
      case .full(let end): first = end
      case .row(let row):
        entries.append((first, row))
        first = row.spreads.upperBound
      }
    }
    replace(in: [], by: entries)
  }

  /// Breaks rows again where spreads have another size, from the row that each of them may join
  /// until a row begins where one began before.
  ///
  /// - Parameter changed: The spreads, ascending; not empty.
  /// - Returns: From the first of them to the point from which rows begin as before.
  /// - Complexity: O(log *n*) for each row.
  mutating func breakAnew(for changed: [Int]) -> Range<Int> {
    let (stretches, entries, end) = broken(for: changed)
    replace(in: stretches, by: entries)
    return changed[0]..<end
  }

  /// The ranges that break differently, the rows to store for them, and the end of the last range.
  ///
  /// Not mutating, so that the readers share the tree only while it is read.
  private func broken(
    for changed: [Int]
  ) -> (stretches: [Range<Int>], rows: [(key: Int, element: Row)], end: Int) {
    var stretches: [Range<Int>] = []
    var entries: [(key: Int, element: Row)] = []
    var reader = Reader(items)
    var next = 0
    // The start of this row is decided before the first change.
    var first = spreads(besides: max(0, changed[0] - 1)).lowerBound
    var begin = first
    var old = OldRows(self, at: first)
    while true {
      while next < changed.count, changed[next] < first { next += 1 }
      let change = next < changed.count ? changed[next] : nil
      var oldStart = old.start(from: first)
      if first == oldStart {
        // Rows are unchanged, up to the one that the next change may join.
        let resume = change.map { $0 == first ? first : old.start(besides: $0 - 1) }
        if resume != first {
          stretches.append(begin..<first)
          guard let resume else { break }
          begin = resume
          first = resume
        }
        oldStart = first
      }
      switch step(from: first, &reader) {
      case .row(let row):
        entries.append((first, row))
        first = row.spreads.upperBound
      case .full(var end):
        if let change {
          end = min(end, first + ((change - first) / perRow + 1) * perRow)
        }
        // After the old row the old and new rows may begin at the same spreads again.
        if oldStart > first, oldStart <= min(end, change ?? end),
          (oldStart - first) % perRow == 0
        {
          end = oldStart
        }
        first = end
      }
    }
    return (stretches, entries, first)
  }
}
