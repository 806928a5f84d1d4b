public import RectoGeometry

/// A spread of a part of a column.
public struct ColumnSpread: Hashable, Sendable {
  /// The part.
  public var path: PartPath
  /// The spread, in the column's coordinates; its index counts within the part.
  public var spread: LaidOutSpread
}

/// A page of a part of a column.
public struct ColumnPage: Hashable, Sendable {
  /// The part.
  public var path: PartPath
  /// The page, in the column's coordinates; its position counts within the part.
  public var page: LaidOutPage
}

/// Pages of a part of a column.
public struct ColumnPages: Hashable, Sendable {
  /// The part.
  public var path: PartPath
  /// Disjoint ranges that are not empty, ascending.
  public var pages: [Range<PageIndex>]

  /// Pages from their parts.
  public init(path: PartPath, pages: [Range<PageIndex>]) {
    self.path = path
    self.pages = pages
  }
}

/// A place in a column that remains valid while sizes, configurations, viewports and orders change.
public struct ColumnAnchor: Hashable, Sendable {
  /// The part, a layout.
  public var path: PartPath
  /// The place in it.
  public var anchor: Anchor

  /// An anchor from its parts.
  public init(path: PartPath, anchor: Anchor) {
    self.path = path
    self.anchor = anchor
  }
}
