public import RectoGeometry

/// Geometry that every layout built on lines shares. A line is a spread, or a row of several, and the sums over lines are
/// kept by the layout: none of this walks the spreads.
extension Spreads {
  /// The extent along the axis, ignoring the minimum content size.
  private var naturalLength: Double {
    let margins = environment.configuration.margins
    return environment.leading(margins) + length + environment.trailing(margins)
      + environment.configuration.trailingSpace
  }

  /// How far the first line is from the content's start.
  private var lead: Double {
    let least = environment.along(environment.configuration.minimumContentSize)
    let margin = environment.leading(environment.configuration.margins)
    return least > 0 ? margin + max(0, least - naturalLength) / 2 : margin
  }

  /// The margins on both sides across the axis.
  private var marginsAcross: Double {
    let margins = environment.configuration.margins
    return environment.near(margins) + environment.far(margins)
  }

  /// The breadth of content into which everything fits.
  private var givenBreadth: Double {
    max(
      environment.across(environment.uncovered),
      environment.across(environment.configuration.minimumContentSize)
    )
  }

  /// The breadth between the margins in which spreads are aligned.
  private var bandBreadth: Double {
    let given = givenBreadth - marginsAcross
    return environment.configuration.centering == .content ? max(given, breadth) : given
  }

  /// The breadth of content for something this broad between the margins.
  ///
  /// Content fitted to the viewport fills it exactly, so that it cannot be scrolled by a rounding
  /// error.
  ///
  /// - Parameter breadth: An extent across the axis, in layout units.
  /// - Returns: The extent of the content across the axis, margins included.
  public func contentBreadth(holding breadth: Double) -> Double {
    let given = givenBreadth
    return breadth <= (given - marginsAcross) * (1 + 1e-12) ? given : breadth + marginsAcross
  }

  /// The size of the content of a stack of lines; zero if there are no lines. O(log *n*).
  public var stackSize: Size {
    guard lineCount > 0 else { return .zero }
    let configuration = environment.configuration
    return environment.size(
      along: max(
        naturalLength,
        environment.along(configuration.minimumContentSize)
      ),
      across: contentBreadth(holding: breadth)
    )
  }

  /// Where a line begins and ends in the content, the smaller coordinate first.
  ///
  /// Both come from prefix sums: without a gap, one line ends exactly where the next one begins.
  ///
  /// - Parameter line: A line that exists.
  /// - Returns: The edges along the axis, in layout units.
  /// - Complexity: O(log *n*).
  public func contentEdges(ofLine line: Int) -> (min: Double, max: Double) {
    contentEdges(of: edges(ofLine: line))
  }

  /// The position in the content of something that begins and ends at these distances from the
  /// start of the first line.
  func contentEdges(of edges: (start: Double, end: Double)) -> (min: Double, max: Double) {
    let lead = lead
    guard environment.runsBackwards else { return (lead + edges.start, lead + edges.end) }
    let length = environment.along(stackSize)
    return (length - (lead + edges.end), length - (lead + edges.start))
  }

  /// The lines that overlap a window along the axis.
  ///
  /// - Parameter window: A part of the content.
  /// - Returns: Lines that exist.
  /// - Complexity: O(log *n*).
  public func lines(touching window: Rect) -> Range<Int> {
    let part = environment.along(window)
    let lead = lead
    guard environment.runsBackwards else {
      return lines(from: part.min - lead, to: part.max - lead)
    }
    let length = environment.along(stackSize)
    return lines(from: length - part.max - lead, to: length - part.min - lead)
  }

  /// Whether the position of each line depends on all lines.
  public var isDecidedByAll: Bool {
    let least = environment.along(environment.configuration.minimumContentSize)
    return environment.configuration.centering == .content || (least > 0 && naturalLength < least)
  }

  /// The lines whose positions may change with lines in a range.
  public func linesAffected(by range: Range<Int>) -> Range<Int> {
    if isDecidedByAll { return 0..<lineCount }
    return environment.runsBackwards ? 0..<range.upperBound : range.lowerBound..<lineCount
  }

  /// The lines whose sizes decide the positions of those in a range.
  public func linesDeciding(_ range: Range<Int>) -> Range<Int> {
    if isDecidedByAll { return 0..<lineCount }
    if environment.runsBackwards {
      // Pairing still depends on the previous pages.
      return pairsByShape ? 0..<lineCount : range.lowerBound..<lineCount
    }
    return 0..<range.upperBound
  }

  /// The part across the axis in which something of this breadth is aligned, in layout units.
  public func band(for breadth: Double) -> (min: Double, max: Double) {
    let near = environment.near(environment.configuration.margins)
    return (near, near + max(bandBreadth, breadth))
  }

  /// The distance of a spread's axis from its left edge: the spine between an even number of
  /// columns, else the middle; along a horizontal axis, the middle of its height.
  ///
  /// - Parameters:
  ///   - index: A spread that exists.
  ///   - metric: The result of its size pass.
  /// - Returns: The distance in layout units.
  public func spine(of index: Int, _ metric: SpreadMetric) -> Double {
    let size = size(metric)
    guard environment.isVertical else { return size.height / 2 }
    guard metric.columns > 1, metric.columns % 2 == 0 else { return size.width / 2 }
    let half = metric.columns / 2
    let scale = metric.scale * environment.configuration.zoom
    let widths = columnWidths(of: index, metric)
    return widths[..<half].reduce(0, +) * scale + (Double(half) - 0.5) * environment.pageGap
  }

  /// The widths of the columns from left to right, in points.
  func columnWidths(of index: Int, _ metric: SpreadMetric) -> [Double] {
    columnWidths(slots(of: index), firstColumn: columns(of: index).first, metric)
  }

  /// The widths of the columns from left to right, in points.
  ///
  /// - Parameters:
  ///   - firstColumn: The column of the first of them.
  func columnWidths(_ slots: [Slot], firstColumn: Int, _ metric: SpreadMetric) -> [Double] {
    var widest = 0.0
    for slot in slots { widest = max(widest, slot.size.width) }
    var widths = [Double](repeating: widest, count: metric.columns)
    for (index, slot) in slots.enumerated() { widths[firstColumn + index] = slot.size.width }
    return environment.configuration.isRightToLeft ? widths.reversed() : widths
  }

  /// The start across the axis of something centered on the band's axis, as far as the band allows.
  ///
  /// - Parameters:
  ///   - breadth: Its extent across the axis.
  ///   - axis: The distance of its axis from its start.
  ///   - band: Where the band begins and ends across the axis.
  /// - Returns: Where it begins, in layout units.
  public func alignedStart(of breadth: Double, axis: Double, in band: (min: Double, max: Double))
    -> Double
  {
    let last = max(band.min, band.max - breadth)
    // Across a vertical axis, reading starts at the right in right-to-left documents.
    let isMirrored = environment.isVertical && environment.configuration.isRightToLeft
    switch environment.configuration.align {
    case .center: return min(max((band.min + band.max) / 2 - axis, band.min), last)
    case .start: return isMirrored ? last : band.min
    case .end: return isMirrored ? band.min : last
    }
  }
}
