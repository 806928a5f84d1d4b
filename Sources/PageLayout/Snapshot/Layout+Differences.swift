internal import Geometry

extension Layout {
  /// Whether places follow from a rule that is known here, so that a stretch of like spreads moves
  /// as its ends do.
  var placesByRule: Bool {
    arrangement is StackArrangement || arrangement is GridArrangement
      || arrangement is PagedArrangement || arrangement is CarouselArrangement
      || arrangement is FlowArrangement
  }

  /// What a change of sizes has moved.
  ///
  /// - Parameter old: The layout before; nil where no more than single lines can have changed.
  func moves(_ change: Spreads.Change, from old: Layout?) -> Invalidation {
    guard let old else { return movesOfLines(change.lines, from: nil, spreads.standard) }
    guard placesByRule else {
      let touched = change.isRebuilt ? nil : change.lines
      let first = touched?.first.map { spreads.spreads(ofLine: $0.line).lowerBound } ?? 0
      let end = touched?.last.map { spreads.spreads(ofLine: $0.line).upperBound } ?? spreads.count
      var result = Invalidation()
      result.append(
        arrangement.spreadsAffected(by: first..<end, of: spreads),
        .changed
      )
      return result
    }
    let isDecidedByAll = spreads.isDecidedByAll || old.spreads.isDecidedByAll
    if spreads.flow != nil { return movesOfFlow(change, old, isDecidedByAll: isDecidedByAll) }
    let isStack = spreads.spreadsPerLine == 1 && old.spreads.spreadsPerLine == 1
    if isStack, !isDecidedByAll || arrangement.restsAtSpreads,
      spreads.pairing == old.spreads.pairing
    {
      let lines = change.isRebuilt ? linesStored(with: old) : change.lines
      return movesOfLines(lines, from: old, old.spreads.standard)
    }
    if spreads.spreadsPerLine != old.spreads.spreadsPerLine { return movesOfOtherRows(old) }
    if !change.isRebuilt, !isDecidedByAll { return movesOfRows(change.lines, old) }
    return movesOfAll(old)
  }

  // MARK: Lines of one spread

  /// The lines with a metric of their own in this layout or in another one of the same pairs.
  private func linesStored(with old: Layout) -> [Spreads.Change.Line] {
    var before: [(key: Int, element: LineMetric)] = []
    old.spreads.lines.forEach(in: 0..<pages.count) { before.append(($0, $1)) }
    var result: [Spreads.Change.Line] = []
    var next = 0
    func take(_ key: Int, _ new: LineMetric?) {
      while next < before.count, before[next].key < key {
        add(before[next].key, before[next].element, spreads.standard)
        next += 1
      }
      guard let new else { return }
      var metric = old.spreads.standard
      if next < before.count, before[next].key == key {
        metric = before[next].element
        next += 1
      }
      add(key, metric, new)
    }
    func add(_ key: Int, _ old: LineMetric, _ new: LineMetric) {
      let line = spreads.pairing.spread(of: key)
      result.append(Spreads.Change.Line(line: line, old: old, new: new))
    }
    spreads.lines.forEach(in: 0..<pages.count) { take($0, $1) }
    take(pages.count, nil)
    return result
  }

