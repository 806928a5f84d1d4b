/// Which parts of a document are in its local file, in units of a granule.
struct FetchedParts {
  /// Bytes of a granule: what is fetched begins and ends at multiples of it.
  static let granule = 1 << 14
  /// The most missing granules between two that are wanted with which they are fetched as one.
  private static let gap = 2

  private let size: Int
  private var words: [UInt64]

  /// Parts of a document of so many bytes, of which none is there.
  init(size: Int) {
    self.size = size
    words = Array(repeating: 0, count: size / Self.granule / 64 + 1)
  }

  private func has(_ granule: Int) -> Bool { words[granule / 64] >> UInt64(granule % 64) & 1 == 1 }

  /// Whether all bytes of a range are there.
  ///
  /// - Complexity: O(*n*) in its granules.
  func has(_ range: Range<Int>) -> Bool { granules(touching: range).allSatisfy(has) }

  /// Bytes are there: those of all granules that lie in the range completely.
  mutating func add(_ range: Range<Int>) {
    let first = (range.lowerBound + Self.granule - 1) / Self.granule
    let end = range.upperBound >= size ? count : range.upperBound / Self.granule
    guard first < end else { return }
    for granule in first..<end { words[granule / 64] |= 1 << UInt64(granule % 64) }
  }

  /// The ranges to fetch so that the given ones are there, in order; each has at most `longest` bytes.
  ///
  /// - Complexity: O(*n* log *n*) in the granules of the ranges.
  func missing(in ranges: [Range<Int>], longest: Int) -> [Range<Int>] {
    var missing: [Range<Int>] = []
    let wanted = ranges.map(granules(touching:)).filter { !$0.isEmpty }
    for range in wanted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      for granule in range where !has(granule) {
        if let last = missing.last, granule < last.upperBound { continue }
        if let last = missing.last, granule - last.upperBound <= Self.gap,
          (granule + 1 - last.lowerBound) * Self.granule <= longest
        {
          missing[missing.count - 1] = last.lowerBound..<granule + 1
        } else {
          missing.append(granule..<granule + 1)
        }
      }
    }
    return missing.map { $0.lowerBound * Self.granule..<min(size, $0.upperBound * Self.granule) }
  }

  private var count: Int { (size + Self.granule - 1) / Self.granule }

  private func granules(touching range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: 0..<size)
    guard !range.isEmpty else { return 0..<0 }
    return range.lowerBound / Self.granule..<(range.upperBound - 1) / Self.granule + 1
  }
}
