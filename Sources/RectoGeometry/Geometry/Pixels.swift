/// An extent in device pixels.
public struct PixelSize: Hashable, Sendable {
  /// Columns of pixels.
  public var width: Int
  /// Rows of pixels.
  public var height: Int

  /// A size from its two extents.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Width times height, or nil when the product does not fit an `Int`.
  public var area: Int? {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : product
  }
}

/// A rectangle in device pixels, y down.
///
/// Points and pixels are different types; only ``Rect/snapped(scale:)`` converts. Values are within ±2^54, or ±2^29
/// where an `Int` has 32 bits, so that sums of some of them fit an `Int`; products may not.
public struct PixelRect: Hashable, Sendable {
  /// Column of the left edge.
  public var x: Int
  /// Row of the top edge.
  public var y: Int
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A rectangle from four numbers.
  ///
  /// - Parameters:
  ///   - x: The left edge, in pixels.
  ///   - y: The top edge, in pixels.
  ///   - width: The number of columns.
  ///   - height: The number of rows.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The column after the right edge.
  public var maxX: Int { x + width }
  /// The row below the bottom edge.
  public var maxY: Int { y + height }
  /// Width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// Whether there is no pixel in it.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Whether all pixels of `other` are in it.
  public func contains(_ other: PixelRect) -> Bool {
    other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
  }

  /// The pixels shared with `other`; nil when there are none.
  public func intersection(_ other: PixelRect) -> PixelRect? {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle that contains both.
  public func union(_ other: PixelRect) -> PixelRect {
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(
      x: left,
      y: top,
      width: max(maxX, other.maxX) - left,
      height: max(maxY, other.maxY) - top
    )
  }
}

extension Rect {
  /// The rectangle in device pixels, at `scale` pixels per unit.
  ///
  /// Edges are rounded, sizes are not: rectangles that share an edge in units share it in pixels,
  /// so neighbors neither overlap nor leave a hairline. An edge halfway between two pixels is
  /// rounded up, even if it is negative, so that the result does not depend on the origin. Edges
  /// are clamped to ±2^53 pixels, or ±2^28 where an `Int` has 32 bits; NaN becomes the lower limit.
  public func snapped(scale: Double) -> PixelRect {
    let left = Self.edge(minX * scale)
    let top = Self.edge(minY * scale)
    return PixelRect(
      x: left,
      y: top,
      width: Self.edge(maxX * scale) - left,
      height: Self.edge(maxY * scale) - top
    )
  }

  private static func edge(_ value: Double) -> Int {
    let limit = Double(1 << (Int.bitWidth == 64 ? 53 : 28))
    // Written so that NaN becomes the lower limit instead of trapping below.
    guard value > -limit else { return -Int(limit) }
    return Int(min((value + 0.5).rounded(.down), limit))
  }
}

#if !hasFeature(Embedded)
  extension PixelSize: Codable {}
  extension PixelRect: Codable {}

  extension PixelSize: CustomStringConvertible {
    /// Columns and rows, such as `512 × 512`.
    public var description: String { "\(width) × \(height)" }
  }

  extension PixelRect: CustomStringConvertible {
    /// Size and origin, such as `512 × 256 at (0, 1024)`.
    public var description: String { "\(width) × \(height) at (\(x), \(y))" }
  }
#endif
