/// Spreads of any width, broken into rows.
///
/// A row of only *standard* spreads is full: as many as fit, always the same number *k*, because ranges of them begin
/// with a row. Such rows are computed. The others are stored: rows with a spread of another size, rows that end early
/// before one, and the last row. Like all sums, they are in a sparse tree, here keyed by their first spread.
struct FlowRows: Sendable {
  /// A spread with known properties.
  struct Item: SparseElement, Hashable {
    struct Total: SparseTotal {
      /// The number of known spreads.
      var count = 0
      /// How many of them have only measured pages.
      var exact = 0
      /// How many of them have another size than the standard spread.
      var different = 0

      static let zero = Total()

      mutating func add(_ other: Total) {
        count += other.count
        exact += other.exact
        different += other.different
      }
    }

    /// Extent along the axis, in layout units.
    var along: Double
    /// Extent across the axis, in layout units.
    var across: Double
    /// Whether all its pages are measured.
    var isExact: Bool
    /// Whether its size is not that of the standard spread.
    var isDifferent = false

    var total: Total { Total(count: 1, exact: isExact ? 1 : 0, different: isDifferent ? 1 : 0) }

    /// Whether both have the same size.
    func hasSize(of other: Item) -> Bool { along == other.along && across == other.across }
  }

  /// A laid out row.
  struct Row: SparseElement, Hashable {
    struct Total: SparseTotal {
      /// The number of rows.
      var count = 0
      /// The number of spreads in them.
      var spreads = 0
      /// The spreads of the last of these rows.
      var last = 0..<0
      /// The sum of their extents along the axis.
      var along = 0.0
      /// The largest extent across the axis.
      var across = 0.0

      static let zero = Total()

      mutating func add(_ other: Total) {
        count += other.count
        spreads += other.spreads
        if other.count > 0 { last = other.last }
        along += other.along
        across = max(across, other.across)
      }
    }

    /// Its spreads.
    var spreads: Range<Int>
    /// The extent along the axis, that of its highest spread.
    var along: Double
    /// Extent across the axis, gaps included.
    var across: Double
    /// The scale of its spreads.
    var scale: Double

    var total: Total {
      Total(count: 1, spreads: spreads.count, last: spreads, along: along, across: across)
    }
  }

  /// The number of spreads.
  let count: Int
  /// Where rows break.
  let rule: LineBreaking
  /// An unknown spread.
  let standard: Item
  /// The first row of only standard spreads.
  let standardRow: Row
  /// The known spreads.
  private(set) var items = SparseTree<Item>()
  /// The rows that are not full rows of standard spreads, by their first spread.
  private(set) var rows = SparseTree<Row>()

  /// Rows of spreads, some of which are known.
  ///
  /// - Parameters:
  ///   - standard: The properties of unknown spreads.
  ///   - items: The known spreads, ascending.
  /// - Complexity: O(*m* log *m*) for *m* items.
  init(
    count: Int,
    rule: LineBreaking,
    standard: Item,
    items: [(key: Int, element: Item)]
  ) {
    self.count = count
    self.rule = rule
    self.standard = standard
    var filling = Filling()
    while filling.takes(standard, by: rule) { filling.add(standard) }
    standardRow = filling.row(from: 0, isLast: false, by: rule)
    self.items.set(items.map { ($0.key, marked($0.element)) })
    breakAll()
  }

  /// The number of spreads in a full row of standard spreads.
  var perRow: Int { standardRow.spreads.count }

  /// An item with `isDifferent` set.
  private func marked(_ item: Item) -> Item {
    var item = item
    item.isDifferent = !item.hasSize(of: standard)
    return item
  }

  // MARK: Adding spreads

  /// Sets known spreads, ascending; returns the spreads that have another size or are in rows that
  /// break differently.
  ///
  /// - Complexity: O(log *n*) for each item and each row that breaks differently.
  mutating func set(_ new: [(key: Int, element: Item)]) -> Range<Int>? {
    var changed: [Int] = []
    if new.count == 1 {
      let item = marked(new[0].element)
      let old = items.set(new[0].key, to: item) ?? standard
      if !old.hasSize(of: item) { changed.append(new[0].key) }
    } else {
      let entries = new.map { (key: $0.key, element: marked($0.element)) }
      let standard = standard
      items.set(entries) { index, old in
        if !(old ?? standard).hasSize(of: entries[index].element) {
          changed.append(entries[index].key)
        }
      }
    }
    return changed.isEmpty ? nil : breakAnew(for: changed)
  }

  /// Replaces the stored rows in ranges, ascending, by others.
  mutating func replace(in stretches: [Range<Int>], by new: [(key: Int, element: Row)]) {
    if stretches.count == 1 {
      rows.replace(in: stretches[0], by: new)
    } else {
      for stretch in stretches { rows.removeAll(in: stretch) }
      rows.set(new)
    }
  }

  /// Whether every page of the spreads is measured. O(log *n*).
  func areMeasured(_ range: Range<Int>) -> Bool {
    let (before, through) = items.totals(before: range)
    return through.exact - before.exact == range.count
  }

  // MARK: Rows and spreads

  /// The number of rows.
  var lineCount: Int {
    let total = rows.total
    return total.count + (count - total.spreads) / perRow
  }

