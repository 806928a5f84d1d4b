internal import RectoGeometry

/// Collects the fates of the lines of a layout, in order, for an ``Invalidation``.
///
/// It implements the rule that keeps an invalidation short: if three or more consecutive lines move
/// separately, all of their spreads count as changed.
struct LineMoves {
  /// Some lines.
  private struct Entry {
    enum Kind {
      /// One line, with the fates of its spreads from this index on.
      case line(Int)
      /// Lines whose spreads all have the same fate.
      case alike(Invalidation.Fate)
      /// So many lines that each go their own way.
      case scattered(Int)
    }
    var spreads: Range<Int>
    var kind: Kind
  }

  private var entries: [Entry] = []
  private var fates: [Invalidation.Fate] = []
  /// The tolerance for equal vectors, in layout units.
  let tolerance: Double

  /// - Parameter extent: The largest coordinate, in layout units.
  init(extent: Double) { tolerance = max(.lengthTolerance, extent * 1e-14) }

  /// Adds a line.
  mutating func append(line spreads: Range<Int>, _ fates: [Invalidation.Fate]) {
    guard !spreads.isEmpty else { return }
    entries.append(Entry(spreads: spreads, kind: .line(self.fates.count)))
    self.fates += fates
  }

  /// Adds several lines whose spreads all have the same fate, or one line of one spread.
  mutating func append(_ spreads: Range<Int>, _ fate: Invalidation.Fate) {
    guard spreads.count > 1 else { return append(line: spreads, [fate]) }
    entries.append(Entry(spreads: spreads, kind: .alike(fate)))
  }

  /// Adds lines, each of which moves differently from the previous and the next one.
  mutating func append(_ spreads: Range<Int>, scattered lines: Int) {
    guard !spreads.isEmpty else { return }
    entries.append(Entry(spreads: spreads, kind: .scattered(lines)))
  }

  /// The moves by spreads.
  var invalidation: Invalidation {
    var result = Invalidation()
    var index = 0
    while index < entries.count {
      var end = index
      var lines = 0
      while end < entries.count, let count = linesGoingTheirOwnWay(end) {
        lines += count
        end += 1
      }
      if lines >= Self.mostOfTheirOwn {
        result.append(
          entries[index].spreads.lowerBound..<entries[end - 1].spreads.upperBound,
          .changed
        )
        index = end
        continue
      }
      for entry in index..<max(end, index + 1) { name(entries[entry], &result) }
      index = max(end, index + 1)
    }
    return result
  }

  /// The number of consecutive lines with separate movements that are too many to list.
  private static let mostOfTheirOwn = 3

  private func name(_ entry: Entry, _ result: inout Invalidation) {
    switch entry.kind {
    case .alike(let fate): result.append(entry.spreads, fate, tolerance)
    case .scattered: result.append(entry.spreads, .changed, tolerance)
    case .line(let first):
      for (place, spread) in entry.spreads.enumerated() {
        result.append(spread..<spread + 1, fates[first + place], tolerance)
      }
    }
  }

  /// The number of lines of an entry, if each of them moves separately; else nil.
  private func linesGoingTheirOwnWay(_ index: Int) -> Int? {
    let entry = entries[index]
    switch entry.kind {
    case .alike: return nil
    case .scattered(let lines): return lines
    case .line(let first):
      let own = fates[first..<first + entry.spreads.count]
      var moves = false
      for fate in own {
        switch fate {
        case .changed: return nil
        case .displaced: moves = true
        case .unmoved: break
        }
      }
      guard moves, let head = own.first, let tail = own.last else { return nil }
      if index > 0, let last = fate(of: entries[index - 1], atEnd: true), goesOn(last, head) {
        return nil
      }
      if index + 1 < entries.count, let next = fate(of: entries[index + 1], atEnd: false),
        goesOn(tail, next)
      {
        return nil
      }
      return 1
    }
  }

  /// The fate of the first or the last spread of an entry; nil if it is special.
  private func fate(of entry: Entry, atEnd: Bool) -> Invalidation.Fate? {
    switch entry.kind {
    case .alike(let fate): fate
    case .scattered: nil
    case .line(let first): fates[atEnd ? first + entry.spreads.count - 1 : first]
    }
  }

  /// Whether two spreads have only moved, by the same vector.
  private func goesOn(_ first: Invalidation.Fate, _ second: Invalidation.Fate) -> Bool {
    guard let first = first.distance, let second = second.distance else { return false }
    return first.isNear(second, within: tolerance)
  }
}

extension Invalidation.Fate {
  /// How far spreads have moved; nil if they have changed.
  var distance: Point? {
    switch self {
    case .unmoved: .zero
    case .displaced(let distance): distance
    case .changed: nil
    }
  }
}

extension Point {
  /// Whether two vectors are equal, within a tolerance on each axis.
  func isNear(_ other: Point, within tolerance: Double) -> Bool {
    abs(x - other.x) <= tolerance && abs(y - other.y) <= tolerance
  }
}
