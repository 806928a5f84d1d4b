internal import RectoGeometry

extension Layout {
  /// Whether a range of equal spreads moves like its ends; see ``Spreads/placesByRule``.
  var placesByRule: Bool { spreads.placesByRule }

  /// The invalidation of changed sizes.
  ///
  /// - Returns: The invalidation.
  func moves(_ change: Spreads.Change, from old: Layout) -> Invalidation {
    let isDecidedByAll = spreads.isDecidedByAll || old.spreads.isDecidedByAll
    if spreads.flow != nil {
      return isDecidedByAll || change.isRebuilt ? movesOfAll(old) : movesOfFlow(change, old)
    }
    // A custom arrangement may place lines elsewhere than their sums say, so frames are compared.
    let isStack =
      !arrangement.isCustom && spreads.spreadsPerLine == 1 && old.spreads.spreadsPerLine == 1
    if isStack, !isDecidedByAll || arrangement.restsAtSpreads,
      spreads.pairing == old.spreads.pairing,
      spreads.scales.shared == old.spreads.scales.shared,
      spreads.isIndependentOfModel || environment.model == old.environment.model
    {
      let lines = change.isRebuilt ? linesStored(with: old) : change.lines
      return movesOfLines(lines, from: old, old.spreads.standard)
    }
    return change.isRebuilt || isDecidedByAll ? movesOfAll(old) : movesOfRows(change.lines, old)
  }

  /// The moves of an arrangement that does not place by a rule: all spreads that changed ones affect.
  ///
  /// - Parameter changed: The spreads with another size; nil if any may have one.
  /// - Returns: The invalidation.
  func movesAffected(by changed: [Range<Int>]?) -> Invalidation {
    let affected = (changed ?? [0..<spreads.count]).map {
      arrangement.spreadsAffected(by: $0, of: spreads).clamped(to: 0..<spreads.count)
    }
    var result = Invalidation()
    for range in affected.merged() { result.append(range, .changed) }
    return result
  }

  /// The moves where any spread may have.
  private func movesOfAll(_ old: Layout) -> Invalidation {
    LayoutComparison.moves(self, since: old, nil)
  }

  /// The moves if a size has changed only these lines; see ``Spreads/changesOnlyLines(_:as:)``.
  ///
  /// - Parameters:
  ///   - old: The old layout; nil if no line must be compared in detail.
  /// - Returns: The invalidation.
  func movesOfLines(_ lines: [Spreads.Change.Line], from old: Layout?) -> Invalidation {
    spreads.spreadsPerLine == 1
      ? movesOfLines(lines, from: old, spreads.standard) : movesOfTiles(lines)
  }

  // MARK: Lines of one spread

  /// The lines with a stored metric in this layout or in another one with the same pairing.
  private func linesStored(with old: Layout) -> [Spreads.Change.Line] {
    var before: [(key: Int, element: LineMetric)] = []
    old.spreads.lines.forEach(in: 0..<pages.count) { before.append(($0, $1)) }
    var result: [Spreads.Change.Line] = []
    var next = 0
    func take(_ key: Int, _ new: LineMetric?) {
      while next < before.count, before[next].key < key {
        add(before[next].key, before[next].element, spreads.standard)
        next += 1
      }
      guard let new else { return }
      var metric = old.spreads.standard
      if next < before.count, before[next].key == key {
        metric = before[next].element
        next += 1
      }
      add(key, metric, new)
    }
    func add(_ key: Int, _ old: LineMetric, _ new: LineMetric) {
      let line = spreads.pairing.spread(of: key)
      result.append(Spreads.Change.Line(line: line, old: old, new: new))
    }
    spreads.lines.forEach(in: 0..<pages.count) { take($0, $1) }
    take(pages.count, nil)
    return result
  }

  /// The moves of a stack of single spreads, only from the extents of its lines: spreads after a line are displaced by
  /// the growth of all lines before them.
  ///
  /// - Parameters:
  ///   - lines: The lines that may have changed, ascending.
  ///   - old: The old layout, to compare lines of unchanged size in detail.
  ///   - standard: The old metric of all other lines.
  /// - Returns: The invalidation.
  private func movesOfLines(
    _ lines: [Spreads.Change.Line],
    from old: Layout?,
    _ standard: LineMetric
  ) -> Invalidation {
    let zoom = configuration.zoom
    let isStill = arrangement.restsAtSpreads
    let isStandard = spreads.standard.hasExtent(of: standard)
    let standardGrowth = isStandard ? 0 : (spreads.standard.along - standard.along) * zoom
    // If spreads run backwards, the content's origin is at its end, so previous spreads move.
    let sign = environment.runsBackwards ? -1.0 : 1.0
    var before = 0.0
    if environment.runsBackwards {
      before = Double(spreads.count - lines.count) * standardGrowth
      for line in lines { before += (line.new.along - line.old.along) * zoom }
    }
    func fate() -> Invalidation.Fate {
      guard !isStill else { return .unmoved }
      return .displaced(environment.isVertical ? Point(x: 0, y: before) : Point(x: before, y: 0))
    }
    var result = Invalidation()
    // If blanks grow beside their pages, many consecutive lines may move separately.
    let size = contentSize
    var moves = spreads.hasBlanks ? LineMoves(extent: max(size.width, size.height)) : nil
    func add(_ stretch: Range<Int>, _ fate: Invalidation.Fate) {
      if moves == nil { result.append(stretch, fate) } else { moves?.append(stretch, fate) }
    }
    var next = 0
    func pass(to end: Int) {
      let stretch = next..<max(next, end)
      add(stretch, isStandard ? fate() : .changed)
      before += sign * Double(stretch.count) * standardGrowth
    }
    for line in lines {
      pass(to: line.line)
      next = line.line + 1
      let growth = (line.new.along - line.old.along) * zoom
      if environment.runsBackwards { before -= growth }
      // A blank with another size does not change the pages beside it.
      if !line.new.hasExtent(of: line.old), !spreads.hasBlanks {
        add(line.line..<line.line + 1, .changed)
      } else if let old, !spreads.holdsSameSizes(as: old.spreads, inSpread: line.line) {
        add(line.line..<line.line + 1, self.fate(of: line.line, old))
      } else {
        add(line.line..<line.line + 1, fate())
      }
      if !environment.runsBackwards { before += growth }
    }
    pass(to: spreads.count)
    return moves?.invalidation ?? result
  }

