/// A prefix code for a DEFLATE alphabet, made from how often each symbol occurs.
struct HuffmanCode {
  /// Bits per symbol; 0 for symbols that do not occur.
  private(set) var lengths: [UInt8]
  /// The bits, in the order ``BitWriter`` writes them.
  private(set) var codes: [UInt16]

  /// A nearly optimal code with at most `limit` bits per symbol: Huffman's, where codes that are
  /// too long are shortened at the cost of the rarest symbols.
  ///
  /// - Complexity: O(*n* log *n*).
  init(frequencies: UnsafeMutableBufferPointer<UInt32>, limit: Int) {
    lengths = [UInt8](repeating: 0, count: frequencies.count)
    codes = [UInt16](repeating: 0, count: frequencies.count)
    // Frequency above symbol, so that sorting numbers sorts symbols.
    var symbols: [UInt64] = []
    for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
      symbols.append(UInt64(frequency) << 16 | UInt64(symbol))
    }
    guard symbols.count > 1 else {
      if let only = symbols.first { lengths[Int(only & 0xFFFF)] = 1 }
      return
    }
    symbols.sort()
    var counts = Self.lengthCounts(symbols.map { $0 >> 16 }, limit: limit)
    Self.shorten(&counts, limit: limit)
    var next = symbols.makeIterator()
    for length in stride(from: limit, through: 1, by: -1) {
      for _ in 0..<counts[length] {
        if let symbol = next.next() { lengths[Int(symbol & 0xFFFF)] = UInt8(length) }
      }
    }
    assignCodes()
  }

  /// How many symbols get each length in Huffman's algorithm; longer ones count as `limit`.
  private static func lengthCounts(_ leaves: [UInt64], limit: Int) -> [Int] {
    let count = leaves.count
    var weights = leaves
    weights.reserveCapacity(2 * count)
    var parents = [Int](repeating: 0, count: 2 * count - 1)
    var leaf = 0
    var node = count
    // Leaves and nodes are each in ascending order, so the lightest is at one of two fronts.
    func lightest() -> Int {
      if node >= weights.count || (leaf < count && weights[leaf] <= weights[node]) {
        leaf += 1
        return leaf - 1
      }
      node += 1
      return node - 1
    }
    while weights.count < 2 * count - 1 {
      let first = lightest()
      let second = lightest()
      parents[first] = weights.count
      parents[second] = weights.count
      weights.append(weights[first] + weights[second])
    }
    var counts = [Int](repeating: 0, count: limit + 1)
    var depths = [Int](repeating: 0, count: 2 * count - 1)
    for index in stride(from: 2 * count - 3, through: 0, by: -1) {
      depths[index] = depths[parents[index]] + 1
      if index < count { counts[min(depths[index], limit)] += 1 }
    }
    return counts
  }

  /// Moves symbols to longer codes until Kraft's sum is 1: there are as many codes as symbols.
  private static func shorten(_ counts: inout [Int], limit: Int) {
    var sum = (1...limit).reduce(0) { $0 + counts[$1] << (limit - $1) }
    while sum > 1 << limit {
      var length = limit - 1
      while counts[length] == 0 { length -= 1 }
      counts[length] -= 1
      counts[length + 1] += 2
      counts[limit] -= 1
      sum -= 1
    }
  }

  /// Canonical codes (RFC 1951, 3.2.2), bit-reversed because they are written from the top.
  private mutating func assignCodes() {
    var counts = [Int](repeating: 0, count: 17)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: 17)
    for length in 1...16 { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
    for symbol in lengths.indices where lengths[symbol] > 0 {
      let length = Int(lengths[symbol])
      var code = next[length]
      next[length] += 1
      var turned = 0
      for _ in 0..<length {
        turned = turned << 1 | code & 1
        code >>= 1
      }
      codes[symbol] = UInt16(turned)
    }
  }

  /// Gives the first symbol a code of one bit if no symbol has one: DEFLATE requires one distance.
  mutating func ensureNotEmpty() {
    if lengths.allSatisfy({ $0 == 0 }) { lengths[0] = 1 }
  }
}
