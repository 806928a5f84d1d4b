internal import RectoGeometry

/// Lines that break by the spreads' own extents.
extension Spreads {
  /// The space of a metric.
  private func item(_ metric: SpreadMetric) -> FlowRows.Item {
    let size = size(metric)
    return FlowRows.Item(
      along: environment.along(size),
      across: environment.across(size),
      isExact: metric.isMeasured
    )
  }

  /// Breaks all rows, given the known spreads.
  mutating func flow(_ found: [Int], _ rule: LineBreaking) {
    flow = FlowRows(
      count: count,
      rule: rule,
      standard: item(standardMetric),
      items: items(of: found)
    )
    spreadsPerLine = 0
  }

  /// The extents of spreads, ascending and unique.
  private func items(of spreads: [Int]) -> [(key: Int, element: FlowRows.Item)] {
    spreads.ascending.map { ($0, item(metric(of: $0))) }
  }

  /// Sets new sizes; the pairing and the estimate have not changed.
  mutating func reflow(_ changed: [PageSizes.Change]) -> Change {
    let (found, moved) = spreadsTouched(by: changed)
    var change = moved
    change.resized = change.broken
    let items = items(of: found)
    if let broken = flow?.set(items) { change.include(broken) }
    return change
  }

  /// The spreads with pages whose size is new, and the spreads with another size than before.
  private func spreadsTouched(by changed: [PageSizes.Change]) -> (spreads: [Int], change: Change) {
    var change = Change.none
    var found: [Int] = []
    found.reserveCapacity(changed.count)
    for entry in changed {
      let moves = (entry.old ?? sizes.estimated) != entry.new
      func touch(_ position: Int) {
        let spread = pairing.spread(of: position)
        if found.last != spread { found.append(spread) }
        if moves { change.include(spread..<spread + 1) }
      }
      if let position = pages.onlyPosition(of: entry.page) {
        touch(position)
      } else {
        forEachPosition(dependingOn: entry.page, touch)
      }
    }
    return (found, change)
  }

  /// Whether every page of a range of spreads is measured, or missing. O(log *n*).
  func areFlowingMeasured(_ range: Range<Int>) -> Bool {
    if flow?.areMeasured(range) ?? true { return true }
    return areSettled(positions(ofLinesWith: range))
  }

  /// The positions of the lines of a range of spreads, which is not empty. If lines break by the
  /// spreads' own extents, only those of the spreads.
  func positions(ofLinesWith range: Range<Int>) -> Range<Int> {
    if spreadsPerLine == 0 {
      return pairing.firstPosition(
        of: range.lowerBound
      )..<pairing.firstPosition(
        of: range.upperBound
      )
    }
    let lines = line(ofSpread: range.lowerBound)..<line(ofSpread: range.upperBound - 1) + 1
    return firstPosition(ofLine: lines.lowerBound)..<firstPosition(ofLine: lines.upperBound)
  }

  /// The spreads that decide where the rows of a range break: all previous ones, those of the rows,
  /// and the next one, which might have fitted.
  func spreadsBreaking(_ range: Range<Int>) -> Range<Int> {
    guard let flow, !range.isEmpty else { return range }
    return 0..<min(count, flow.spreads(besides: range.upperBound - 1).upperBound + 1)
  }

  /// The spreads that may break differently if some change: from the row that the first of them may
  /// join, to the end.
  func spreadsBroken(by range: Range<Int>) -> Range<Int> {
    guard let flow, !range.isEmpty else { return range }
    return flow.spreads(besides: max(0, range.lowerBound - 1)).lowerBound..<count
  }
}

/// The lines of a flow. Not inlined, to keep the other modes fast.
extension Spreads {
  @inline(never) var flowLineCount: Int { flow?.lineCount ?? 0 }
  @inline(never) var flowLength: Double { flow?.length ?? 0 }
  @inline(never) var flowBreadth: Double { flow?.breadth ?? 0 }
  @inline(never) func flowLine(at distance: Double) -> Int { flow?.line(at: distance) ?? 0 }
  @inline(never) func flowStart(ofLine line: Int) -> Double { flow?.start(ofLine: line) ?? 0 }
  @inline(never) func flowEdges(ofLine line: Int) -> (start: Double, end: Double) {
    flow?.edges(ofLine: line) ?? (0, 0)
  }
  @inline(never) func flowFirstPosition(ofLine line: Int) -> Int {
    pairing.firstPosition(of: flow?.firstSpread(ofLine: line) ?? 0)
  }
}
