/// A rasterizer of pages.
public enum Rasterizer: String, Hashable, Sendable, CaseIterable {
  /// Cairo, or Splash where cairo is known to be wrong or fails.
  case auto
  /// Cairo: the better text.
  case cairo
  /// Splash, poppler's own.
  case splash
}
