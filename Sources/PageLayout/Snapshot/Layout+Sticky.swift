internal import Geometry

extension Layout {
  /// The spreads of the sticky pages that are shown, ascending.
  var stickySpreads: [Int] {
    let pages = configuration.stickyPages
    return pages.isEmpty ? [] : Set(pages.compactMap { spread(containingPage: $0) }).sorted()
  }

  /// The spreads of sticky pages that lie outside of `window` or across its edge, moved to the
  /// nearer edge.
  ///
  /// Several at one edge stand behind each other in reading order, at the start edge from the edge
  /// inwards, at the end edge likewise towards it. What is larger than the window is left alone, and
  /// so is what finds no room beside those, either but for what sums lose.
  ///
  /// - Parameters:
  ///   - window: The visible part of the content.
  ///   - insets: The parts of the window to stay clear of; nil: the content insets.
  ///   - staysInContent: Whether the content's ends push them out, where the window reaches beyond
  ///     those: what is pinned there is moved no farther than the content goes.
  /// - Returns: The spreads at the places where they are pinned.
  func pinnedSpreads(
    in window: Rect,
    insets: Insets? = nil,
    staysInContent: Bool = false
  ) -> [LaidOutSpread] {
    guard !configuration.stickyPages.isEmpty, !window.isEmpty else { return [] }
    let insets = insets ?? configuration.contentInsets
    // Distances are counted from the edge where reading starts, whichever that is.
    let part = environment.along(window)
    let lower = environment.runsBackwards ? -part.max : part.min
    let upper = environment.runsBackwards ? -part.min : part.max
    let room = PinRoom(
      start: lower + environment.leading(insets),
      end: upper - environment.trailing(insets)
    )
    var (atStart, atEnd) = pins(in: window, room)
    if staysInContent {
      let length = environment.along(contentSize)
      push(&atStart, before: environment.runsBackwards ? 0 : length)
      push(&atEnd, behind: environment.runsBackwards ? -length : 0)
    }
    let isExact = areDecided(spreads(touching: window))
    return (atStart + atEnd).compactMap { pin in
      // One that was pushed to its own place is not pinned.
      guard !pin.isPushed || pin.distance != 0 else { return nil }
      return moved(
        pin.spread,
        by: pin.distance,
        isExact: isExact && (!pin.isPushed || areDecided(pin.isAtEnd ? 0..<1 : lastSpread))
      )
    }
  }

  /// What is free of a window, counted in reading direction.
  private struct PinRoom {
    var start: Double
    var end: Double

    /// Whether there is room beside those that are pinned already, but for what sums lose.
    func fits(_ place: (start: Double, end: Double)) -> Bool {
      end - start >= place.end - place.start - .lengthTolerance
    }
  }

  /// The sticky spreads that are moved to the start and to the end edge of a window.
  private func pins(in window: Rect, _ room: PinRoom) -> (atStart: [Pin], atEnd: [Pin]) {
    var room = room
    var natural = stickySpreads.compactMap { spread($0, in: window) }
    natural.removeAll {
      environment.along($0.frame.size) > room.end - room.start + .lengthTolerance
    }
    func extent(_ spread: LaidOutSpread) -> (start: Double, end: Double) {
      let along = environment.along(spread.frame)
      return environment.runsBackwards ? (-along.max, -along.min) : (along.min, along.max)
    }
    var atStart: [Pin] = []
    var rest: [LaidOutSpread] = []
    for spread in natural {
      let place = extent(spread)
      guard place.start < room.start, room.fits(place) else {
        rest.append(spread)
        continue
      }
      atStart.append(Pin(spread: spread, natural: place, distance: room.start - place.start))
      room.start += place.end - place.start
    }
    var atEnd: [Pin] = []
    for spread in rest.reversed() {
      let place = extent(spread)
      guard place.end > room.end, room.fits(place) else { continue }
      atEnd.insert(Pin(spread: spread, natural: place, distance: room.end - place.end), at: 0)
      room.end -= place.end - place.start
    }
    return (atStart, atEnd)
  }

  /// A sticky spread on its way to an edge of the window.
  private struct Pin {
    var spread: LaidOutSpread
    /// Where it lies by itself, counted in reading direction.
    var natural: (start: Double, end: Double)
    /// How far it is moved.
    var distance: Double
    /// Whether an end of the content holds it back from the edge of the window.
    var isPushed = false
    var isAtEnd = false

    var start: Double { natural.start + distance }
    var extent: Double { natural.end - natural.start }

    /// Puts it elsewhere, but for what sums lose.
    mutating func push(to start: Double) {
      guard abs(start - self.start) > .lengthTolerance else { return }
      distance = start - natural.start
      isPushed = true
    }
  }

  /// Moves what is pinned to the start edge back, as far as the content's end demands it.
  private func push(_ pins: inout [Pin], before end: Double) {
    var limit = end
    for index in pins.indices.reversed() {
      let pin = pins[index]
      pins[index].push(to: max(pin.natural.start, min(pin.start, limit - pin.extent)))
      limit = pins[index].start
    }
  }

  /// Moves what is pinned to the end edge back, as far as the content's start demands it.
  private func push(_ pins: inout [Pin], behind start: Double) {
    var limit = start
    for index in pins.indices {
      let pin = pins[index]
      pins[index].push(to: min(pin.natural.start, max(pin.start, limit)))
      pins[index].isAtEnd = true
      limit = pins[index].start + pin.extent
    }
  }

  private var lastSpread: Range<Int> { max(0, spreads.count - 1)..<spreads.count }

  /// Whether all that decides where spreads sit is measured.
  private func areDecided(_ range: Range<Int>) -> Bool {
    spreads.areMeasured(arrangement.spreadsDeciding(range, of: spreads))
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
  ///   - spread: The spread at its own place.
  ///   - distance: How far it moves along the axis in reading direction, in layout units.
  ///   - isExact: Whether the window is where it is for good: then the spread is, as soon as its
  ///     own pages are measured, wherever it lies beyond the edge.
  /// - Returns: The spread at its new place.
  private func moved(_ spread: LaidOutSpread, by distance: Double, isExact: Bool) -> LaidOutSpread {
    let distance = environment.runsBackwards ? -distance : distance
    let x = environment.isVertical ? 0 : distance
    let y = environment.isVertical ? distance : 0
    var spread = spread
    spread.isPinned = true
    spread.isExact = isExact && spreads.areMeasured(spreadsShaping(spread.index))
    spread.frame = spread.frame.offsetBy(x: x, y: y)
    spread.cell = spread.frame
    for index in spread.pages.indices {
      spread.pages[index].frame = spread.pages[index].frame.offsetBy(x: x, y: y)
      spread.pages[index].clip = spread.cell
      spread.pages[index].isExact = spread.isExact
    }
    return spread
  }
}
