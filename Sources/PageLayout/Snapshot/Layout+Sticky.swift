internal import RectoGeometry

extension Layout {
  /// The spreads of the sticky pages that are shown, ascending.
  var stickySpreads: [Int] {
    let pages = spreads.environment.configuration.stickyPages
    return pages.isEmpty ? [] : Set(pages.compactMap { spread(containingPage: $0) }).sorted()
  }

  /// The spreads of sticky pages that lie outside of `window` or across its edge, moved to the
  /// nearer edge, see ``StickyLine``.
  ///
  /// - Parameters:
  ///   - insets: The parts of the window to stay clear of; nil: the content insets.
  ///   - staysInContent: Whether the content's ends push them out, where the window reaches beyond
  ///     those: what is pinned there is moved no farther than the content goes.
  /// - Returns: The spreads of the lines that are pinned and take up room in the window along the
  ///   axis, at the places where they are pinned.
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
    // One that stays where it is may be moved by what sums lose, and one that is pushed out left in the
    // window by as much.
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

  /// The lines of spreads at their own places: those of a row, as are those that an arrangement of one's
  /// own puts beside each other.
  private func lines(of sticky: [LaidOutSpread]) -> [StickyLine] {
    var lines: [StickyLine] = []
    var row: Int?
    for (place, spread) in sticky.enumerated() {
      let (start, end) = reading(spread.cell)
      let rowBefore = row
      row = spreads.line(ofSpread: spread.index)
      // Cells may reach into each other by what they leave to sums.
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

  /// A spread at its own place, whose cell is what is seen of it: what the cell cuts off is not seen at
  /// an edge either. Nil when nothing is seen. Exactness is not looked at.
  private func stickySpread(_ index: Int, in window: Rect) -> LaidOutSpread? {
    guard var spread = spread(index, in: window, isExact: false),
      let seen = spread.frame.intersection(spread.cell)
    else { return nil }
    let lost = Double.lengthTolerance
    let isCut = seen.width < spread.frame.width - lost || seen.height < spread.frame.height - lost
    spread.cell = isCut ? seen : spread.frame
    return spread
  }

  /// What is seen along the axis of a spread at rest, empty columns and page margins included.
  private func extentAtRest(of index: Int) -> Double {
    let place = arrangement.place(index, of: spreads, in: restingWindow(of: index))
    return environment.along((place.frame.intersection(place.cell) ?? place.frame).size)
  }

  /// Where a rectangle begins and ends along the axis, counted in reading direction.
  private func reading(_ rect: Rect) -> (start: Double, end: Double) {
    let along = environment.along(rect)
    return environment.runsBackwards ? (-along.max, -along.min) : (along.min, along.max)
  }

  private var lastSpread: Range<Int> { max(0, spreads.count - 1)..<spreads.count }

  /// Whether all that decides where spreads sit is measured.
  private func areDecided(_ range: Range<Int>) -> Bool {
    spreads.areMeasured(arrangement.spreadsDeciding(range, of: spreads))
  }

  /// Says of sticky spreads at their own places that they are not exact while the sizes of others may
  /// have them pinned.
  func markStickySpreads(in shown: inout [LaidOutSpread]) {
    let sticky = stickySpreads
    guard !sticky.isEmpty else { return }
    let open = shown.indices.filter { sticky.contains(shown[$0].index) }
    guard !open.isEmpty, !areShapesMeasured(of: sticky) else { return }
    for index in open { shown[index].markExact(false) }
  }

  /// Whether all that decides how large the sticky spreads are is measured: each of them has a say in
  /// what fits, and where the others are pinned.
  private func areShapesMeasured(of sticky: [Int]) -> Bool {
    guard let last = sticky.last else { return true }
    let shaping = spreadsShaping(last)
    guard spreads.areMeasured(shaping) else { return false }
    // From the first spread on, it is what shapes the others too.
    return shaping.lowerBound == 0
      || sticky.dropLast().allSatisfy { spreads.areMeasured(spreadsShaping($0)) }
  }

  /// The spreads that decide what a spread is and where it stands across the axis, which is what is
  /// left of its place at an edge: itself; those in front where shape decides how pages are paired;
  /// in a flow, all that decide how its row breaks.
  func spreadsShaping(_ index: Int) -> Range<Int> {
    let own = index..<index + 1
    if spreads.flow != nil { return arrangement.spreadsDeciding(own, of: spreads) }
    return spreads.pairsByShape ? 0..<own.upperBound : own
  }

  /// A spread pinned to an edge.
  ///
  /// - Parameters:
  ///   - distance: How far it moves along the axis in reading direction, in layout units.
  ///   - isExact: Whether it is there for good, wherever it lies beyond the edge.
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
