internal import RectoGeometry

extension Spreads {
  /// The effect of new sizes on the spreads.
  struct Change {
    /// A line that holds a page of another size.
    struct Line {
      var line: Int
      var old: LineMetric
      var new: LineMetric
      /// In a grid of single pages, the spread with another size.
      var resized: Int?
    }

    /// The lines that do, ascending.
    var lines: [Line] = []
    /// If lines break by the spreads' own extents: the spreads from the first changed one to the point from which lines
    /// break as before.
    var broken: Range<Int>?
    /// In that case, the spreads from the first to the last one with another size.
    var resized: Range<Int>?
    /// The previously known size of the page, if one size was set.
    var known: Size?
    /// Whether pairs, tiles or the estimate have changed, so that any spread may be different.
    var isRebuilt = false

    static let none = Change()
    static let everything = Change(isRebuilt: true)

    /// Whether anything has another size, rather than only being exact now.
    var movesAnything: Bool { isRebuilt || !lines.isEmpty || broken != nil }

    /// Ranges of spreads that hold all with another size, ascending and disjoint; nil if any may have one.
    func spreadRanges(in spreads: Spreads) -> [Range<Int>]? {
      if isRebuilt { return nil }
      if let broken { return [broken.clamped(to: 0..<spreads.count)] }
      return lines.map { spreads.spreads(ofLine: $0.line) }.merged()
    }

    /// Adds spreads that lines break among.
    mutating func include(_ spreads: Range<Int>) {
      broken = broken.map { $0.hull(with: spreads) } ?? spreads
    }
  }

  /// Whether the size of the first page affects only its own spread; a custom arrangement may use it.
  var isIndependentOfModel: Bool {
    !arrangement.isCustom
      && (environment.configuration.grid.columns != nil || !arrangement.isGrid)
  }

  /// Whether a size is the one already used, so that nothing moves.
  func confirms(_ page: PageIndex, _ size: Size) -> Bool {
    let size = PageSizes.layable(size)
    return page != modelPage && !sizes.mayChangeEstimate(page, as: size)
      && sizes.size(of: page) == size && !(pairsByShape && isWide(size))
  }

  /// Whether a size can only change the lines of its page and displace others as a whole, so that a ``Change/Line`` has
  /// all the information needed about the old layout.
  func changesOnlyLines(_ page: PageIndex, as size: Size) -> Bool {
    let size = PageSizes.layable(size)
    guard flow == nil, scales.shared == nil, page != modelPage,
      !sizes.mayChangeEstimate(page, as: size),
      environment.along(environment.configuration.minimumContentSize) <= 0,
      environment.configuration.centering != .content || arrangement.restsAtSpreads
    else { return false }
    if spreadsPerLine > 1 { return isOnePageEach }
    return !pairsByShape || isWide(sizes.measured(page)) == isWide(size)
  }

  /// Whether every spread is one page, and pages of the same size have the same frame.
  var isOnePageEach: Bool {
    pairing.columns == 1 && pairing.isRegular && pages.isInDocumentOrder
      && environment.configuration.spacing.pageMargins.isEmpty
  }

  /// Whether a spread's pages and blanks have the sizes that they have in other spreads of the same
  /// pairs and configuration.
  func holdsSameSizes(as other: Spreads, inSpread index: Int) -> Bool {
    zip(slots(of: index), other.slots(of: index)).allSatisfy { $0.size == $1.size }
  }

  /// Whether lines changed by one size need not be compared in detail.
  func tellsAll(_ lines: [Change.Line]) -> Bool {
    isOnePageEach || !hasBlanks && lines.allSatisfy { !$0.new.hasExtent(of: $0.old) }
  }

  /// Restores the spreads after a size was set that only changed some lines.
  @inline(never) mutating func putBack(_ page: PageIndex, _ change: Change) {
    sizes.putBack(page, change.known)
    lines.set(change.lines.map { (firstPosition(ofLine: $0.line), $0.old) })
  }

  /// Sets one size.
  mutating func measure(_ page: PageIndex, as size: Size) -> Change {
    let new = PageSizes.layable(size)
    let estimated = sizes.estimated
    let (isNew, old) = sizes.take(page, new)
    guard isNew else { return .none }
    if estimated != sizes.estimated || (page == modelPage && environment.model != model)
      || isWide(old) != isWide(new)
    {
      return absorb([PageSizes.Change(page: page, old: old, new: new)], estimated: estimated)
    }
    if changesScale([PageSizes.Change(page: page, old: old, new: new)]) {
      sum()
      return .everything
    }
    if flow != nil { return reflow([PageSizes.Change(page: page, old: old, new: new)]) }
    let moves = (old ?? estimated) != new
    var change = Change()
    change.known = old
    if let position = pages.onlyPosition(of: page) {
      let line = isPlain ? position : line(ofSpread: pairing.spread(of: position))
      let metric = isPlain ? lineMetric(of: page, measured: new) : lineMetric(line)
      let key = isPlain ? position : firstPosition(ofLine: line)
      let before = lines.set(key, to: metric) ?? standard
      guard moves else { return change }
      change.lines = [Change.Line(line: line, old: before, new: metric)]
      if spreadsPerLine > 1, isOnePageEach {
        let other = lineMetric(of: page, measured: old ?? estimated)
        let own = lineMetric(of: page, measured: new)
        if !own.hasExtent(of: other) { change.lines[0].resized = position }
      }
      return change
    }
    var found: Set<Int> = []
    forEachPosition(dependingOn: page) { found.insert(line(ofSpread: pairing.spread(of: $0))) }
    for line in found.sorted() {
      let metric = lineMetric(line)
      let before = lines.set(firstPosition(ofLine: line), to: metric) ?? standard
      if moves { change.lines.append(Change.Line(line: line, old: before, new: metric)) }
    }
    return change
  }

