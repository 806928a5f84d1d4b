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
  /// so is what finds no room beside those.
  func pinnedSpreads(in window: Rect) -> [LaidOutSpread] {
    guard !configuration.stickyPages.isEmpty, !window.isEmpty else { return [] }
    let insets = configuration.contentInsets
    // Distances are counted from the edge where reading starts, whichever that is.
    let part = environment.along(window)
    let lower = environment.runsBackwards ? -part.max : part.min
    let upper = environment.runsBackwards ? -part.min : part.max
    var start = lower + environment.leading(insets)
    var end = upper - environment.trailing(insets)
    var natural = stickySpreads.compactMap { spread($0, in: window) }
    natural.removeAll { environment.along($0.frame.size) > end - start }
    let isExact = spreads.areMeasured(
      arrangement.spreadsDeciding(spreads(touching: window), of: spreads)
    )
    func extent(_ spread: LaidOutSpread) -> (start: Double, end: Double) {
      let along = environment.along(spread.frame)
      return environment.runsBackwards ? (-along.max, -along.min) : (along.min, along.max)
    }
    // There must be room beside those that are pinned already, but for what sums lose.
    func fits(_ place: (start: Double, end: Double)) -> Bool {
      end - start >= place.end - place.start - 1e-6
    }
    var result: [LaidOutSpread] = []
    var rest: [LaidOutSpread] = []
    for spread in natural {
      let place = extent(spread)
      guard place.start < start, fits(place) else {
        rest.append(spread)
        continue
      }
      result.append(moved(spread, by: start - place.start, isExact: isExact))
      start += place.end - place.start
    }
    var atEnd: [LaidOutSpread] = []
    for spread in rest.reversed() {
      let place = extent(spread)
      guard place.end > end, fits(place) else { continue }
      atEnd.append(moved(spread, by: end - place.end, isExact: isExact))
      end -= place.end - place.start
    }
    return result + atEnd.reversed()
  }

  /// A spread pinned to an edge.
  ///
  /// - Parameter isExact: Whether the window is where it is for good: then the spread is, as soon as
  ///   its own pages are measured, wherever it lies beyond the edge.
  private func moved(_ spread: LaidOutSpread, by distance: Double, isExact: Bool) -> LaidOutSpread {
    let distance = environment.runsBackwards ? -distance : distance
    let x = environment.isVertical ? 0 : distance
    let y = environment.isVertical ? distance : 0
    var spread = spread
    spread.isPinned = true
    let first = spreads.pairsByShape ? 0 : spread.index
    spread.isExact = isExact && spreads.areMeasured(first..<spread.index + 1)
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
