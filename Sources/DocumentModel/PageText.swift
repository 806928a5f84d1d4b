public import Geometry

/// The text of a page, with a box for each of its scalars.
///
/// Boxes are in points from the top left of the page as it is shown: the crop box, turned by the page's
/// own rotation, not enlarged by its user unit. The y axis points down.
public struct PageText: Hashable, Sendable {
  /// The text in UTF-8, in reading order: a space between the words of a line, a line feed behind each
  /// line but the last. Without marks of direction; letters from right to left are in the order of reading.
  public let utf8: [UInt8]
  /// The boxes, as ``boxes()`` reads them.
  let encodedBoxes: [UInt8]
  /// Fonts, sizes and colors, in order and without gaps; nil if they were not asked for.
  public let styles: [TextStyleRun]?

  /// A text without characters.
  public static let empty = PageText(utf8: [], encodedBoxes: [], styles: nil)

  /// A text from parts that fit each other.
  init(utf8: [UInt8], encodedBoxes: [UInt8], styles: [TextStyleRun]?) {
    self.utf8 = utf8
    self.encodedBoxes = encodedBoxes
    self.styles = styles
  }

  /// A text from its scalars.
  ///
  /// - Parameters:
  ///   - string: The text.
  ///   - boxes: The box of each of its Unicode scalars, in order; a missing one is empty, those beyond the
  ///     last scalar are ignored.
  ///   - styles: Fonts, sizes and colors, in order and without gaps; nil if they were not asked for.
  public init(_ string: String, boxes: [TextBox], styles: [TextStyleRun]? = nil) {
    let scalars = Array(string.unicodeScalars)
    var boxes = Array(boxes.prefix(scalars.count))
    boxes += Array(repeating: boxes.last?.end ?? .zero, count: scalars.count - boxes.count)
    self.init(
      utf8: Array(string.utf8),
      encodedBoxes: TextBoxCoding.encode(boxes),
      styles: styles
    )
  }

  /// The text.
  public var string: String { String(decoding: utf8, as: UTF8.self) }

  /// The box of each Unicode scalar, in order. That of a line feed has no extent.
  ///
  /// - Complexity: O(scalars).
  public func boxes() -> [TextBox] { TextBoxCoding.decode(encodedBoxes) ?? [] }
}

/// A rectangle around a character, in points from the top left of the page.
///
/// Single precision is exact to a thousandth of a point on the largest page there can be.
public struct TextBox: Hashable, Sendable {
  /// The left edge.
  public var minX: Float
  /// The upper edge.
  public var minY: Float
  /// The right edge; not less than `minX`.
  public var maxX: Float
  /// The lower edge; not less than `minY`.
  public var maxY: Float

  /// A box from its edges, in either order.
  public init(minX: Float, minY: Float, maxX: Float, maxY: Float) {
    self.minX = min(minX, maxX)
    self.minY = min(minY, maxY)
    self.maxX = max(minX, maxX)
    self.maxY = max(minY, maxY)
  }

  /// A box without extent at the origin.
  public static let zero = TextBox(minX: 0, minY: 0, maxX: 0, maxY: 0)

  /// The box as a rectangle.
  public var rect: Rect {
    let (x, y) = (Double(minX), Double(minY))
    return Rect(x: x, y: y, width: Double(maxX) - x, height: Double(maxY) - y)
  }

  /// Without extent, at the lower right corner.
  var end: TextBox { TextBox(minX: maxX, minY: maxY, maxX: maxX, maxY: maxY) }
}

/// Scalars in a row that are drawn in the same way.
public struct TextStyleRun: Hashable, Sendable {
  /// The number of Unicode scalars.
  public var count: Int
  /// The name of the font without the tag of a subset; empty if it has none.
  public var font: String
  /// The size in points.
  public var size: Double
  /// Red, green and blue, each from 0 to 255.
  public var color: [UInt8]
  /// Whether it is underlined.
  public var isUnderlined: Bool

  /// A run from its parts.
  ///
  /// - Parameters:
  ///   - count: The number of Unicode scalars.
  ///   - font: The name of the font; empty if it has none.
  ///   - size: The size in points.
  ///   - color: Red, green and blue, each from 0 to 255.
  ///   - isUnderlined: Whether it is underlined.
  public init(count: Int, font: String, size: Double, color: [UInt8], isUnderlined: Bool) {
    self.count = count
    self.font = font
    self.size = size
    self.color = color
    self.isUnderlined = isUnderlined
  }
}
