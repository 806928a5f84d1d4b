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
}

/// A line that breaks by the extents of its spreads, as ``PageArranging/lineBreaking(in:)`` says.
public struct BrokenLine: Sendable {
  /// Its spreads.
  public let spreads: Range<Int>
  /// Its edges along the axis in the content, the smaller coordinate first, in layout units.
  public let edges: (min: Double, max: Double)
  /// Its extent along the axis, that of its highest spread, in layout units.
  public let extent: Double
  /// Its extent across the axis, gaps included, in layout units.
  public let breadth: Double
  /// The scale of its spreads: 1, unless they fill the line.
  public let scale: Double
}

/// Places of lines that break by the extents of their spreads.
extension Spreads {
  /// The line of a spread.
  ///
  /// - Parameter index: A spread that exists.
  /// - Returns: The line; nil if lines do not break by the extents of their spreads.
  /// - Complexity: O(log *n*).
  public func brokenLine(ofSpread index: Int) -> BrokenLine? {
    guard let flow else { return nil }
    let (line, row) = flow.row(of: index)
    return BrokenLine(
      spreads: row.spreads,
      edges: contentEdges(of: flow.edges(ofLine: line, row.spreads)),
      extent: row.along,
      breadth: row.across,
      scale: row.scale
    )
  }

  /// Where a spread begins and ends across the axis, from the start of its line.
  ///
  /// - Parameters:
  ///   - index: A spread of the line.
  ///   - line: What ``brokenLine(ofSpread:)`` returns for the spread.
  /// - Returns: The distances in layout units; 0 for a spread that is not of the line.
  /// - Complexity: O(*m* log *n*) for *m* spreads in the line.
  public func edges(ofSpread index: Int, in line: BrokenLine) -> (start: Double, end: Double) {
    guard let flow, line.spreads.contains(index) else { return (0, 0) }
    return flow.edges(of: index, in: line)
  }

  /// The spreads whose sizes decide the places of the lines of a range, if lines break by the extents of their spreads:
  /// all previous ones, those of the lines, and the next one, which might have fitted; all spreads if content is
  /// centered or runs backwards.
  ///
  /// - Parameter range: Spreads that exist.
  public func spreadsDecidingLines(of range: Range<Int>) -> Range<Int> {
    guard let flow else { return range }
    if isDecidedByAll || environment.runsBackwards { return 0..<count }
    guard !range.isEmpty else { return range }
    return 0..<min(count, flow.spreads(besides: range.upperBound - 1).upperBound + 1)
  }

  /// The spreads whose lines may change with the sizes of a range, if lines break by the extents of their spreads: from
  /// the line that the first of them may join, to the end; all spreads if content is centered or runs backwards.
  ///
  /// - Parameter range: Spreads that exist.
  public func spreadsWithLinesAffected(by range: Range<Int>) -> Range<Int> {
    guard let flow else { return range }
    if isDecidedByAll || environment.runsBackwards { return 0..<count }
    guard !range.isEmpty else { return range }
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
