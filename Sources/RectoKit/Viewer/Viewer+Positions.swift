internal import PageLayout
internal import RectoGeometry

/// Where moves lead.
extension Viewer {
  /// The window with its overscan, or with the next spread while a page is being turned to it.
  ///
  /// Without the overscan if that would show too many pages.
  var drawnArea: Rect {
    let layout = documentLayout.layout
    guard layout.restsAtSpreads else {
      let area = window.inset(
        by: Insets(
          top: -overscan.top,
          right: -overscan.right,
          bottom: -overscan.bottom,
          left: -overscan.left
        )
      )
      return layout.refusal(of: area) == nil ? area : window
    }
    guard turn != nil, let position = layout.spreadPosition(at: window.origin),
      let next = layout.offset(restingAt: Int(position.rounded()) + 1)
    else { return window }
    return window.union(layout.window(at: next))
  }

  /// The viewpoint at the offset of a move, in the layout of its geometry; the given one if it has none.
  ///
  /// - Returns: The viewpoint, in the current layout or an earlier one, and whether the reader has moved.
  /// - Throws: ``ViewerError/forgottenGeometry(_:)``.
  func moved(
    _ present: Viewpoint,
    by move: ViewerMove
  ) throws(ViewerError) -> (viewpoint: Viewpoint, isScrolled: Bool) {
    let isPresent = (move.geometry ?? geometry) == geometry
    let from = isPresent ? present : try viewpoint(of: move.geometry)
    let found: Viewpoint
    switch move.place {
    case .offset(let offset): found = from.moved(to: offset)
    case .coordinates(let x, let y):
      // In an earlier geometry the visible content is at another offset.
      let origin = isPresent ? from.offset : present.measured(from.layout).offset
      found = from.moved(to: Point(x: x ?? origin.x, y: y ?? origin.y))
    case .page, .place, .spread, nil: return (present, false)
    }
    return (found, found.place != from.place)
  }

  /// Finds the place of a move in a layout whose sizes have changed; nil if it has none.
  ///
  /// - Returns: A function from the viewpoint with other sizes to the one at the place; nil if the page is not shown.
  /// - Throws: ``ViewerError`` if there is no such spread.
  func place(
    of move: ViewerMove,
    in viewpoint: Viewpoint
  ) throws(ViewerError) -> ((Viewpoint) -> Viewpoint?)? {
    switch move.place {
    case .page(let page, let occurrence, let fraction, let across):
      return {
        $0.showing(page: page, occurrence: occurrence, fraction: fraction, across: across)
      }
    case .place(let place): return { $0.showing(place) }
    case .spread(let index, let progress): return try between(index, progress ?? 0, in: viewpoint)
    case .offset, .coordinates, nil: return nil
    }
  }

  /// Finds the position between a spread and the next one.
  ///
  /// - Parameters:
  ///   - index: The spread; nil for the current one.
  /// - Returns: A function from the viewpoint with other sizes to the one at that position.
  /// - Throws: ``ViewerError`` if there is no such spread.
  func between(
    _ index: Int?,
    _ progress: Double,
    in viewpoint: Viewpoint
  ) throws(ViewerError) -> (Viewpoint) -> Viewpoint? {
    let layout = viewpoint.layout
    // Rounding errors must not turn a spread at rest into the previous one.
    let present = layout.spreadPosition(at: viewpoint.offset).map { ($0 + 1e-9).rounded(.down) }
    let index = index ?? Int(max(0, present ?? 0))
    guard index < layout.spreadCount else {
      throw .noSuchSpread(index, count: layout.spreadCount)
    }
    let position = layout.configuration.mode == .paged ? Double(index) : Double(index) + progress
    return { $0.layout.offset(atSpreadPosition: position).map($0.moved(to:)) ?? $0 }
  }

  /// How far a page is turned after a move. A move that scrolls, goes elsewhere or changes the layout ends the turn.
  func turned(by move: ViewerMove, isRearranged: Bool) -> Double? {
    guard documentLayout.layout.configuration.mode == .paged else { return nil }
    return switch move.place {
    case .spread(_, let progress): progress
    case nil: move.distance == nil && !isRearranged ? turn : nil
    case .offset, .coordinates, .page, .place: nil
    }
  }
}
