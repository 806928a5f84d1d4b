public import RectoGeometry

/// How `grid` makes its columns (its rows, along a horizontal axis).
public struct GridOptions: Hashable, Sendable {
  /// The number of columns; nil for as many tiles as fit across the viewport.
  public var columns: Int?
  /// The side of a tile across the axis if `columns` is nil; nil for that of an estimated spread.
  public var tile: Double?
  /// Whether remaining space goes between the columns, so that the outer ones touch the margins.
  public var isJustified: Bool

  /// Options from their parts.
  ///
  /// - Parameters:
  ///   - columns: The number of columns; nil for as many tiles as fit across the viewport.
  ///   - tile: The side of a tile across the axis in layout units if `columns` is nil; nil for that
  ///     of an estimated spread.
  ///   - isJustified: Whether remaining space goes between the columns.
  public init(columns: Int? = nil, tile: Double? = nil, isJustified: Bool = false) {
    self.columns = columns
    self.tile = tile
    self.isJustified = isJustified
  }
}

/// How `flow` makes its rows (its columns, along a horizontal axis).
public struct FlowOptions: Hashable, Sendable {
  /// How the last row is treated if rows are justified.
  public enum LastRow: String, Hashable, Sendable, CaseIterable {
    /// Its spreads keep their size, and it begins where the other rows do.
    case natural
    /// It fills the width as the others do.
    case justified
  }

  /// The height of each spread before `zoom`, in layout units (its width, along a horizontal axis);
  /// nil for its natural size. It is never larger than the room across the axis.
  public var rowHeight: Double?
  /// Whether each row is scaled as a whole so that it fills the room across the axis.
  public var isJustified: Bool
  /// How the last row is treated if rows are justified.
  public var lastRow: LastRow

  /// Options from their parts.
  ///
  /// - Parameters:
  ///   - rowHeight: The height of each spread before zoom, in layout units; nil for its natural
  ///     size.
  ///   - isJustified: Whether each row is scaled so that it fills the room across the axis.
  ///   - lastRow: How the last row is treated if rows are justified.
  public init(rowHeight: Double? = nil, isJustified: Bool = false, lastRow: LastRow = .natural) {
    self.rowHeight = rowHeight
    self.isJustified = isJustified
    self.lastRow = lastRow
  }
}

/// The shape of `carousel`: the size of each spread's box as a fraction of the room. The room is the viewport without
/// the content insets and the margins.
public struct CarouselOptions: Hashable, Sendable {
  /// The current spread.
  public var currentShare: Double
  /// The spread before and the one after it.
  public var neighborShare: Double
  /// The spreads beyond these, outside of the viewport unless the other fractions are small.
  public var hiddenShare: Double

  /// Options from their parts.
  ///
  /// - Parameters:
  ///   - currentShare: The fraction of the room for the current spread's box.
  ///   - neighborShare: The fraction for the spreads before and after it.
  ///   - hiddenShare: The fraction for the spreads beyond these.
  public init(currentShare: Double = 0.7, neighborShare: Double = 0.45, hiddenShare: Double = 0.3) {
    self.currentShare = currentShare
    self.neighborShare = neighborShare
    self.hiddenShare = hiddenShare
  }
}

/// Exceptions to the regular pairing of pages in spreads.
///
/// Pairing goes forward: after a forced spread, the next page is in the first column again; the
/// page before it may remain single, in its column.
public struct PairingRules: Hashable, Sendable {
  /// Pages whose width is at least this many times their height (after all rotations) are alone in
  /// their spread.
  ///
  /// Only measured pages can be wide. While a page before a spread is unmeasured, the pairing is an
  /// estimate, and the spread is not exact.
  public var wideRatio: Double?
  /// Pages that stand alone, in the middle.
  public var alone: Set<PageIndex>
  /// Pages that share a spread with the next page, whatever the columns say.
  public var together: Set<PageIndex>
  /// Pages that begin a section: a new spread, in the column in which the document begins.
  public var sectionStarts: Set<PageIndex>

  /// Rules from their parts.
  ///
  /// - Parameters:
  ///   - wideRatio: Pages whose width is at least this many times their height are alone; nil to
  ///     ignore the width.
  ///   - alone: Pages that are alone in their spread.
  ///   - together: Pages that share a spread with the next page.
  ///   - sectionStarts: Pages that begin a section.
  public init(
    wideRatio: Double? = nil,
    alone: Set<PageIndex> = [],
    together: Set<PageIndex> = [],
    sectionStarts: Set<PageIndex> = []
  ) {
    self.wideRatio = wideRatio
    self.alone = alone
    self.together = together
    self.sectionStarts = sectionStarts
  }
}

