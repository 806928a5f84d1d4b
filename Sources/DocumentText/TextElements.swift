public import DocumentModel

/// A part of a page's text: a character, a word, a line or a block.
public struct TextElement: Hashable, Sendable {
  /// The indices of its Unicode scalars.
  public var scalars: Range<Int>
  /// The offsets of its bytes in ``PageText/utf8``.
  public var utf8: Range<Int>
  /// Where its characters are.
  public var area: TextArea

  /// The smallest upright box around its characters, in points from the top left of the page.
  public var box: TextBox { area.uprightBox }
}

/// A line of text.
public struct TextLine: Hashable, Sendable {
  /// Its characters, without the line feed.
  public var element: TextElement
  /// The indices of its words in ``TextStructure/words``.
  public var words: Range<Int>
  /// The reading direction; for a slanted line, the nearest.
  public var direction: TextDirection
  /// How far it is turned clockwise, in degrees; nil for a line that is not slanted.
  var angle: Float? { element.area.angle }
  /// The reading direction on the page turned until the line is not slanted.
  var ownDirection: TextDirection { angle == nil ? direction : .right }
}

/// Lines that belong together.
public struct TextBlock: Hashable, Sendable {
  /// Its characters, with the line feeds between its lines.
  public var element: TextElement
  /// The indices of its lines in ``TextStructure/lines``.
  public var lines: Range<Int>
}

/// The direction in which a line is read, on the displayed page.
public enum TextDirection: String, Hashable, Sendable, CaseIterable {
  /// From left to right.
  case right
  /// From right to left, as Arabic and Hebrew.
  case left
  /// From top to bottom, like vertical Japanese or lines turned clockwise.
  case down
  /// From bottom to top, like lines turned counterclockwise.
  case up

  /// Whether it runs along the x axis.
  public var isHorizontal: Bool { self == .right || self == .left }
}
