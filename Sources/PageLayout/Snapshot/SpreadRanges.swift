/// The spreads that overlap a window, as ascending, disjoint ranges.
///
/// In the modes it is one range, for which nothing is allocated.
struct SpreadRanges: Sendable {
  /// The first range; empty if there are no spreads.
  private(set) var first: Range<Int>
  /// The others, none of them empty.
  private(set) var others: [Range<Int>] = []

  /// One range.
  init(_ range: Range<Int>) { first = range }

  /// The ranges that a caller names, without spreads that do not exist.
  init(_ ranges: [Range<Int>], of count: Int) {
    let ranges = ranges.map { $0.clamped(to: 0..<count) }.merged()
    first = ranges.first ?? 0..<0
    others = Array(ranges.dropFirst())
  }

  /// Adds the spreads from the last one to an end.
  mutating func extend(to end: Int) {
    if let last = others.last {
      others[others.count - 1] = last.lowerBound..<max(last.upperBound, end)
    } else if !first.isEmpty {
      first = first.lowerBound..<max(first.upperBound, end)
    }
  }

  /// Whether there are no spreads.
  var isEmpty: Bool { first.isEmpty }

  /// The number of spreads.
  var count: Int { others.reduce(first.count) { $0 + $1.count } }

  /// Whether a spread is one of them.
  func contains(_ index: Int) -> Bool {
    first.contains(index) || others.contains { $0.contains(index) }
  }

  /// Calls `body` with each spread, ascending.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    for index in first { body(index) }
    for range in others { for index in range { body(index) } }
  }

  /// The first spread that passes a test; nil if none does.
  func first(where passes: (Int) -> Bool) -> Int? {
    if let found = first.first(where: passes) { return found }
    for range in others {
      if let found = range.first(where: passes) { return found }
    }
    return nil
  }

  /// The same spreads and as many more before and after each range.
  func extended(by margin: Int, of count: Int) -> SpreadRanges {
    if others.isEmpty {
      let range = first.lowerBound - margin..<first.upperBound + margin
      return SpreadRanges(range.clamped(to: 0..<count))
    }
    return SpreadRanges(
      ([first] + others).map { $0.lowerBound - margin..<$0.upperBound + margin },
      of: count
    )
  }
}
