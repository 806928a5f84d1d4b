public import RectoGeometry

/// A direction in the order of the pages.
public enum ReadingDirection: Int, Hashable, Sendable, CaseIterable {
  /// Towards the first page.
  case backward = -1
  /// Towards the last page.
  case forward = 1
}

extension Layout {
  /// The next offset at which spreads begin at the viewport's start edge, for the keys for the next and the previous
  /// page.
  ///
  /// Spreads that rest at the same offset are one stop, so that a partly visible partner is not
  /// skipped and wrapped rows advance as rows. Backwards, the start of a partly scrolled spread
  /// comes first.
  /// - Returns: A clamped offset; nil if there is none in that direction.
  /// - Complexity: O(log² *n*).
  public func stop(_ direction: ReadingDirection, from offset: Point) -> Point? {
    let offset = clamped(offset)
    guard !isEmpty, offset.x.isFinite, offset.y.isFinite else { return nil }
    let sign = environment.runsBackwards ? -1.0 : 1.0
    func along(_ point: Point) -> Double { sign * (environment.isVertical ? point.y : point.x) }
    let here = along(offset)
    // Rounding may have put the offset just before its rest position.
    let beside = Double.lengthTolerance
    let index: Int
    switch direction {
    case .forward:
      index = firstSpread { $0 > here + beside }
      guard index < spreads.count else { return nil }
    case .backward:
      index = firstSpread { $0 >= here - beside } - 1
      guard index >= 0 else { return nil }
    }
    guard let rest = self.offset(restingAt: index) else { return nil }
    var stop = clamped(rest)
    // Across the axis, the view does not move.
    if environment.isVertical { stop.x = offset.x } else { stop.y = offset.y }
    // From a clamped end there is no way on.
    let distance = along(stop) - here
    return distance * Double(direction.rawValue) > beside ? stop : nil
  }

  /// The first spread whose rest position, in reading direction, passes a test that all following spreads pass, too;
  /// the number of spreads if there is none.
  private func firstSpread(where passes: (Double) -> Bool) -> Int {
    let sign = environment.runsBackwards ? -1.0 : 1.0
    return (0..<spreads.count).partitioningIndex {
      passes(sign * arrangement.restingOffset(of: $0, of: spreads))
    }
  }

  /// The next offset for a key that advances by a screen, without skipping anything that was not
  /// fully visible.
  ///
  /// Forward to the start of the first spread that is not fully visible, or by a screen if that is
  /// already at the start edge; backward to the first spread that is fully visible one screen
  /// earlier, or by a screen.
  ///
  /// - Parameters:
  ///   - direction: Forward or backward in reading order.
  ///   - offset: The offset to start from, in content coordinates.
  ///   - overlap: The part of the screen that remains visible, in layout units.
  /// - Returns: A clamped offset; nil if there is none in that direction.
  /// - Complexity: O(*k* log *n*) for *k* spreads on a screen.
  public func screenStop(
    _ direction: ReadingDirection,
    from offset: Point,
    overlap: Double = 0
  ) -> Point? {
    let offset = clamped(offset)
    guard !isEmpty, offset.x.isFinite, offset.y.isFinite else { return nil }
    if arrangement.restsAtSpreads { return stop(direction, from: offset) }
    let sign = environment.runsBackwards ? -1.0 : 1.0
    let screen = environment.along(environment.uncovered)
    let step = max(min(screen, 1), screen - max(0, overlap.isNaN ? 0 : overlap))
    let here = sign * (environment.isVertical ? offset.y : offset.x)
    func rest(_ index: Int) -> Double {
      sign * arrangement.restingOffset(of: index, of: spreads)
    }
    let target = here + Double(direction.rawValue) * step
    var found = target
    switch direction {
    case .forward:
      // Spreads that end within the screen have been seen.
      let current = max(0, firstSpread { $0 > here } - 1)
      let start = rest(current)
      var index = firstSpread { $0 >= start - .lengthTolerance }
      while index < spreads.count, rest(index) <= target {
        let frame = arrangement.place(index, of: spreads, in: restingWindow(of: index)).frame
        if rest(index) + environment.along(frame.size) > here + screen + .lengthTolerance {
          let start = rest(index)
          if start > here + .lengthTolerance, start < target { found = start }
          break
        }
        index += 1
      }
    case .backward:
      let index = firstSpread { $0 >= target - .lengthTolerance }
      if index < spreads.count {
        let start = rest(index)
        if start < here - .lengthTolerance { found = start }
      }
    }
    var stop = offset
    if environment.isVertical { stop.y = sign * found } else { stop.x = sign * found }
    stop = clamped(stop)
    let moved = sign * (environment.isVertical ? stop.y : stop.x) - here
    return moved * Double(direction.rawValue) > .lengthTolerance ? stop : nil
  }

