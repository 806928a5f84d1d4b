extension PageSequence {
  /// A part of the sequence as a sequence; positions outside are ignored.
  ///
  /// - Complexity: Linear in the number of runs, as is every edit.
  public func part(_ positions: Range<Int>) -> PageSequence {
    var parts: [Run] = []
    forEachPiece(of: positions) { _, run in parts.append(run) }
    return PageSequence(parts)
  }

  /// Inserts runs before a position; a position outside the sequence means its nearer end.
  public mutating func insert(_ runs: [Run], at position: Int) {
    let position = min(max(0, position), count)
    self = PageSequence(part(0..<position).runs + runs + part(position..<count).runs)
  }

  /// Removes positions; those outside the sequence are ignored.
  public mutating func remove(_ positions: Range<Int>) {
    let positions = positions.clamped(to: 0..<count)
    self = PageSequence(
      part(0..<positions.lowerBound).runs + part(positions.upperBound..<count).runs
    )
  }

  /// Moves positions before the position `target`, which is counted before the move. A target
  /// inside the range changes nothing.
  public mutating func move(_ positions: Range<Int>, to target: Int) {
    let positions = positions.clamped(to: 0..<count)
    let target = min(max(0, target), count)
    guard target < positions.lowerBound || target > positions.upperBound else { return }
    let moved = part(positions).runs
    let place = target > positions.lowerBound ? target - positions.count : target
    remove(positions)
    insert(moved, at: place)
  }

  /// Duplicates the pages at `positions` directly after them.
  public mutating func duplicate(_ positions: Range<Int>) {
    let positions = positions.clamped(to: 0..<count)
    insert(part(positions).runs, at: positions.upperBound)
  }
}
