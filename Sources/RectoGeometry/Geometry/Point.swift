/// A point in a plane whose y axis points down.
///
/// The unit depends on the context: points on a page, layout units in the content.
public struct Point: Hashable, Sendable {
  /// Distance from the left edge.
  public var x: Double
  /// Distance from the top edge.
  public var y: Double

  /// A point from its two coordinates.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin, top left.
  public static let zero = Point(x: 0, y: 0)
}

/// The extent of a rectangle.
public struct Size: Hashable, Sendable {
  /// Extent along x.
  public var width: Double
  /// Extent along y.
  public var height: Double

  /// A size from its two extents.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// No extent at all.
  public static let zero = Size(width: 0, height: 0)

  /// Whether both extents are finite and greater than zero.
  ///
  /// In a hostile file a page can have a negative, infinite or NaN size, which must not be laid
  /// out.
  public var isProper: Bool {
    width > 0 && height > 0 && width.isFinite && height.isFinite
  }

  /// Width times height.
  public var area: Double { width * height }

  /// The size with width and height exchanged.
  public var transposed: Size { Size(width: height, height: width) }

  /// The size as it appears after a rotation by quarter turns.
  public func rotated(by rotation: Rotation) -> Size {
    rotation.isSideways ? transposed : self
  }

  /// Both extents multiplied by `factor`.
  public static func * (size: Size, factor: Double) -> Size {
    Size(width: size.width * factor, height: size.height * factor)
  }
}

#if !hasFeature(Embedded)
  extension Point: Codable {}
  extension Size: Codable {}

  extension Point: CustomStringConvertible {
    /// Both coordinates, such as `(10.0, 20.5)`.
    public var description: String { "(\(x), \(y))" }
  }

  extension Size: CustomStringConvertible {
    /// Width and height, such as `612.0 × 792.0`.
    public var description: String { "\(width) × \(height)" }
  }
#endif
