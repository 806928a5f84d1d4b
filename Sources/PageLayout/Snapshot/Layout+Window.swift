public import RectoGeometry

extension Layout {
  /// The nearest offset at which the viewport shows content.
  ///
  /// On both axes from the content's start, minus the inset, to where its end meets the end of the viewport. Content
  /// shorter than the viewport is aligned where reading starts. If spreads rest in cells as large as the viewport,
  /// insets are parts of the cells. NaN counts as 0.
  public func clamped(_ offset: Point) -> Point {
    let content = contentSize
    let insets = arrangement.restsAtSpreads ? .zero : configuration.contentInsets
    return Point(
      x: Self.clamped(
        offset.x,
        content: content.width,
        viewport: viewport.width,
        near: insets.left,
        far: insets.right,
        fromFar: configuration.isRightToLeft && !environment.isVertical
      ),
      y: Self.clamped(
        offset.y,
        content: content.height,
        viewport: viewport.height,
        near: insets.top,
        far: insets.bottom,
        fromFar: false
      )
    )
  }

  private static func clamped(
    _ value: Double,
    content: Double,
    viewport: Double,
    near: Double,
    far: Double,
    fromFar: Bool
  ) -> Double {
    let value = value.isNaN ? 0 : value
    // Written as a subtraction to avoid an offset of minus zero.
    let first = 0 - near
    let last = content - viewport + far
    guard last > first else { return fromFar && content > 0 ? last : first }
    return min(max(value, first), last)
  }

  /// The offset at which reading starts, insets included.
  public var startOffset: Point {
    let end = Double.greatestFiniteMagnitude
    return clamped(Point(x: configuration.isRightToLeft ? end : -end, y: -end))
  }

  /// The visible part of the content at an offset, which is clamped.
  public func window(at offset: Point) -> Rect {
    Rect(origin: clamped(offset), size: viewport)
  }

  // MARK: Position in spreads

  /// The offset as a number of spreads: 2.5 is halfway between the rest positions of spreads 2 and
  /// 3.
  ///
  /// - Returns: Nil if nothing is visible.
  /// - Complexity: O(log² *n*).
  public func spreadPosition(at offset: Point) -> Double? {
    guard !isEmpty else { return nil }
    let sign = environment.runsBackwards ? -1.0 : 1.0
    let value = sign * (environment.isVertical ? offset.y : offset.x)
    guard value.isFinite else { return nil }
    func rest(_ index: Int) -> Double { sign * arrangement.restingOffset(of: index, of: spreads) }
    let index = (1..<spreads.count).partitioningIndex { !(rest($0) <= value) } - 1
    let start = rest(index)
    // Before the first and after the last spread, the step is that of the neighbors.
    let step =
      index + 1 < spreads.count
      ? rest(index + 1) - start : (index > 0 ? start - rest(index - 1) : 0)
    guard step > 0 else { return Double(index) }
    return Double(index) + (value - start) / step
  }

  /// The spread at a number of spreads, clamped to the existing ones.
  func spreadIndex(_ position: Double) -> Int {
    Int(min(max(position, 0), Double(max(0, spreads.count - 1))))
  }

