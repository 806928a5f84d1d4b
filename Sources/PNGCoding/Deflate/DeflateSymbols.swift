/// The alphabets of DEFLATE (RFC 1951, 3.2.5).
enum DeflateSymbols {
  static let literals = 286
  static let distances = 30
  static let endOfBlock = 256
  static let maxMatch = 258
  static let window = 32768

  /// The shortest match of each length symbol, from 257 on, and the bits that tell it from others.
  static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  static let lengthExtraBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]

  /// For each match length minus 3, its symbol minus 257.
  static let lengthSymbols: [UInt8] = (3...maxMatch).map { length in
    UInt8((lengthBases.lastIndex { $0 <= length }) ?? 0)
  }

  /// The order in which the lengths of the code length code are written.
  static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// The symbol of a distance, given minus one: 0...32767.
  @inline(__always)
  static func distanceSymbol(_ distance: UInt32) -> Int {
    if distance < 4 { return Int(truncatingIfNeeded: distance) }
    let bits = 31 &- distance.leadingZeroBitCount
    let second = (distance &>> UInt32(truncatingIfNeeded: bits &- 1)) & 1
    return 2 &* bits &+ Int(truncatingIfNeeded: second)
  }

  /// Bits that tell distances of one symbol apart.
  @inline(__always)
  static func distanceExtraBits(_ symbol: Int) -> Int { symbol < 4 ? 0 : symbol / 2 - 1 }
}
