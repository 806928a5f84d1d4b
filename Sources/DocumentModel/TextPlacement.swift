/// Where the glyphs of a page's text are drawn.
public enum TextPlacement: String, Hashable, Sendable, CaseIterable {
  /// At the document's positions, with subpixel precision and without hinting.
  case precise
  /// As poppler and cairo do: at whole pixels, with hinting.
  case poppler
}
