public import RectoGeometry

/// The start and end of a page's path in a ``Transition``.
public struct PageMotion: Hashable, Sendable {
  /// A page at the start or end.
  public struct End: Hashable, Sendable {
    /// Its frame, in coordinates of the viewport.
    public var frame: Rect
    /// The part of the viewport to which it is clipped; nil at both ends if it is clipped at
    /// neither.
    public var clip: Rect?
    /// From 0 where it is not shown to 1.
    public var opacity: Double
  }

  /// The page of the document.
  public var page: PageIndex
  /// The page's position at the end; nil for a page that disappears.
  public var newPosition: Int?
  /// The page's position at the start; nil for a page that appears.
  public var oldPosition: Int?
  /// Where it comes from.
  public var start: End
  /// Where it goes to.
  public var end: End

  /// The position at the end; for a page that disappears, at the start.
  public var position: Int { newPosition ?? oldPosition ?? 0 }

  /// Whether only one of the layouts shows the page.
  public var fades: Bool { start.opacity != end.opacity }

  /// Whether the path of a page that does not rotate crosses the viewport.
  func crosses(from first: Size, to last: Size) -> Bool {
    // Each condition holds in a time interval.
    var lower = 0.0
    var upper = 1.0
    func hold(_ before: Double, _ after: Double) {
      if before > 0, after > 0 { return }
      if before <= 0, after <= 0 {
        upper = -1
      } else if before > 0 {
        upper = min(upper, before / (before - after))
      } else {
        lower = max(lower, before / (before - after))
      }
    }
    hold(start.frame.maxX, end.frame.maxX)
    hold(start.frame.maxY, end.frame.maxY)
    hold(first.width - start.frame.minX, last.width - end.frame.minX)
    hold(first.height - start.frame.minY, last.height - end.frame.minY)
    return lower < upper
  }
}

/// A page at one time of a ``Transition``.
public struct MovingPage: Hashable, Sendable {
  /// The page of the document.
  public var page: PageIndex
  /// The page's position at the end; for a page that disappears, at the start.
  public var position: Int
  /// The smallest upright rectangle around it, in coordinates of the viewport. Its center is that of the page.
  public var frame: Rect
  /// Its width and height in layout units, before the rotation.
  public var size: Size
  /// Its clockwise rotation in degrees, on top of the page's own rotation.
  public var angle: Double
  /// The part of the viewport to which it is clipped; nil for no clipping.
  public var clip: Rect?
  /// From 0, invisible, to 1.
  public var opacity: Double
}
