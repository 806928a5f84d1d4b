public import RectoGeometry

extension LaidOutPage {
  /// A point of the content as a fraction of the frame's width and height, from its top left.
  func share(of point: Point) -> Point {
    Point(x: (point.x - frame.minX) / frame.width, y: (point.y - frame.minY) / frame.height)
  }

  /// Converts a point of the content to the page: points from the displayed page's top left, y
  /// down, before the view's rotation.
  public func pagePoint(_ point: Point) -> Point {
    let share = share(of: point).turnedInUnitSquare(by: rotation.inverse)
    return Point(x: share.x * size.width, y: share.y * size.height)
  }

  /// Converts a point of the page to the content: the inverse of ``pagePoint(_:)``.
  public func contentPoint(_ point: Point) -> Point {
    let share = Point(x: point.x / size.width, y: point.y / size.height)
      .turnedInUnitSquare(by: rotation)
    return Point(
      x: frame.minX + share.x * frame.width,
      y: frame.minY + share.y * frame.height
    )
  }

  /// Converts a rectangle of the page to the content.
  public func contentRect(_ rect: Rect) -> Rect {
    Rect(from: contentPoint(rect.origin), to: contentPoint(Point(x: rect.maxX, y: rect.maxY)))
  }

  /// Converts a rectangle of the content to the page; it may extend beyond the page.
  public func pageRect(_ rect: Rect) -> Rect {
    Rect(from: pagePoint(rect.origin), to: pagePoint(Point(x: rect.maxX, y: rect.maxY)))
  }
}

extension Rect {
  /// The rectangle between any two opposite corners.
  fileprivate init(from first: Point, to second: Point) {
    self.init(
      x: min(first.x, second.x),
      y: min(first.y, second.y),
      width: abs(second.x - first.x),
      height: abs(second.y - first.y)
    )
  }
}

/// A page's user space, the coordinates of destinations.
///
/// ISO 32000-1, 8.3.2.3: user space is unrotated, y up, and independent of /Rotate.
public struct PageSpace: Hashable, Sendable {
  /// The crop box: its lower left corner in user space, and its size there.
  public var cropBox: Rect
  /// The page's own /Rotate.
  public var rotation: Rotation

  /// A space from its parts.
  public init(cropBox: Rect, rotation: Rotation = .none) {
    self.cropBox = cropBox
    self.rotation = rotation
  }

  /// A point in user space as a fraction of the displayed page's width and height, from its top
  /// left.
  public func share(of point: Point) -> Point {
    Point(
      x: (point.x - cropBox.minX) / cropBox.width,
      y: (cropBox.maxY - point.y) / cropBox.height
    ).turnedInUnitSquare(by: rotation)
  }
}
