internal import RectoTiles

/// Which parts of a document are in its local file.
struct FetchedParts {
  /// Bytes of a part: what is fetched begins and ends at multiples of it.
  static let length = PartCache.partLength

  private let size: Int
  private var words: [UInt64]

  /// Parts of a document of so many bytes, of which none is there.
  init(size: Int) {
    self.size = size
    words = Array(repeating: 0, count: size / Self.length / 64 + 1)
  }

  /// Whether a part is there.
  func has(part: Int) -> Bool { words[part / 64] >> UInt64(part % 64) & 1 == 1 }

  /// Whether all bytes of a range are there.
  ///
  /// - Complexity: O(*n*) in its parts.
  func has(_ range: Range<Int>) -> Bool { parts(touching: range).allSatisfy { has(part: $0) } }

  /// Bytes are there: those of all parts that lie in the range completely.
  mutating func add(_ range: Range<Int>) {
    for part in parts(inside: range) { words[part / 64] |= 1 << UInt64(part % 64) }
  }

  /// The missing parts that ranges touch, in order.
  ///
  /// - Complexity: O(*n* log *n*) in the parts of the ranges.
  func missing(in ranges: [Range<Int>]) -> [Int] {
    var missing: [Int] = []
    let wanted = ranges.map(parts(touching:)).sorted { $0.lowerBound < $1.lowerBound }
    for range in wanted {
      for part in range where !has(part: part) && part > missing.last ?? -1 { missing.append(part) }
    }
    return missing
  }

  /// The bytes of parts that are in order, each range of at most so many bytes.
  func ranges(of parts: [Int], longest: Int = .max) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for part in parts {
      let bytes = bytes(of: part)
      if let last = ranges.last, last.upperBound == bytes.lowerBound,
        bytes.upperBound - last.lowerBound <= longest
      {
        ranges[ranges.count - 1] = last.lowerBound..<bytes.upperBound
      } else {
        ranges.append(bytes)
      }
    }
    return ranges
  }

  /// The bytes of a part.
  func bytes(of part: Int) -> Range<Int> {
    part * Self.length..<min(size, (part + 1) * Self.length)
  }

  /// The parts all bytes of which are in a range.
  func parts(inside range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: 0..<size)
    let first = (range.lowerBound + Self.length - 1) / Self.length
    let end = range.upperBound == size ? count : range.upperBound / Self.length
    return first..<max(first, end)
  }

  /// The number of parts.
  var count: Int { (size + Self.length - 1) / Self.length }

  private func parts(touching range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: 0..<size)
    guard !range.isEmpty else { return 0..<0 }
    return range.lowerBound / Self.length..<(range.upperBound - 1) / Self.length + 1
  }
}
