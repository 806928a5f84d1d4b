internal import RectoGeometry

/// The scale that all spreads share, see ``LayoutConfiguration/FitScope``.
struct SharedScale: Sendable {
  /// The smallest of the spreads' own scales; nil if each spread has its own scale.
  var shared: Double?
  /// Those of the spreads with measured or customized pages, by their first position.
  var own = SparseTree<OwnScale>()
  /// That of all other spreads.
  var standard = Double.infinity

  /// The smallest scale of as many spreads.
  func smallest(of count: Int) -> Double {
    let total = own.total
    return total.count < count ? min(total.smallest, standard) : total.smallest
  }
}

extension Spreads {
  /// Finds the scale that all spreads share, if they do.
  ///
  /// - Parameter found: The spreads with measured or customized pages, ascending.
  mutating func shareScale(among found: [Int]) {
    scales = SharedScale()
    guard environment.sharesScale, count > 0 else { return }
    // Nothing is shared yet, so that each metric has the scale of its own.
    scales.standard = standardMetric.scale
    scales.own.set(ownScales(of: found))
    scales.shared = scales.smallest(of: count)
  }

  /// Takes in new sizes; the pairing and the estimate have not changed.
  ///
  /// - Returns: Whether the spreads share another scale than before.
  /// - Complexity: O(log *n*) for each size.
  mutating func changesScale(_ changed: [PageSizes.Change]) -> Bool {
    guard let shared = scales.shared else { return false }
    scales.own.set(ownScales(of: spreads(holding: changed)))
    return scales.smallest(of: count) != shared
  }

  /// The spreads that depend on pages, ascending.
  private func spreads(holding changed: [PageSizes.Change]) -> [Int] {
    var found: [Int] = []
    for entry in changed {
      forEachPosition(dependingOn: entry.page) { found.append(pairing.spread(of: $0)) }
    }
    return found.ascending
  }

  /// The scales that spreads would have by themselves.
  private func ownScales(of spreads: [Int]) -> [(key: Int, element: OwnScale)] {
    spreads.map { index in
      let metric = metric(of: index)
      let scale = arrangement.scale(
        width: metric.width,
        height: metric.height,
        columns: metric.columns,
        in: environment
      )
      return (pairing.firstPosition(of: index), OwnScale(scale: scale))
    }
  }
}

/// The pages of one spread brought to one height or width.
extension Spreads {
  /// The largest height or width in a spread at these positions; nil if pages keep their sizes.
  func commonSide(of positions: Range<Int>) -> Double? {
    let match = environment.configuration.match
    guard match != .none, positions.count > 1 else { return nil }
    var side = 0.0
    for position in positions {
      let size = slot(at: position).size
      side = max(side, match == .height ? size.height : size.width)
    }
    return side
  }

  /// A place in a spread, brought to the common height or width of its pages.
  func slot(at position: Int, matching side: Double?) -> Slot {
    var slot = slot(at: position)
    guard let side else { return slot }
    let isHeight = environment.configuration.match == .height
    let factor = side / (isHeight ? slot.size.height : slot.size.width)
    // The common side itself, not a product that may be rounded.
    let size =
      isHeight
      ? Size(width: slot.size.width * factor, height: side)
      : Size(width: side, height: slot.size.height * factor)
    guard max(size.width, size.height) <= PageSizes.largestSide else { return slot }
    slot.size = size
    slot.factor = factor
    return slot
  }
}
