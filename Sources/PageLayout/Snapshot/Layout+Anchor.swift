public import RectoGeometry

extension Layout {
  /// The point of the viewport that is kept in place for a reader: the center of the edge where
  /// reading starts, inside the content insets.
  public var readingPoint: Point {
    let insets = configuration.contentInsets
    if environment.isVertical { return Point(x: uncoveredMiddle.x, y: insets.top) }
    return Point(
      x: environment.runsBackwards ? viewport.width - insets.right : insets.left,
      y: uncoveredMiddle.y
    )
  }

  /// The middle of the viewport.
  var viewportMiddle: Point { Rect(origin: .zero, size: viewport).center }

  /// The center of the viewport inside the content insets.
  var uncoveredMiddle: Point {
    let insets = configuration.contentInsets
    return Point(
      x: (insets.left + viewport.width - insets.right) / 2,
      y: (insets.top + viewport.height - insets.bottom) / 2
    )
  }

  /// The anchor of the content at a point of the viewport.
  ///
  /// A point before the first page, or in the gap before a spread, belongs to that spread; a point beside a spread to
  /// its nearest page.
  /// - Parameters:
  ///   - offset: The viewport's top left in the content.
  ///   - point: The point in the viewport: its center for a zoom, the pointer for a pinch; nil for
  ///     ``readingPoint``.
  /// - Returns: Nil if nothing is visible.
  /// - Complexity: O(log *n*).
  public func anchor(at offset: Point, point: Point? = nil) -> Anchor? {
    guard !isEmpty, offset.x.isFinite, offset.y.isFinite else { return nil }
    let point = point ?? readingPoint
    if arrangement.followsWindow { return restingAnchor(at: offset, point) }
    let place = Point(x: offset.x + point.x, y: offset.y + point.y)
    guard let page = pageNearest(place, in: Rect(origin: offset, size: viewport)) else {
      return nil
    }
    let share = page.share(of: place)
    return Anchor(
      page: page.page,
      occurrence: occurrence(of: page.page, at: page.position),
      place: share.turnedInUnitSquare(by: configuration.rotation.inverse)
    )
  }

  /// The offset that brings an anchor to a point of the viewport; not clamped.
  ///
  /// - Parameters:
  ///   - anchor: The anchor.
  ///   - point: The point in the viewport; nil for ``readingPoint``.
  /// - Returns: Nil if the page is not shown, or nothing is visible.
  /// - Complexity: O(log *n*).
  public func offset(of anchor: Anchor, point: Point? = nil) -> Point? {
    guard let position = position(of: anchor) else { return nil }
    if arrangement.followsWindow { return restingOffset(of: anchor, at: position) }
    guard let page = page(anchor.page, at: position) else { return nil }
    let share = anchor.place.turnedInUnitSquare(by: configuration.rotation)
    let point = point ?? readingPoint
    return Point(
      x: page.frame.minX + share.x * page.frame.width - point.x,
      y: page.frame.minY + share.y * page.frame.height - point.y
    )
  }

  /// The anchor's fraction of the page's frame along the axis, in reading direction.
  public func fraction(of anchor: Anchor) -> Double {
    let share = anchor.place.turnedInUnitSquare(by: configuration.rotation)
    if environment.isVertical { return share.y }
    return environment.runsBackwards ? 1 - share.x : share.x
  }

  /// The anchor's fraction of the page's frame across the axis, from the left (top).
  public func fractionAcross(of anchor: Anchor) -> Double {
    let share = anchor.place.turnedInUnitSquare(by: configuration.rotation)
    return environment.isVertical ? share.x : share.y
  }

  /// The offset that shows `page` plus a fraction of it at the edge where reading starts; not clamped. Across the axis
  /// the spread is centered if it fits, else the page is, else the edges where reading starts are aligned. If spreads
  /// have their own cells, the fraction is ignored (``Viewpoint/showing(page:occurrence:fraction:across:)`` pans them);
  /// in a carousel it is a fraction of the distance to the next spread.
  ///
  /// - Returns: Nil if the page is not shown, or nothing is visible.
  public func offset(showing page: PageIndex, fraction: Double = 0) -> Point? {
    guard let index = spread(containingPage: page), !isEmpty else { return nil }
    if arrangement.followsWindow { return offset(atSpreadPosition: Double(index) + fraction) }
    if arrangement.restsAtSpreads { return offset(restingAt: index) }
    return place(on: PageOccurrence(page: page), fraction: fraction).flatMap {
      offset(of: $0.anchor, point: point(atShare: $0.point))
    }
  }

