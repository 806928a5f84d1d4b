public import RectoGeometry

extension Layout {
  /// The place in the viewport that is kept for a reader: the middle of the edge where reading
  /// starts, inside the content insets.
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

  /// The middle of the viewport inside the content insets.
  var uncoveredMiddle: Point {
    let insets = configuration.contentInsets
    return Point(
      x: (insets.left + viewport.width - insets.right) / 2,
      y: (insets.top + viewport.height - insets.bottom) / 2
    )
  }

  /// The anchor of what is seen at a place of the viewport.
  ///
  /// A place in front of the first page, or in the gap in front of a spread, belongs to that spread;
  /// a place beside a spread to its nearest page.
  /// - Parameters:
  ///   - offset: The viewport's top left in the content.
  ///   - point: The place in the viewport: its middle for a zoom, the pointer for a pinch; nil:
  ///     ``readingPoint``.
  /// - Returns: Nil when nothing can be seen.
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

  /// The offset that brings an anchor to a place of the viewport; not clamped.
  ///
  /// - Parameters:
  ///   - anchor: The anchor.
  ///   - point: The place in the viewport; nil: ``readingPoint``.
  /// - Returns: Nil when the page is not shown, or nothing can be seen.
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

  /// The offset that shows `page` plus a fraction of it at the edge where reading starts; not clamped.
  /// Across the axis its spread is in the middle if all of it can be seen, else the page, else the edge of
  /// the page where reading starts. Where spreads have cells of their own, the fraction is passed over
  /// (``Viewpoint/showing(page:occurrence:fraction:across:)`` pans them); in a carousel it is a share of the way
  /// to the next spread.
  ///
  /// - Returns: Nil when the page is not shown, or nothing can be seen.
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

  /// The nearest spread, and how far the offset is from its rest, in steps between rests: 0 at rest,
  /// in reading direction.
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

  /// The page of a spread that is nearest to a point of the viewport; where it has none, the page in
  /// front of it, or else behind.
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

  /// The position that an anchor names; the last one when it has fewer occurrences now.
  func position(of anchor: Anchor) -> Int? { position(of: anchor.shown) }

  /// The position of an occurrence of a page; the last one when there are fewer now.
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

  /// The first page of a spread; for a spread of blanks the page in front of it, or else behind.
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
