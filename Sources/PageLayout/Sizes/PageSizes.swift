public import RectoGeometry

/// The displayed size of one page, as it was measured.
public struct MeasuredSize: Hashable, Sendable {
  /// The page of the document.
  public var page: PageIndex
  /// Width and height in points after the page's own rotation, times UserUnit.
  public var size: Size

  /// A measurement from its parts.
  public init(page: PageIndex, size: Size) {
    self.page = page
    self.size = size
  }
}

/// The estimated size of unmeasured pages, which is the same for all of them.
public enum SizeEstimate: Hashable, Sendable {
  /// The size of page 0 after it was measured, before that the size for a missing box.
  case firstPage
  /// The most common size of the measured pages; of equally common ones the narrowest, then the
  /// lowest. The size for a missing box while no page is measured.
  case mostCommon
  /// The caller's size, in points.
  case fixed(Size)
}

/// The sizes of a document's pages, as far as they are known.
///
/// Memory grows with the number of measured pages. Copies are free.
public struct PageSizes: Sendable {
  /// The size of a page without a usable box: US Letter, as in poppler.
  public static let missingBox = Size(width: 612, height: 792)
  /// The largest side that a page can have: 14,400 units of at most 75,000 points (ISO 32000-1,
  /// annex C, and the largest UserUnit that viewers accept).
  public static let largestSide = 14_400.0 * 75_000
  /// The smallest side that is laid out.
  public static let smallestSide = 0.1
  /// The largest ratio of the longer to the shorter side that is laid out.
  public static let largestRatio = 100_000.0

  struct Entry: SparseElement, Hashable {
    struct Total: SparseTotal {
      var count: Int
      static let zero = Total(count: 0)
      mutating func add(_ other: Total) { count += other.count }
    }
    var size: Size
    var total: Total { Total(count: 1) }
  }

  /// How unmeasured pages are estimated.
  public let estimate: SizeEstimate
  /// The size of unmeasured pages, in points.
  public private(set) var estimated: Size
  /// The measured sizes, by page index.
  private(set) var tree = SparseTree<Entry>()
  /// Pages that have no size; none of them is measured.
  private(set) var missing = PageRanges()
  /// How often each size was measured; only for `mostCommon`.
  private var histogram: [Size: Int] = [:]

  /// Unknown sizes.
  public init(estimate: SizeEstimate = .firstPage) {
    self.estimate = estimate
    estimated = Self.missingBox
    if case .fixed(let size) = estimate { estimated = Self.layable(size) }
  }

  /// Sizes, some of which are already known; a later entry for a page replaces an earlier one.
  ///
  /// - Complexity: O(*m* log *m*).
  public init(measured: [MeasuredSize], estimate: SizeEstimate = .firstPage) {
    self.init(estimate: estimate)
    measure(measured)
  }

  /// The same known sizes with another estimate.
  public init(_ sizes: PageSizes, estimate: SizeEstimate) {
    self.init(estimate: estimate)
    tree = sizes.tree
    missing = sizes.missing
    if case .mostCommon = estimate {
      tree.forEach(in: 0..<Int.max) { _, entry in histogram[entry.size, default: 0] += 1 }
    }
    updateEstimate()
  }

  /// The number of measured pages.
  public var measuredCount: Int { tree.count }

  /// The measured size of a page in points; nil while it is unmeasured. O(log *n*).
  public func measured(_ page: PageIndex) -> Size? { tree[page.value]?.size }

  /// The measured, or else the estimated, size of a page, in points. O(log *n*).
  public func size(of page: PageIndex) -> Size { tree[page.value]?.size ?? estimated }

  /// The ranges of pages among `pages` that are neither measured nor missing, in order.
  ///
  /// - Complexity: O(log *n* + the number of ranges).
  public func unmeasured(in pages: Range<PageIndex>) -> [Range<PageIndex>] {
    var unmeasured: [Range<PageIndex>] = []
    tree.forEachMissing(in: pages.values.clamped(to: 0..<Int.max)) {
      unmeasured.append(Range(indices: $0))
    }
    return missing.isEmpty ? unmeasured : unmeasured.flatMap { missing.missing(in: $0) }
  }