/// A gap that differs from the regular one.
public struct GapRule: Hashable, Sendable {
  /// The rule applies before each spread that begins with one of these pages.
  public var pages: Range<PageIndex>
  /// The distance to the spread before.
  public var gap: Double

  /// A rule from its parts.
  public init(pages: Range<PageIndex>, gap: Double) {
    self.pages = pages
    self.gap = gap
  }
}

/// Exceptions to the regular spacing; modes other than `continuous` only use the page margins.
public struct SpacingRules: Hashable, Sendable {
  /// Gaps that differ from the regular one; if several rules apply, the last one counts.
  public var gaps: [GapRule]
  /// The gap before a section; nil for the regular one. `gaps` have precedence.
  public var sectionGap: Double?
  /// White space around single pages, in points of the page; it scales and rotates with the page.
  public var pageMargins: [PageIndex: Insets]

  /// Rules from their parts.
  ///
  /// - Parameters:
  ///   - gaps: Gaps that differ from the regular one; if several rules apply, the last one counts.
  ///   - sectionGap: The gap before a section, in layout units; nil for the regular one.
  ///   - pageMargins: White space around single pages, in points of the page.
  public init(
    gaps: [GapRule] = [],
    sectionGap: Double? = nil,
    pageMargins: [PageIndex: Insets] = [:]
  ) {
    self.gaps = gaps
    self.sectionGap = sectionGap
    self.pageMargins = pageMargins
  }
}

/// The zoom and pan of one spread in `paged`.
public struct SpreadView: Hashable, Sendable {
  /// A factor on top of the fit and the common zoom.
  public var zoom: Double
  /// The visible part of a spread larger than its cell: 0 for the left (top) end, 1 for the right (bottom) end, on each
  /// axis.
  public var pan: Point

  /// A view from its parts; the default pan shows the top center of the spread.
  public init(zoom: Double = 1, pan: Point = Point(x: 0.5, y: 0)) {
    self.zoom = zoom
    self.pan = pan
  }
}

#if !hasFeature(Embedded)
  extension FlowOptions.LastRow: Codable {}
  extension GapRule: Codable {}

  extension GridOptions: Codable {
    /// Decodes what is there; the rest has its default.
    ///
    /// - Throws: The decoder's error for a value of another type.
    public init(from decoder: any Decoder) throws {
      self.init()
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.update(&columns, .columns)
      try values.update(&tile, .tile)
      try values.update(&isJustified, .isJustified)
    }
  }

  extension FlowOptions: Codable {
    /// Decodes what is there; the rest has its default.
    ///
    /// - Throws: The decoder's error for a value of another type.
    public init(from decoder: any Decoder) throws {
      self.init()
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.update(&rowHeight, .rowHeight)
      try values.update(&isJustified, .isJustified)
      try values.update(&lastRow, .lastRow)
    }
  }

  extension CarouselOptions: Codable {
    /// Decodes what is there; the rest has its default.
    ///
    /// - Throws: The decoder's error for a value of another type.
    public init(from decoder: any Decoder) throws {
      self.init()
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.update(&currentShare, .currentShare)
      try values.update(&neighborShare, .neighborShare)
      try values.update(&hiddenShare, .hiddenShare)
    }
  }

  extension PairingRules: Codable {
    /// Decodes what is there; the rest has its default.
    ///
    /// - Throws: The decoder's error for a value of another type.
    public init(from decoder: any Decoder) throws {
      self.init()
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.update(&wideRatio, .wideRatio)
      try values.update(&alone, .alone)
      try values.update(&together, .together)
      try values.update(&sectionStarts, .sectionStarts)
    }
  }

  extension SpacingRules: Codable {
    /// Decodes what is there; the rest has its default.
    ///
    /// - Throws: The decoder's error for a value of another type.
    public init(from decoder: any Decoder) throws {
      self.init()
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.update(&gaps, .gaps)
      try values.update(&sectionGap, .sectionGap)
      try values.update(&pageMargins, .pageMargins)
    }
  }

  extension SpreadView: Codable {
    /// Decodes what is there; the rest has its default.
    ///
    /// - Throws: The decoder's error for a value of another type.
    public init(from decoder: any Decoder) throws {
      self.init()
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.update(&zoom, .zoom)
      try values.update(&pan, .pan)
    }
  }
#endif
