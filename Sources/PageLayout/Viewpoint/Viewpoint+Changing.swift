public import RectoGeometry

extension Viewpoint {
  /// Shows the place in another layout.
  ///
  /// If the layout does not show the place's page, the next page in the order, or else the previous one, is used.
  ///
  /// - Parameter layout: The new layout. If it has the zoom and pan of spreads from ``layout``, the place pans its
  ///   spread again.
  /// - Returns: The viewpoint in that layout.
  /// - Complexity: O(*k* log *n*) for *k* spreads in the window, more if the layout does not show the place's page.
  public func carried(to layout: Layout) -> Viewpoint {
    carried(to: layout, keeping: changingPlace)
  }

  /// The same with new sizes. The visible content stays in place, even if the place could now be shown better.
  ///
  /// - Parameter layout: The layout with new sizes.
  /// - Returns: The viewpoint in that layout.
  /// - Complexity: As for ``carried(to:)``.
  public func measured(_ layout: Layout) -> Viewpoint {
    let found = carried(to: layout, keeping: place)
    guard let seen = seenPlace, let position = layout.position(of: seen.anchor),
      let before = found.layout.point(of: seen.anchor, at: position, in: found.window)
    else { return found }
    // Keeps the place if that moves nothing.
    let still = carried(to: layout, keeping: seen)
    let after = still.layout.point(of: seen.anchor, at: position, in: still.window)
    return after?.isNear(before, within: .lengthTolerance) == true ? found : still
  }

  private func carried(to layout: Layout, keeping place: Place?) -> Viewpoint {
    guard let place else { return Viewpoint(layout) }
    let views = layout.configuration.spreadViews
    let chosen = views == self.layout.configuration.spreadViews ? self.views : views
    if let found = Viewpoint.showing(place, in: layout, views: chosen) { return found }
    let next = self.layout.successor(of: place.anchor, in: layout).map {
      Place($0, at: layout.readingShare)
    }
    return next.flatMap { Viewpoint.showing($0, in: layout, views: chosen) } ?? Viewpoint(layout)
  }

  /// The place for another layout. A zoom about a point of another page does not change the current page while that is
  /// visible; later changes refer to the current page again.
  private var changingPlace: Place? {
    guard let place, let position = currentPosition,
      let current = layout.pageOccurrence(at: position)
    else { return self.place }
    guard layout.position(of: place.anchor) != position else {
      return Place(place.anchor, at: place.point, current: current, progress: place.progress)
    }
    return layout.place(on: position, at: offset) ?? place
  }

  /// The visible place, if an end of the content keeps the anchor from its point.
  private var seenPlace: Place? {
    guard let place, let position = layout.position(of: place.anchor), isInSight(position),
      let found = layout.point(of: place.anchor, at: position, in: window),
      !found.isNear(layout.point(atShare: place.point), within: .lengthTolerance)
    else { return nil }
    var seen = layout.place(on: position, at: offset)
    seen?.current = place.current
    return seen
  }

  /// The same after an edit of the order of the pages; the place follows its page, or the next one if that was removed.
  ///
  /// - Parameter edit: Changes the order; see ``Layout/edited(keeping:_:)``.
  /// - Returns: The viewpoint, and the changes of the edit.
  public func edited(
    _ edit: (inout PageEdit) -> Void
  ) -> (viewpoint: Viewpoint, changes: PageChanges) {
    let place = changingPlace
    let edited = layout.edited(keeping: place?.anchor, edit)
    guard let place, let anchor = edited.anchor else {
      return (Viewpoint(edited.layout), edited.changes)
    }
    let isSame = anchor.place == place.anchor.place && anchor.page == place.anchor.page
    let kept = Place(
      anchor,
      at: isSame ? place.point : layout.readingShare,
      progress: isSame ? place.progress : 0
    )
    let found = Viewpoint.showing(kept, in: edited.layout, views: views)
    return (found ?? Viewpoint(edited.layout), edited.changes)
  }

  /// What has moved since another viewpoint of the same document, and how far the offset has moved.
  ///
  /// - Parameters:
  ///   - old: The old viewpoint.
  ///   - changes: What ``edited(_:)`` did to the order, from `old` to this viewpoint; nil after
  ///     anything else.
  /// - Returns: What has moved, with the offset adjustment.
  /// - Complexity: As that of ``Layout/invalidation(since:changes:keeping:)``.
  public func invalidation(since old: Viewpoint, changes: PageChanges? = nil) -> Invalidation {
    var moves = layout.invalidation(since: old.layout, changes: changes)
    moves.adjustOffset(from: old.offset, to: offset)
    return moves
  }

  // MARK: Configuration and viewport

  /// The same under another configuration; see ``carried(to:)``.
  ///
  /// - Throws: ``LayoutError`` naming the refused field.
  public func reconfigured(
    _ configuration: LayoutConfiguration
  ) throws(LayoutError) -> Viewpoint {
    carried(to: try layout.reconfigured(configuration))
  }

