internal import RectoGeometry

/// The stack of spreads, or rows of them, along the axis.
extension Spreads {
  /// The number of lines of the stack.
  @inline(__always) public var lineCount: Int {
    spreadsPerLine > 0 ? (count + spreadsPerLine - 1) / spreadsPerLine : flowLineCount
  }

  /// The line of a spread that exists.
  public func line(ofSpread spread: Int) -> Int {
    if spreadsPerLine == 1 { return spread }
    return spreadsPerLine > 0 ? spread / spreadsPerLine : flow?.line(of: spread) ?? 0
  }

  func firstPosition(ofLine line: Int) -> Int {
    if spreadsPerLine == 0 {
      return flowFirstPosition(ofLine: line)
    }
    return pairing.firstPosition(of: line * spreadsPerLine)
  }

  /// The number of lines that begin before `position`.
  private func lines(before position: Int) -> Int {
    let spreads = pairing.spreads(before: position)
    return spreadsPerLine == 1 ? spreads : (spreads + spreadsPerLine - 1) / spreadsPerLine
  }

  /// The spreads of a line that exists.
  public func spreads(ofLine line: Int) -> Range<Int> {
    if spreadsPerLine == 0 { return flow?.spreads(ofLine: line) ?? 0..<0 }
    return line * spreadsPerLine..<min(count, (line + 1) * spreadsPerLine)
  }

  var standardLine: LineMetric {
    lineMetric(standardMetric)
  }

  func lineMetric(_ line: Int) -> LineMetric {
    if spreadsPerLine == 1 { return lineMetric(metric(of: line)) }
    var result = LineMetric(isExact: true)
    for spread in spreads(ofLine: line) {
      let metric = lineMetric(metric(of: spread))
      result.along = max(result.along, metric.along)
      result.cross = max(result.cross, metric.cross)
      result.isExact = result.isExact && metric.isExact
    }
    return result
  }

  func lineMetric(_ metric: SpreadMetric) -> LineMetric {
    var width = metric.width * metric.scale
    let height = metric.height * metric.scale
    var isMultiple = metric.columns > 1
    if !environment.isOneCanvas {
      // The page gap scales with the spread, so it is part of the width before zoom.
      width += Double(metric.columns - 1) * environment.configuration.pageGap
      isMultiple = false
    }
    return LineMetric(
      along: environment.isVertical ? height : width,
      cross: environment.isVertical ? width : height,
      isMultiple: isMultiple,
      isExact: metric.isMeasured
    )
  }

  /// The page gaps of a line of several columns, along the axis.
  private var pageGapsAlong: Double {
    environment.isVertical ? 0 : Double(pairing.wideColumns - 1) * environment.pageGap
  }

  /// The page gaps of a line of several columns, across the axis.
  private var pageGapsAcross: Double {
    environment.isVertical ? Double(pairing.wideColumns - 1) * environment.pageGap : 0
  }

  /// The extents of the first `count` lines, without the gaps between them.
  private func extent(ofFirst count: Int, stored: LineMetric.Total) -> Double {
    let rest = count - stored.count
    let zoomed =
      environment.configuration.zoom * (stored.along + Double(rest) * standard.along)
    let multiple = stored.multiple + (standard.isMultiple ? rest : 0)
    return multiple == 0 ? zoomed : zoomed + pageGapsAlong * Double(multiple)
  }

  private func gaps(upTo line: Int) -> Double {
    spreadsPerLine == 1
      ? gaps.sum(upTo: line, in: pairing) : environment.gap * Double(line)
  }

  /// The start and end of a line along the axis, from the first line's start.
  ///
  /// Both edges come from prefix sums: with a gap of 0, a line ends exactly where the next one
  /// begins, and errors do not add up.
  ///
  /// - Returns: The edges, in layout units.
  /// - Complexity: O(log *n*).
  func edges(ofLine line: Int) -> (start: Double, end: Double) {
    if spreadsPerLine == 0 { return flowEdges(ofLine: line) }
    let gaps = gaps(upTo: line)
    let (before, through) = lines.totals(
      before: firstPosition(ofLine: line)..<firstPosition(ofLine: line + 1)
    )
    return (
      extent(ofFirst: line, stored: before) + gaps,
      extent(ofFirst: line + 1, stored: through) + gaps
    )
  }

  /// Where a line begins along the axis.
  func start(ofLine line: Int) -> Double {
    if spreadsPerLine == 0 { return flowStart(ofLine: line) }
    return extent(ofFirst: line, stored: lines.total(before: firstPosition(ofLine: line)))
      + gaps(upTo: line)
  }

