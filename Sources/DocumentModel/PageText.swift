public import RectoGeometry

/// The text of a page, with a box for each of its scalars.
///
/// Boxes are in points from the top left of the displayed page: the crop box, turned by the page's own rotation. The y
/// axis points down. Engines ignore user units; ``scaled(by:)`` applies them to the boxes.
public struct PageText: Hashable, Sendable {
  /// The text in UTF-8, in reading order: a space between the words of a line, a line feed after each line but the
  /// last. Without direction marks; right-to-left text is in reading order.
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
  ///   - slants: The slanted lines, in order; their boxes are of the page turned about its top left corner, so
  ///     far that the line is read to the right.
  ///   - styles: Fonts, sizes and colors, in order and without gaps; nil if they were not asked for.
  public init(
    _ string: String,
    boxes: [TextBox],
    slants: [TextSlant] = [],
    styles: [TextStyleRun]? = nil
  ) {
    let count = string.unicodeScalars.count
    var boxes = boxes
    if boxes.count > count {
      boxes.removeLast(boxes.count - count)
    } else if boxes.count < count {
      boxes += Array(repeating: boxes.last?.end ?? .zero, count: count - boxes.count)
    }
    self.init(
      utf8: Array(string.utf8),
      encodedBoxes: TextBoxCoding.encode(TextBoxes(boxes, slants: slants)),
      styles: styles
    )
  }

  /// The text.
  public var string: String { String(decoding: utf8, as: UTF8.self) }

  /// The smallest upright box around each Unicode scalar, in order. Boxes of line feeds are empty.
  ///
  /// - Complexity: O(scalars).
  public func boxes() -> [TextBox] { lineBoxes().upright }

  /// The box of each Unicode scalar, in order, along its line.
  ///
  /// - Complexity: O(scalars).
  package func lineBoxes() -> TextBoxes { TextBoxCoding.decode(encodedBoxes) ?? TextBoxes() }
}

/// A rectangle around a character, in points from the top left of the page.
///
/// Single precision is exact to a thousandth of a point on the largest possible page.
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

/// Consecutive scalars that are drawn in the same way.
public struct TextStyleRun: Hashable, Sendable {
  /// The number of Unicode scalars.
  public var count: Int
  /// The name of the font without its subset tag; empty if it has none.
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

extension PageText {
  /// The text with all boxes and font sizes multiplied by a factor, such as the page's user unit.
  ///
  /// - Complexity: O(scalars) unless the factor is 1.
  public func scaled(by factor: Double) -> PageText {
    guard factor != 1 else { return self }
    let styles = styles?.map { style in
      var style = style
      style.size *= factor
      return style
    }
    let boxes = TextBoxCoding.encode(lineBoxes().scaled(by: factor))
    return PageText(utf8: utf8, encodedBoxes: boxes, styles: styles)
  }

  /// The characters whose middle is in a rectangle, in lines.
  ///
  /// - Complexity: O(scalars).
  public func part(in area: Rect) -> PageText {
    let scalars = Array(string.unicodeScalars)
    let boxes = lineBoxes()
    var kept: [Int] = []
    // The line feed before the next part.
    var lineFeed: Int?
    for (index, box) in boxes.upright.enumerated() {
      if scalars[index] == "\n" {
        if !kept.isEmpty { lineFeed = index }
        continue
      }
      let rect = box.rect
      guard area.contains(Point(x: rect.minX + rect.width / 2, y: rect.minY + rect.height / 2))
      else { continue }
      if let feed = lineFeed.take() { kept.append(feed) }
      kept.append(index)
    }
    var part = String.UnicodeScalarView()
    part.append(contentsOf: kept.lazy.map { scalars[$0] })
    let partBoxes = boxes.part(of: kept)
    return PageText(
      String(part),
      boxes: partBoxes.boxes,
      slants: partBoxes.slants,
      styles: styles.map { Self.styles($0, of: kept) }
    )
  }

  /// The runs of some scalars, by ascending index.
  private static func styles(_ runs: [TextStyleRun], of kept: [Int]) -> [TextStyleRun] {
    var result: [TextStyleRun] = []
    var start = 0
    var kept = kept[...]
    for run in runs {
      let count = kept.prefix { $0 < start + run.count }.count
      kept = kept.dropFirst(count)
      start += run.count
      guard count > 0 else { continue }
      var part = run
      part.count = count
      result.append(part)
    }
    return result
  }
}