  /// The same in a viewport of another size; see ``carried(to:)``.
  ///
  /// - Throws: ``LayoutError`` when the viewport is refused.
  public func resized(to viewport: Size) throws(LayoutError) -> Viewpoint {
    carried(to: try layout.resized(to: viewport))
  }

  // MARK: Zoom

  /// The current zoom: the layout's, times the spread's if it has one.
  public var zoom: Double {
    let common = layout.configuration.zoom
    return restingSpread.map { common * layout.view(ofSpread: $0).zoom } ?? common
  }

  /// The same with another zoom, keeping the content at a point in place.
  ///
  /// The first of several zooms about one point chooses what is kept; the others keep it. If spreads rest, the spread
  /// at the point is zoomed individually and comes to rest; in other modes the whole layout is zoomed.
  ///
  /// - Parameters:
  ///   - zoom: The new zoom.
  ///   - point: A point of the viewport; nil for its center.
  /// - Returns: The viewpoint in the zoomed layout.
  /// - Throws: ``LayoutError`` for a zoom that is not above 0, or too large.
  public func zoomed(to zoom: Double, about point: Point? = nil) throws(LayoutError) -> Viewpoint {
    let place = place(about: point ?? layout.viewportMiddle)
    guard layout.arrangement.restsAtSpreads else {
      var configuration = layout.configuration
      configuration.zoom = zoom
      return carried(to: try layout.reconfigured(configuration), keeping: place)
    }
    try LayoutConfiguration.factor(zoom, "zoom")
    guard let place, let position = layout.position(of: place.anchor) else { return self }
    let index = layout.spreads.spread(of: position)
    var view = layout.viewing(views).view(ofSpread: index)
    view.zoom = zoom / layout.configuration.zoom
    let zoomed = layout.viewing(views).setting(view, ofSpread: index)
    return Viewpoint.showing(place, in: zoomed, views: zoomed.configuration.spreadViews) ?? self
  }

  /// The place that a zoom about a point keeps: the current one if it is at that point.
  private func place(about point: Point) -> Place? {
    guard let place, !layout.isEmpty, point.x.isFinite, point.y.isFinite else { return self.place }
    let isPresent = layout.point(atShare: place.point)
      .isNear(point, within: .lengthTolerance)
    guard !isPresent || (place.progress != 0 && layout.arrangement.restsAtSpreads),
      let page = page(nearest: point)
    else { return place }
    return Place(
      layout.anchor(
        on: page,
        at: page.share(of: Point(x: offset.x + point.x, y: offset.y + point.y))
      ),
      at: layout.share(ofPoint: point),
      current: current(zoomingAbout: page).flatMap { layout.pageOccurrence(at: $0) }
    )
  }

  /// The position of the current page after zooming about a page: unchanged, unless another spread comes to rest.
  private func current(zoomingAbout page: LaidOutPage) -> Int? {
    guard let position = currentPosition, layout.arrangement.restsAtSpreads,
      layout.spreads.spread(of: position) != layout.spreads.spread(of: page.position)
    else { return currentPosition }
    return page.position
  }

  /// The same with the zoom multiplied; see ``zoomed(to:about:)``.
  ///
  /// The product is rounded to twelve digits, so that zooming in and out by the same steps restores the exact zoom, for
  /// which there are tiles.
  ///
  /// - Throws: ``LayoutError`` for a zoom that is not above 0, or too large.
  public func zoomed(by factor: Double, about point: Point? = nil) throws(LayoutError) -> Viewpoint
  {
    var zoom = zoom
    if layout.arrangement.restsAtSpreads,
      let position = place(about: point ?? layout.viewportMiddle).flatMap({
        layout.position(of: $0.anchor)
      })
    {
      let view = layout.view(ofSpread: layout.spreads.spread(of: position))
      zoom = layout.configuration.zoom * view.zoom
    }
    return try zoomed(to: Self.rounded(zoom * factor), about: point)
  }

  /// A number above 0 to twelve significant decimal digits, at most 22 of them after the point, because the powers of
  /// ten up to there are exact.
  private static func rounded(_ number: Double) -> Double {
    var unit = 1.0
    while number * unit < 1e11, unit < 1e22 { unit *= 10 }
    let rounded = (number * unit).rounded() / unit
    return rounded > 0 ? rounded : number
  }

  /// The page at a point of the viewport; if there is none, the nearest visible one, preferably of the spread nearest
  /// to its rest position.
  private func page(nearest point: Point) -> LaidOutPage? {
    let place = Point(x: offset.x + point.x, y: offset.y + point.y)
    // Not a page that begins where the viewport ends.
    if let page = layout.page(at: place, in: window), page.isSeen(in: window) { return page }
    let isLarge = layout.touching(window).count > Layout.mostCompared
    let spreads = isLarge ? [] : layout.spreads(visibleIn: window)
    let (resting, others) = (restingSpread, spreads.flatMap { $0.pages })
    let own = spreads.filter { $0.index == resting }.flatMap { $0.pages }
    return own.filter { $0.isSeen(in: window) }.nearest(to: place)
      ?? others.filter { $0.isSeen(in: window) }.nearest(to: place)
      ?? own.nearest(to: place) ?? layout.nearestPage(to: place, in: window)
  }
}
