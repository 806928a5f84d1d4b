/// A change of the order of pages, made step by step, which tracks where each position goes.
///
/// Positions in each step are those after the previous steps.
public struct PageEdit: Sendable {
  /// The order as it is now.
  public private(set) var pages: PageSequence
  /// Old positions, and counts of new ones, in the current order.
  private var pieces: [Piece]

  private enum Piece {
    case kept(Range<Int>)
    case inserted(Int)

    var count: Int {
      switch self {
      case .kept(let range): range.count
      case .inserted(let count): count
      }
    }

    /// A part of the piece.
    func part(_ places: Range<Int>) -> Piece {
      switch self {
      case .kept(let range):
        .kept(range.lowerBound + places.lowerBound..<range.lowerBound + places.upperBound)
      case .inserted: .inserted(places.count)
      }
    }
  }

  /// An edit of `pages` that has not changed anything yet.
  init(_ pages: PageSequence) {
    self.pages = pages
    pieces = pages.count > 0 ? [.kept(0..<pages.count)] : []
  }

  /// Inserts runs before a position; a position outside the sequence means its nearer end.
  ///
  /// - Complexity: Linear in the number of runs and steps, as is every other step.
  public mutating func insert(_ runs: [PageSequence.Run], at position: Int) {
    let position = min(max(0, position), pages.count)
    let before = pages.count
    pages.insert(runs, at: position)
    splice(position..<position, [.inserted(pages.count - before)])
  }

  /// Removes positions; those outside the sequence are ignored.
  public mutating func remove(_ positions: Range<Int>) {
    let positions = positions.clamped(to: 0..<pages.count)
    pages.remove(positions)
    splice(positions, [])
  }

  /// Moves positions before the position `target`, which is counted before the move. A target
  /// inside the range changes nothing.
  public mutating func move(_ positions: Range<Int>, to target: Int) {
    let positions = positions.clamped(to: 0..<pages.count)
    let target = min(max(0, target), pages.count)
    guard target < positions.lowerBound || target > positions.upperBound else { return }
    pages.move(positions, to: target)
    let moved = parts(positions)
    splice(positions, [])
    let place = target > positions.lowerBound ? target - positions.count : target
    splice(place..<place, moved)
  }

  /// Duplicates the pages at `positions` directly after them.
  public mutating func duplicate(_ positions: Range<Int>) {
    let positions = positions.clamped(to: 0..<pages.count)
    pages.duplicate(positions)
    splice(positions.upperBound..<positions.upperBound, [.inserted(positions.count)])
  }

  /// The pieces at these positions.
  private func parts(_ positions: Range<Int>) -> [Piece] {
    var parts: [Piece] = []
    var start = 0
    for piece in pieces {
      let own = (start..<start + piece.count).clamped(to: positions)
      if !own.isEmpty {
        parts.append(piece.part(own.lowerBound - start..<own.upperBound - start))
      }
      start += piece.count
    }
    return parts
  }

  private mutating func splice(_ positions: Range<Int>, _ new: [Piece]) {
    let count = pieces.reduce(0) { $0 + $1.count }
    pieces =
      parts(0..<positions.lowerBound) + new.filter { $0.count > 0 }
      + parts(positions.upperBound..<count)
  }

  /// The changes so far.
  ///
  /// - Parameter before: The number of positions before the first step.
  /// - Returns: The changes from before the first step.
  func changes(of before: Int) -> PageChanges {
    var changes = PageChanges()
    var start = 0
    for piece in pieces {
      let new = start..<start + piece.count
      start = new.upperBound
      switch piece {
      case .kept(let old):
        if let last = changes.kept.last, last.old.upperBound == old.lowerBound,
          last.new.upperBound == new.lowerBound
        {
          changes.kept[changes.kept.count - 1] = PageChanges.Stretch(
            old: last.old.lowerBound..<old.upperBound,
            new: last.new.lowerBound..<new.upperBound
          )
        } else {
          changes.kept.append(PageChanges.Stretch(old: old, new: new))
        }
      case .inserted: changes.inserted.append(new)
      }
    }
    changes.inserted = changes.inserted.merged()
    var end = 0
    for old in changes.kept.map({ $0.old }).merged() {
      if end < old.lowerBound { changes.removed.append(end..<old.lowerBound) }
      end = old.upperBound
    }
    if end < before { changes.removed.append(end..<before) }
    return changes
  }
}

/// The changes of an edit to the order of pages, in positions.
public struct PageChanges: Hashable, Sendable {
  /// Consecutive positions that show the same as before, possibly elsewhere.
  public struct Stretch: Hashable, Sendable {
    /// The positions before the edit.
    public var old: Range<Int>
    /// The positions after it; as many.
    public var new: Range<Int>
  }

  /// New positions, in the order after the edit, ascending.
  public internal(set) var inserted: [Range<Int>] = []
  /// Removed positions, in the order before the edit, ascending.
  public internal(set) var removed: [Range<Int>] = []
  /// All other positions, ascending in the order after the edit.
  public internal(set) var kept: [Stretch] = []

  /// The kept positions that have moved relative to other kept ones: the fewest positions to move
  /// from one order to the other.
  ///
  /// - Complexity: O(*s*²) for *s* stretches.
  public var moved: [Stretch] {
    // The heaviest ascending chain of ranges stays; the others have moved.
    var weight = kept.map { $0.old.count }
    var previous = [Int?](repeating: nil, count: kept.count)
    for index in kept.indices {
      for other in 0..<index where kept[other].old.lowerBound < kept[index].old.lowerBound {
        guard weight[other] + kept[index].old.count > weight[index] else { continue }
        weight[index] = weight[other] + kept[index].old.count
        previous[index] = other
      }
    }
    var stays: Set<Int> = []
    var last = kept.indices.max { weight[$0] < weight[$1] }
    while let index = last {
      stays.insert(index)
      last = previous[index]
    }
    return kept.indices.filter { !stays.contains($0) }.map { kept[$0] }
  }

  /// The new position of an old one; nil if it was removed.
  ///
  /// - Complexity: Linear in the number of stretches.
  public func newPosition(of old: Int) -> Int? {
    guard let stretch = kept.first(where: { $0.old.contains(old) }) else { return nil }
    return stretch.new.lowerBound + old - stretch.old.lowerBound
  }

  /// The old position of a new one; nil if it was inserted.
  ///
  /// - Complexity: Linear in the number of stretches.
  public func oldPosition(of new: Int) -> Int? {
    guard let stretch = kept.first(where: { $0.new.contains(new) }) else { return nil }
    return stretch.old.lowerBound + new - stretch.new.lowerBound
  }
}
