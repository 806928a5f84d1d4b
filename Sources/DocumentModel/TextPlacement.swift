/// Where the glyphs of a page's text are drawn.
public enum TextPlacement: String, Hashable, Sendable, CaseIterable {
  /// Each where the document puts it, to a part of a pixel, without hints.
  case precise
  /// As poppler and cairo draw: each at a whole pixel, fitted to pixels by hints.
  case poppler
}
