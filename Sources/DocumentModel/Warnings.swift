/// The engine's warnings about a page, and the rasterizer that drew it.
///
/// A damaged page is drawn as far as possible; at worst it looks blank. The warnings distinguish it
/// from a page that is blank.
public struct Warnings: Hashable, Sendable {
  /// How many there were.
  public var count: Int
  /// The first one, in the engine's own words; at most 200 characters.
  public var first: String?
  /// Why drawing the page ended early, in the library's words, or the omitted content; at most 200 characters. Nil for
  /// a complete page.
  public var incomplete: String?
  /// The rasterizer.
  public var rasterizer: Rasterizer
  /// Repairs of the page before the engine drew it.
  public var repairs = Repairs()

  /// Warnings from their parts.
  ///
  /// - Parameters:
  ///   - count: How many there were.
  ///   - first: The first one.
  ///   - incomplete: Why drawing the page ended early; nil for a complete page.
  ///   - rasterizer: The rasterizer.
  public init(
    count: Int = 0,
    first: String? = nil,
    incomplete: String? = nil,
    rasterizer: Rasterizer = .cairo
  ) {
    self.count = count
    self.first = first
    self.incomplete = incomplete
    self.rasterizer = rasterizer
  }
}
