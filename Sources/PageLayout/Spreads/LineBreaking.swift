/// How spreads of any width break into rows (into columns, along a horizontal axis).
///
/// Breaking is greedy: a spread joins the row if extents and gaps fit the room. A row has at least
/// one spread.
public struct LineBreaking: Hashable, Sendable {
  /// The most spreads of a row, however small they are.
  public static let largestCount = 1000

  /// The room across the axis, in layout units.
  public var room: Double
  /// The gap between the spreads of a row, in layout units.
  public var gap: Double
  /// Whether the spreads of a row are scaled so that the row fills the room.
  public var isJustified: Bool
  /// Whether the last row is scaled, too.
  public var justifiesLastRow: Bool

  /// A rule from its parts.
  ///
  /// - Parameters:
  ///   - room: The room across the axis, in layout units.
  ///   - gap: The gap between the spreads of a row, in layout units.
  ///   - isJustified: Whether the spreads of a row are scaled so that the row fills the room.
  ///   - justifiesLastRow: Whether the last row is scaled, too.
  public init(
    room: Double,
    gap: Double,
    isJustified: Bool = false,
    justifiesLastRow: Bool = false
  ) {
    self.room = room
    self.gap = gap
    self.isJustified = isJustified
    self.justifiesLastRow = justifiesLastRow
  }

  /// The room of a row, with a tolerance for rounding.
  var limit: Double { room * (1 + 1e-12) }
}
