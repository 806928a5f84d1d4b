public import RectoGeometry

extension Viewpoint {
  /// The viewpoint of this layout that shows a place as well as possible: with the anchor at its point as far as there
  /// is content, and its page visible. If spreads rest, the anchor's spread is panned to it, and at rest if the place
  /// is. A current page that the layout does not show is replaced by the anchor's.
  ///
  /// - Parameter place: The place.
  /// - Returns: Nil if the layout does not show the anchor's page. If nothing is visible, the place
  ///   is kept for later layouts.
  /// - Complexity: O(log *n*); O(*k* log *n*) for *k* spreads in the window if the page would be invisible.
  public func showing(_ place: Place) -> Viewpoint? {
    var place = place
    if layout.position(of: place.current) == nil { place.current = place.anchor.shown }
    return Viewpoint.showing(place, in: layout, views: views)
  }

  /// Shows a page, with a fraction of it before the edge where reading starts. Without a fraction across the axis, its
  /// spread is centered there if it fits, else the page is, else the edges where reading starts are aligned. If spreads
  /// rest, its spread comes to rest and is panned there; in a carousel, it is a fraction of the distance to the next
  /// spread.
  ///
  /// - Parameters:
  ///   - page: The page, which becomes the current one.
  ///   - occurrence: Which of its positions, from 0, if it is shown more than once.
  ///   - fraction: The fraction of its extent along the axis.
  ///   - across: The fraction of its extent across the axis, from the left (top), that is centered.
  /// - Returns: Nil if the page is not shown, or a fraction is not finite.
  public func showing(
    page: PageIndex,
    occurrence: Int = 0,
    fraction: Double = 0,
    across: Double? = nil
  ) -> Viewpoint? {
    guard fraction.isFinite, across?.isFinite != false,
      let place = layout.place(
        on: PageOccurrence(page: page, occurrence: occurrence),
        fraction: fraction,
        across: across
      )
    else { return nil }
    // A fraction may be a point before or after the page, from which the page is not visible.
    guard !layout.arrangement.restsAtSpreads, !(0..<1).contains(fraction),
      let position = layout.position(of: place.anchor),
      let start = layout.offset(of: place.anchor, point: layout.point(atShare: place.point))
    else { return showing(place) }
    let found = moved(to: start)
    return found.isInSight(position) ? showing(place) : found
  }

  /// The viewpoint with an anchor at a point of the viewport, or as near as the content allows.
  ///
  /// - Parameters:
  ///   - anchor: The anchor, whose page becomes the current one.
  ///   - point: The point; nil for the reading start.
  /// - Returns: Nil if the anchor's page is not shown.
  public func showing(_ anchor: Anchor, at point: Point? = nil) -> Viewpoint? {
    showing(Place(anchor, at: point.map(layout.share(ofPoint:)) ?? layout.readingShare))
  }

  /// The viewpoint of a layout that shows a place.
  ///
  /// - Parameters:
  ///   - views: The zoom and pan of spreads before the place pans its spread.
  /// - Returns: Nil if the layout does not show the anchor's page.
  static func showing(
    _ place: Place,
    in layout: Layout,
    views: [PageIndex: SpreadView]
  ) -> Viewpoint? {
    guard let position = layout.position(of: place.anchor) else { return nil }
    let layout = layout.viewing(views)
    guard !layout.isEmpty else {
      return Viewpoint(layout, at: layout.startOffset, chosen: place, views: views)
    }
    let share = place.anchor.place.turnedInUnitSquare(by: layout.configuration.rotation)
    let point = layout.point(atShare: place.point)
    guard layout.arrangement.restsAtSpreads else {
      guard let page = layout.page(place.anchor.page, at: position) else { return nil }
      let start = Point(
        x: page.frame.minX + share.x * page.frame.width - point.x,
        y: page.frame.minY + share.y * page.frame.height - point.y
      )
      let found = Viewpoint(layout, at: start, chosen: place, views: views)
      // A point beside its page may leave the page invisible. That is right while the current page is visible, and if a
      // reader has scrolled to only gaps, which chooses a point of an invisible page.
      let inside = -1e-9...1 + 1e-9
      let isBeside =
        inside.contains(share.x) && inside.contains(share.y)
        && !(inside.contains(place.point.x) && inside.contains(place.point.y))
      let isRight =
        page.isSeen(in: found.window)
        || layout.position(of: place.current).map(found.isInSight) ?? false
        || (isBeside && layout.largestPosition(in: found.window) == nil)
      return isRight ? found : found.revealing(page.frame, place)
    }
    let index = layout.spreads.spread(of: position)
    func panned(to share: Point, at point: Point) -> Viewpoint? {
      let panned = layout.panning(index, toShow: share, of: position, at: point)
      return panned.offset(restingAt: index).map {
        Viewpoint(panned, at: $0, chosen: place, views: views)
      }
    }
    guard var found = panned(to: share, at: point) else { return nil }
    if let page = found.layout.page(place.anchor.page, at: position, in: found.window),
      !page.isSeen(in: found.window)
    {
      found = panned(to: Point(x: 0.5, y: 0.5), at: layout.uncoveredMiddle) ?? found
    }
    guard place.progress != 0,
      let offset = found.layout.offset(atSpreadPosition: Double(index) + place.progress)
    else { return found }
    let between = Viewpoint(found.layout, at: offset, chosen: place, views: views)
    return between.isInSight(position) || between.layout.largestPosition(in: between.window) == nil
      ? between : found
  }

  /// The nearest viewpoint that shows half of a frame, or is half filled by it. Gaps and margins do
  /// not scale like pages, so that a point beside its page may move away from it.
  private func revealing(_ frame: Rect, _ place: Place) -> Viewpoint {
    let seen = window.inset(by: layout.configuration.contentInsets)
    func shift(_ low: Double, _ high: Double, toMeet start: Double, _ end: Double) -> Double {
      let share = min(high - low, end - start) / 2
      if end < low + share { return end - share - low }
      return max(0, start + share - high)
    }
    return Viewpoint(
      layout,
      at: Point(
        x: offset.x + shift(seen.minX, seen.maxX, toMeet: frame.minX, frame.maxX),
        y: offset.y + shift(seen.minY, seen.maxY, toMeet: frame.minY, frame.maxY)
      ),
      chosen: place,
      views: views
    )
  }
}
