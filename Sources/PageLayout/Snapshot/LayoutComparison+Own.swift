/// Finds lines that may be special, in one layout or the other.
extension LayoutComparison {
  /// These lines, with one more on each side, where the arithmetic of two ranges meets.
  ///
  /// - Returns: Ranges of lines, ascending and disjoint.
  /// - Complexity: O(*m* log *n*) for *m* measured and customized pages and pieces of an edit.
  func ownLines(in lines: Range<Int>) -> [Range<Int>] {
    guard new.pages.count > 0, !lines.isEmpty else { return [] }
    let spreads = new.spreads
    var found: [Range<Int>] = []
    // From positions to lines, and one more on each side.
    func add(_ positions: Range<Int>) {
      let positions = positions.clamped(to: 0..<new.pages.count)
      guard !positions.isEmpty else { return }
      let first = spreads.line(ofSpread: spreads.spread(of: positions.lowerBound))
      let last = spreads.line(ofSpread: spreads.spread(of: positions.upperBound - 1))
      if let known = found.last, known.upperBound >= first, known.lowerBound <= first - 1 {
        found[found.count - 1] = known.lowerBound..<max(known.upperBound, last + 2)
      } else {
        found.append(first - 1..<last + 2)
      }
    }
    new.forEachOwn(customized: hasMargins, add)
    old.forEachOwn(customized: hasMargins) { counterparts.forEachNew(of: $0, add) }
    for stretch in counterparts.kept {
      add(stretch.new.lowerBound..<stretch.new.lowerBound + 1)
      add(stretch.new.upperBound - 1..<stretch.new.upperBound)
    }
    return found.merged().map { $0.clamped(to: lines) }.filter { !$0.isEmpty }
  }
}

extension Layout {
  /// Calls `body` with the positions of lines that may be special, and of those at which another arithmetic of lines
  /// begins.
  fileprivate func forEachOwn(customized: Bool, _ body: (Range<Int>) -> Void) {
    let count = pages.count
    guard count > 0 else { return }
    func end(at position: Int) {
      if position > 0 { body(position - 1..<position) }
      if position < count { body(position..<position + 1) }
    }
    end(at: 0)
    end(at: count)
    for segment in spreads.pairing.segments { end(at: segment.start) }
    for exception in spreads.gaps.exceptions {
      end(at: min(exception.positions.lowerBound, count))
      end(at: min(exception.positions.upperBound, count))
    }
    for page in configuration.spreadViews.keys {
      pages.forEachPosition(of: page) { body($0..<$0 + 1) }
    }
    if let flow = spreads.flow {
      flow.items.forEach(in: 0..<spreads.count, where: { customized || $0.different > 0 }) {
        spread,
        _ in
        body(spreads.positions(of: spread))
      }
      flow.rows.forEach(in: 0..<spreads.count) { _, row in
        body(
          spreads.pairing.firstPosition(
            of: row.spreads.lowerBound
          )..<spreads.pairing.firstPosition(
            of: row.spreads.upperBound
          )
        )
      }
      return
    }
    let standard = spreads.standard
    let isPlain = !customized && spreads.pairing.columns == 1 && spreads.spreadsPerLine == 1
    spreads.lines.forEach(in: 0..<count) { position, line in
      if isPlain, line.along == standard.along, line.cross == standard.cross { return }
      let index = spreads.line(ofSpread: spreads.spread(of: position))
      body(position..<spreads.firstPosition(ofLine: index + 1))
    }
  }
}