  /// Whether every page of `pages` is measured or missing, so that the sizes are final, apart from
  /// the estimate. O(log *n*).
  func areSettled(_ pages: Range<PageIndex>) -> Bool {
    let (before, through) = tree.totals(before: pages.values)
    return through.count - before.count + missing.count(in: pages) == pages.count
  }

  /// Marks pages as having no size. They keep the estimated size, and count as known; measured
  /// pages are not affected.
  ///
  /// - Complexity: O(log *n* + *r*) for *r* ranges of missing pages, however long they are.
  public mutating func markMissing(_ pages: Range<PageIndex>) {
    // The closure changes the value that contains the tree.
    let tree = tree
    tree.forEachMissing(in: pages.clamped(to: PageSequence.possiblePages).values) {
      missing.insert(Range(indices: $0))
    }
  }

  /// All measured pages in order.
  ///
  /// - Complexity: Linear in their number.
  public var measured: [MeasuredSize] {
    var result: [MeasuredSize] = []
    result.reserveCapacity(tree.count)
    tree.forEach(in: 0..<Int.max) {
      result.append(MeasuredSize(page: PageIndex($0), size: $1.size))
    }
    return result
  }

  /// The size used for the layout: an unusable size is replaced by that for a missing box.
  ///
  /// Unusable are sides that are NaN, infinite, below ``smallestSide`` or above ``largestSide``,
  /// and shapes beyond ``largestRatio``, so that one page of a hostile file cannot push all others
  /// out of reach.
  public static func layable(_ size: Size) -> Size {
    let short = min(size.width, size.height)
    let long = max(size.width, size.height)
    // Written so that NaN fails.
    guard size.isProper, short >= smallestSide, long <= largestSide, long <= short * largestRatio
    else { return missingBox }
    return size
  }

  /// Sets one size; an unusable size counts as a missing box.
  ///
  /// - Returns: False if nothing changed, or the page is invalid.
  @discardableResult
  public mutating func measure(_ page: PageIndex, as size: Size) -> Bool {
    take(page, Self.layable(size)).isNew
  }

  /// Sets one usable size; returns whether it is new, and the previous size.
  mutating func take(_ page: PageIndex, _ size: Size) -> (isNew: Bool, old: Size?) {
    guard PageSequence.possiblePages.contains(page) else { return (false, nil) }
    let wasEmpty = tree.count == 0
    let old = tree.set(page.value, to: Entry(size: size))?.size
    if !missing.isEmpty { missing.remove(Range(only: page)) }
    guard old != size else { return (false, old) }
    count(size, insteadOf: old, isFirst: wasEmpty)
    updateEstimate()
    return (true, old)
  }

  /// Restores the previous size of a page, after a size was set that did not change the estimate.
  mutating func putBack(_ page: PageIndex, _ size: Size?) {
    if let size {
      tree.set([(page.value, Entry(size: size))])
    } else {
      tree.removeAll(in: Range(only: page).values)
    }
  }

  /// Sets a batch of sizes; updates the estimate once.
  ///
  /// - Returns: The pages whose size is new, ascending.
  /// - Complexity: O(*m* log *n*).
  @discardableResult
  public mutating func measure(_ sizes: [MeasuredSize]) -> [PageIndex] {
    take(sizes).map { $0.page }
  }

  /// A page whose size is new.
  struct Change {
    var page: PageIndex
    var old: Size?
    var new: Size
  }