  /// The last line that begins at or before a distance from the first line's start; 0 if none does.
  /// There must be a line.
  ///
  /// - Complexity: O(log *n*), with at most 64 sums per level.
  func line(at distance: Double) -> Int {
    if spreadsPerLine == 0 { return flowLine(at: distance) }
    let lineCount = lineCount
    let place = lines.lastPlace { position, stored in
      let line = lines(before: position)
      return line < lineCount
        && extent(ofFirst: line, stored: stored) + gaps(upTo: line) <= distance
    }
    // Nothing is stored from here on, so each step is computed.
    let first = lines(before: place.keys.lowerBound)
    var lower = min(first, lineCount - 1)
    var upper = min(max(lower + 1, lines(before: place.keys.upperBound)), lineCount)
    narrow(&lower, &upper, pitch: environment.configuration.zoom * standard.along + gaps.regular) {
      distance - (extent(ofFirst: $0, stored: place.sum) + gaps(upTo: $0))
    }
    return lower
  }

  /// The lines that overlap the range between two distances from the first line's start.
  func lines(from lower: Double, to upper: Double) -> Range<Int> {
    guard lineCount > 0, upper > lower else { return 0..<0 }
    var first = line(at: lower)
    if edges(ofLine: first).end <= lower { first += 1 }
    var last = line(at: upper)
    if start(ofLine: last) < upper { last += 1 }
    return first..<max(first, last)
  }

  /// The extent of all lines with the gaps between them.
  var length: Double {
    if spreadsPerLine == 0 { return flowLength }
    return lineCount == 0
      ? 0 : extent(ofFirst: lineCount, stored: lines.total) + gaps(upTo: lineCount - 1)
  }

  /// The largest extent across the axis.
  var breadth: Double {
    if spreadsPerLine == 0 { return flowBreadth }
    guard lineCount > 0 else { return 0 }
    let total = lines.total
    let zoom = environment.configuration.zoom
    var single = total.crossOfSingle
    var multiple = total.crossOfMultiple
    if total.count < lineCount {
      if standard.isMultiple {
        multiple = max(multiple, standard.cross)
      } else {
        single = max(single, standard.cross)
      }
    }
    return max(single * zoom, multiple > 0 ? multiple * zoom + pageGapsAcross : 0)
  }

  /// Whether every page in `range` of the lines is measured, or missing. O(log *n*); with missing pages, that for each
  /// run of the sequence.
  func areLinesMeasured(_ range: Range<Int>) -> Bool {
    // Often all are, and then none must be checked.
    guard !range.isEmpty, lines.total.exact < lineCount else { return true }
    let positions =
      firstPosition(ofLine: range.lowerBound)..<firstPosition(ofLine: range.upperBound)
    let (before, through) = lines.totals(before: positions)
    if through.exact - before.exact == range.count { return true }
    return areSettled(positions)
  }

  /// Whether every page at these positions is measured or missing, if some are missing.
  func areSettled(_ positions: Range<Int>) -> Bool {
    guard !sizes.missing.isEmpty else { return false }
    var areSettled = pagesLending(toBlanksAtEndsOf: positions).allSatisfy {
      sizes.areSettled(Range(only: $0))
    }
    pages.forEachPiece(of: positions) { _, run in
      guard areSettled, let pages = run.pages else { return }
      areSettled = sizes.areSettled(pages)
    }
    return areSettled
  }
}

/// Narrows two lines down to neighbors, the first of which begins at or before a place, and the
/// second after it. The first guess assumes equal distances between lines; if they are equal, only
/// rounding must be checked.
///
/// - Parameters:
///   - pitch: The expected distance between lines.
///   - distance: The distance from the start of a line to the place; decreases with the line.
@inline(__always)
func narrow(
  _ lower: inout Int,
  _ upper: inout Int,
  pitch: Double,
  _ distance: (Int) -> Double
) {
  guard upper - lower > 1 else { return }
  let share = distance(lower) / pitch
  if share >= 0, share < Double(upper - lower) {
    let guess = lower + Int(share)
    var line = guess
    while line <= guess + 1 {
      if line > lower, line < upper {
        if distance(line) >= 0 { lower = line } else { upper = line }
      }
      line += 1
    }
  }
  lower = (lower + 1..<upper).partitioningIndex { !(distance($0) >= 0) } - 1
  upper = lower + 1
}
