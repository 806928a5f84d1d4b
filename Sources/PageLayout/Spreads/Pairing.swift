internal import RectoGeometry

/// Which positions form which spread.
///
/// Regular ranges are computed; only exceptions are stored. A single page at the end, or before a
/// page that is alone, keeps the column of its parity.
struct Pairing: Sendable, Equatable {
  /// A departure from the regular pairing.
  struct Event: Hashable, Sendable {
    enum Kind: Int, Hashable, Sendable {
      /// The page begins a section. Precedes other events at the same position.
      case section
      /// The page shares a spread with the next one.
      case together
      /// The page stands alone.
      case alone
    }
    var position: Int
    var kind: Kind
  }

  /// How the positions of a segment form spreads.
  enum Kind: Hashable, Sendable {
    /// Columns are filled in order.
    case regular
    /// One spread of two, in the first columns.
    case together
    /// One spread of one page, centered.
    case alone
  }

  /// A range of positions that begins a new spread.
  struct Segment: Hashable, Sendable {
    /// Its first position.
    var start: Int
    /// The column of the first position, in a regular segment.
    var column: Int
    /// The index of its first spread.
    var firstSpread: Int
    var kind: Kind
  }

  /// The number of positions.
  let count: Int
  /// The columns of a regular stretch.
  let columns: Int
  /// The number of columns of a spread with several columns.
  let wideColumns: Int
  /// The stretches in order; never empty.
  private(set) var segments: [Segment]
  /// The number of spreads.
  private(set) var spreadCount: Int

  /// The pairing of positions in spreads.
  ///
  /// - Parameters:
  ///   - columns: The number of columns of a spread.
  ///   - events: Exceptions, in ascending order of position (and kind).
  init(count: Int, columns: Int, startColumn: Int, events: some Sequence<Event>) {
    self.count = count
    // One page in spread mode is a single page.
    self.columns = count == 1 ? 1 : columns
    wideColumns = max(2, columns)
    segments = []
    spreadCount = 0
    let startColumn = count == 1 ? 0 : startColumn
    var cursor = 0
    var column = startColumn
    for event in events where event.position >= cursor && event.position < count {
      // The last page has no next page to share a spread with.
      if event.kind == .together, event.position + 1 == count { continue }
      add(.regular, from: cursor, to: event.position, column: column)
      switch event.kind {
      case .section:
        cursor = event.position
        column = startColumn
      case .together:
        add(.together, from: event.position, to: event.position + 2, column: 0)
        cursor = event.position + 2
        column = 0
      case .alone:
        add(.alone, from: event.position, to: event.position + 1, column: 0)
        cursor = event.position + 1
        column = 0
      }
    }
    add(.regular, from: cursor, to: count, column: column)
    if segments.isEmpty {
      segments = [Segment(start: 0, column: 0, firstSpread: 0, kind: .regular)]
    }
  }

  private mutating func add(_ kind: Kind, from start: Int, to end: Int, column: Int) {
    guard end > start else { return }
    segments.append(
      Segment(start: start, column: column, firstSpread: spreadCount, kind: kind)
    )
    spreadCount += kind == .regular ? (column + end - start + columns - 1) / columns : 1
  }

  private func segment(at position: Int) -> Int {
    // Regular pairing is the common case, and this is called for each line.
    if segments.count == 1 { return 0 }
    return (1..<segments.count).partitioningIndex { segments[$0].start > position } - 1
  }

  private func segment(ofSpread spread: Int) -> Int {
    if segments.count == 1 { return 0 }
    return (1..<segments.count).partitioningIndex { segments[$0].firstSpread > spread } - 1
  }

  private func end(ofSegment index: Int) -> Int {
    index + 1 < segments.count ? segments[index + 1].start : count
  }

  /// The spread with a position, which must exist. O(log *e*) for *e* events.
  func spread(of position: Int) -> Int {
    let segment = segments[segment(at: position)]
    guard segment.kind == .regular else { return segment.firstSpread }
    if columns == 1 { return segment.firstSpread + position - segment.start }
    return segment.firstSpread + (segment.column + position - segment.start) / columns
  }

  /// The number of spreads that begin before `position`. O(log *e*).
  func spreads(before position: Int) -> Int {
    if position <= 0 { return 0 }
    if position >= count { return spreadCount }
    return spread(of: position - 1) + 1
  }

  /// The positions of a spread, which must exist. O(log *e*).
  func positions(of spread: Int) -> Range<Int> {
    let index = segment(ofSpread: spread)
    let segment = segments[index]
    let end = end(ofSegment: index)
    guard segment.kind == .regular else { return segment.start..<end }
    let first = segment.start + (spread - segment.firstSpread) * columns - segment.column
    return max(segment.start, first)..<min(end, first + columns)
  }

  /// The first position of a spread; the number of positions for the one after the last.
  func firstPosition(of spread: Int) -> Int {
    if spread >= spreadCount { return count }
    let index = segment(ofSpread: spread)
    let segment = segments[index]
    guard segment.kind == .regular else { return segment.start }
    let first = segment.start + (spread - segment.firstSpread) * columns - segment.column
    return max(segment.start, first)
  }

  /// The columns of a spread and the column of its first position. O(log *e*).
  func columns(of spread: Int) -> (count: Int, first: Int) {
    let segment = segments[segment(ofSpread: spread)]
    switch segment.kind {
    case .alone: return (1, 0)
    case .together: return (wideColumns, 0)
    case .regular: return (columns, spread == segment.firstSpread ? segment.column : 0)
    }
  }

  /// Whether pairing has no exceptions.
  var isRegular: Bool { segments.count == 1 && segments[0].kind == .regular }

  /// The forced spreads, by their first position.
  var forced: [Int] { segments.filter { $0.kind != .regular }.map { $0.start } }
}