  /// The offset at which a spread is at rest at the edge where reading starts; not clamped.
  public func offset(restingAt index: Int) -> Point? {
    guard !isEmpty, index >= 0, index < spreads.count else { return nil }
    let along = arrangement.restingOffset(of: index, of: spreads)
    if arrangement.restsAtSpreads {
      return environment.isVertical ? Point(x: 0, y: along) : Point(x: along, y: 0)
    }
    let frame = arrangement.place(index, of: spreads, in: restingWindow(of: index)).frame
    return environment.isVertical
      ? Point(x: frame.center.x - readingPoint.x, y: along)
      : Point(x: along, y: frame.center.y - readingPoint.y)
  }

  // MARK: Anchors where frames follow the window

  /// The nearest spread, and the distance of the offset from its rest position, in steps, in reading direction: 0 at
  /// rest.
  private func restingAnchor(at offset: Point, _ point: Point) -> Anchor? {
    guard let position = spreadPosition(at: offset) else { return nil }
    let index = spreadIndex((position + 0.5).rounded(.down))
    let window = Rect(origin: offset, size: viewport)
    guard let page = page(in: index, nearest: point, window) else { return nil }
    let share = position - Double(index)
    let place =
      environment.isVertical
      ? Point(x: 0.5, y: share)
      : Point(x: environment.runsBackwards ? 1 - share : share, y: 0.5)
    return Anchor(
      page: page.page,
      occurrence: page.occurrence,
      place: place.turnedInUnitSquare(by: configuration.rotation.inverse)
    )
  }

  /// The page of a spread that is nearest to a point of the viewport; if it has none, the previous page, or else the
  /// next one.
  private func page(
    in index: Int,
    nearest point: Point,
    _ window: Rect
  ) -> (page: PageIndex, occurrence: Int, position: Int)? {
    let point = Point(x: window.minX + point.x, y: window.minY + point.y)
    guard let nearest = spread(index, in: window)?.pages.nearest(to: point) else {
      return firstPage(near: index)
    }
    return (nearest.page, occurrence(of: nearest.page, at: nearest.position), nearest.position)
  }

  private func restingOffset(of anchor: Anchor, at position: Int) -> Point? {
    offset(atSpreadPosition: Double(spreads.spread(of: position)) + fraction(of: anchor))
  }

  // MARK: Pages and their occurrences

  /// The position of an anchor; the last one if there are fewer occurrences now.
  func position(of anchor: Anchor) -> Int? { position(of: anchor.shown) }

  /// The position of an occurrence of a page; the last one if there are fewer now.
  func position(of shown: PageOccurrence) -> Int? {
    guard shown.page >= 0 else { return nil }
    if shown.occurrence == 0 { return firstPosition(of: shown.page) }
    let positions = pages.positions(of: shown.page)
    guard !positions.isEmpty else { return nil }
    return positions[min(max(0, shown.occurrence), positions.count - 1)]
  }

  func occurrence(of page: PageIndex, at position: Int) -> Int {
    var occurrence = 0
    pages.forEachPosition(of: page) { other in
      if other < position { occurrence += 1 }
    }
    return occurrence
  }

  /// The first page of a spread; for a spread of blanks the previous page, or else the next one.
  func firstPage(near index: Int) -> (page: PageIndex, occurrence: Int, position: Int)? {
    let positions = spreads.positions(of: index)
    var found: Int?
    for position in positions where pages.page(at: position) != nil {
      found = position
      break
    }
    if found == nil {
      let run = pages.run(at: positions.lowerBound)
      if run > 0 {
        found = pages.starts[run] - 1
      } else if pages.runs.count > 1 {
        found = pages.runs[0].count
      }
    }
    guard let found, let page = pages.page(at: found) else { return nil }
    return (page, occurrence(of: page, at: found), found)
  }
}
