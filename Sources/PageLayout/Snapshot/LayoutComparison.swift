internal import RectoGeometry

/// Finds the spreads that differ between two layouts.
///
/// Lines that may be special are compared spread by spread; between them are ranges of lines that
/// follow the same arithmetic in both layouts, and move like their ends. The cost does not grow
/// with the number of pages.
struct LayoutComparison {
  /// The new layout, whose spreads are listed.
  let new: Layout
  /// The old layout.
  let old: Layout
  /// The new positions of its positions.
  let counterparts: Counterparts
  /// Whether a page may have another frame than other pages of its size.
  let hasMargins: Bool
  /// Whether spreads are identified by their index.
  private let keepsIndices: Bool
  private var moves: LineMoves
  /// Whether the last added line has the spreads of one old line.
  private var stands = true

  /// A comparison that begins with the first line.
  ///
  /// - Parameters:
  ///   - new: The layout after the change.
  ///   - counterparts: Which positions are the same before and after; nil for new sizes, when
  ///     spreads are identified by their index.
  init(_ new: Layout, since old: Layout, _ counterparts: Counterparts?) {
    self.new = new
    self.old = old
    self.counterparts = counterparts ?? Counterparts(new.pages, new.pages)
    keepsIndices = counterparts == nil
    hasMargins =
      !new.configuration.spacing.pageMargins.isEmpty
      || !old.configuration.spacing.pageMargins.isEmpty
    let first = new.contentSize
    let second = old.contentSize
    moves = LineMoves(extent: max(first.width, first.height, second.width, second.height))
  }

  /// The fates of the spreads of all lines.
  ///
  /// - Parameters:
  ///   - new: The layout after the change.
  ///   - counterparts: Which positions are the same before and after; nil for new sizes.
  /// - Returns: The invalidation.
  static func moves(_ new: Layout, since old: Layout, _ counterparts: Counterparts?)
    -> Invalidation
  {
    var comparison = LayoutComparison(new, since: old, counterparts)
    comparison.compare(lines: 0..<new.spreads.lineCount)
    return comparison.invalidation
  }

  /// The results so far.
  var invalidation: Invalidation { moves.invalidation }

  // MARK: Lines

  /// Compares lines and adds them.
  mutating func compare(lines: Range<Int>) {
    var next = lines.lowerBound
    for own in ownLines(in: lines) {
      pass(next..<own.lowerBound)
      for line in own { compare(line) }
      next = own.upperBound
    }
    pass(next..<lines.upperBound)
  }

  /// Adds lines whose spreads all have the same fate, and which are rows of the same spreads as
  /// before.
  mutating func append(_ spreads: Range<Int>, _ fate: Invalidation.Fate) {
    moves.append(spreads, fate)
    stands = true
  }

  /// Compares a line and adds it; returns the fates of its spreads, and whether it has the spreads
  /// of one old line.
  @discardableResult
  mutating func compare(_ line: Int) -> (fates: [Invalidation.Fate], isSame: Bool) {
    let spreads = new.spreads.spreads(ofLine: line)
    let found = fates(of: spreads, mayBreak: stands)
    moves.append(line: spreads, found.fates)
    stands = found.isSame
    return found
  }

  /// The fates of the spreads of a line, and whether they were one line before.
  ///
  /// - Parameters:
  ///   - mayBreak: Whether to compare them even if they were not.
  /// - Returns: The fate of each spread, and whether they were one line.
  private func fates(of spreads: Range<Int>, mayBreak: Bool) -> (
    fates: [Invalidation.Fate], isSame: Bool
  ) {
    let before = spreads.map(counterpart)
    var isSame = false
    if let first = before.first, let first {
      let was = old.spreads.spreads(ofLine: old.spreads.line(ofSpread: first))
      isSame = was.count == spreads.count && zip(was, before).allSatisfy { $0 == $1 }
    }
    guard isSame || mayBreak else {
      return (spreads.map { _ in .changed }, false)
    }
    let scale = new.spreads.flow?.row(of: spreads.lowerBound).row.scale
    return (
      zip(spreads, before).map { index, before in
        if let before, let scale, isScaled(index, scale, since: before) { return .changed }
        return fate(of: index, since: before)
      }, isSame
    )
  }

  /// Whether a spread of a flow certainly has another size, under the same configuration; faster than computing its
  /// frames.
  private func isScaled(_ index: Int, _ scale: Double, since before: Int) -> Bool {
    guard keepsIndices, !hasMargins, !new.spreads.hasBlanks,
      new.environment.isVertical || new.spreads.pairing.columns == 1,
      let flow = new.spreads.flow,
      let old = old.spreads.flow
    else { return false }
    let along = (flow.items[index] ?? flow.standard).along * scale
    let row = old.row(of: before).row
    return abs((old.items[before] ?? old.standard).along * row.scale - along) > 1e-5 + 1e-9 * along
  }