  /// Sets a batch of sizes; returns the pages whose size is new, ascending.
  mutating func take(_ sizes: [MeasuredSize]) -> [Change] {
    let sorted = Self.sorted(sizes)
    var entries: [(key: Int, element: Entry)] = []
    entries.reserveCapacity(sorted.count)
    for index in sorted.indices {
      let page = sorted[index].page
      // Of several entries for a page, the last one counts.
      if index + 1 < sorted.endIndex, sorted[index + 1].page == page { continue }
      entries.append((page.value, Entry(size: Self.layable(sorted[index].size))))
    }
    var changed: [Change] = []
    changed.reserveCapacity(entries.count)
    var isFirst = tree.count == 0
    if !missing.isEmpty {
      for entry in entries { missing.remove(Range(only: PageIndex(entry.key))) }
    }
    tree.set(entries) { index, old in
      let size = entries[index].element.size
      guard old?.size != size else { return }
      changed.append(Change(page: PageIndex(entries[index].key), old: old?.size, new: size))
    }
    for entry in changed {
      count(entry.new, insteadOf: entry.old, isFirst: isFirst)
      isFirst = false
    }
    updateEstimate()
    return changed
  }

  /// The sizes sorted by page, stably; invalid pages are omitted. A radix sort, because sorting an unordered batch of
  /// 100,000 would otherwise take longer than the layout.
  private static func sorted(_ sizes: [MeasuredSize]) -> [MeasuredSize] {
    var sorted = sizes
    if !sorted.allSatisfy({ PageSequence.possiblePages.contains($0.page) }) {
      sorted.removeAll { !PageSequence.possiblePages.contains($0.page) }
    }
    var isAscending = true
    var largest = 0
    for index in sorted.indices {
      if index > 0, sorted[index].page < sorted[index - 1].page { isAscending = false }
      largest = max(largest, sorted[index].page.value)
    }
    if isAscending { return sorted }
    if sorted.count < 500 {
      sorted.sort { $0.page < $1.page }  // stable
      return sorted
    }
    var other = sorted
    var shift = 0
    while shift == 0 || largest >> shift > 0 {
      var starts = [Int](repeating: 0, count: 2049)
      for entry in sorted { starts[((entry.page.value >> shift) & 2047) + 1] += 1 }
      for digit in 0..<2048 { starts[digit + 1] += starts[digit] }
      for entry in sorted {
        let digit = (entry.page.value >> shift) & 2047
        other[starts[digit]] = entry
        starts[digit] += 1
      }
      swap(&sorted, &other)
      shift += 11
    }
    return sorted
  }

  private mutating func count(_ size: Size, insteadOf old: Size?, isFirst: Bool) {
    guard case .mostCommon = estimate else { return }
    histogram[size, default: 0] += 1
    let new = histogram[size] ?? 0
    if let old {
      histogram[old, default: 1] -= 1
      if histogram[old] == 0 { histogram[old] = nil }
      leader = nil
    } else if let known = leader, Self.leads(size, new, over: known.size, known.count) {
      leader = (size, new)
    } else if isFirst {
      leader = (size, new)
    }
  }

  /// The most common size, as long as sizes were only added; nil if it must be searched.
  private var leader: (size: Size, count: Int)?

  private static func leads(_ size: Size, _ count: Int, over other: Size, _ otherCount: Int) -> Bool
  {
    if size == other { return count > otherCount }
    if count != otherCount { return count > otherCount }
    return (size.width, size.height) < (other.width, other.height)
  }

  /// Whether a usable size may change the estimate; false only if it certainly does not.
  func mayChangeEstimate(_ page: PageIndex, as size: Size) -> Bool {
    switch estimate {
    case .fixed: return false
    case .firstPage: return page == 0
    case .mostCommon:
      guard let leader, tree[page.value] == nil else { return true }
      let count = (histogram[size] ?? 0) + 1
      return size != leader.size && Self.leads(size, count, over: leader.size, leader.count)
    }
  }

  private mutating func updateEstimate() {
    switch estimate {
    case .fixed: break
    case .firstPage: estimated = tree[0]?.size ?? Self.missingBox
    case .mostCommon:
      if leader == nil {
        for (size, count) in histogram {
          if let known = leader, !Self.leads(size, count, over: known.size, known.count) {
            continue
          }
          leader = (size, count)
        }
      }
      estimated = leader?.size ?? Self.missingBox
    }
  }
}

#if !hasFeature(Embedded)
  extension MeasuredSize: Codable {}
#endif
