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
///
/// Not those of a C library, whose last bit differs from system to system.
private func sineAndCosine(_ degrees: Double) -> (sine: Double, cosine: Double) {
  let turn = degrees.remainder(dividingBy: 360)
  let quarters = (turn / 90).rounded()
  // Within 45 degrees around 0, and exact: the two numbers are close, or the second one is 0.
  let rest = turn - quarters * 90
  let (sine, cosine) = rest == 0 ? (0, 1) : sineAndCosine(radians: rest * (.pi / 180))
  switch quarters {
  case 0: return (sine, cosine)
  case 1: return (cosine, 0 - sine)
  case -1: return (0 - cosine, sine)
  default: return (0 - sine, 0 - cosine)
  }
}

/// The sine and the cosine of an angle within π/4 around 0, by their Taylor series: the first terms left out are below
/// half of the last bit.
private func sineAndCosine(radians angle: Double) -> (sine: Double, cosine: Double) {
  let square = angle * angle
  var sine = 0.0
  var cosine = 0.0
  for (odd, even) in inverseFactorials {
    sine = odd - square * sine
    cosine = even - square * cosine
  }
  return (angle * sine, cosine)
}

/// 1 / (n + 1)! and 1 / n! for the even n from 16 to 0.
private let inverseFactorials: [(odd: Double, even: Double)] = [
  (1 / 355_687_428_096_000, 1 / 20_922_789_888_000),
  (1 / 1_307_674_368_000, 1 / 87_178_291_200),
  (1 / 6_227_020_800, 1 / 479_001_600),
  (1 / 39_916_800, 1 / 3_628_800),
  (1 / 362_880, 1 / 40_320),
  (1 / 5040, 1 / 720),
  (1 / 120, 1 / 24),
  (1 / 6, 1 / 2),
  (1, 1),
]
