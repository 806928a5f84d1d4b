public import RectoGeometry

/// One row or one column of spreads: the whole document as one canvas.
///
/// This is `continuous`. Custom layouts may build on it.
public struct StackArrangement: PageArranging {
  /// A stack.
  public init() {}

  /// Spreads follow the lines.
  public var placesByRule: Bool { true }

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

  /// The previous spreads; in a stack that runs backwards the following ones, because the content's
  /// origin is at its end; all of them if the content is centered.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.linesDeciding(range)
  }

  /// The counterpart: the following spreads, the previous ones, or all.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.linesAffected(by: range)
  }
}
