internal import RectoGeometry

/// Where spreads begin and end along the axis, for arrangements that compute places once, in
/// ``PageArranging/prepare(for:changed:)``: it finds the spreads of a window without walking the others.
///
/// Spreads are appended in their order, in which no spread begins before the previous one; they may end in any order.
public struct SpreadSpans: Sendable {
  private var starts: [Double] = []
  private var ends: [Double] = []
  /// For each spread, the largest end up to it.
  private var reach: [Double] = []

  /// No spreads.
  public init() {}

  /// The number of spreads.
  public var count: Int { starts.count }

  /// The largest end; nil if there are no spreads.
  public var end: Double? { reach.last }

  /// Where a spread begins and ends, in layout units.
  ///
  /// - Parameter index: A spread that was appended.
  public subscript(index: Int) -> (start: Double, end: Double) { (starts[index], ends[index]) }

  /// Adds the next spread.
  ///
  /// - Parameters:
  ///   - start: Where it begins, in layout units; not before the previous one.
  ///   - end: Where it ends, in layout units.
  /// - Complexity: O(1) on average.
  public mutating func append(from start: Double, to end: Double) {
    starts.append(start)
    ends.append(end)
    reach.append(max(end, reach.last ?? end))
  }

  /// Removes the last spreads.
  ///
  /// - Parameter count: The number of spreads to keep; nothing happens if there are not more.
  public mutating func keepFirst(_ count: Int) {
    let rest = max(0, self.count - max(0, count))
    starts.removeLast(rest)
    ends.removeLast(rest)
    reach.removeLast(rest)
  }

  /// From the first spread that overlaps a part of the axis to the last that begins before its end. Touching ends do
  /// not count.
  ///
  /// - Parameters:
  ///   - lower: Where the part begins, in layout units.
  ///   - upper: Where it ends.
  /// - Returns: A range; it is not empty unless no spread overlaps the part.
  /// - Complexity: O(log *n*).
  public func spreads(from lower: Double, to upper: Double) -> Range<Int> {
    guard lower < upper else { return 0..<0 }
    let end = starts.partitioningIndex { $0 >= upper }
    return min(end, reach.partitioningIndex { $0 > lower })..<end
  }

  /// The spreads that overlap a part of the axis: the same without those that end before it.
  ///
  /// - Parameters:
  ///   - lower: Where the part begins, in layout units.
  ///   - upper: Where it ends.
  /// - Returns: Ranges of spreads, ascending and disjoint.
  /// - Complexity: O(log *n* + *k*) for *k* spreads from the first to the last.
  public func spreadRanges(from lower: Double, to upper: Double) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in spreads(from: lower, to: upper) where ends[index] > lower {
      if let last = ranges.last, last.upperBound == index {
        ranges[ranges.count - 1] = last.lowerBound..<index + 1
      } else {
        ranges.append(index..<index + 1)
      }
    }
    return ranges
  }
}
