public import PageLayout

/// A custom layout: a stack in which each spread is further to the right than the one before, and every fourth at the
/// left again.
public struct Steps: PageArranging {
  /// Steps.
  public init() {}

  /// That of the stack, and the widest step.
  public func contentSize(of spreads: Spreads) -> Size {
    let size = spreads.stackSize
    return Size(width: size.width + 60, height: size.height)
  }

  /// The place in the stack, to the right by the step.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let margins = spreads.environment.configuration.margins
    let origin = Point(
      x: margins.left + Double(index % 4) * 20,
      y: spreads.contentEdges(ofLine: index).min
    )
    return SpreadPlace(frame: Rect(origin: origin, size: spreads.size(of: index)))
  }

  /// The lines of the stack, which have one spread each.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    spreads.lines(touching: window)
  }

  /// Not only the previous ones: in content that is centered, each line depends on all.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.linesDeciding(range)
  }

  /// The counterpart.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.linesAffected(by: range)
  }
}
