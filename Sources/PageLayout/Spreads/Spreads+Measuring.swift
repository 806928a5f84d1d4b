internal import Geometry

extension Spreads {
  /// What taking in sizes did to the spreads.
  struct Change {
    /// The spreads whose size or pages may be different; nil: none.
    var spreads: Range<Int>?
    /// Whether anything has another size, rather than only being exact now.
    var movesAnything = false

    static let none = Change()

    mutating func include(_ range: Range<Int>) {
      spreads =
        spreads.map {
          min($0.lowerBound, range.lowerBound)..<max($0.upperBound, range.upperBound)
        } ?? range
    }
  }

  /// Takes in one size.
  mutating func measure(_ page: Int, as size: Size) -> Change {
    let new = PageSizes.layable(size)
    let estimated = sizes.estimated
    let (isNew, old) = sizes.take(page, new)
    guard isNew else { return .none }
    if estimated != sizes.estimated || (page == modelPage && environment.model != model)
      || isWide(old) != isWide(new)
    {
      return absorb([PageSizes.Change(page: page, old: old, new: new)], estimated: estimated)
    }
    if flow != nil {
      return reflow([PageSizes.Change(page: page, old: old, new: new)])
    }
    var change = Change(movesAnything: (old ?? estimated) != new)
    if let position = pages.onlyPosition(of: page) {
      if isPlain {
        lines.set(position, to: lineMetric(of: page, measured: new))
        change.include(position..<position + 1)
      } else {
        remeasure(position, &change)
      }
      return change
    }
    var positions: [Int] = []
    forEachPosition(dependingOn: page) { positions.append($0) }
    for position in positions { remeasure(position, &change) }
    return change
  }

  /// Whether every line is one page, in the order of the document: then a size that arrives is all
  /// there is to know about its line, and need not be looked up again.
  private var isPlain: Bool {
    spreadsPerLine == 1 && pairing.columns == 1 && pairing.isRegular && pages.isInDocumentOrder
  }

  /// The metric of a line that is one measured page.
  private func lineMetric(of page: Int, measured size: Size) -> LineMetric {
    let slot = slot(of: page, measured: size)
    return lineMetric(
      metric(width: slot.size.width, height: slot.size.height, columns: 1, isMeasured: true)
    )
  }

  /// Brings the line that holds a position up to date.
  private mutating func remeasure(_ position: Int, _ change: inout Change) {
    let line = line(ofSpread: pairing.spread(of: position))
    let metric = lineMetric(line)
    lines.set(firstPosition(ofLine: line), to: metric)
    change.include(spreads(ofLine: line))
  }

  /// Takes in a batch of sizes.
  mutating func measure(_ batch: [MeasuredSize]) -> Change {
    if batch.count == 1 { return measure(batch[0].page, as: batch[0].size) }
    let estimated = sizes.estimated
    let changed = sizes.take(batch)
    return changed.isEmpty ? .none : absorb(changed, estimated: estimated)
  }

  /// The lines that hold pages whose size is new, and the spreads of those that have moved.
  ///
  /// Not mutating, so that the closure borrows the spreads instead of copying them for each page.
  private func linesTouched(by changed: [PageSizes.Change], estimated: Size) -> (
    lines: [Int], change: Change
  ) {
    var change = Change.none
    var found: [Int] = []
    found.reserveCapacity(changed.count)
    for entry in changed {
      let moves = (entry.old ?? estimated) != entry.new
      func touch(_ position: Int) {
        let line = line(ofSpread: pairing.spread(of: position))
        if found.last != line { found.append(line) }
        if moves { change.include(spreads(ofLine: line)) }
      }
      if let position = pages.onlyPosition(of: entry.page) {
        touch(position)
      } else {
        forEachPosition(dependingOn: entry.page, touch)
      }
    }
    return (found, change)
  }

  private mutating func absorb(_ changed: [PageSizes.Change], estimated: Size) -> Change {
    if pairsByShape, changed.contains(where: { isWide($0.old) != isWide($0.new) }) {
      pair()
      sum()
      return Change(spreads: 0..<count, movesAnything: true)
    }
    if environment.model != model {
      // Rare: the first page shown has another size, and tiles may follow from it.
      sum()
      return Change(spreads: 0..<count, movesAnything: true)
    }
    if flow != nil {
      if estimated == sizes.estimated { return reflow(changed) }
      sum()
      return Change(spreads: 0..<count, movesAnything: true)
    }
    if isPlain, estimated == sizes.estimated {
      var change = Change.none
      var entries: [(key: Int, element: LineMetric)] = []
      entries.reserveCapacity(changed.count)
      for entry in changed {
        guard let position = pages.onlyPosition(of: entry.page) else { continue }
        entries.append((position, lineMetric(of: entry.page, measured: entry.new)))
        if (entry.old ?? estimated) != entry.new { change.include(position..<position + 1) }
      }
      lines.set(entries)
      change.movesAnything = change.spreads != nil
      return change
    }
    var (found, change) = linesTouched(by: changed, estimated: estimated)
    if estimated != sizes.estimated {
      standard = standardLine
      // Lines that rest on the estimate in part.
      lines.forEach(in: 0..<pages.count, where: { $0.exact < $0.count }) { position, _ in
        found.append(line(ofSpread: pairing.spread(of: position)))
      }
      change = Change(spreads: 0..<count)
    }
    update(found)
    change.movesAnything = change.spreads != nil
    return change
  }
}
