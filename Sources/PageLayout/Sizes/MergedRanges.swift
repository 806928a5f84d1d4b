extension Array {
  /// The same elements as disjoint ranges, ascending.
  ///
  /// - Complexity: O(*r* log *r*) for *r* ranges.
  func merged<Bound>() -> [Range<Bound>] where Element == Range<Bound> {
    var result: [Range<Bound>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
