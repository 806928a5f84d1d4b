public import RectoGeometry

extension Layout {
  /// The spreads that overlap `window` along the axis, whether or not they overlap it across.
  /// Touching edges do not count.
  ///
  /// - Returns: From the first to the last of them; in a custom arrangement, see ``spreadRanges(touching:)``.
  /// - Complexity: O(log *n*).
  public func spreads(touching window: Rect) -> Range<Int> {
    isEmpty ? 0..<0 : arrangement.spreads(touching: window, of: spreads)
  }

  /// The spreads that overlap `window` along the axis, without those in between that do not: in a custom arrangement,
  /// these can be several ranges.
  ///
  /// - Returns: Ranges of spreads, ascending, disjoint and not empty.
  /// - Complexity: O(log *n*) in the modes.
  public func spreadRanges(touching window: Rect) -> [Range<Int>] {
    let shown = touching(window)
    return shown.isEmpty ? [] : [shown.first] + shown.others
  }

  /// The same, without an array for one range.
  func touching(_ window: Rect) -> SpreadRanges {
    guard arrangement.isCustom, !isEmpty else { return SpreadRanges(spreads(touching: window)) }
    return SpreadRanges(
      arrangement.spreadRanges(touching: window, of: spreads),
      of: spreads.count
    )
  }

  /// The positions in the spreads that overlap `window` along the axis, including blanks: from the first to the last.
  ///
  /// - Complexity: O(log *n*).
  public func positions(touching window: Rect) -> Range<Int> {
    let shown = spreads(touching: window)
    guard let first = positions(inSpread: shown.lowerBound),
      let last = positions(inSpread: shown.upperBound - 1)
    else { return 0..<0 }
    return shown.isEmpty ? 0..<0 : first.lowerBound..<last.upperBound
  }

  /// The spread at `index` with its pages.
  ///
  /// - Parameters:
  ///   - index: The spread.
  ///   - window: The visible part of the content, for layouts whose frames follow it; nil for the
  ///     window in which the spread is at rest.
  /// - Returns: Nil if there is no such spread, or nothing is visible.
  /// - Complexity: O(log *n*).
  public func spread(_ index: Int, in window: Rect? = nil) -> LaidOutSpread? {
    spread(index, in: window, isExact: nil)
  }

  /// The spread at `index` with its pages; nil if there is no such spread, or nothing is visible.
  ///
  /// - Parameters:
  ///   - window: The visible part of the content; nil for the window in which the spread is at
  ///     rest.
  ///   - isExact: The value of `isExact`, if it does not matter; nil to compute it, which takes a
  ///     fifth of the time.
  /// - Returns: The spread in the content.
  func spread(_ index: Int, in window: Rect?, isExact: Bool?) -> LaidOutSpread? {
    guard !isEmpty, index >= 0, index < spreads.count else { return nil }
    var window = window ?? restingWindow(of: index)
    if !(window.minX.isFinite && window.minY.isFinite) { window = restingWindow(of: index) }
    let place = arrangement.place(index, of: spreads, in: window)
    return laidOut(index, at: place, isExact: isExact)
  }

  /// The visible spreads in `window`, in drawing order: reading order; pinned ones last, because they cover the others.
  /// In a custom arrangement, those of higher levels cover those of lower ones (``SpreadPlace/level``).
  ///
  /// - Complexity: O(*k* log *n*) for *k* spreads.
  public func spreads(visibleIn window: Rect) -> [LaidOutSpread] {
    guard !isEmpty else { return [] }
    let pinned = pinnedSpreads(in: window)
    var result = spreads(visibleIn: window, besides: pinned)
    markStickySpreads(in: &result)
    return result + pinned
  }

  /// The visible spreads in `window`, in drawing order, except pinned sticky ones.
  func spreads(visibleIn window: Rect, besides pinned: [LaidOutSpread]) -> [LaidOutSpread] {
    var result: [LaidOutSpread] = []
    guard arrangement.isCustom else {
      forEachSpread(visibleIn: window, besides: pinned) { result.append($0) }
      return result
    }
    var places: [(index: Int, place: SpreadPlace)] = []
    forEachPlace(visibleIn: window, besides: pinned) { places.append(($0, $1)) }
    // Stable: within a layer, reading order.
    places.sort { $0.place.layer < $1.place.layer }
    return places.map { laidOut($0.index, at: $0.place) }
  }

  /// Calls `body` with each visible spread in `window`, in reading order, except pinned sticky ones.
  func forEachSpread(
    visibleIn window: Rect,
    besides pinned: [LaidOutSpread],
    _ body: (LaidOutSpread) -> Void
  ) {
    forEachPlace(visibleIn: window, besides: pinned) { body(laidOut($0, at: $1)) }
  }

  @inline(__always)
  private func forEachPlace(
    visibleIn window: Rect,
    besides pinned: [LaidOutSpread],
    _ body: (Int, SpreadPlace) -> Void
  ) {
    touching(window).forEach { index in
      guard !pinned.contains(where: { $0.index == index }) else { return }
      let place = arrangement.place(index, of: spreads, in: window)
      if place.cell.intersects(window) { body(index, place) }
    }
  }

  /// The window in which a spread is at rest.
  func restingWindow(of index: Int) -> Rect {
    guard arrangement.mayFollowWindow else { return Rect(origin: .zero, size: viewport) }
    let offset = arrangement.restingOffset(of: index, of: spreads)
    let origin = environment.isVertical ? Point(x: 0, y: offset) : Point(x: offset, y: 0)
    return Rect(origin: origin, size: viewport)
  }

