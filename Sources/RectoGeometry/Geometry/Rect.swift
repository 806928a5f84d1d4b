/// A rectangle in a plane whose y axis points down.
public struct Rect: Hashable, Sendable {
  /// The top left corner.
  public var origin: Point
  /// Width and height; never negative in a rectangle made by Recto.
  public var size: Size

  /// A rectangle from its corner and its size.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// A rectangle from four numbers.
  ///
  /// - Parameters:
  ///   - x: The left edge.
  ///   - y: The upper edge.
  ///   - width: The extent to the right of `x`.
  ///   - height: The extent below `y`.
  public init(x: Double, y: Double, width: Double, height: Double) {
    origin = Point(x: x, y: y)
    size = Size(width: width, height: height)
  }

  /// A rectangle from its middle and its size.
  public init(around middle: Point, size: Size) {
    self.init(
      x: middle.x - size.width / 2,
      y: middle.y - size.height / 2,
      width: size.width,
      height: size.height
    )
  }

  /// A rectangle of no extent at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The left edge.
  public var minX: Double { origin.x }
  /// The top edge.
  public var minY: Double { origin.y }
  /// The right edge.
  public var maxX: Double { origin.x + size.width }
  /// The bottom edge.
  public var maxY: Double { origin.y + size.height }
  /// Width of the rectangle.
  public var width: Double { size.width }
  /// Height of the rectangle.
  public var height: Double { size.height }
  /// The point in the middle.
  public var center: Point { Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2) }
  /// Width times height.
  public var area: Double { size.area }
  /// Whether the rectangle encloses no area.
  public var isEmpty: Bool { !(size.width > 0 && size.height > 0) }

  /// The area shared with `other`; nil when they share none. Touching edges share nothing.
  public func intersection(_ other: Rect) -> Rect? {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The part inside `clip`; if there is none, an empty rectangle at its nearest edge. Edges that exceed it only by
  /// rounding errors are kept: clipping them could move an edge halfway between two pixels to the wrong one.
  public func clipped(to clip: Rect) -> Rect {
    let lost = 1e-5
    let left = minX < clip.minX - lost ? clip.minX : min(minX, clip.maxX)
    let top = minY < clip.minY - lost ? clip.minY : min(minY, clip.maxY)
    let right = maxX > clip.maxX + lost ? clip.maxX : maxX
    let bottom = maxY > clip.maxY + lost ? clip.maxY : maxY
    return Rect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// Whether the two rectangles share an area. Touching edges do not count.
  public func intersects(_ other: Rect) -> Bool {
    min(maxX, other.maxX) > max(minX, other.minX) && min(maxY, other.maxY) > max(minY, other.minY)
  }

  /// Whether `point` lies inside; the left and top edges belong to the rectangle, the others do
  /// not, so that neighbors never both contain a point.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// The smallest rectangle around both.
  public func union(_ other: Rect) -> Rect {
    let left = min(minX, other.minX)
    let top = min(minY, other.minY)
    return Rect(
      x: left,
      y: top,
      width: max(maxX, other.maxX) - left,
      height: max(maxY, other.maxY) - top
    )
  }

  /// The rectangle moved by the given distances.
  public func offsetBy(x: Double, y: Double) -> Rect {
    Rect(x: minX + x, y: minY + y, width: width, height: height)
  }

  /// The rectangle made smaller by `insets`; never with a negative size.
  public func inset(by insets: Insets) -> Rect {
    Rect(
      x: minX + insets.left,
      y: minY + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom)
    )
  }
}

/// Distances from the four edges of a rectangle inwards.
public struct Insets: Hashable, Sendable {
  /// Distance from the top edge.
  public var top: Double
  /// Distance from the right edge.
  public var right: Double
  /// Distance from the bottom edge.
  public var bottom: Double
  /// Distance from the left edge.
  public var left: Double

  /// Insets in the order of CSS: top, right, bottom, left.
  ///
  /// - Parameters:
  ///   - top: Distance from the top edge.
  ///   - right: Distance from the right edge.
  ///   - bottom: Distance from the bottom edge.
  ///   - left: Distance from the left edge.
  public init(top: Double, right: Double, bottom: Double, left: Double) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }

  /// The same distance from all four edges.
  public init(_ all: Double) {
    self.init(top: all, right: all, bottom: all, left: all)
  }

  /// No insets.
  public static let zero = Insets(0)

  /// Left plus right.
  public var horizontal: Double { left + right }
  /// Top plus bottom.
  public var vertical: Double { top + bottom }
}

#if !hasFeature(Embedded)
  extension Rect: Codable {}
  extension Insets: Codable {}

  extension Rect: CustomStringConvertible {
    /// Size and origin, such as `612.0 × 792.0 at (10.0, 20.5)`.
    public var description: String { "\(size) at \(origin)" }
  }
#endif
