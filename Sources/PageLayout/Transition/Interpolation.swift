internal import RectoGeometry

// Exact at both ends: no rounding at 0 and 1.
private func between(_ start: Double, _ end: Double, _ share: Double) -> Double {
  start * (1 - share) + end * share
}

extension Point {
  /// The point at a fraction of the straight line to another one.
  func moved(to end: Point, by share: Double) -> Point {
    Point(x: between(x, end.x, share), y: between(y, end.y, share))
  }
}

extension Size {
  /// The size interpolated to another one.
  func moved(to end: Size, by share: Double) -> Size {
    Size(width: between(width, end.width, share), height: between(height, end.height, share))
  }

  /// The size of a rectangle before a rotation by quarter turns, in degrees.
  func upright(at degrees: Double) -> Size {
    degrees.truncatingRemainder(dividingBy: 180) == 0 ? self : transposed
  }
}

extension Rect {
  /// The rectangle at a fraction of the straight line to another one.
  func moved(to end: Rect, by share: Double) -> Rect {
    Rect(
      origin: origin.moved(to: end.origin, by: share),
      size: size.moved(to: end.size, by: share)
    )
  }
}