  /// A spread with its pages, at its position.
  ///
  /// - Parameters:
  ///   - isExact: As for ``spread(_:in:isExact:)``.
  /// - Returns: The spread in the content.
  func laidOut(_ index: Int, at place: SpreadPlace, isExact: Bool? = nil) -> LaidOutSpread {
    let isExact =
      isExact
      ?? spreads.areMeasured(spreadsDeciding(index..<index + 1))
    let (pages, frame) = laidOutPages(ofSpread: index, at: place, isExact: isExact)
    return LaidOutSpread(
      index: index,
      frame: frame ?? place.frame,
      cell: place.cell,
      pages: pages,
      isExact: isExact,
      isPinned: place.isPinned
    )
  }

  /// A spread's pages in reading order, and the frame around them; nil if it has none.
  private func laidOutPages(
    ofSpread index: Int,
    at place: SpreadPlace,
    isExact: Bool
  ) -> (pages: [LaidOutPage], frame: Rect?) {
    let (columns, first) = spreads.columns(of: index)
    let slots = spreads.slots(of: index)
    let sum = slots.reduce(into: Spreads.SlotSum()) { $0.add($1) }
    let metric = spreads.metric(of: sum, columns: columns)
    let natural = spreads.size(metric).width
    let factor = place.scale ?? (natural > 0 ? place.frame.width / natural : 1)
    let scale = metric.scale * configuration.zoom * factor
    let positions = spreads.positions(of: index)
    let widths = spreads.columnWidths(slots, firstColumn: first, metric)
    let isMirrored = configuration.isRightToLeft
    var pages: [LaidOutPage] = []
    var frame: Rect?
    var x = place.frame.minX
    // Columns from left to right; the pages are put into reading order at the end.
    for column in widths.indices {
      let logical = isMirrored ? metric.columns - 1 - column : column
      let position = positions.lowerBound + logical - first
      let isLast = column == metric.columns - 1
      let next = x + widths[column] * scale
      defer { x = next + environment.pageGap * factor }
      guard positions.contains(position) else { continue }
      let slot = slots[position - positions.lowerBound]
      guard let page = slot.page else { continue }
      // The edges of the spread are used unchanged, so that neighbors share them exactly.
      let end = isLast ? place.frame.maxX : next
      let isHighest = slot.size.height == metric.height
      let height = isHighest ? place.frame.height : slot.size.height * scale
      let y = isHighest ? place.frame.minY : place.frame.minY + (place.frame.height - height) / 2
      let box = Rect(x: x, y: y, width: end - x, height: height)
      let pageScale = scale * slot.factor
      let pageFrame = pageFrame(of: page, in: box, scale: pageScale)
      frame = frame.map { $0.union(pageFrame) } ?? pageFrame
      pages.append(
        LaidOutPage(
          page: page,
          position: position,
          frame: pageFrame,
          clip: place.cell,
          size: slot.pageSize,
          rotation: configuration.rotation,
          scale: pageScale,
          isMeasured: slot.isMeasured,
          isExact: isExact
        )
      )
    }
    if isMirrored { pages.reverse() }
    return (pages, frame)
  }

  /// The page inside the box with its margins.
  private func pageFrame(of page: PageIndex, in box: Rect, scale: Double) -> Rect {
    guard let margins = configuration.spacing.pageMargins[page] else { return box }
    let turned = margins.rotated(by: configuration.rotation)
    return box.inset(
      by: Insets(
        top: turned.top * scale,
        right: turned.right * scale,
        bottom: turned.bottom * scale,
        left: turned.left * scale
      )
    )
  }

  // MARK: Pages and spreads

  /// The spread with the position; nil if there is no such position. O(log *e*).
  public func spread(containingPosition position: Int) -> Int? {
    guard position >= 0, position < pages.count else { return nil }
    return spreads.spread(of: position)
  }

  /// The first spread with the page; nil if it is not shown.
  public func spread(containingPage page: PageIndex) -> Int? {
    firstPosition(of: page).map { spreads.spread(of: $0) }
  }

  /// The positions in a spread, including blanks; nil if there is no such spread.
  public func positions(inSpread index: Int) -> Range<Int>? {
    index >= 0 && index < spreads.count ? spreads.positions(of: index) : nil
  }

  /// The first position at which a page is shown.
  func firstPosition(of page: PageIndex) -> Int? {
    var first: Int?
    pages.forEachPosition(of: page) { position in
      first = min(first ?? position, position)
    }
    return first
  }

  /// A page with its frame; nil if it is not shown, or nothing is visible.
  ///
  /// - Parameters:
  ///   - page: The page of the document.
  ///   - position: Which of its positions, for a page shown more than once; nil for the first.
  ///   - window: The visible part of the content, for layouts whose frames follow it; nil for the
  ///     window in which the page's spread is at rest.
  /// - Returns: The page in the content.
  public func page(_ page: PageIndex, at position: Int? = nil, in window: Rect? = nil)
    -> LaidOutPage?
  {
    guard let position = position ?? firstPosition(of: page),
      let index = spread(containingPosition: position)
    else { return nil }
    return spread(index, in: window)?.pages.first { $0.position == position && $0.page == page }
  }
}

extension SpreadPlace {
  /// Where the spread stands in the order of drawing: by level, and pinned ones on top of others.
  var layer: (Int, Int) { (level, isPinned ? 1 : 0) }
}
