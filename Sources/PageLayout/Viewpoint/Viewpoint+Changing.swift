public import Geometry

extension Viewpoint {
  /// Another layout, with what is seen at a point of the viewport kept there.
  ///
  /// Where the content ends before that, the offset is the nearest one that shows content. Where
  /// spreads rest, the anchor's spread comes to rest, panned so that the anchor is at its point as
  /// far as the spread's limits allow.
  ///
  /// - Parameters:
  ///   - layout: The layout to come to.
  ///   - point: The point; nil: where reading starts, in either layout.
  /// - Returns: The viewpoint in that layout.
  /// - Complexity: O(log *n*), more where the layout does not show the anchor's page.
  public func carried(to layout: Layout, keeping point: Point? = nil) -> Viewpoint {
    let start = Viewpoint(layout, at: offset)
    guard let anchor = keptAnchor(at: point) else { return start.settled }
    let found =
      start.showing(anchor, at: point)
      ?? self.layout.successor(of: anchor, in: layout).flatMap { start.showing($0) }
    return found ?? start.settled
  }

  /// The same after an edit of the order of the pages; what is seen where reading starts stays there,
  /// or what follows it where that is gone.
  ///
  /// - Parameter edit: Changes the order; see ``Layout/edited(keeping:_:)``.
  /// - Returns: The viewpoint, and what the edit has done.
  public func edited(
    _ edit: (inout PageEdit) -> Void
  ) -> (viewpoint: Viewpoint, changes: PageChanges) {
    let edited = layout.edited(keeping: keptAnchor(at: nil), edit)
    let start = Viewpoint(edited.layout, at: offset)
    let found = edited.anchor.flatMap { start.showing($0) } ?? start.settled
    return (found, edited.changes)
  }

  /// What has moved since another viewpoint of the same document, and how far the offset has gone.
  ///
  /// - Parameters:
  ///   - old: The viewpoint before.
  ///   - changes: What ``edited(_:)`` did to the order, from `old` to this viewpoint; nil after
  ///     anything else.
  /// - Returns: What has moved, with the offset adjustment.
  /// - Complexity: As that of ``Layout/invalidation(since:changes:keeping:)``.
  public func invalidation(since old: Viewpoint, changes: PageChanges? = nil) -> Invalidation {
    var moves = layout.invalidation(since: old.layout, changes: changes)
    moves.adjustOffset(from: old.offset, to: offset)
    return moves
  }

  /// The viewpoint that has an anchor at a point of the viewport, or as near as there is content,
  /// with the anchor's page in sight. Where spreads rest, its spread is at rest.
  ///
  /// - Parameters:
  ///   - anchor: The anchor.
  ///   - point: The point; nil: where reading starts.
  /// - Returns: Nil when the anchor's page is not shown, or nothing can be seen.
  public func showing(_ anchor: Anchor, at point: Point? = nil) -> Viewpoint? {
    guard let position = layout.position(of: anchor) else { return nil }
    let place = anchor.place.turnedInUnitSquare(by: layout.configuration.rotation)
    guard layout.arrangement.restsAtSpreads else {
      guard let page = layout.page(anchor.page, at: position) else { return nil }
      let point = point ?? layout.readingPoint
      let start = Point(
        x: page.frame.minX + place.x * page.frame.width - point.x,
        y: page.frame.minY + place.y * page.frame.height - point.y
      )
      return Viewpoint(layout, at: start).revealing(page.frame)
    }
    let index = layout.spreads.spread(of: position)
    let panned = layout.panning(
      index,
      toShow: (x: place.x, y: place.y),
      of: position,
      at: point ?? layout.readingPoint
    )
    guard let rest = panned.offset(restingAt: index) else { return nil }
    let found = Viewpoint(panned, at: rest)
    let page = panned.page(anchor.page, at: position, in: found.window)
    if let page, page.visible(in: found.window) == nil {
      return Viewpoint(
        panned.panning(index, toShow: (x: 0.5, y: 0.5), of: position, at: layout.viewportMiddle),
        at: rest
      )
    }
    return found
  }

  /// The nearest viewpoint that shows half of a frame, or is half filled by it. Gaps and margins do
  /// not scale as pages do, so that a place kept beside its page may lose sight of it.
  private func revealing(_ frame: Rect) -> Viewpoint {
    let seen = window.inset(by: layout.configuration.contentInsets)
    guard !frame.intersects(seen), !seen.isEmpty else { return self }
    func shift(_ low: Double, _ high: Double, toMeet start: Double, _ end: Double) -> Double {
      let share = min(high - low, end - start) / 2
      if end < low + share { return end - share - low }
      return max(0, start + share - high)
    }
    return moved(
      to: Point(
        x: offset.x + shift(seen.minX, seen.maxX, toMeet: frame.minX, frame.maxX),
        y: offset.y + shift(seen.minY, seen.maxY, toMeet: frame.minY, frame.maxY)
      )
    )
  }