  /// The row of a spread, from 0. O(log *n*).
  func line(of spread: Int) -> Int {
    let total = rows.total(before: spread + 1)
    if spread < total.last.upperBound {
      return total.count - 1 + (total.last.upperBound - total.spreads) / perRow
    }
    return total.count + (spread - total.spreads) / perRow
  }

  /// The spreads of the row of a spread. O(log *n*).
  func spreads(besides spread: Int) -> Range<Int> {
    let total = rows.total(before: spread + 1)
    if spread < total.last.upperBound { return total.last }
    let first = spread - (spread - total.spreads) % perRow
    return first..<min(count, first + perRow)
  }

  /// The number of rows that begin before a spread.
  ///
  /// - Parameters:
  ///   - stored: The sum over the stored rows among them.
  private func lines(before spread: Int, stored: Row.Total) -> Int {
    let plain = max(spread, stored.last.upperBound) - stored.spreads
    return stored.count + (plain + perRow - 1) / perRow
  }

  /// The first spread of a row; the number of spreads for the row after the last. O(log *n*).
  func firstSpread(ofLine line: Int) -> Int {
    let place = rows.lastPlace { lines(before: $0, stored: $1) <= line }
    return min(count, place.sum.spreads + (line - place.sum.count) * perRow)
  }

  /// The spreads of a row. O(log *n*).
  func spreads(ofLine line: Int) -> Range<Int> {
    let first = firstSpread(ofLine: line)
    return first..<(rows[first]?.spreads.upperBound ?? min(count, first + perRow))
  }

  /// The row of a spread, and its index. O(log *n*).
  func row(of spread: Int) -> (line: Int, row: Row) {
    let total = rows.total(before: spread + 1)
    if spread < total.last.upperBound, let row = rows[total.last.lowerBound] {
      return (total.count - 1 + (total.last.upperBound - total.spreads) / perRow, row)
    }
    let plain = spread - total.spreads
    var row = standardRow
    row.spreads = spread - plain % perRow..<spread - plain % perRow + perRow
    return (total.count + plain / perRow, row)
  }

  /// The start and end of a spread of a row across the axis, from the row's start.
  ///
  /// - Complexity: Linear in the spreads of the row.
  func edges(of spread: Int, in row: BrokenLine) -> (start: Double, end: Double) {
    var reader = Reader(items)
    var before = 0.0
    var through = 0.0
    for index in row.spreads.lowerBound..<spread + 1 {
      let next = reader.next(from: index)
      before = through
      through += next?.key == index ? next?.element.across ?? 0 : standard.across
    }
    let gaps = Double(spread - row.spreads.lowerBound) * rule.gap
    let start = before * row.scale + gaps
    // A row that fills the room does so exactly.
    let isLast = spread + 1 == row.spreads.upperBound
    return (start, isLast ? max(start, row.breadth) : through * row.scale + gaps)
  }

  // MARK: Along the axis

  /// The extents of the first `count` rows, with the gap after each.
  private func start(of line: Int, stored: Row.Total) -> Double {
    stored.along + Double(line - stored.count) * standardRow.along + Double(line) * rule.gap
  }

  /// The start of a row, from the start of the first one. O(log *n*).
  func start(ofLine line: Int) -> Double {
    start(of: line, stored: rows.total(before: firstSpread(ofLine: line)))
  }

  /// The start and end of a row, from the start of the first one. Both come from prefix sums, so that without a gap a
  /// row ends exactly where the next one begins. O(log *n*).
  func edges(ofLine line: Int) -> (start: Double, end: Double) {
    edges(ofLine: line, spreads(ofLine: line))
  }

  /// The start and end of a row with known spreads.
  func edges(ofLine line: Int, _ spreads: Range<Int>) -> (start: Double, end: Double) {
    let (before, through) = rows.totals(before: spreads)
    let end =
      through.along + Double(line + 1 - through.count) * standardRow.along + Double(line) * rule.gap
    return (start(of: line, stored: before), end)
  }

  /// The extent of all rows with the gaps between them.
  var length: Double {
    let count = lineCount
    guard count > 0 else { return 0 }
    let total = rows.total
    return total.along + Double(count - total.count) * standardRow.along
      + Double(count - 1) * rule.gap
  }

  /// The largest extent across the axis.
  var breadth: Double {
    let total = rows.total
    return total.spreads < count ? max(total.across, standardRow.across) : total.across
  }

  /// The last row that begins at or before a distance from the first one's start; 0 if none does.
  /// O(log *n*).
  func line(at distance: Double) -> Int {
    let count = lineCount
    let place = rows.lastPlace { spread, stored in
      let line = lines(before: spread, stored: stored)
      return line < count && start(of: line, stored: stored) <= distance
    }
    // Nothing is stored from here on, so each step is computed.
    let last = min(place.keys.upperBound, self.count)
    var lower = min(lines(before: place.keys.lowerBound, stored: place.sum), max(0, count - 1))
    var upper = min(max(lower + 1, lines(before: last, stored: place.sum)), count)
    narrow(&lower, &upper, pitch: standardRow.along + rule.gap) {
      distance - start(of: $0, stored: place.sum)
    }
    return lower
  }
}
