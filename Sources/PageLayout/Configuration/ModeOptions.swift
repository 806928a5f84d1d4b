public import RectoGeometry

/// How `grid` makes its columns (its rows, along a horizontal axis).
public struct GridOptions: Hashable, Sendable {
  /// The number of columns; nil: as many tiles as fit across the viewport.
  public var columns: Int?
  /// The side of a tile across the axis when `columns` is nil; nil: that of an estimated spread.
  public var tile: Double?
  /// Whether the room that is left goes between the columns, so that the outer ones touch the
  /// margins.
  public var isJustified: Bool

  /// Options from their parts.
  ///
  /// - Parameters:
  ///   - columns: The number of columns; nil: as many tiles as fit across the viewport.
  ///   - tile: The side of a tile across the axis in layout units when `columns` is nil; nil: that
  ///     of an estimated spread.
  ///   - isJustified: Whether the room that is left goes between the columns.
  public init(columns: Int? = nil, tile: Double? = nil, isJustified: Bool = false) {
    self.columns = columns
    self.tile = tile
    self.isJustified = isJustified
  }
}

/// How `flow` makes its rows (its columns, along a horizontal axis).
public struct FlowOptions: Hashable, Sendable {
  /// What becomes of the last row where rows are justified.
  public enum LastRow: String, Hashable, Sendable, CaseIterable {
    /// Its spreads keep their own size and begin where the other rows do.
    case natural
    /// It fills the width as the others do.
    case justified
  }

  /// The height that each spread has before `zoom`, in layout units (its width, along a horizontal
  /// axis); nil: its natural size. Either way it is never larger than the room across the axis.
  public var rowHeight: Double?
  /// Whether each row is scaled as a whole so that it fills the room across the axis.
  public var isJustified: Bool
  /// What becomes of the last row where rows are justified.
  public var lastRow: LastRow

  /// Options from their parts.
  ///
  /// - Parameters:
  ///   - rowHeight: The height of each spread before zoom, in layout units; nil: its natural size.
  ///   - isJustified: Whether each row is scaled so that it fills the room across the axis.
  ///   - lastRow: What becomes of the last row where rows are justified.
  public init(rowHeight: Double? = nil, isJustified: Bool = false, lastRow: LastRow = .natural) {
    self.rowHeight = rowHeight
    self.isJustified = isJustified
    self.lastRow = lastRow
  }
}

/// The shape of `carousel`: the share of the room that each spread's box takes, in both extents. The
/// room is the viewport without the content insets and the margins.
public struct CarouselOptions: Hashable, Sendable {
  /// The current spread.
  public var currentShare: Double
  /// The spread before and the one after it.
  public var neighborShare: Double
  /// Those beyond these, outside of the viewport unless the other shares are small.
  public var hiddenShare: Double

  /// Options from their parts.
  ///
  /// - Parameters:
  ///   - currentShare: The share of the room that the current spread's box takes.
  ///   - neighborShare: The share of the spread before and the one after it.
  ///   - hiddenShare: The share of those beyond these.
  public init(currentShare: Double = 0.7, neighborShare: Double = 0.45, hiddenShare: Double = 0.3) {
    self.currentShare = currentShare
    self.neighborShare = neighborShare
    self.hiddenShare = hiddenShare
  }
}

/// Departures from the regular pairing of pages in spreads.
///
/// Pairing goes forward: after a spread that was forced, the next page stands in the first column
/// again; the page before it may stay single, in its column.
public struct PairingRules: Hashable, Sendable {
  /// Pages whose width is at least this many times their height (after all rotations) stand alone.
  ///
  /// Only measured pages can be wide. As long as a page in front of a spread is unmeasured, its
  /// pairing is an estimate, and the spread says that it is not exact.
  public var wideRatio: Double?
  /// Pages that stand alone, in the middle.
  public var alone: Set<PageIndex>
  /// Pages that share a spread with the page behind them, whatever the columns say.
  public var together: Set<PageIndex>
  /// Pages that begin a section: a new spread, in the column in which the document begins.
  public var sectionStarts: Set<PageIndex>

  /// Rules from their parts.
  ///
  /// - Parameters:
  ///   - wideRatio: Pages whose width is at least this many times their height stand alone; nil: no
  ///     page does for its width.
  ///   - alone: Pages that stand alone.
  ///   - together: Pages that share a spread with the page behind them.
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
  /// The rule holds in front of each spread that begins with one of these pages.
  public var pages: Range<PageIndex>
  /// The distance to the spread before.
  public var gap: Double

  /// A rule from its parts.
  public init(pages: Range<PageIndex>, gap: Double) {
    self.pages = pages
    self.gap = gap
  }
}

/// Departures from the regular spacing; modes other than `continuous` use the page margins only.
public struct SpacingRules: Hashable, Sendable {
  /// Gaps that differ from the regular one; where two rules meet, the later one holds.
  public var gaps: [GapRule]
  /// The gap in front of a section; nil: the regular one. Beaten by `gaps`.
  public var sectionGap: Double?
  /// White space around single pages, in points of the page; it scales and turns with the page.
  public var pageMargins: [PageIndex: Insets]

  /// Rules from their parts.
  ///
  /// - Parameters:
  ///   - gaps: Gaps that differ from the regular one; where two rules meet, the later one holds.
  ///   - sectionGap: The gap in front of a section, in layout units; nil: the regular one.
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
  /// Which part is seen of a spread larger than its cell: 0 the left (top) end, 1 the right (bottom)
  /// end, in both directions.
  public var pan: Point

  /// A view from its parts; without a pan, the top of the spread in the middle.
  public init(zoom: Double = 1, pan: Point = Point(x: 0.5, y: 0)) {
    self.zoom = zoom
    self.pan = pan
  }
}
