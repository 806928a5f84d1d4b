internal import Geometry
internal import PageLayout

/// Where moves lead.
extension Viewer {
  /// The window with its overscan, or with the next spread while a page is being turned to it.
  ///
  /// Without the overscan where that would show too many pages.
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

  /// The offset that a move names, in the layout of its geometry; nil if it names another place.
  func offset(of move: ViewerMove) throws(ViewerError) -> Point? {
    switch move.place {
    case .offset(let offset): return offset
    case .coordinates(let x, let y):
      let layout = try layout(of: move.geometry)
      // A geometry other than the present one has what is shown now at another offset.
      let isPresent = (move.geometry ?? geometry) == geometry
      let present = isPresent ? nil : viewpoint.anchor().flatMap { layout.offset(of: $0) }
      let origin = present ?? window.origin
      return Point(x: x ?? origin.x, y: y ?? origin.y)
    case .page, .spread, nil: return nil
    }
  }

  /// What finds the position between a spread and the next one.
  ///
  /// - Parameters:
  ///   - index: The spread; nil for the present one.
  ///   - progress: 0 to 1.
  ///   - viewpoint: What the reader looks at.
  /// - Returns: A function from the viewpoint with other sizes to the one at that position.
  /// - Throws: ``ViewerError`` if there is no such spread.
  func between(
    _ index: Int?,
    _ progress: Double,
    in viewpoint: Viewpoint
  ) throws(ViewerError) -> (Viewpoint) -> Viewpoint? {
    let layout = viewpoint.layout
    // What sums lose must not make a spread at rest the one before.
    let present = layout.spreadPosition(at: viewpoint.offset).map { ($0 + 1e-9).rounded(.down) }
    let index = index ?? Int(max(0, present ?? 0))
    guard index < layout.spreadCount else {
      throw .noSuchSpread(index, count: layout.spreadCount)
    }
    let position = layout.configuration.mode == .paged ? Double(index) : Double(index) + progress
    return { $0.layout.offset(atSpreadPosition: position).map($0.moved(to:)) }
  }

  /// How far a page is turned after a move.
  func turned(by move: ViewerMove) -> Double? {
    switch move.place {
    case .spread(_, let progress):
      documentLayout.layout.configuration.mode == .paged ? progress : nil
    case nil: move.distance == nil ? turn : nil
    case .offset, .coordinates, .page: nil
    }
  }
}
