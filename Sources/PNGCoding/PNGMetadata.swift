/// Metadata of an exported picture. Tiles have none.
public struct PNGMetadata: Hashable, Sendable {
  /// Pixels per inch in both directions, written as a pHYs chunk; nil writes none.
  public var pixelsPerInch: Double?
  /// Whether an sRGB chunk is written.
  public var isStandardRGB: Bool
  /// Text chunks in the order written, such as `Software` or `Thumb::URI`.
  public var texts: [PNGText]

  /// Metadata from its parts; empty by default.
  public init(
    pixelsPerInch: Double? = nil,
    isStandardRGB: Bool = false,
    texts: [PNGText] = []
  ) {
    self.pixelsPerInch = pixelsPerInch
    self.isStandardRGB = isStandardRGB
    self.texts = texts
  }
}

/// A keyword and its text.
///
/// Written as a tEXt chunk where the text is Latin-1, as an uncompressed iTXt chunk otherwise
/// (PNG specification, 3rd edition, 11.3.3).
public struct PNGText: Hashable, Sendable {
  /// 1 to 79 printable Latin-1 characters, without leading, trailing or consecutive spaces.
  public var keyword: String
  /// The text, without the character U+0000.
  public var text: String

  /// A text chunk from its two parts.
  public init(keyword: String, text: String) {
    self.keyword = keyword
    self.text = text
  }
}

/// The meaning of the top byte of a pixel.
public enum PNGAlpha: Hashable, Sendable {
  /// Nothing: every pixel is opaque, whatever the byte holds. The smallest color type is chosen.
  case opaque
  /// Alpha; the colors are premultiplied, as in cairo's ARGB32. Written as RGBA with 8 bits per
  /// channel, which freedesktop thumbnails require.
  case premultiplied
}
