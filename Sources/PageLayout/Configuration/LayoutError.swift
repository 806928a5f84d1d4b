/// An option or a size that no layout can be made from.
public struct LayoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the refused field, as in ``LayoutConfiguration``: `zoom`, `margins.left`.
  public var field: String
  /// The reason and the limit.
  public var reason: String

  /// An error from its field and its reason.
  public init(field: String, reason: String) {
    self.field = field
    self.reason = reason
  }

  /// The field and the reason in one line.
  public var description: String { "\(field): \(reason)" }
}
