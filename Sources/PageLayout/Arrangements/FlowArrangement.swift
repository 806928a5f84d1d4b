public import RectoGeometry

/// Spreads in rows (in columns, along a horizontal axis) that are broken by the spreads' widths, like a text or a
/// picture gallery.
///
/// A spread has the common height of `FlowOptions`, or its natural size, but at zoom 1 is never larger than the room
/// across the axis. It joins the row if the row fits the room at the current zoom. A row is as high as its highest
/// spread, and spreads are centered in it; rows are aligned across the axis, or scaled as a whole to fill the room,
/// with unchanged gaps. A single spread that `zoom` makes larger than the room can be scrolled.
public struct FlowArrangement: PageArranging {
  /// Rows broken by width.
  public init() {}

  /// Spreads follow the lines.
  public var placesByRule: Bool { true }

  /// Each spread is placed separately.
  public var isOneCanvas: Bool { false }

  /// The scale that gives a spread the row's height, or 1; less where the spread would be larger
  /// than the room across the axis.
  ///
  /// - Parameters:
  ///   - width: The widths of the columns together, in points.
  ///   - height: The height of the spread, in points.
  ///   - columns: The number of columns.
  ///   - environment: The configuration and viewport.
  /// - Returns: Layout units per point.
  public func scale(
    width: Double,
    height: Double,
    columns: Int,
    in environment: LayoutEnvironment
  ) -> Double {
    func scale(_ fit: LayoutConfiguration.Fit, in room: Size) -> Double {
      environment.scale(fit, width: width, height: height, columns: columns, in: room)
    }
    let largest = scale(environment.isVertical ? .width : .height, in: environment.room)
    guard let rowHeight = environment.configuration.flow.rowHeight else { return min(1, largest) }
    let row = Size(width: rowHeight, height: rowHeight)
    return min(scale(environment.isVertical ? .height : .width, in: row), largest)
  }

  /// Rows that fit the room.
  public func lineBreaking(in environment: LayoutEnvironment) -> LineBreaking? {
    let options = environment.configuration.flow
    return LineBreaking(
      room: environment.across(environment.room),
      gap: environment.gap,
      isJustified: options.isJustified,
      justifiesLastRow: options.lastRow == .justified
    )
  }

  /// The rows, the gaps between them and the margins around them.
  public func contentSize(of spreads: Spreads) -> Size { spreads.stackSize }

  /// The spread's position in its row, and the row's in the stack.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content; has no effect.
  /// - Returns: The spread's place in the content.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    guard let row = spreads.brokenLine(ofSpread: index) else { return SpreadPlace(frame: .zero) }
    let environment = spreads.environment
    let along = row.edges
    var across = spreads.edges(ofSpread: index, in: row)
    let isMirrored = environment.isVertical && environment.configuration.isRightToLeft
    if isMirrored { across = (row.breadth - across.end, row.breadth - across.start) }
    let start = start(of: row, in: spreads, isMirrored: isMirrored)
    let breadth = across.end - across.start
    let own = environment.along(spreads.size(of: index)) * row.scale
    let slack = own < row.extent ? (along.max - along.min - own) / 2 : 0
    let frame = environment.rect(
      along: (along.min + slack, along.max - slack),
      across: start + across.start,
      breadth: breadth
    )
    let cell = environment.rect(along: along, across: start + across.start, breadth: breadth)
    // The pages may be larger by rounding errors, and must not be clipped for that.
    return SpreadPlace(
      frame: frame,
      cell: cell.inset(by: Insets(-SpreadPlace.roundingMargin)),
      scale: row.scale
    )
  }

  /// Where a row begins across the axis, on the left (at the top).
  private func start(of row: BrokenLine, in spreads: Spreads, isMirrored: Bool) -> Double {
    let options = spreads.environment.configuration.flow
    let isLast = row.spreads.upperBound == spreads.count
    guard options.isJustified, isLast, options.lastRow == .natural else {
      return spreads.alignedStart(
        of: row.breadth,
        axis: row.breadth / 2,
        in: spreads.band(for: row.breadth)
      )
    }
    // A last row that is not justified begins where the other rows do.
    let room = spreads.environment.across(spreads.environment.room)
    let breadth = max(room, row.breadth)
    let start = spreads.alignedStart(
      of: breadth,
      axis: breadth / 2,
      in: spreads.band(for: breadth)
    )
    return isMirrored ? start + breadth - row.breadth : start
  }

  /// The rows between the window's edges along the axis.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let lines = spreads.lines(touching: window)
    guard !lines.isEmpty else { return 0..<0 }
    let first = spreads.spreads(ofLine: lines.lowerBound)
    return lines.count == 1
      ? first
      : first.lowerBound..<spreads.spreads(ofLine: lines.upperBound - 1).upperBound
  }

  /// The previous spreads, those of the same rows, and the next one, which might have fitted. In a stack of rows that
  /// runs backwards, or is centered, all of them.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.spreadsDecidingLines(of: range)
  }

  /// The following spreads, from the row that the first of the range may have joined or left; in a stack of rows that
  /// runs backwards, or is centered, all of them.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.spreadsWithLinesAffected(by: range)
  }

  /// The start of the spread's row, without the content inset there: the spreads of a row rest
  /// together.
  public func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    let environment = spreads.environment
    guard let row = spreads.brokenLine(ofSpread: index)?.edges else { return 0 }
    let inset = environment.leading(environment.configuration.contentInsets)
    if environment.runsBackwards {
      return row.max + inset - environment.along(environment.viewport)
    }
    return row.min - inset
  }
}
