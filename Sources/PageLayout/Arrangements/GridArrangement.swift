public import RectoGeometry

/// Spreads in rows that wrap (in columns, along a horizontal axis), one per tile.
///
/// All tiles have the same side across the axis; a row is as high as its highest spread, and a
/// spread is centered in its tile. Without a fit, a spread has its natural size, but is never
/// larger than its tile; fitted along the tile's side, it fills that side; fitted otherwise, it
/// fits a square. With `zoom`, the tile grows as a whole. The last row begins where the other rows
/// do.
public struct GridArrangement: PageArranging {
  /// The arrangement.
  public init() {}

  /// Spreads follow the lines.
  public var placesByRule: Bool { true }

  /// Each spread is placed separately.
  public var isOneCanvas: Bool { false }

  /// The side of a tile across the axis before zoom.
  func tile(in environment: LayoutEnvironment) -> Double {
    let configuration = environment.configuration
    let room = environment.across(environment.room)
    if let columns = configuration.grid.columns {
      return max(0, room - Double(columns - 1) * configuration.gap) / Double(columns)
    }
    return min(room, configuration.grid.tile ?? modelTile(in: environment))
  }

  /// The side of a tile for a spread like the first page at its natural size.
  private func modelTile(in environment: LayoutEnvironment) -> Double {
    let configuration = environment.configuration
    guard environment.isVertical else { return environment.model.height }
    let gaps = Double(configuration.spread.columnCount - 1) * configuration.pageGap
    return environment.model.width + gaps
  }

  /// The number of columns: the given one, or as many tiles as fit.
  public func spreadsPerLine(in environment: LayoutEnvironment) -> Int {
    if let columns = environment.configuration.grid.columns { return columns }
    let tile = tile(in: environment) * environment.configuration.zoom
    let fitting =
      (environment.across(environment.room) + environment.gap) / (tile + environment.gap)
    // A tile that fits except for rounding errors fits.
    guard fitting >= 1 else { return 1 }
    return Int(min(fitting + 1e-9, Double(LayoutConfiguration.largestColumnCount)))
  }

  /// The scale at which a spread fits its tile before zoom.
  ///
  /// - Parameters:
  ///   - width: The widths of the columns together, in points.
  ///   - height: The height of the spread, in points.
  ///   - columns: The number of columns.
  ///   - environment: The configuration and viewport.
  /// - Returns: Layout units per point.
  public func scale(width: Double, height: Double, columns: Int, in environment: LayoutEnvironment)
    -> Double
  {
    let side = tile(in: environment)
    let square = Size(width: side, height: side)
    func scale(_ fit: LayoutConfiguration.Fit) -> Double {
      environment.scale(fit, width: width, height: height, columns: columns, in: square)
    }
    let across: LayoutConfiguration.Fit = environment.isVertical ? .width : .height
    switch environment.configuration.fit {
    case .none: return min(1, scale(across))
    case across: return scale(across)
    default: return scale(.page)
    }
  }

  /// The tiles of a row: their side, their distance, and the breadth of all.
  private func row(of spreads: Spreads) -> (tile: Double, gap: Double, breadth: Double) {
    let environment = spreads.environment
    let count = Double(spreads.spreadsPerLine)
    let tile = tile(in: environment) * environment.configuration.zoom
    var gap = environment.gap
    if environment.configuration.grid.isJustified, count > 1 {
      let room = spreads.band(for: 0)
      gap = max(gap, (room.max - room.min - count * tile) / (count - 1))
    }
    return (tile, gap, count * tile + (count - 1) * gap)
  }

  /// All rows with their gaps, as broad as the tiles of a row.
  public func contentSize(of spreads: Spreads) -> Size {
    guard spreads.count > 0 else { return .zero }
    let environment = spreads.environment
    let band = spreads.band(for: row(of: spreads).breadth)
    return environment.size(
      along: environment.along(spreads.stackSize),
      across: spreads.contentBreadth(holding: band.max - band.min)
    )
  }

  /// The center of the spread's tile.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content; has no effect.
  /// - Returns: The spread's place in the content.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let environment = spreads.environment
    let row = row(of: spreads)
    let line = spreads.line(ofSpread: index)
    let along = spreads.contentEdges(ofLine: line)
    var column = index - line * spreads.spreadsPerLine
    if environment.isVertical, environment.configuration.isRightToLeft {
      column = spreads.spreadsPerLine - 1 - column
    }
    let band = spreads.band(for: row.breadth)
    let start =
      spreads.alignedStart(of: row.breadth, axis: row.breadth / 2, in: band)
      + Double(column) * (row.tile + row.gap)
    let cell = environment.rect(along: along, across: start, breadth: row.tile)
    let size = spreads.size(of: index)
    return SpreadPlace(
      frame: Rect(
        x: cell.minX + (cell.width - size.width) / 2,
        y: cell.minY + (cell.height - size.height) / 2,
        width: size.width,
        height: size.height
      ),
      // The frame may be larger by rounding errors, and must not be clipped for that.
      cell: cell.inset(by: Insets(-SpreadPlace.roundingMargin)),
      scale: 1
    )
  }

  /// The spreads of the rows between the window's edges along the axis.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    self.spreads(ofLines: spreads.lines(touching: window), in: spreads)
  }

  /// The previous rows; all of them if the first page decides the tile of a grid that runs backwards.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    let environment = spreads.environment
    let configuration = environment.configuration
    // The first page affects the tile.
    let isModelled = configuration.grid.columns == nil && configuration.grid.tile == nil
    if isModelled, environment.runsBackwards { return 0..<spreads.count }
    return self.spreads(ofLines: spreads.linesDeciding(lines(range, in: spreads)), in: spreads)
  }

  /// The counterpart of ``spreadsDeciding(_:of:)``.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    self.spreads(ofLines: spreads.linesAffected(by: lines(range, in: spreads)), in: spreads)
  }

  private func lines(_ range: Range<Int>, in spreads: Spreads) -> Range<Int> {
    guard !range.isEmpty else { return 0..<0 }
    return spreads.line(ofSpread: range.lowerBound)..<spreads.line(ofSpread: range.upperBound - 1)
      + 1
  }

  private func spreads(ofLines lines: Range<Int>, in spreads: Spreads) -> Range<Int> {
    guard !lines.isEmpty else { return 0..<0 }
    return lines.lowerBound
      * spreads.spreadsPerLine..<min(
        spreads.count,
        lines.upperBound * spreads.spreadsPerLine
      )
  }
}
