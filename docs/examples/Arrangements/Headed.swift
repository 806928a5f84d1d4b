public import PageLayout

/// Any arrangement with room for a heading before its content.
///
/// It wraps the arrangement of a mode, or a custom one, and moves it: everything that is not here is
/// forwarded. The windows that it passes on are moved, too, because in a carousel places depend on them.
public struct Headed<Base: PageArranging>: ArrangementWrapper {
  /// The arrangement of the pages.
  public var base: Base
  private let heading: Double

  /// An arrangement below a heading (beside it, along a horizontal axis).
  ///
  /// - Parameters:
  ///   - base: The arrangement of the pages.
  ///   - heading: The extent of the heading along the axis, in layout units.
  public init(_ base: Base, heading: Double) {
    self.base = base
    self.heading = heading
  }

  /// How far the pages are moved. From right to left, the heading is on the right, at the end of the content.
  private func distance(in environment: LayoutEnvironment) -> Point {
    if environment.isVertical { return Point(x: 0, y: heading) }
    return Point(x: environment.runsBackwards ? 0 : heading, y: 0)
  }

  /// The window in the content of the base.
  private func moved(_ window: Rect, in environment: LayoutEnvironment) -> Rect {
    let distance = distance(in: environment)
    return window.offsetBy(x: -distance.x, y: -distance.y)
  }

  /// The base and the heading.
  public func contentSize(of spreads: Spreads) -> Size {
    let environment = spreads.environment
    let size = base.contentSize(of: spreads)
    return environment.size(
      along: environment.along(size) + heading,
      across: environment.across(size)
    )
  }

  /// The place in the base, moved.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let environment = spreads.environment
    let distance = distance(in: environment)
    var place = base.place(index, of: spreads, in: moved(window, in: environment))
    place.frame = place.frame.offsetBy(x: distance.x, y: distance.y)
    place.cell = place.cell.offsetBy(x: distance.x, y: distance.y)
    return place
  }

  /// Those of the base in the moved window.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    base.spreads(touching: moved(window, in: spreads.environment), of: spreads)
  }

  /// Those of the base in the moved window.
  public func spreadRanges(touching window: Rect, of spreads: Spreads) -> [Range<Int>] {
    base.spreadRanges(touching: moved(window, in: spreads.environment), of: spreads)
  }

  /// That of the base, moved.
  public func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    let distance = distance(in: spreads.environment)
    return base.restingOffset(of: index, of: spreads) + distance.x + distance.y
  }
}