  /// The spread of the old layout with the same positions; nil if there is none.
  private func counterpart(of index: Int) -> Int? {
    guard let positions = counterparts.old(of: new.spreads.positions(of: index)) else { return nil }
    let found = old.spreads.spread(of: positions.lowerBound)
    guard !keepsIndices || found == index else { return nil }
    return old.spreads.positions(of: found) == positions ? found : nil
  }

  /// The fate of one spread.
  func fate(of index: Int, since before: Int?) -> Invalidation.Fate {
    guard let before, let first = old.spread(before), let second = new.spread(index) else {
      return .changed
    }
    return Invalidation.Fate(from: first, to: second)
  }

  /// Compares and adds rows of a flow in which spreads have other sizes, so that rows break
  /// differently.
  ///
  /// - Parameters:
  ///   - end: The end of the spreads with other sizes. After a later row with other spreads than
  ///     before, no row is the same.
  mutating func compare(rows: Range<Int>, settledBehind end: Int) {
    var compared = 0
    for row in rows {
      let spreads = new.spreads.spreads(ofLine: row)
      let isSame = compare(row).isSame
      compared += spreads.count
      guard !isSame && spreads.upperBound >= end || compared > Self.mostCompared else { continue }
      return moves.append(self.spreads(ofLines: row + 1..<rows.upperBound), .changed)
    }
  }

  /// The most spreads of a flow that are compared one by one for new sizes. If a batch of sizes affects more, the rest
  /// counts as changed.
  private static let mostCompared = 4096

  // MARK: Stretches

  /// Adds lines that are equal in both layouts.
  private mutating func pass(_ lines: Range<Int>) {
    guard lines.count > 4 else {
      for line in lines { compare(line) }
      return
    }
    let first = lines.lowerBound
    let last = lines.upperBound - 1
    let (start, isSame) = compare(first)
    let rest = spreads(ofLines: first + 1..<lines.upperBound)
    guard isSame, start.allSatisfy({ $0.distance != nil }) else {
      // The first one represents all of them.
      return moves.append(rest, .changed)
    }
    let end = fates(of: new.spreads.spreads(ofLine: last), mayBreak: false).fates
    let ways = zip(start, end).map { ($0.distance, $1.distance) }
    guard let way = start[0].distance, let lastWay = end[0].distance else { return }
    let isOneWay = ways.allSatisfy { start, end in
      (start?.isNear(way, within: moves.tolerance) ?? false)
        && (end?.isNear(way, within: moves.tolerance) ?? false)
    }
    if isOneWay { return moves.append(rest, start[0]) }
    // Each line moves separately; one of them may not have moved.
    var next = first + 1
    if let still = line(between: first, last, way, lastWay) {
      moves.append(spreads(ofLines: next..<still), scattered: still - next)
      compare(still)
      next = still + 1
    }
    moves.append(spreads(ofLines: next..<last), scattered: last - next)
    compare(last)
  }

  /// The line between two others that has not moved, if the movement increases from line to line by a constant.
  private func line(between first: Int, _ last: Int, _ way: Point, _ lastWay: Point) -> Int? {
    let growth = Point(x: lastWay.x - way.x, y: lastWay.y - way.y)
    let share = abs(growth.x) > abs(growth.y) ? -way.x / growth.x : -way.y / growth.y
    guard share > 0, share < 1 else { return nil }
    let line = first + Int((share * Double(last - first)).rounded())
    return (first + 1..<last).contains(line) ? line : nil
  }

  /// The spreads of lines that exist.
  private func spreads(ofLines lines: Range<Int>) -> Range<Int> {
    guard !lines.isEmpty else { return 0..<0 }
    return new.spreads.spreads(ofLine: lines.lowerBound)
      .lowerBound..<new.spreads.spreads(ofLine: lines.upperBound - 1).upperBound
  }
}

extension Invalidation.Fate {
  /// The fate of a spread that shows the same pages.
  init(from before: LaidOutSpread, to after: LaidOutSpread) {
    let frames = before.pages.isEmpty ? [before.frame] : before.pages.map { $0.frame }
    let others = after.pages.isEmpty ? [after.frame] : after.pages.map { $0.frame }
    guard frames.count == others.count, let first = frames.first, let other = others.first else {
      self = .changed
      return
    }
    let distance = Point(x: other.minX - first.minX, y: other.minY - first.minY)
    for (frame, other) in zip(frames, others) {
      let isSame =
        Self.isSame(frame.width, other.width) && Self.isSame(frame.height, other.height)
        && Self.isSame(other.minX, frame.minX + distance.x)
        && Self.isSame(other.minY, frame.minY + distance.y)
      guard isSame else {
        self = .changed
        return
      }
    }
    let isUnmoved = Self.isSame(first.minX, other.minX) && Self.isSame(first.minY, other.minY)
    self = isUnmoved ? .unmoved : .displaced(distance)
  }

  /// Whether two lengths are equal within rounding errors.
  private static func isSame(_ first: Double, _ second: Double) -> Bool {
    abs(first - second) <= max(.lengthTolerance, 1e-11 * max(abs(first), abs(second)))
  }
}