  /// Whether every line is one page, in document order: then a new size alone determines its line,
  /// and need not be looked up again.
  private var isPlain: Bool {
    spreadsPerLine == 1 && pairing.columns == 1 && pairing.isRegular && pages.isInDocumentOrder
  }

  /// The metric of a line of one measured page.
  private func lineMetric(of page: PageIndex, measured size: Size) -> LineMetric {
    let slot = slot(of: page, measured: size)
    return lineMetric(
      metric(width: slot.size.width, height: slot.size.height, columns: 1, isMeasured: true)
    )
  }

  /// Takes in a batch of sizes.
  mutating func measure(_ batch: [MeasuredSize]) -> Change {
    if batch.count == 1 { return measure(batch[0].page, as: batch[0].size) }
    let estimated = sizes.estimated
    let changed = sizes.take(batch)
    return changed.isEmpty ? .none : absorb(changed, estimated: estimated)
  }

  /// The lines with pages whose size is new, and those of them in which it differs from the one
  /// used before.
  ///
  /// Not mutating, so that the closure borrows the spreads instead of copying them for each page.
  private func linesTouched(by changed: [PageSizes.Change], estimated: Size) -> (
    all: [Int], moved: [Int]
  ) {
    var found: [Int] = []
    var moved: [Int] = []
    found.reserveCapacity(changed.count)
    for entry in changed {
      let moves = (entry.old ?? estimated) != entry.new
      func touch(_ position: Int) {
        let line = line(ofSpread: pairing.spread(of: position))
        if found.last != line { found.append(line) }
        if moves, moved.last != line { moved.append(line) }
      }
      if let position = pages.onlyPosition(of: entry.page) {
        touch(position)
      } else {
        forEachPosition(dependingOn: entry.page, touch)
      }
    }
    return (found, moved)
  }

  private mutating func absorb(_ changed: [PageSizes.Change], estimated: Size) -> Change {
    if pairsByShape, changed.contains(where: { isWide($0.old) != isWide($0.new) }) {
      pair()
      sum()
      return .everything
    }
    if environment.model != model {
      guard isIndependentOfModel else {
        // Rare: the first page shown has another size, on which tiles depend.
        sum()
        return .everything
      }
      environment.model = model
    }
    if scales.shared != nil, estimated != sizes.estimated || changesScale(changed) {
      sum()
      return .everything
    }
    if flow != nil {
      if estimated == sizes.estimated { return reflow(changed) }
      sum()
      return .everything
    }
    if isPlain, estimated == sizes.estimated {
      var entries: [(key: Int, element: LineMetric)] = []
      entries.reserveCapacity(changed.count)
      for entry in changed {
        guard let position = pages.onlyPosition(of: entry.page) else { continue }
        entries.append((position, lineMetric(of: entry.page, measured: entry.new)))
      }
      return set(entries) { _ in true }
    }
    var (found, moved) = linesTouched(by: changed, estimated: estimated)
    guard estimated == sizes.estimated else {
      standard = standardLine
      // Lines that rest on the estimate in part.
      lines.forEach(in: 0..<pages.count, where: { $0.exact < $0.count }) { position, _ in
        found.append(line(ofSpread: pairing.spread(of: position)))
      }
      update(found)
      return .everything
    }
    let known = Set(moved)
    return set(entries(for: found)) { known.contains($0) }
  }

  /// Puts lines into the sums, and returns which have changed.
  ///
  /// - Parameters:
  ///   - moves: Whether a line may have changed; only called if its extents have not.
  private mutating func set(
    _ entries: [(key: Int, element: LineMetric)],
    _ moves: (Int) -> Bool
  ) -> Change {
    var change = Change()
    change.lines.reserveCapacity(entries.count)
    let standard = standard
    let pairing = pairing
    let perLine = spreadsPerLine
    let isPlain = isPlain
    lines.set(entries) { index, old in
      let (key, new) = entries[index]
      let old = old ?? standard
      let line = isPlain ? key : pairing.spread(of: key) / perLine
      if isPlain ? !new.hasExtent(of: old) : (!new.hasExtent(of: old) || moves(line)) {
        change.lines.append(Change.Line(line: line, old: old, new: new))
      }
    }
    return change
  }
}

extension Range<Int> {
  /// The shortest range that holds both.
  fileprivate func hull(with other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}

extension LineMetric {
  /// Whether a line is as large as another one, within rounding errors.
  func hasExtent(of other: LineMetric) -> Bool {
    abs(along - other.along) <= 1e-12 * along && abs(cross - other.cross) <= 1e-12 * cross
      && isMultiple == other.isMultiple
  }
}