  /// The moves of a stack of single spreads, from the extents of its lines alone: what lies behind a
  /// line is displaced by what all lines in front of it have grown.
  ///
  /// - Parameters:
  ///   - lines: The lines that may have changed, ascending.
  ///   - old: The layout before, to look into lines that are as large as before.
  ///   - standard: The metric of all other lines before.
  private func movesOfLines(
    _ lines: [Spreads.Change.Line],
    from old: Layout?,
    _ standard: LineMetric
  ) -> Invalidation {
    let zoom = configuration.zoom
    let isStill = arrangement.restsAtSpreads
    let isStandard = spreads.standard.hasExtent(of: standard)
    let standardGrowth = isStandard ? 0 : (spreads.standard.along - standard.along) * zoom
    // Where spreads run backwards, the content's origin is at its end: what lies in front moves.
    let sign = environment.runsBackwards ? -1.0 : 1.0
    var before = 0.0
    if environment.runsBackwards {
      before = Double(spreads.count - lines.count) * standardGrowth
      for line in lines { before += (line.new.along - line.old.along) * zoom }
    }
    func fate() -> Invalidation.Fate {
      guard !isStill else { return .unmoved }
      return .displaced(environment.isVertical ? Point(x: 0, y: before) : Point(x: before, y: 0))
    }
    var result = Invalidation()
    var next = 0
    func pass(to end: Int) {
      let stretch = next..<max(next, end)
      result.append(stretch, isStandard ? fate() : .changed)
      before += sign * Double(stretch.count) * standardGrowth
    }
    for line in lines {
      pass(to: line.line)
      next = line.line + 1
      let growth = (line.new.along - line.old.along) * zoom
      if environment.runsBackwards { before -= growth }
      if !line.new.hasExtent(of: line.old) {
        result.append(line.line..<line.line + 1, .changed)
      } else if let old {
        result.append(line.line..<line.line + 1, self.fate(of: line.line, old))
      } else {
        result.append(line.line..<line.line + 1, fate())
      }
      if !environment.runsBackwards { before += growth }
    }
    pass(to: spreads.count)
    return result
  }

  // MARK: Lines that break by the spreads' own extents

  /// The moves of a flow: those between the first change and where lines break as before are compared
  /// one by one, as far as they are not too many; the others are displaced as two stretches.
  private func movesOfFlow(
    _ change: Spreads.Change,
    _ old: Layout,
    isDecidedByAll: Bool
  ) -> Invalidation {
    var broken = 0..<spreads.count
    if !change.isRebuilt, !isDecidedByAll, let range = change.broken?.clamped(to: broken),
      !range.isEmpty
    {
      // With all that stands in one line with them, now or before.
      let last = range.upperBound - 1
      let ends = [spreads, old.spreads].map {
        $0.flow?.spreads(besides: last).upperBound ?? last + 1
      }
      let starts = [spreads, old.spreads].map { $0.spreadsBroken(by: range).lowerBound }
      broken = min(starts[0], starts[1])..<min(spreads.count, max(ends[0], ends[1]))
    }
    var result = Invalidation()
    if !broken.isEmpty, broken.lowerBound > 0 {
      result.append(0..<broken.lowerBound, fate(of: 0, old))
    }
    // Lines that break in other places hold other spreads, wherever those are.
    let head = broken.prefix(Self.mostCompared / 2)
    let tail = broken.dropFirst(head.count).suffix(Self.mostCompared / 2)
    for index in head { result.append(index..<index + 1, fate(of: index, old)) }
    if head.endIndex < tail.startIndex { result.append(head.endIndex..<tail.startIndex, .changed) }
    for index in tail { result.append(index..<index + 1, fate(of: index, old)) }
    if broken.upperBound < spreads.count {
      result.append(broken.upperBound..<spreads.count, fate(of: spreads.count - 1, old))
    }
    return result
  }

  /// Spreads of a flow that are compared one by one.
  private static let mostCompared = 4096

  // MARK: Lines of several spreads

  /// The moves where only these lines have changed, and all others are displaced as stretches.
  private func movesOfRows(_ lines: [Spreads.Change.Line], _ old: Layout) -> Invalidation {
    var result = Invalidation()
    var next = 0
    func pass(to end: Int) {
      guard next < end else { return }
      result.append(next..<end, fate(of: next, old))
    }
    for line in lines {
      let row = spreads.spreads(ofLine: line.line)
      pass(to: row.lowerBound)
      for index in row { result.append(index..<index + 1, fate(of: index, old)) }
      next = row.upperBound
    }
    pass(to: spreads.count)
    return result
  }

  /// The moves where rows have other numbers of spreads: all but some of the first are in another
  /// place of another row.
  private func movesOfOtherRows(_ old: Layout) -> Invalidation {
    var result = Invalidation()
    let first = min(
      spreads.count,
      max(spreads.spreadsPerLine, old.spreads.spreadsPerLine)
    )
    for index in 0..<first { result.append(index..<index + 1, fate(of: index, old)) }
    result.append(first..<spreads.count, .changed)
    return result
  }