  // MARK: Configuration and viewport

  /// The same under another configuration; see ``carried(to:keeping:)``.
  ///
  /// - Throws: ``LayoutError`` naming the refused field.
  public func reconfigured(
    _ configuration: LayoutConfiguration,
    keeping point: Point? = nil
  ) throws(LayoutError) -> Viewpoint {
    carried(to: try layout.reconfigured(configuration), keeping: point)
  }

  /// The same in a viewport of another size; what is seen where reading starts stays there.
  ///
  /// - Throws: ``LayoutError`` when the viewport is refused.
  public func resized(to viewport: Size) throws(LayoutError) -> Viewpoint {
    carried(to: try layout.resized(to: viewport))
  }

  // MARK: Zoom

  /// The factor on top of the fit of what is seen: the layout's, and the spread's own where it has
  /// one.
  public var zoom: Double {
    let common = layout.configuration.zoom
    return restingSpread.map { common * layout.view(ofSpread: $0).zoom } ?? common
  }

  /// The same with another factor on top of the fit, and what is seen at a point kept there.
  ///
  /// Where spreads rest, the spread at the point gets a zoom of its own and comes to rest; in other
  /// modes the layout as a whole is zoomed.
  ///
  /// - Parameters:
  ///   - zoom: The new factor.
  ///   - point: A point of the viewport; nil: its middle.
  /// - Returns: The viewpoint in the zoomed layout.
  /// - Throws: ``LayoutError`` for a zoom that is not above 0, or too large.
  public func zoomed(to zoom: Double, about point: Point? = nil) throws(LayoutError) -> Viewpoint {
    let point = point ?? layout.viewportMiddle
    guard layout.arrangement.restsAtSpreads else {
      var configuration = layout.configuration
      configuration.zoom = zoom
      return try reconfigured(configuration, keeping: point)
    }
    try LayoutConfiguration.factor(zoom, "zoom")
    guard let page = page(nearest: point) else { return settled }
    let index = layout.spreads.spread(of: page.position)
    let place = page.share(of: Point(x: offset.x + point.x, y: offset.y + point.y))
    var view = layout.view(ofSpread: index)
    view.zoom = zoom / layout.configuration.zoom
    let zoomed = layout.setting(view, ofSpread: index).panning(
      index,
      toShow: (x: place.x, y: place.y),
      of: page.position,
      at: point
    )
    return Viewpoint(zoomed, at: zoomed.offset(restingAt: index) ?? offset)
  }

  /// The same with the zoom there is multiplied; see ``zoomed(to:about:)``.
  ///
  /// The product is rounded to twelve digits. Zooming in by steps and back by the same steps then ends at the
  /// zoom there was, for which there are tiles, and not at one that differs in the last bit.
  ///
  /// - Throws: ``LayoutError`` for a zoom that is not above 0, or too large.
  public func zoomed(by factor: Double, about point: Point? = nil) throws(LayoutError) -> Viewpoint
  {
    var zoom = zoom
    if layout.arrangement.restsAtSpreads, let point, let page = page(nearest: point) {
      let index = layout.spreads.spread(of: page.position)
      zoom = layout.configuration.zoom * layout.view(ofSpread: index).zoom
    }
    return try zoomed(to: Self.rounded(zoom * factor), about: point)
  }

  /// A number above 0 to twelve significant decimal digits, of which at most 22 are behind the point: the powers
  /// of ten up to there are exact.
  private static func rounded(_ number: Double) -> Double {
    var unit = 1.0
    while number * unit < 1e11, unit < 1e22 { unit *= 10 }
    let rounded = (number * unit).rounded() / unit
    return rounded > 0 ? rounded : number
  }

  /// The page at a point of the viewport; where there is none, the nearest one of the spread that is
  /// nearest to rest.
  private func page(nearest point: Point) -> LaidOutPage? {
    let place = Point(x: offset.x + point.x, y: offset.y + point.y)
    if let page = layout.page(at: place, in: window) { return page }
    guard let index = restingSpread, let pages = layout.spread(index, in: window)?.pages,
      !pages.isEmpty
    else { return layout.nearestPage(to: place, in: window) }
    return pages.nearest(to: place)
  }
}
