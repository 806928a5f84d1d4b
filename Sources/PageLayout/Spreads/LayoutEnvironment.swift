public import RectoGeometry

/// The configuration and viewport of a layout, and values derived only from them.
public struct LayoutEnvironment: Hashable, Sendable {
  /// The configuration, validated.
  public internal(set) var configuration: LayoutConfiguration
  /// The size of the viewport in layout units.
  public let viewport: Size
  /// A spread whose columns are all like the first page shown, in points and without gaps. Because
  /// the first page precedes all others, values derived from it are exact as soon as those pages
  /// are.
  public internal(set) var model = Size.zero

  /// Whether all spreads are on one canvas, see ``PageArranging/isOneCanvas``.
  public let isOneCanvas: Bool

  init(_ configuration: LayoutConfiguration, viewport: Size, isOneCanvas: Bool) {
    self.configuration = configuration
    self.viewport = viewport
    self.isOneCanvas = isOneCanvas
  }

  /// The uncovered part of the viewport.
  public var uncovered: Size {
    Size(
      width: viewport.width - configuration.contentInsets.horizontal,
      height: viewport.height - configuration.contentInsets.vertical
    )
  }

  /// The room for fitting spreads: the viewport without the content insets and margins.
  public var room: Size {
    Size(
      width: uncovered.width - configuration.margins.horizontal,
      height: uncovered.height - configuration.margins.vertical
    )
  }

  /// Whether nothing is visible: no room between the margins, or a zoom below 0.01.
  public var isDegenerate: Bool {
    !room.isProper || configuration.zoom < LayoutConfiguration.smallestVisibleZoom
  }

  /// Whether all spreads have the same scale, see ``LayoutConfiguration/FitScope``.
  public var sharesScale: Bool {
    configuration.fitScope == .document && !(isOneCanvas && configuration.fit == .none)
  }

  /// Whether spreads follow each other from top to bottom.
  public var isVertical: Bool { configuration.axis == .vertical }

  /// Whether spreads follow each other from right to left.
  public var runsBackwards: Bool { !isVertical && configuration.isRightToLeft }

  /// The gap between spreads at the current zoom, in layout units.
  public var gap: Double { scaled(configuration.gap) }

  /// The gap between the pages of a spread at the current zoom, in layout units.
  ///
  /// It is constant only on one canvas; a spread that fills a cell or a tile scales as a whole.
  public var pageGap: Double {
    if isOneCanvas { return scaled(configuration.pageGap) }
    return configuration.pageGap * configuration.zoom
  }

  func scaled(_ gap: Double) -> Double {
    configuration.gapsScaleWithZoom ? gap * configuration.zoom : gap
  }

  /// The extent along the axis.
  public func along(_ size: Size) -> Double { isVertical ? size.height : size.width }

  /// The extent across the axis.
  public func across(_ size: Size) -> Double { isVertical ? size.width : size.height }

  /// A size from its extents along and across the axis.
  public func size(along: Double, across: Double) -> Size {
    isVertical ? Size(width: across, height: along) : Size(width: along, height: across)
  }

  /// The inset at the edge where reading starts, along the axis.
  public func leading(_ insets: Insets) -> Double {
    if isVertical { return insets.top }
    return runsBackwards ? insets.right : insets.left
  }

  /// The inset at the edge where reading ends, along the axis.
  public func trailing(_ insets: Insets) -> Double {
    if isVertical { return insets.bottom }
    return runsBackwards ? insets.left : insets.right
  }

  /// The left (top) inset across the axis.
  public func near(_ insets: Insets) -> Double { isVertical ? insets.left : insets.top }

  /// The right (bottom) inset across the axis.
  public func far(_ insets: Insets) -> Double { isVertical ? insets.right : insets.bottom }

  /// The scale of a spread for a fit in some room, before zoom.
  ///
  /// Gaps are subtracted before dividing.
  ///
  /// - Parameters:
  ///   - fit: The part that must fit.
  ///   - width: The widths of the columns, in points.
  ///   - height: The height of the spread, in points.
  ///   - columns: The number of columns.
  ///   - room: The room to fit it to.
  /// - Returns: Layout units per point; 0 if gaps take up the room.
  public func scale(
    _ fit: LayoutConfiguration.Fit,
    width: Double,
    height: Double,
    columns: Int,
    in room: Size
  ) -> Double {
    let gaps = Double(columns - 1) * configuration.pageGap
    let byWidth = max(0, room.width - gaps) / width
    let byHeight = room.height / height
    switch fit {
    case .none: return 1
    case .width: return byWidth
    case .height: return byHeight
    case .page: return min(byWidth, byHeight)
    }
  }
}