  // MARK: Lines that break by the spreads' own extents

  /// The moves of a flow whose rows break differently in one range; spreads before and after it are unmoved, or
  /// displaced by one vector each.
  private func movesOfFlow(_ change: Spreads.Change, _ old: Layout) -> Invalidation {
    guard let flow = spreads.flow, let before = old.spreads.flow, spreads.count > 0,
      let range = change.broken?.clamped(to: 0..<spreads.count), !range.isEmpty
    else { return .none }
    // With everything in the same row, now or before.
    let last = range.upperBound - 1
    let end = max(flow.spreads(besides: last).upperBound, before.spreads(besides: last).upperBound)
    let broken = firstBroken(by: range.lowerBound, flow, before)..<end
    var comparison = LayoutComparison(self, since: old, nil)
    if broken.lowerBound > 0 {
      comparison.append(0..<broken.lowerBound, fate(of: 0..<broken.lowerBound, old))
    }
    comparison.compare(
      rows: flow.line(of: broken.lowerBound)..<flow.line(of: broken.upperBound - 1) + 1,
      settledBehind: change.resized?.upperBound ?? 0
    )
    if broken.upperBound < spreads.count {
      let rest = broken.upperBound..<spreads.count
      comparison.append(rest, fate(of: rest, old))
    }
    return comparison.invalidation
  }

  /// The first spread of the first row that a changed spread may affect: the previous row, if the spread has joined or
  /// left it.
  private func firstBroken(by spread: Int, _ new: FlowRows, _ old: FlowRows) -> Int {
    let front = max(0, spread - 1)
    let row = new.row(of: front).row
    guard row == old.row(of: front).row, !row.spreads.contains(spread) else {
      return row.spreads.lowerBound
    }
    return row.spreads.upperBound
  }

  // MARK: Lines of several spreads

  /// The moves if only these lines have changed, and all others are displaced as ranges.
  private func movesOfRows(_ lines: [Spreads.Change.Line], _ old: Layout) -> Invalidation {
    var comparison = LayoutComparison(self, since: old, nil)
    var next = 0
    func pass(to end: Int) {
      guard next < end else { return }
      comparison.append(next..<end, fate(of: next..<end, old))
    }
    for line in lines {
      let row = spreads.spreads(ofLine: line.line)
      pass(to: row.lowerBound)
      comparison.compare(line.line)
      next = row.upperBound
    }
    pass(to: spreads.count)
    return comparison.invalidation
  }

  /// The moves in a grid of single pages: spreads are centered in their row, and later spreads are displaced by the
  /// growth of the row; earlier ones, if rows run backwards.
  private func movesOfTiles(_ lines: [Spreads.Change.Line]) -> Invalidation {
    var result = Invalidation()
    for line in lines {
      let row = spreads.spreads(ofLine: line.line)
      let growth = (line.new.along - line.old.along) * configuration.zoom
      func displaced(_ distance: Double) -> Invalidation.Fate {
        .displaced(
          environment.isVertical ? Point(x: 0, y: distance) : Point(x: distance, y: 0)
        )
      }
      if environment.runsBackwards { result.append(0..<row.lowerBound, displaced(growth)) }
      for index in row {
        result.append(index..<index + 1, line.resized == index ? .changed : displaced(growth / 2))
      }
      if !environment.runsBackwards {
        result.append(row.upperBound..<spreads.count, displaced(growth))
      }
    }
    return result
  }

  /// The fate of spreads that show the same as before, and move like the first of them.
  private func fate(of range: Range<Int>, _ old: Layout) -> Invalidation.Fate {
    let fate = fate(of: range.lowerBound, old)
    guard arrangement.isCustom, range.count > 1 else { return fate }
    guard let way = fate.distance,
      let last = self.fate(of: range.upperBound - 1, old).distance,
      last.isNear(way, within: .lengthTolerance)
    else { return .changed }
    return fate
  }

  /// The fate of a spread that shows the same as before.
  private func fate(of index: Int, _ old: Layout) -> Invalidation.Fate {
    guard let before = old.spread(index), let after = spread(index) else { return .changed }
    return Invalidation.Fate(from: before, to: after)
  }
}
