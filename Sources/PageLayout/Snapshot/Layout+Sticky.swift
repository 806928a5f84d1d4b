internal import RectoGeometry

extension Layout {
  /// The spreads of the sticky pages that are shown, ascending.
  var stickySpreads: [Int] {
    let pages = spreads.environment.configuration.stickyPages
    return pages.isEmpty ? [] : Set(pages.compactMap { spread(containingPage: $0) }).sorted()
  }

  /// The spreads of sticky pages that are outside of `window` or cross its edge, moved to the
  /// nearer edge, see ``StickyLine``.
  ///
  /// - Parameters:
  ///   - insets: The parts of the window to avoid; nil for the content insets.
  ///   - staysInContent: Whether the ends of the content push them out, if the window extends
  ///     beyond it: pinned spreads then do not move beyond the content.
  /// - Returns: The spreads of the pinned lines that overlap the window along the axis, at their
  ///   pinned positions.
  func pinnedSpreads(
    in window: Rect,
    insets: Insets? = nil,
    staysInContent: Bool = false
  ) -> [LaidOutSpread] {
    let indices = stickySpreads
    guard !indices.isEmpty, !window.isEmpty else { return [] }
    let insets = insets ?? configuration.contentInsets
    let part = reading(window)
    let room = (
      start: part.start + environment.leading(insets), end: part.end - environment.trailing(insets)
    )
    guard room.end > room.start, room.start.isFinite, room.end.isFinite else { return [] }
    var bounds = (start: -Double.infinity, end: Double.infinity)
    if staysInContent { bounds = reading(Rect(origin: .zero, size: contentSize)) }
    let sticky = indices.compactMap { stickySpread($0, in: window) }
    var lines = lines(of: sticky)
    lines.pin(in: room, keptIn: bounds)
    // Rounding errors may move a line that should not move, or keep a line that is pushed out in the window.
    let lost = Double.lengthTolerance
    lines.removeAll { line in
      abs(line.distance) <= lost || line.start + line.distance >= part.end - lost
        || line.end + line.distance <= part.start + lost
    }
    guard !lines.isEmpty else { return [] }
    var isExact = areShapesMeasured(of: indices) && areDecided(spreads(touching: window))
    if part.start < bounds.start { isExact = isExact && areDecided(0..<1) }
    if part.end > bounds.end { isExact = isExact && areDecided(lastSpread) }
    return lines.flatMap { line in
      sticky[line.spreads].map { moved($0, by: line.distance, isExact: isExact) }
    }
  }

  /// The lines of spreads at their own positions: those of a row, or those that a custom arrangement puts beside each
  /// other.
  private func lines(of sticky: [LaidOutSpread]) -> [StickyLine] {
    var lines: [StickyLine] = []
    var row: Int?
    for (place, spread) in sticky.enumerated() {
      let (start, end) = reading(spread.cell)
      let rowBefore = row
      row = spreads.line(ofSpread: spread.index)
      // Cells may overlap by rounding errors.
      if let last = lines.last, row == rowBefore || start < last.end - 2 * .lengthTolerance {
        var line = StickyLine(
          spreads: last.spreads.lowerBound..<place + 1,
          start: min(last.start, start),
          end: max(last.end, end),
          extentAtRest: 0
        )
        line.extentAtRest = max(last.extentAtRest, line.end - line.start)
        lines[lines.count - 1] = line
        continue
      }
      lines.append(
        StickyLine(
          spreads: place..<place + 1,
          start: start,
          end: end,
          extentAtRest: arrangement.followsWindow ? extentAtRest(of: spread.index) : end - start
        )
      )
    }
    return lines
  }

  /// A spread at its own position, clipped to its cell, also when it is pinned. Nil if nothing is visible. Does not
  /// determine exactness.
  private func stickySpread(_ index: Int, in window: Rect) -> LaidOutSpread? {
    guard var spread = spread(index, in: window, isExact: false),
      let seen = spread.frame.intersection(spread.cell)
    else { return nil }
    let lost = Double.lengthTolerance
    let isCut = seen.width < spread.frame.width - lost || seen.height < spread.frame.height - lost
    spread.cell = isCut ? seen : spread.frame
    return spread
  }

  /// The visible extent along the axis of a spread at rest, including empty columns and page
  /// margins.
  private func extentAtRest(of index: Int) -> Double {
    let place = arrangement.place(index, of: spreads, in: restingWindow(of: index))
    return environment.along((place.frame.intersection(place.cell) ?? place.frame).size)
  }

  /// The start and end of a rectangle along the axis, in reading direction.
  private func reading(_ rect: Rect) -> (start: Double, end: Double) {
    let along = environment.along(rect)
    return environment.runsBackwards ? (-along.max, -along.min) : (along.min, along.max)
  }

  private var lastSpread: Range<Int> { max(0, spreads.count - 1)..<spreads.count }

  /// Whether everything that decides the positions of spreads is measured.
  private func areDecided(_ range: Range<Int>) -> Bool {
    spreads.areMeasured(spreadsDeciding(range))
  }

  /// Marks sticky spreads at their own positions as inexact while unmeasured sizes may cause them to be pinned.
  func markStickySpreads(in shown: inout [LaidOutSpread]) {
    let sticky = stickySpreads
    guard !sticky.isEmpty else { return }
    let open = shown.indices.filter { sticky.contains(shown[$0].index) }
    guard !open.isEmpty, !areShapesMeasured(of: sticky) else { return }
    for index in open { shown[index].markExact(false) }
  }

  /// Whether everything that decides the sizes of the sticky spreads is measured: each of them affects what fits, and
  /// where the others are pinned.
  private func areShapesMeasured(of sticky: [Int]) -> Bool {
    guard let last = sticky.last else { return true }
    let shaping = spreadsShaping(last)
    guard spreads.areMeasured(shaping) else { return false }
    // From the first spread on, this includes what shapes the others.
    return shaping.lowerBound == 0
      || sticky.dropLast().allSatisfy { spreads.areMeasured(spreadsShaping($0)) }
  }

  /// The spreads that decide the contents of a spread and its position across the axis, the only
  /// one that matters at an edge: itself; previous ones if shapes decide the pairing; in a flow,
  /// all that decide how its row breaks; all spreads if they share a scale.
  func spreadsShaping(_ index: Int) -> Range<Int> {
    let own = index..<index + 1
    if spreads.flow != nil || environment.sharesScale { return spreadsDeciding(own) }
    return spreads.pairsByShape ? 0..<own.upperBound : own
  }

  /// A spread pinned to an edge.
  ///
  /// - Parameters:
  ///   - distance: How far it moves along the axis in reading direction, in layout units.
  ///   - isExact: Whether its pinned position is final, whatever its position beyond the edge.
  /// - Returns: The spread at its new place.
  private func moved(_ spread: LaidOutSpread, by distance: Double, isExact: Bool) -> LaidOutSpread {
    let distance = environment.runsBackwards ? -distance : distance
    var spread =
      environment.isVertical
      ? spread.offsetBy(x: 0, y: distance) : spread.offsetBy(x: distance, y: 0)
    spread.isPinned = true
    spread.markExact(isExact)
    for index in spread.pages.indices { spread.pages[index].clip = spread.cell }
    return spread
  }
}
