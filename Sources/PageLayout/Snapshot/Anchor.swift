public import RectoGeometry

/// A place that remains valid while sizes, zoom, rotation, viewport, mode and order change.
///
/// It refers to a page, not to a position or an offset. A place in a gap or a margin is a point
/// outside of the page's frame.
public struct Anchor: Hashable, Sendable {
  /// The page of the document.
  public var page: PageIndex
  /// Which of the page's positions, from 0, if it is shown more than once.
  public var occurrence: Int
  /// The point as a fraction of the page's width and height, from its top left, before the view's
  /// rotation. May be outside of 0…1.
  public var place: Point

  /// An anchor from its parts.
  ///
  /// - Parameters:
  ///   - page: The page of the document.
  ///   - occurrence: Which of the page's positions, from 0, if it is shown more than once.
  ///   - place: The point as a fraction of the page's width and height, from its top left, before
  ///     the view's rotation.
  public init(page: PageIndex, occurrence: Int = 0, place: Point) {
    self.page = page
    self.occurrence = occurrence
    self.place = place
  }
}

extension Point {
  /// A point of the unit square after rotating the square clockwise.
  func turnedInUnitSquare(by rotation: Rotation) -> Point {
    switch rotation {
    case .none: self
    case .quarter: Point(x: 1 - y, y: x)
    case .half: Point(x: 1 - x, y: 1 - y)
    case .threeQuarters: Point(x: y, y: 1 - x)
    }
  }
}

#if !hasFeature(Embedded)
  extension Anchor: Codable {}
#endif
