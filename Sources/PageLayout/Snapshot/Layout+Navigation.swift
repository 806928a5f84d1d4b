public import Geometry

/// A direction in the order of the pages.
public enum ReadingDirection: Int, Hashable, Sendable, CaseIterable {
  /// Towards the first page.
  case backward = -1
  /// Towards the last page.
  case forward = 1
}

extension Layout {
  /// The next offset at which a line of spreads begins at the viewport's start edge: what the keys
  /// for the next and the previous page lead to.
  ///
  /// Goes by lines, so that a partner that is partly visible is not skipped and wrapped rows advance
  /// as rows. Backwards, the start of the line that is scrolled into comes first.
  /// - Returns: A clamped offset; nil when there is none in that direction.
  /// - Complexity: O(log² *n*).
  public func stop(_ direction: ReadingDirection, from offset: Point) -> Point? {
    let offset = clamped(offset)
    guard let position = spreadPosition(at: offset) else { return nil }
    let sign = environment.runsBackwards ? -1.0 : 1.0
    func along(_ point: Point) -> Double { sign * (environment.isVertical ? point.y : point.x) }
    let here = along(offset)
    let current = spreadIndex(position.rounded(.down))
    var line = spreads.line(ofSpread: current)
    // Rounding may have put the offset just in front of the line it came from.
    line = max(0, line - 1)
    var found: Point?
    while line < spreads.lineCount {
      guard let rest = self.offset(restingAt: spreads.spreads(ofLine: line).lowerBound) else {
        return nil
      }
      var stop = clamped(rest)
      // Across the axis, the view stays where it is.
      if environment.isVertical { stop.x = offset.x } else { stop.y = offset.y }
      let distance = along(stop) - here
      switch direction {
      case .forward:
        if distance > 1e-6 { return stop }
        // From a clamped end there is no way on.
        if along(rest) - here > 1e-6 { return nil }
      case .backward:
        if distance >= -1e-6 { return found }
        found = stop
      }
      line += 1
    }
    return direction == .backward ? found : nil
  }

  /// The next offset for a key that turns a screen: no line is passed before it was fully seen.
  ///
  /// Forward to the start of the first line that is not fully visible, or by a screen where that
  /// line is already at the start edge; backward to the first line that is fully visible one screen
  /// before, or by a screen.
  /// - Parameter overlap: What of a screen is seen again, in layout units.
  /// - Returns: A clamped offset; nil when there is none in that direction.
  public func screenStop(
    _ direction: ReadingDirection,
    from offset: Point,
    overlap: Double = 0
  ) -> Point? {
    let offset = clamped(offset)
    guard !isEmpty, let position = spreadPosition(at: offset) else { return nil }
    if arrangement.restsAtSpreads { return stop(direction, from: offset) }
    let sign = environment.runsBackwards ? -1.0 : 1.0
    let screen = environment.along(environment.uncovered)
    let step = max(min(screen, 1), screen - max(0, overlap.isNaN ? 0 : overlap))
    let here = sign * (environment.isVertical ? offset.y : offset.x)
    func rest(_ line: Int) -> Double {
      sign
        * arrangement.restingOffset(of: spreads.spreads(ofLine: line).lowerBound, of: spreads)
    }
    let target = here + Double(direction.rawValue) * step
    let current = spreadIndex(position.rounded(.down))
    var found = target
    switch direction {
    case .forward:
      // Lines from here on: those that end within the screen have been seen.
      var line = spreads.line(ofSpread: current)
      while line + 1 < spreads.lineCount, rest(line) <= target {
        let extent = spreads.edges(ofLine: line)
        if rest(line) + extent.end - extent.start > here + screen + 1e-6 { break }
        line += 1
      }
      let start = rest(line)
      if start > here + 1e-6, start < target { found = start }
    case .backward:
      var line = spreads.line(ofSpread: current)
      while line > 0, rest(line - 1) >= target - 1e-6 { line -= 1 }
      let start = rest(line)
      if start < here - 1e-6, start >= target - 1e-6 { found = start }
    }
    var stop = offset
    if environment.isVertical { stop.y = sign * found } else { stop.x = sign * found }
    stop = clamped(stop)
    let moved = sign * (environment.isVertical ? stop.y : stop.x) - here
    return moved * Double(direction.rawValue) > 1e-6 ? stop : nil
  }

  /// The offset of the nearest spread at rest, where the layout has rest places; else the clamped
  /// offset itself.
  public func settled(_ offset: Point) -> Point {
    guard arrangement.restsAtSpreads, let position = spreadPosition(at: offset) else {
      return clamped(offset)
    }
    return clamped(self.offset(restingAt: spreadIndex(position.rounded())) ?? offset)
  }

  /// The spreads in the order in which their pixels are wanted.
  ///
  /// First what `window` shows, in reading direction, or against it when scrolling backwards. Then
  /// whole lines beside it: as long as nothing moves, ahead and behind by turns; while scrolling,
  /// one line ahead more per viewport a second, up to four, for each one behind.
  /// - Parameters:
  ///   - velocity: Viewports per second along the axis in reading direction; negative backwards.
  ///   - limit: The largest number of spreads.
  /// - Complexity: O(log *n* + `limit`).
  public func prefetchOrder(for window: Rect, velocity: Double = 0, limit: Int) -> [Int] {
    guard !isEmpty, limit > 0 else { return [] }
    let shown = spreads(touching: window)
    let isForward = !(velocity < 0)
    var result = isForward ? Array(shown.prefix(limit)) : Array(shown.reversed().prefix(limit))
    for pinned in pinnedSpreads(in: window) where !shown.contains(pinned.index) {
      if result.count < limit { result.append(pinned.index) }
    }
    let known = Set(result)
    let start =
      shown.isEmpty
      ? nearestPage(to: window.origin).map { spreads.spread(of: $0.position) } ?? 0
      : shown.lowerBound
    var ahead = spreads.line(ofSpread: start)
    if !shown.isEmpty { ahead = spreads.line(ofSpread: shown.upperBound - 1) + 1 }
    var behind = spreads.line(ofSpread: start) - 1
    let speed = velocity.isFinite ? min(abs(velocity), 4) : (velocity.isNaN ? 0 : 4)
    let lead = speed == 0 ? 1 : 1 + Int(speed.rounded())
    func add(_ line: Int) {
      for spread in spreads.spreads(ofLine: line)
      where result.count < limit && !known.contains(spread) {
        result.append(spread)
      }
    }
    func addAhead(_ count: Int) {
      for _ in 0..<count where ahead < spreads.lineCount {
        add(ahead)
        ahead += 1
      }
    }
    func addBehind(_ count: Int) {
      for _ in 0..<count where behind >= 0 {
        add(behind)
        behind -= 1
      }
    }
    while result.count < limit, ahead < spreads.lineCount || behind >= 0 {
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
}
