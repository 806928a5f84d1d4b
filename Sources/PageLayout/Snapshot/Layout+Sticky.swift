internal import Geometry

extension Layout {
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
    let indices = Set(configuration.stickyPages.compactMap { spread(containingPage: $0) }).sorted()
    var natural = indices.compactMap { spread($0, in: window) }
    natural.removeAll { environment.along($0.frame.size) > end - start }
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
      result.append(moved(spread, by: start - place.start))
      start += place.end - place.start
    }
    var atEnd: [LaidOutSpread] = []
    for spread in rest.reversed() {
      let place = extent(spread)
      guard place.end > end, fits(place) else { continue }
      atEnd.append(moved(spread, by: end - place.end))
      end -= place.end - place.start
    }
    return result + atEnd.reversed()
  }

  private func moved(_ spread: LaidOutSpread, by distance: Double) -> LaidOutSpread {
    let distance = environment.runsBackwards ? -distance : distance
    let x = environment.isVertical ? 0 : distance
    let y = environment.isVertical ? distance : 0
    var spread = spread
    spread.isPinned = true
    spread.frame = spread.frame.offsetBy(x: x, y: y)
    spread.cell = spread.frame
    for index in spread.pages.indices {
      spread.pages[index].frame = spread.pages[index].frame.offsetBy(x: x, y: y)
      spread.pages[index].clip = spread.cell
    }
    return spread
  }
}