  /// The offset for a number of spreads: the inverse of ``spreadPosition(at:)``; not clamped.
  public func offset(atSpreadPosition position: Double) -> Point? {
    guard !isEmpty, position.isFinite else { return nil }
    let last = spreads.count - 1
    let index = min(spreadIndex(position.rounded(.down)), max(0, last - 1))
    guard let start = offset(restingAt: index) else { return nil }
    guard last > 0, let end = offset(restingAt: index + 1) else { return start }
    let share = position - Double(index)
    return Point(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
  }

  // MARK: Points and pages

  /// The page at a point of the content; nil if there is none. Pinned spreads cover the rest.
  ///
  /// - Parameters:
  ///   - point: In content coordinates.
  ///   - window: The visible part, for layouts whose frames follow it, and for pinned spreads.
  /// - Returns: The page on top.
  public func page(at point: Point, in window: Rect? = nil) -> LaidOutPage? {
    let pinned = window.map { pinnedSpreads(in: $0) } ?? []
    if let page = pinned.lazy.compactMap({ $0.page(at: point) }).first { return page }
    if arrangement.isCustom, let window, window.contains(point) {
      let shown = spreads(visibleIn: window, besides: pinned)
      return shown.reversed().lazy.compactMap { $0.page(at: point) }.first
    }
    let near = spreads(near: point, in: window)
    if arrangement.isCustom, !arrangement.followsWindow { return pageOnTop(at: point, of: near) }
    for index in near.first where !pinned.contains(where: { $0.index == index }) {
      if let page = spread(index, in: window)?.page(at: point) { return page }
    }
    return nil
  }

  /// The page of a custom arrangement at a point, among spreads at their own places.
  private func pageOnTop(at point: Point, of near: SpreadRanges) -> LaidOutPage? {
    var best: (layer: (Int, Int), page: LaidOutPage)?
    near.forEach { index in
      let place = arrangement.place(index, of: spreads, in: restingWindow(of: index))
      if let best, place.layer < best.layer { return }
      let page = laidOut(index, at: place).page(at: point)
      if let page { best = (place.layer, page) }
    }
    return best?.page
  }

  /// The page nearest to a point of the content, among those beside the point across the axis or, in a gap, those that
  /// begin after it; nil if nothing is visible.
  public func nearestPage(to point: Point, in window: Rect? = nil) -> LaidOutPage? {
    guard point.x.isFinite, point.y.isFinite else { return nil }
    return pageNearest(point, in: window)
  }

  func pageNearest(_ point: Point, in window: Rect?) -> LaidOutPage? {
    // Where frames do not follow the window, spreads that stay in it count at their own places.
    let window = arrangement.followsWindow ? window : nil
    let candidates = spreads(near: point, in: window)
    guard !candidates.isEmpty else { return nil }
    var best: (distance: Double, page: LaidOutPage)?
    candidates.forEach { index in
      for page in spread(index, in: window)?.pages ?? [] {
        let distance = page.frame.squaredDistance(to: point)
        if let known = best, known.distance <= distance { continue }
        best = (distance, page)
      }
    }
    if let best { return best.page }
    guard let page = firstPage(near: candidates.first.lowerBound) else { return nil }
    return self.page(page.page, at: page.position, in: window)
  }

  /// The spreads at a point along the axis; in a gap, those at the start of the next one; after all spreads, those at
  /// the start of the last.
  func spreads(near point: Point, in window: Rect?) -> SpreadRanges {
    guard !isEmpty, point.x.isFinite, point.y.isFinite else { return SpreadRanges(0..<0) }
    if arrangement.followsWindow {
      return touching(window ?? Rect(origin: clamped(point), size: viewport))
    }
    let here = standing(in: strip(from: point, extent: touch(point)))
    if !here.isEmpty { return here }
    var behind = firstStanding(in: strip(from: point, extent: environment.along(viewport)))
    if behind == nil {
      let along = environment.isVertical ? point.y : point.x
      let all = environment.along(contentSize) + abs(along)
      behind = firstStanding(in: strip(from: point, extent: all))
    }
    let first = behind ?? spreads.count - 1
    let frame = arrangement.place(first, of: spreads, in: restingWindow(of: first)).frame
    let start = Point(x: environment.runsBackwards ? frame.maxX : frame.minX, y: frame.minY)
    let beside = standing(in: strip(from: start, extent: touch(start)))
    return beside.contains(first) ? beside : SpreadRanges(first..<first + 1)
  }

  /// The spreads that overlap a strip along the axis, without those that are only pinned to it.
  private func standing(in strip: Rect) -> SpreadRanges {
    let found = touching(strip)
    guard arrangement.isCustom else { return found }
    var ranges: [Range<Int>] = []
    found.forEach { if stands($0, in: strip) { ranges.append($0..<$0 + 1) } }
    return SpreadRanges(ranges, of: spreads.count)
  }

  /// The first of them.
  private func firstStanding(in strip: Rect) -> Int? {
    touching(strip).first { stands($0, in: strip) }
  }

  /// Whether a spread that overlaps a strip is not only pinned to it.
  private func stands(_ index: Int, in strip: Rect) -> Bool {
    guard arrangement.isCustom, arrangement.place(index, of: spreads, in: strip).isPinned else {
      return true
    }
    let own = arrangement.place(index, of: spreads, in: restingWindow(of: index)).cell
    let (first, second) = (environment.along(own), environment.along(strip))
    return first.min < second.max && first.max > second.min
  }

  /// A tiny extent along the axis that is not lost to rounding at the point's coordinate.
  private func touch(_ point: Point) -> Double {
    max(.lengthTolerance, 1e-12 * abs(environment.isVertical ? point.y : point.x))
  }

  /// A strip of the content that begins at a point and runs in reading direction.
  private func strip(from point: Point, extent: Double) -> Rect {
    if environment.isVertical {
      return Rect(x: 0, y: point.y, width: contentSize.width, height: extent)
    }
    let x = environment.runsBackwards ? point.x - extent : point.x
    return Rect(x: x, y: 0, width: extent, height: contentSize.height)
  }

  // MARK: Current page

  /// The current page of a window.
  ///
  /// The first rule that gives a page holds:
  /// 1. `target`, the last target page, as long as it is visible;
  /// 2. at the start of the content, a page of the first line that is wholly visible; at the end, one of the last line;
  /// 3. the page with the largest visible area, in a carousel among those of the spread nearest to rest;
  /// 4. the page nearest to where reading starts, if the window shows only gaps or more than 16,384 spreads.
  ///
  /// Of several, the largest visible area decides; between equal ones, the page shown first.
  ///
  /// - Parameters:
  ///   - window: The visible part of the content.
  ///   - target: The last target page.
  /// - Returns: Nil if nothing is visible at all.
  /// - Complexity: O(*k* log *n*) for *k* spreads in the window, which are not stored.
  public func currentPage(in window: Rect, target: PageIndex? = nil) -> PageIndex? {
    if let target, isSeen(target, in: window) { return target }
    return currentPosition(in: window).flatMap { pages.page(at: $0) }
  }

  /// Whether a page is visible in a window, and not only because it is pinned.
  private func isSeen(_ page: PageIndex, in window: Rect) -> Bool {
    guard let position = firstPosition(of: page),
      let spread = spread(spreads.spread(of: position), in: window), !spread.isPinned
    else { return false }
    return spread.pages.first { $0.position == position }?.isSeen(in: window) == true
  }

  /// The position of the current page of a window, as for ``currentPage(in:target:)``.
  func currentPosition(in window: Rect) -> Int? {
    if let largest = largestPosition(in: window) { return largest }
    let reading = readingPoint
    let place = Point(x: window.minX + reading.x, y: window.minY + reading.y)
    return nearestPage(to: place, in: window)?.position
  }

  /// The most spreads of a window that are compared to find the current page.
  static let mostCompared = 1 << 14

  /// The position of the current page of a window, among the visible ones; nil if there are none, or more than
  /// ``mostCompared`` spreads.
  func largestPosition(in window: Rect) -> Int? {
    guard !isEmpty, touching(window).count <= Self.mostCompared else { return nil }
    var best: (rank: Int, area: Double, position: Int)?
    let lines = linesAtEnds(of: window)
    let resting =
      arrangement.followsWindow
      ? spreadPosition(at: window.origin).map { spreadIndex($0.rounded()) } : nil
    forEachSpread(visibleIn: window, besides: pinnedSpreads(in: window)) { spread in
      if spread.isPinned { return }
      let line = lines.isEmpty ? nil : lines.firstIndex(of: spreads.line(ofSpread: spread.index))
      for page in spread.pages {
        guard page.isSeen(in: window), let area = page.visible(in: window)?.area else { continue }
        var rank = spread.index == resting ? 1 : 0
        if let line, area >= page.frame.area * (1 - 1e-9) { rank = lines.count - line }
        // Differences in the last digits are ignored.
        if let best, best.rank > rank || (best.rank == rank && area <= best.area * (1 + 1e-9)) {
          continue
        }
        best = (rank, area, page.position)
      }
    }
    return best?.position
  }

  /// The first line if a window shows the start of the content, and then the last one if it shows its end.
  private func linesAtEnds(of window: Rect) -> [Int] {
    guard !arrangement.restsAtSpreads else { return [] }
    func along(_ point: Point) -> Double {
      environment.isVertical ? point.y : environment.runsBackwards ? -point.x : point.x
    }
    let end = Double.greatestFiniteMagnitude
    let far = Point(x: configuration.isRightToLeft ? -end : end, y: end)
    let here = along(window.origin)
    var lines: [Int] = []
    if here <= along(startOffset) + .lengthTolerance { lines.append(0) }
    if here >= along(clamped(far)) - .lengthTolerance { lines.append(spreads.lineCount - 1) }
    return lines
  }
}

extension LaidOutSpread {
  /// The page at a point of the content.
  func page(at point: Point) -> LaidOutPage? {
    pages.first { $0.frame.contains(point) && $0.clip.contains(point) }
  }
}

extension [LaidOutPage] {
  /// The page nearest to a point of the content; the first of equally near ones.
  func nearest(to point: Point) -> LaidOutPage? {
    self.min { $0.frame.squaredDistance(to: point) < $1.frame.squaredDistance(to: point) }
  }
}

extension Rect {
  /// The square of the distance to a point; 0 inside.
  func squaredDistance(to point: Point) -> Double {
    let x = max(minX - point.x, 0, point.x - maxX)
    let y = max(minY - point.y, 0, point.y - maxY)
    return x * x + y * y
  }
}
