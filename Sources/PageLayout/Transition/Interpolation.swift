internal import Geometry
internal import Glibc

// The ends are exact: at 0 and at 1 nothing is lost to rounding.
private func between(_ start: Double, _ end: Double, _ share: Double) -> Double {
  start * (1 - share) + end * share
}

extension Point {
  /// The point at a share of the straight way to another one.
  func moved(to end: Point, by share: Double) -> Point {
    Point(x: between(x, end.x, share), y: between(y, end.y, share))
  }

  /// The point turned clockwise about the origin, by degrees; exact for quarter turns.
  func turned(by degrees: Double) -> Point {
    let (sine, cosine) = sineAndCosine(degrees)
    return Point(x: x * cosine - y * sine, y: x * sine + y * cosine)
  }

  static func + (first: Point, second: Point) -> Point {
    Point(x: first.x + second.x, y: first.y + second.y)
  }

  static func - (first: Point, second: Point) -> Point {
    Point(x: first.x - second.x, y: first.y - second.y)
  }

  static func * (point: Point, factor: Double) -> Point {
    Point(x: point.x * factor, y: point.y * factor)
  }
}

extension Size {
  /// The size at a share of the way to another one.
  func moved(to end: Size, by share: Double) -> Size {
    Size(width: between(width, end.width, share), height: between(height, end.height, share))
  }

  /// The size of a rectangle before it was turned by quarter turns, in degrees.
  func upright(at degrees: Double) -> Size {
    degrees.truncatingRemainder(dividingBy: 180) == 0 ? self : transposed
  }

  /// The size of the smallest upright rectangle around one that is turned, by degrees.
  func boundingBox(turnedBy degrees: Double) -> Size {
    let (sine, cosine) = sineAndCosine(degrees)
    return Size(
      width: width * abs(cosine) + height * abs(sine),
      height: width * abs(sine) + height * abs(cosine)
    )
  }
}

extension Rect {
  /// The rectangle at a share of the straight way to another one.
  func moved(to end: Rect, by share: Double) -> Rect {
    Rect(
      origin: origin.moved(to: end.origin, by: share),
      size: size.moved(to: end.size, by: share)
    )
  }

  /// A rectangle from its middle and its size.
  init(around middle: Point, size: Size) {
    self.init(
      x: middle.x - size.width / 2,
      y: middle.y - size.height / 2,
      width: size.width,
      height: size.height
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
