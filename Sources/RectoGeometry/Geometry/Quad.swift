/// Four corners, named as in the unrotated content: top left, top right, bottom right, bottom left.
///
/// A picture of a page is drawn with its corners there; text reads from left to right.
public struct Quad: Hashable, Sendable {
  /// Where the top left corner is.
  public var topLeft: Point
  /// Where the top right corner is.
  public var topRight: Point
  /// Where the bottom right corner is.
  public var bottomRight: Point
  /// Where the bottom left corner is.
  public var bottomLeft: Point

  /// A quad from its corners.
  ///
  /// - Parameters:
  ///   - topLeft: Where the top left corner is.
  ///   - topRight: Where the top right corner is.
  ///   - bottomRight: Where the bottom right corner is.
  ///   - bottomLeft: Where the bottom left corner is.
  public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.bottomLeft = bottomLeft
  }

  /// The corners of a rectangle.
  public init(_ rect: Rect) {
    self.init(
      topLeft: rect.origin,
      topRight: Point(x: rect.maxX, y: rect.minY),
      bottomRight: Point(x: rect.maxX, y: rect.maxY),
      bottomLeft: Point(x: rect.minX, y: rect.maxY)
    )
  }

  /// The corners in order.
  public var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// The quad with each corner mapped.
  public func mapped(_ place: (Point) -> Point) -> Quad {
    Quad(
      topLeft: place(topLeft),
      topRight: place(topRight),
      bottomRight: place(bottomRight),
      bottomLeft: place(bottomLeft)
    )
  }

  /// The smallest rectangle around the corners.
  public var bounds: Rect {
    let (x, y) = (corners.map { $0.x }, corners.map { $0.y })
    let (minX, minY) = (x.min() ?? 0, y.min() ?? 0)
    return Rect(x: minX, y: minY, width: (x.max() ?? 0) - minX, height: (y.max() ?? 0) - minY)
  }

  /// The enclosed area, by the shoelace formula; 0 for an empty quad.
  public var area: Double {
    let points = corners
    var sum = 0.0
    for (index, point) in points.enumerated() {
      let next = points[(index + 1) % 4]
      sum += point.x * next.y - next.x * point.y
    }
    return abs(sum) / 2
  }
}

#if !hasFeature(Embedded)
  extension Quad: Codable {}
#endif
