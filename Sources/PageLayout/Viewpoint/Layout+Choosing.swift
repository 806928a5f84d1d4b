internal import RectoGeometry

/// The places that movements choose.
extension Layout {
  /// The place at an offset: the visible point of the current page nearest to where reading starts. While some of the
  /// visible pages are not measured, the point is on a measured one.
  ///
  /// - Parameters:
  ///   - offset: The viewport's top left in the content.
  ///   - earlier: The window before the step to the offset; a page that was also visible in it is preferred to a new
  ///     one.
  /// - Returns: Nil if nothing is visible.
  /// - Complexity: O(*k* log *n*) for *k* spreads in the windows.
  func place(at offset: Point, alsoIn earlier: Rect? = nil) -> Place? {
    guard !isEmpty, offset.x.isFinite, offset.y.isFinite else { return nil }
    let window = Rect(origin: offset, size: viewport)
    guard let current = currentPosition(in: window) else { return nil }
    guard touching(window).count <= Self.mostCompared else {
      return place(on: current, at: offset)
    }
    var best: (rank: Int, area: Double, position: Int)?
    var isMeasured = true
    forEachSpread(visibleIn: window, besides: pinnedSpreads(in: window)) { spread in
      if spread.isPinned { return }
      for page in spread.pages {
        guard let seen = page.visible(in: window) else { continue }
        guard page.isMeasured else {
          isMeasured = false
          continue
        }
        let rank = earlier.flatMap { page.visible(in: $0) } != nil ? 1 : 0
        if let best, (best.rank, best.area) >= (rank, seen.area) { continue }
        best = (rank, seen.area, page.position)
      }
    }
    let position = isMeasured || arrangement.restsAtSpreads ? nil : best?.position
    let place = place(on: position ?? current, at: offset)
    return place.map { place in
      var place = place
      place.current = pageOccurrence(at: current) ?? place.current
      return place
    }
  }

  /// The visible point, at an offset, of the page at a position that is nearest to where reading starts; for an
  /// invisible page, its center, which is outside of the viewport.
  func place(on position: Int, at offset: Point) -> Place? {
    var origin = offset
    var progress = 0.0
    if arrangement.restsAtSpreads {
      let index = spreads.spread(of: position)
      guard let rest = self.offset(restingAt: index), let steps = spreadPosition(at: offset) else {
        return nil
      }
      origin = rest
      progress = steps - Double(index)
      if abs(progress) <= .lengthTolerance { progress = 0 }
    }
    let window = Rect(origin: origin, size: viewport)
    guard let number = pages.page(at: position), let page = page(number, at: position, in: window)
    else { return nil }
    let reading = readingPoint
    let point =
      page.visible(in: window).map { seen in
        let part = seen.intersection(window.inset(by: configuration.contentInsets)) ?? seen
        return Point(
          x: min(max(origin.x + reading.x, part.minX), part.maxX),
          y: min(max(origin.y + reading.y, part.minY), part.maxY)
        )
      } ?? page.frame.center
    return Place(
      anchor(on: page, at: page.share(of: point)),
      at: share(ofPoint: Point(x: point.x - origin.x, y: point.y - origin.y)),
      progress: progress
    )
  }

  /// The place of a page, with a fraction of it before the edge where reading starts; in a
  /// carousel, a fraction of the distance to the next spread.
  ///
  /// - Parameters:
  ///   - fraction: The fraction of its extent along the axis, in reading direction.
  ///   - across: The fraction of its extent that is centered across the axis; nil, see
  ///     ``across(_:in:)``.
  /// - Returns: Nil if the page is not shown.
  func place(on page: PageOccurrence, fraction: Double, across: Double? = nil) -> Place? {
    guard let position = position(of: page), let number = pages.page(at: position) else {
      return nil
    }
    let progress = arrangement.followsWindow ? fraction : 0
    let fraction = arrangement.followsWindow ? 0 : fraction
    let along = environment.runsBackwards ? 1 - fraction : fraction
    let start = environment.runsBackwards ? 1.0 : 0
    guard let spread = spread(spreads.spread(of: position)),
      let shown = spread.pages.first(where: { $0.position == position })
    else {
      // Nothing is visible: the center of the page, whatever its spread will be.
      let middle = across ?? 0.5
      let share = environment.isVertical ? Point(x: middle, y: along) : Point(x: along, y: middle)
      return Place(
        Anchor(
          page: number,
          occurrence: page.occurrence,
          place: share.turnedInUnitSquare(by: configuration.rotation.inverse)
        ),
        at: readingShare,
        progress: progress
      )
    }
    let (share, edge) = across.map { ($0, 0.5) } ?? self.across(shown, in: spread)
    return Place(
      anchor(
        on: shown,
        at: environment.isVertical ? Point(x: share, y: along) : Point(x: along, y: share)
      ),
      at: environment.isVertical ? Point(x: edge, y: 0) : Point(x: start, y: edge),
      progress: progress
    )
  }

  /// Which fraction of a page is at which fraction of the uncovered viewport, across the axis, so that its spread is
  /// centered if it is wholly visible, else the page is, else the edges where reading starts are aligned.
  func across(
    _ page: LaidOutPage,
    in spread: LaidOutSpread
  ) -> (share: Double, edge: Double) {
    func range(_ rect: Rect) -> (min: Double, max: Double) {
      environment.isVertical ? (rect.minX, rect.maxX) : (rect.minY, rect.maxY)
    }
    let (all, own) = (range(spread.frame), range(page.frame))
    let room = environment.across(environment.uncovered)
    let extent = own.max - own.min
    if all.max - all.min <= room + .lengthTolerance {
      // A point of the page itself, so that it stays visible whatever happens to the spread.
      return (0.5, 0.5 + (own.min + own.max - all.min - all.max) / 2 / room)
    }
    if extent <= room + .lengthTolerance { return (0.5, 0.5) }
    let start = environment.isVertical && configuration.isRightToLeft ? 1.0 : 0
    return (start, start)
  }

  /// The position of an anchor in the viewport; if spreads rest, with its spread at rest.
  ///
  /// - Returns: Nil if nothing is visible.
  func point(of anchor: Anchor, at position: Int, in window: Rect) -> Point? {
    var window = window
    if arrangement.restsAtSpreads, let rest = offset(restingAt: spreads.spread(of: position)) {
      window = Rect(origin: rest, size: viewport)
    }
    guard let page = page(anchor.page, at: position, in: window) else { return nil }
    let share = anchor.place.turnedInUnitSquare(by: configuration.rotation)
    return Point(
      x: page.frame.minX + share.x * page.frame.width - window.minX,
      y: page.frame.minY + share.y * page.frame.height - window.minY
    )
  }

  /// The anchor of a fraction of a page as displayed.
  func anchor(on page: LaidOutPage, at share: Point) -> Anchor {
    Anchor(
      page: page.page,
      occurrence: occurrence(of: page.page, at: page.position),
      place: share.turnedInUnitSquare(by: configuration.rotation.inverse)
    )
  }

  /// The page at a position, by its occurrence; nil for a blank.
  func pageOccurrence(at position: Int) -> PageOccurrence? {
    pages.page(at: position).map {
      PageOccurrence(page: $0, occurrence: occurrence(of: $0, at: position))
    }
  }
}
