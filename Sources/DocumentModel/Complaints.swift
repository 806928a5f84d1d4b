/// What the engine complained about while it drew a page.
///
/// A damaged page is drawn as far as it goes and looks like a blank one at worst; the complaints
/// tell the difference.
public struct Complaints: Hashable, Sendable {
  /// How many there were.
  public var count: Int
  /// The first one, in the engine's own words; at most 200 characters.
  public var first: String?

  /// Complaints from their parts.
  public init(count: Int = 0, first: String? = nil) {
    self.count = count
    self.first = first
  }
}
