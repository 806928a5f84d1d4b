internal import RectoGeometry

/// A set of pages, stored as ranges: a billion consecutive pages take as little memory as one.
struct PageRanges: Sendable {
  /// The ranges, ascending, not empty and not adjacent.
  private(set) var ranges: [Range<PageIndex>] = []
  /// For each range, the number of pages in the previous ranges.
  private var before: [Int] = []

  /// Whether there are no pages.
  var isEmpty: Bool { ranges.isEmpty }

  /// The number of pages of the set in `pages`. O(log *r*) for *r* ranges.
  func count(in pages: Range<PageIndex>) -> Int {
    ranges.isEmpty ? 0 : count(below: pages.upperBound) - count(below: pages.lowerBound)
  }

  private func count(below page: PageIndex) -> Int {
    let next = ranges.partitioningIndex { $0.lowerBound >= page }
    guard next > 0 else { return 0 }
    let last = ranges[next - 1]
    return before[next - 1] + last.lowerBound.distance(to: min(last.upperBound, page))
  }

  /// The parts of `pages` that are not in the set, in order. O(log *r* + the number of parts).
  func missing(in pages: Range<PageIndex>) -> [Range<PageIndex>] {
    var result: [Range<PageIndex>] = []
    var cursor = pages.lowerBound
    var index = ranges.partitioningIndex { $0.upperBound > pages.lowerBound }
    while index < ranges.count, ranges[index].lowerBound < pages.upperBound {
      if ranges[index].lowerBound > cursor { result.append(cursor..<ranges[index].lowerBound) }
      cursor = ranges[index].upperBound
      index += 1
    }
    if cursor < pages.upperBound { result.append(cursor..<pages.upperBound) }
    return result
  }

  /// Adds pages. O(log *r*) after the last range, else O(*r*).
  mutating func insert(_ pages: Range<PageIndex>) {
    guard !pages.isEmpty else { return }
    // Those that overlap or touch.
    let first = ranges.partitioningIndex { $0.upperBound >= pages.lowerBound }
    let end = max(first, ranges.partitioningIndex { $0.lowerBound > pages.upperBound })
    var merged = pages
    if first < end {
      merged =
        min(
          pages.lowerBound,
          ranges[first].lowerBound
        )..<max(
          pages.upperBound,
          ranges[end - 1].upperBound
        )
    }
    replace(first..<end, with: [merged])
  }

  /// Takes pages out. O(*r*).
  mutating func remove(_ pages: Range<PageIndex>) {
    guard !pages.isEmpty else { return }
    let first = ranges.partitioningIndex { $0.upperBound > pages.lowerBound }
    let end = max(first, ranges.partitioningIndex { $0.lowerBound >= pages.upperBound })
    guard first < end else { return }
    let rest = [
      ranges[first].lowerBound..<max(ranges[first].lowerBound, pages.lowerBound),
      min(pages.upperBound, ranges[end - 1].upperBound)..<ranges[end - 1].upperBound,
    ]
    replace(first..<end, with: rest.filter { !$0.isEmpty })
  }

  private mutating func replace(_ indices: Range<Int>, with new: [Range<PageIndex>]) {
    ranges.replaceSubrange(indices, with: new)
    before.removeSubrange(indices.lowerBound...)
    for index in indices.lowerBound..<ranges.count {
      before.append(index == 0 ? 0 : before[index - 1] + ranges[index - 1].count)
    }
  }
}
