internal import DocumentModel
internal import RectoGeometry

extension TextBox {
  /// The smallest box around both.
  func union(_ other: TextBox) -> TextBox {
    TextBox(
      minX: min(minX, other.minX),
      minY: min(minY, other.minY),
      maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY)
    )
  }

  /// Whether it has neither width nor height, like the box of a line feed.
  var isPoint: Bool { minX == maxX && minY == maxY }

  /// The edges along the axis of a direction, in points.
  func extent(along direction: TextDirection) -> Interval {
    direction.isHorizontal ? Interval(minX, maxX) : Interval(minY, maxY)
  }

  /// The edges across a direction, in points.
  func extent(across direction: TextDirection) -> Interval {
    direction.isHorizontal ? Interval(minY, maxY) : Interval(minX, maxX)
  }

  /// The square of the distance to a point, 0 inside.
  func squaredDistance(to point: Point) -> Double {
    let x = Interval(minX, maxX).distance(to: point.x)
    let y = Interval(minY, maxY).distance(to: point.y)
    return x * x + y * y
  }
}

/// The edges of a box on one axis, in points.
struct Interval {
  var lower: Double
  var upper: Double

  init(_ lower: Float, _ upper: Float) {
    self.lower = Double(lower)
    self.upper = Double(upper)
  }

  var length: Double { upper - lower }
  var middle: Double { (lower + upper) / 2 }

  /// The distance to a place, 0 inside.
  func distance(to place: Double) -> Double { max(lower - place, place - upper, 0) }

  /// The length of the overlap; if negative, the gap between them.
  func overlap(with other: Interval) -> Double {
    min(upper, other.upper) - max(lower, other.lower)
  }
}

extension Point {
  /// The coordinate on the axis of a direction.
  func place(along direction: TextDirection) -> Double { direction.isHorizontal ? x : y }

  /// The coordinate on the other axis.
  func place(across direction: TextDirection) -> Double { direction.isHorizontal ? y : x }
}
