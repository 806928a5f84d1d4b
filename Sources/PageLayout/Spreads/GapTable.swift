internal import RectoGeometry

/// The gaps before the spreads: a regular one, and ranges with exceptions.
struct GapTable: Sendable {
  /// Positions at which spreads have another gap before them.
  struct Exception: Sendable {
    var positions: Range<Int>
    /// The difference from the regular gap; negative if it is smaller.
    var excess: Double
    /// The sum of the excess before this range.
    var before = 0.0
  }

  /// The regular gap, in layout units.
  var regular: Double
  /// The departures, ascending and disjoint.
  var exceptions: [Exception] = []

  /// The gaps of a layout.
  ///
  /// - Complexity: O(*r*²) for *r* ranges in the worst case, linear when they ascend.
  init(_ environment: LayoutEnvironment, pages: PageSequence, pairing: Pairing) {
    regular = environment.gap
    guard environment.isOneCanvas else { return }
    let spacing = environment.configuration.spacing
    let sections = environment.configuration.pairing.sectionStarts
    if let gap = spacing.sectionGap {
      var starts: [Range<Int>] = []
      for page in sections {
        pages.forEachPosition(of: page) { position in starts.append(position..<position + 1) }
      }
      starts.sort { $0.lowerBound < $1.lowerBound }
      for positions in starts { override(positions, with: environment.scaled(gap)) }
    }
    for rule in spacing.gaps {
      pages.forEachRange(of: rule.pages) { positions, _ in
        override(positions, with: environment.scaled(rule.gap))
      }
    }
    var sum = 0.0
    for index in exceptions.indices {
      exceptions[index].before = sum
      let positions = exceptions[index].positions
      sum += exceptions[index].excess * Double(Self.count(of: positions, in: pairing))
    }
  }

  /// The number of spreads that begin in `positions`, without the first spread of the layout.
  private static func count(of positions: Range<Int>, in pairing: Pairing) -> Int {
    let lower = max(1, positions.lowerBound)
    guard lower < positions.upperBound else { return 0 }
    return pairing.spreads(before: positions.upperBound) - pairing.spreads(before: lower)
  }

  private mutating func override(_ positions: Range<Int>, with gap: Double) {
    let new = Exception(positions: positions, excess: gap - regular)
    guard let last = exceptions.last, last.positions.upperBound > positions.lowerBound else {
      exceptions.append(new)
      return
    }
    var result: [Exception] = []
    result.reserveCapacity(exceptions.count + 2)
    for old in exceptions {
      for part in [
        old.positions
          .lowerBound..<min(
            old.positions.upperBound,
            max(old.positions.lowerBound, positions.lowerBound)
          ),
        max(
          old.positions.lowerBound,
          min(old.positions.upperBound, positions.upperBound)
        )..<old.positions.upperBound,
      ] where !part.isEmpty {
        result.append(Exception(positions: part, excess: old.excess))
      }
    }
    let place =
      result.firstIndex { $0.positions.lowerBound >= positions.lowerBound } ?? result.endIndex
    result.insert(new, at: place)
    exceptions = result
  }

  /// The sum of the gaps before a spread and all previous ones.
  ///
  /// - Complexity: O(log *r* + log *e*).
  func sum(upTo spread: Int, in pairing: Pairing) -> Double {
    let plain = regular * Double(spread)
    guard !exceptions.isEmpty else { return plain }
    let position = pairing.firstPosition(of: spread)
    let index = exceptions.partitioningIndex { $0.positions.lowerBound > position } - 1
    guard index >= 0 else { return plain }
    let last = exceptions[index]
    let part = last.positions.lowerBound..<min(last.positions.upperBound, position + 1)
    return plain + last.before + last.excess * Double(Self.count(of: part, in: pairing))
  }
}
