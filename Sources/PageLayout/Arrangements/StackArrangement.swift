public import RectoGeometry

/// One row or one column of spreads: the whole document as one canvas.
///
/// This is `continuous`, and what a layout of your own may build on.
public struct StackArrangement: PageArranging {
  /// A stack.
  public init() {}

  /// The spreads, the gaps between them and the margins around them.
  public func contentSize(of spreads: Spreads) -> Size { spreads.stackSize }

  /// The spread's line of the stack, aligned across the axis.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content; has no effect.
  /// - Returns: The spread's place in the content.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let environment = spreads.environment
    let along = spreads.contentEdges(ofLine: spreads.line(ofSpread: index))
    let metric = spreads.metric(of: index)
    let breadth = environment.across(spreads.size(metric))
    let band = spreads.band(for: breadth)
    let across = spreads.alignedStart(of: breadth, axis: spreads.spine(of: index, metric), in: band)
    let frame = environment.rect(along: along, across: across, breadth: breadth)
    let margins = environment.configuration.margins
    let cell = environment.rect(
      along: along,
      across: 0,
      breadth: band.max + environment.far(margins)
    )
    return SpreadPlace(frame: frame, cell: cell, scale: 1)
  }

  /// The lines between the window's edges along the axis.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    spreads.lines(touching: window)
  }

  /// The spreads in front; in a stack that runs backwards the ones behind, since the content's
  /// origin is at its end; all of them where the content is centered.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.linesDeciding(range)
  }

  /// The counterpart: the spreads behind, in front, or all.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.linesAffected(by: range)
  }
}

/// Geometry that every layout built on lines shares.
extension Spreads {
  /// The extent along the axis without regard to the least content size.
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

  /// The breadth of content in which everything fits.
  private var givenBreadth: Double {
    max(
      environment.across(environment.uncovered),
      environment.across(environment.configuration.minimumContentSize)
    )
  }

  /// The breadth between the margins that spreads are aligned in.
  private var bandBreadth: Double {
    let given = givenBreadth - marginsAcross
    return environment.configuration.centering == .content ? max(given, breadth) : given
  }

  /// The breadth of content that holds something this broad between the margins.
  ///
  /// What is fitted to the viewport fills it to the last digit: it is not to be scrolled for what a
  /// product loses.
  func contentBreadth(holding breadth: Double) -> Double {
    let given = givenBreadth
    return breadth <= (given - marginsAcross) * (1 + 1e-12) ? given : breadth + marginsAcross
  }

  /// The size of the content of a stack of lines; nothing when there are no lines.
  var stackSize: Size {
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
  func contentEdges(ofLine line: Int) -> (min: Double, max: Double) {
    contentEdges(of: edges(ofLine: line))
  }

  /// Where something lies in the content that begins and ends at these distances from the start of
  /// the first line.
  func contentEdges(of edges: (start: Double, end: Double)) -> (min: Double, max: Double) {
    let lead = lead
    guard environment.runsBackwards else { return (lead + edges.start, lead + edges.end) }
    let length = environment.along(stackSize)
    return (length - (lead + edges.end), length - (lead + edges.start))
  }

  /// The lines that take up room between the edges of a window along the axis.
  func lines(touching window: Rect) -> Range<Int> {
    let part = environment.along(window)
    let lead = lead
    guard environment.runsBackwards else {
      return lines(from: part.min - lead, to: part.max - lead)
    }
    let length = environment.along(stackSize)
    return lines(from: length - part.max - lead, to: length - part.min - lead)
  }

  /// Whether all lines together decide where each one sits.
  var isDecidedByAll: Bool {
    let least = environment.along(environment.configuration.minimumContentSize)
    return environment.configuration.centering == .content || (least > 0 && naturalLength < least)
  }

  /// The lines that may sit elsewhere once lines in a range have changed.
  func linesAffected(by range: Range<Int>) -> Range<Int> {
    if isDecidedByAll { return 0..<lineCount }
    return environment.runsBackwards ? 0..<range.upperBound : range.lowerBound..<lineCount
  }

  /// The lines whose sizes decide where others sit.
  func linesDeciding(_ range: Range<Int>) -> Range<Int> {
    if isDecidedByAll { return 0..<lineCount }
    if environment.runsBackwards {
      // How pages are paired is decided in front even so.
      return pairsByShape ? 0..<lineCount : range.lowerBound..<lineCount
    }
    return 0..<range.upperBound
  }

  /// The part across the axis in which something of this breadth is aligned.
  func band(for breadth: Double) -> (min: Double, max: Double) {
    let near = environment.near(environment.configuration.margins)
    return (near, near + max(bandBreadth, breadth))
  }

  /// The distance of a spread's axis from its left edge: the spine between an even number of
  /// columns, else the middle; along a horizontal axis, the middle of its height.
  func spine(of index: Int, _ metric: SpreadMetric) -> Double {
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

  /// Where something begins across the axis when its own axis lies on that of the band, as far as
  /// the band allows.
  ///
  /// - Parameters:
  ///   - breadth: The extent across the axis of what is placed.
  ///   - axis: The distance of its own axis from its start.
  ///   - band: Where the band begins and ends across the axis.
  /// - Returns: Where it begins, in layout units.
  func alignedStart(of breadth: Double, axis: Double, in band: (min: Double, max: Double))
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
