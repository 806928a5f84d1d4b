/// What is said about a whole exported picture besides its pixels. Tiles carry none of it.
public struct PNGMetadata: Hashable, Sendable {
  /// Pixels per inch in both directions, written as a pHYs chunk; nil writes none.
  public var pixelsPerInch: Double?
  /// Whether the colors are said to be sRGB, by a chunk of that name.
  public var isStandardRGB: Bool
  /// Text chunks in the order written, such as `Software` or `Thumb::URI`.
  public var texts: [PNGText]

  /// Metadata from its parts; nothing at all by default.
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

/// What the top byte of a pixel to encode means.
public enum PNGAlpha: Hashable, Sendable {
  /// Nothing: every pixel is opaque, whatever the byte holds. The smallest color type is chosen.
  case opaque
  /// Alpha, with which the colors are already multiplied, as in cairo's ARGB32.
  /// Written as RGBA with 8 bits per channel, which freedesktop thumbnails require.
  case premultiplied
}