  /// The moves where any spread may have: those with sizes of their own are compared one by one, and
  /// stretches of like ones by their ends.
  private func movesOfAll(_ old: Layout) -> Invalidation {
    guard pages.count > 0 else { return .none }
    var own: [Range<Int>] = []
    for layout in [self, old] {
      layout.spreads.lines.forEach(in: 0..<pages.count) { position, _ in
        own.append(spreads(ofLineAt: position))
      }
      for segment in layout.spreads.pairing.segments {
        // The last spread in front may lack pages.
        own.append(spreads(ofLineAt: max(0, segment.start - 1)))
        own.append(spreads(ofLineAt: min(segment.start, pages.count - 1)))
      }
      for exception in layout.spreads.gaps.exceptions {
        own.append(spreads(ofLineAt: exception.positions.lowerBound))
        own.append(spreads(ofLineAt: min(exception.positions.upperBound, pages.count - 1)))
      }
    }
    if spreads.count > 0 { own.append(spreads.count - 1..<spreads.count) }
    var result = Invalidation()
    var next = 0
    for range in own.merged {
      pass(next..<range.lowerBound, old, &result)
      for index in range { result.append(index..<index + 1, fate(of: index, old)) }
      next = range.upperBound
    }
    return result
  }

  /// The spreads of the line that holds a position.
  private func spreads(ofLineAt position: Int) -> Range<Int> {
    spreads.spreads(ofLine: spreads.line(ofSpread: spreads.spread(of: position)))
  }

  /// Adds a stretch of like spreads, whole rows of them.
  private func pass(_ stretch: Range<Int>, _ old: Layout, _ result: inout Invalidation) {
    guard !stretch.isEmpty else { return }
    let row = min(stretch.count, spreads.spreadsPerLine)
    guard stretch.count > 2 * row else {
      for index in stretch { result.append(index..<index + 1, fate(of: index, old)) }
      return
    }
    // Each place of the first and of the last row: what holds for them holds for all between.
    let ends = [
      stretch.lowerBound..<stretch.lowerBound + row, stretch.upperBound - row..<stretch.upperBound,
    ]
    var common: Invalidation.Fate?
    for index in ends.joined() {
      let fate = fate(of: index, old)
      guard common?.isSame(as: fate) ?? true else {
        return result.append(stretch, .changed)
      }
      common = fate
    }
    if let common { result.append(stretch, common) }
  }

  // MARK: One spread

  /// What has become of one spread.
  func fate(of index: Int, _ old: Layout) -> Invalidation.Fate {
    guard old.positions(inSpread: index) == positions(inSpread: index),
      let before = old.spread(index), let after = spread(index)
    else { return .changed }
    let frames = before.pages.isEmpty ? [before.frame] : before.pages.map(\.frame)
    let others = after.pages.isEmpty ? [after.frame] : after.pages.map(\.frame)
    guard frames.count == others.count, let first = frames.first, let other = others.first else {
      return .changed
    }
    // Where frames follow the window, they are compared at rest.
    let rests = arrangement.followsWindow
    let start = rests ? old.restingWindow(of: index).origin : .zero
    let end = rests ? restingWindow(of: index).origin : .zero
    let distance = Point(
      x: (other.minX - end.x) - (first.minX - start.x),
      y: (other.minY - end.y) - (first.minY - start.y)
    )
    for (frame, other) in zip(frames, others) {
      let isSame =
        Self.isSame(frame.width, other.width) && Self.isSame(frame.height, other.height)
        && Self.isSame(other.minX - end.x, frame.minX - start.x + distance.x)
        && Self.isSame(other.minY - end.y, frame.minY - start.y + distance.y)
      guard isSame else { return .changed }
    }
    let isUnmoved =
      Self.isSame(first.minX - start.x, other.minX - end.x)
      && Self.isSame(first.minY - start.y, other.minY - end.y)
    return isUnmoved ? .unmoved : .displaced(distance)
  }

  /// Whether two lengths are the same but for what sums lose.
  private static func isSame(_ first: Double, _ second: Double) -> Bool {
    abs(first - second) <= max(Invalidation.tolerance, 1e-11 * max(abs(first), abs(second)))
  }
}
