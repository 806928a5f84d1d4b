/// What the engine warned about while it drew a page.
///
/// A damaged page is drawn as far as it goes and looks like a blank one at worst; the warnings
/// tell the difference.
public struct Warnings: Hashable, Sendable {
  /// How many there were.
  public var count: Int
  /// The first one, in the engine's own words; at most 200 characters.
  public var first: String?

  /// Warnings from their parts.
  public init(count: Int = 0, first: String? = nil) {
    self.count = count
    self.first = first
  }
}
