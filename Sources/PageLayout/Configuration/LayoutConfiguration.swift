public import RectoGeometry

/// How pages are arranged: everything except the pages and the viewport.
///
/// Options refer to pages by their index in the document, so that they remain valid when the order
/// changes. Lengths are in layout units unless otherwise stated.
public struct LayoutConfiguration: Hashable, Sendable {
  /// The family of layouts.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The document scrolls and zooms as one canvas.
    case continuous
    /// Each spread has a cell as large as the viewport.
    case paged
    /// Spreads in rows that wrap.
    case grid
    /// The current spread large, with small neighbors beside it.
    case carousel
    /// Spreads in rows that are broken by the spreads' widths.
    case flow
  }

  /// How pages come together in spreads.
  public enum Spread: Hashable, Sendable {
    /// One page each.
    case single
    /// Pages 1-2, 3-4, …
    case double
    /// The cover alone on its side of the spine, then 2-3, 4-5, …
    case book
    /// Any number of columns; page 1 is in column `start`, counted from 0 in reading direction.
    case columns(Int, start: Int)

    /// The number of pages side by side.
    public var columnCount: Int {
      switch self {
      case .single: 1
      case .double, .book: 2
      case .columns(let count, _): count
      }
    }

    /// The column of the first page, from 0.
    public var startColumn: Int {
      switch self {
      case .single, .double: 0
      case .book: 1
      case .columns(_, let start): start
      }
    }
  }

  /// The direction in which spreads follow each other.
  public enum Axis: String, Hashable, Sendable, CaseIterable {
    /// From top to bottom.
    case vertical
    /// From left to right, or right to left.
    case horizontal
  }

  /// What a spread is fitted to, before multiplying by `zoom`.
  public enum Fit: String, Hashable, Sendable, CaseIterable {
    /// The natural size. `paged` cells and `grid` tiles still shrink spreads that are too large.
    /// `flow` uses `FlowOptions.rowHeight` instead of the fit.
    case none
    /// The spread is as wide as the room for it.
    case width
    /// The spread is as high as the room for it.
    case height
    /// The whole spread is seen.
    case page
  }

  /// Which spreads have the same scale.
  public enum FitScope: String, Hashable, Sendable, CaseIterable {
    /// Each spread has its own scale, at which it fits. Frames do not depend on later pages.
    case spread
    /// All spreads have the scale of the one that must be reduced most, so that all of them fit and
    /// their sizes stay true to each other. A frame is exact only after every page is measured. On
    /// one canvas without a fit, there is nothing to share.
    case document
  }

  /// The side in which the pages of a spread are brought to the size of the largest one, before the
  /// spread is fitted.
  public enum Match: String, Hashable, Sendable, CaseIterable {
    /// Pages keep their sizes.
    case none
    /// The pages of a spread have one height.
    case height
    /// The pages of a spread have one width.
    case width
  }

  /// Where a spread stands across the axis.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    /// At the top, or at the side where reading starts.
    case start
    /// In the middle.
    case center
    /// At the bottom, or at the side where reading ends.
    case end
  }

  /// What `align` refers to.
  public enum Centering: String, Hashable, Sendable, CaseIterable {
    /// The viewport. A spread that is too wide starts at the margin. Frames do not depend on later
    /// pages, so a window in the middle of an unmeasured document is exact.
    case viewport
    /// The widest spread of the document: all spreads share one axis, even if they are wider than
    /// the viewport. A frame is exact only after every page is measured.
    case content
  }

  /// The family of layouts.
  public var mode: Mode = .continuous
  /// How pages come together in spreads.
  public var spread: Spread = .single
  /// The direction in which spreads follow each other.
  public var axis: Axis = .vertical
  /// Whether the pages of a spread, the spreads of a row and a horizontal axis run right to left.
  public var isRightToLeft = false
  /// What the scale of a spread is taken from.
  public var fit: Fit = .none
  /// Which spreads have the same scale.
  public var fitScope: FitScope = .spread
  /// The side in which the pages of a spread are brought to one size. Page margins and blanks count.
  /// A page that would become larger than ``PageSizes/largestSide`` keeps its size.
  public var match: Match = .none
  /// A factor on top of `fit`. Below 0.01 the layout gives empty answers.
  public var zoom = 1.0
  /// Distance between spreads.
  public var gap = 10.0
  /// Distance between the pages of a spread.
  public var pageGap = 0.0
  /// Distance between the content's edges and the spreads; in `paged`, inside every cell.
  public var margins = Insets(10)
  /// Where a spread stands across the axis.
  public var align: Alignment = .center
  /// What `align` refers to.
  public var centering: Centering = .viewport
  /// A rotation of the view, on top of each page's own.
  public var rotation: Rotation = .none
  /// Whether `gap`, `pageGap` and the gaps of `spacing` grow with `zoom`; margins never do.
  public var gapsScaleWithZoom = false
  /// The parts of the viewport that are covered, for instance by toolbars. Spreads are fitted to
  /// the rest, and content can be scrolled out from under them.
  public var contentInsets = Insets.zero
  /// The content is at least this large; shorter content is centered in it along the axis.
  public var minimumContentSize = Size.zero
  /// Empty space after the last spread.
  public var trailingSpace = 0.0
  /// How `grid` makes its columns.
  public var grid = GridOptions()
  /// How `flow` makes its rows.
  public var flow = FlowOptions()
  /// The shape of `carousel`.
  public var carousel = CarouselOptions()
  /// Exceptions to the regular pairing of pages.
  public var pairing = PairingRules()
  /// Departures from the regular spacing.
  public var spacing = SpacingRules()
  /// The zoom and pan of single spreads in `paged`, by any page in the spread.
  public var spreadViews: [PageIndex: SpreadView] = [:]
  /// Pages whose spreads stay visible at the nearer edge while the rest scrolls under them. If not all fit in the
  /// window, those nearest to the reading position do.
  public var stickyPages: [PageIndex] = []

  /// The defaults: one continuous column at natural size.
  public init() {}
}

