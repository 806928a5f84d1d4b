internal import Glibc

extension Point {
  /// The point turned clockwise about the origin; exact for quarter turns.
  public func turned(byDegrees degrees: Double) -> Point {
    let (sine, cosine) = sineAndCosine(degrees)
    return Point(x: x * cosine - y * sine, y: x * sine + y * cosine)
  }

  /// The sum of two vectors.
  public static func + (first: Point, second: Point) -> Point {
    Point(x: first.x + second.x, y: first.y + second.y)
  }

  /// The vector from the second point to the first.
  public static func - (first: Point, second: Point) -> Point {
    Point(x: first.x - second.x, y: first.y - second.y)
  }

  /// Both coordinates multiplied by `factor`.
  public static func * (point: Point, factor: Double) -> Point {
    Point(x: point.x * factor, y: point.y * factor)
  }
}

extension Size {
  /// The size of the smallest upright rectangle around the rotated one.
  public func boundingBox(turnedByDegrees degrees: Double) -> Size {
    let (sine, cosine) = sineAndCosine(degrees)
    return Size(
      width: width * abs(cosine) + height * abs(sine),
      height: width * abs(sine) + height * abs(cosine)
    )
  }
}

/// The sine and the cosine of an angle in degrees; exact for quarter turns.
private func sineAndCosine(_ degrees: Double) -> (sine: Double, cosine: Double) {
  switch degrees.truncatingRemainder(dividingBy: 360) {
  case 0: (0, 1)
  case 90, -270: (1, 0)
  case 180, -180: (0, -1)
  case 270, -90: (-1, 0)
  case let rest: (sin(rest * .pi / 180), cos(rest * .pi / 180))
  }
}