  /// The offset of the nearest rest position, if the layout has any; else the clamped offset
  /// itself.
  public func settled(_ offset: Point) -> Point {
    guard arrangement.restsAtSpreads, let position = spreadPosition(at: offset) else {
      return clamped(offset)
    }
    return clamped(self.offset(restingAt: spreadIndex(position.rounded())) ?? offset)
  }

  /// The spreads in the order in which to draw them.
  ///
  /// First the visible ones in `window`, in reading direction, or against it when scrolling
  /// backwards. Then whole lines around it: at rest, ahead and behind in turn; while scrolling, for
  /// each line behind, one more line ahead per viewport per second, up to four.
  ///
  /// - Parameters:
  ///   - window: The visible part of the content.
  ///   - velocity: Viewports per second along the axis in reading direction; negative backwards.
  ///   - limit: The largest number of spreads.
  /// - Returns: Indices of spreads, the most urgent first.
  /// - Complexity: O(log *n* + `limit`).
  public func prefetchOrder(for window: Rect, velocity: Double = 0, limit: Int) -> [Int] {
    guard !isEmpty, limit > 0 else { return [] }
    let found = touching(window)
    let shown = scrolledSpreads(found, in: window)
    let isForward = !(velocity < 0)
    var result =
      isForward ? Array(found.first.prefix(limit)) : Array(found.first.reversed().prefix(limit))
    for range in found.others {
      let spreads = isForward ? Array(range.prefix(limit)) : range.suffix(limit).reversed()
      result = Array((isForward ? result + spreads : spreads + result).prefix(limit))
    }
    for pinned in pinnedSpreads(in: window) where !found.contains(pinned.index) {
      if result.count < limit { result.append(pinned.index) }
    }
    let known = Set(result)
    let start =
      shown.isEmpty
      ? nearestPage(to: window.origin).map { spreads.spread(of: $0.position) } ?? 0
      : shown.lowerBound
    let first = spreads.line(ofSpread: start)
    let next = shown.isEmpty ? first : spreads.line(ofSpread: shown.upperBound - 1) + 1
    var ahead = next..<max(next, spreads.lineCount)
    var behind = 0..<first
    let lead = Self.lead(atVelocity: velocity)
    func add(_ line: Int) {
      for spread in spreads.spreads(ofLine: line)
      where result.count < limit && !known.contains(spread) {
        result.append(spread)
      }
    }
    func addAhead(_ count: Int) {
      ahead.prefix(count).forEach(add)
      ahead = ahead.dropFirst(count)
    }
    func addBehind(_ count: Int) {
      behind.suffix(count).reversed().forEach(add)
      behind = behind.dropLast(count)
    }
    while result.count < limit, !ahead.isEmpty || !behind.isEmpty {
      if isForward {
        addAhead(lead)
        addBehind(1)
      } else {
        addBehind(lead)
        addAhead(1)
      }
    }
    return result
  }

  /// From the first to the last spread of a window that is scrolled with the content.
  private func scrolledSpreads(_ shown: SpreadRanges, in window: Rect) -> Range<Int> {
    guard arrangement.isCustom else { return shown.first }
    var hull = 0..<0
    shown.forEach { index in
      if arrangement.place(index, of: spreads, in: window).isPinned { return }
      hull = hull.isEmpty ? index..<index + 1 : hull.lowerBound..<index + 1
    }
    return hull
  }

  /// The lines ahead for each one behind, 1 to 5.
  private static func lead(atVelocity velocity: Double) -> Int {
    let speed = velocity.isFinite ? min(abs(velocity), 4) : (velocity.isNaN ? 0 : 4)
    return 1 + Int(speed.rounded())
  }
}