#if !hasFeature(Embedded)
  extension LayoutConfiguration.Mode: Codable {}
  extension LayoutConfiguration.Spread: Codable {}
  extension LayoutConfiguration.Axis: Codable {}
  extension LayoutConfiguration.Fit: Codable {}
  extension LayoutConfiguration.FitScope: Codable {}
  extension LayoutConfiguration.Match: Codable {}
  extension LayoutConfiguration.Alignment: Codable {}
  extension LayoutConfiguration.Centering: Codable {}

  extension LayoutConfiguration: Codable {
    /// Decodes what is there; the rest has its default.
    ///
    /// - Throws: The decoder's error for a value of another type.
    public init(from decoder: any Decoder) throws {
      self.init()
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.update(&mode, .mode)
      try values.update(&spread, .spread)
      try values.update(&axis, .axis)
      try values.update(&isRightToLeft, .isRightToLeft)
      try values.update(&fit, .fit)
      try values.update(&fitScope, .fitScope)
      try values.update(&match, .match)
      try values.update(&zoom, .zoom)
      try values.update(&gap, .gap)
      try values.update(&pageGap, .pageGap)
      try values.update(&margins, .margins)
      try values.update(&align, .align)
      try values.update(&centering, .centering)
      try values.update(&rotation, .rotation)
      try values.update(&gapsScaleWithZoom, .gapsScaleWithZoom)
      try values.update(&contentInsets, .contentInsets)
      try values.update(&minimumContentSize, .minimumContentSize)
      try values.update(&trailingSpace, .trailingSpace)
      try values.update(&grid, .grid)
      try values.update(&flow, .flow)
      try values.update(&carousel, .carousel)
      try values.update(&pairing, .pairing)
      try values.update(&spacing, .spacing)
      try values.update(&spreadViews, .spreadViews)
      try values.update(&stickyPages, .stickyPages)
    }
  }
#endif
