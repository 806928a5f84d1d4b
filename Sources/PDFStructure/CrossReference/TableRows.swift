/// The rows of a regular cross-reference table: 20 bytes each, `0000000016 00000 n` and two bytes of
/// white space.
///
/// Poppler reads every row of a section when it opens it, and scans the whole file if one of them is not an entry. So
/// all rows must be checked, even unused ones.
enum TableRows {
  /// Rows checked at a time.
  private static let portion = 4096

  /// Whether all rows are regular.
  ///
  /// - Parameters:
  ///   - position: The position of the first row in the file; all rows must be inside the file.
  /// - Throws: ``StructureError`` when the rows cannot be read, or a limit is reached.
  /// - Complexity: O(*count*), about a nanosecond a row.
  static func areRegular(
    _ file: BlockCache,
    at position: Int,
    count: Int
  ) throws(StructureError) -> Bool {
    var row = 0
    while row < count {
      let rows = min(portion, count - row)
      let bytes = rows * CrossReferenceSection.rowBytes
      try file.meter.charge(bytes)
      let part = try file.read(position + row * CrossReferenceSection.rowBytes, bytes)
      guard part.withUnsafeBytes({ areRegular($0, count: rows) }) else { return false }
      row += rows
    }
    return true
  }

  private static func areRegular(_ bytes: UnsafeRawBufferPointer, count: Int) -> Bool {
    // Ten digits, a space and five digits form one vector: each byte, minus its lowest allowed
    // value, must not exceed 9 or 0.
    let lowest = SIMD16<UInt8>(
      48,
      48,
      48,
      48,
      48,
      48,
      48,
      48,
      48,
      48,
      32,
      48,
      48,
      48,
      48,
      48
    )
    let range = SIMD16<UInt8>(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 9, 9, 9, 9, 9)
    var excess = SIMD16<UInt8>(repeating: 0)
    var start = 0
    for _ in 0..<count {
      let numbers = bytes.loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self) &- lowest
      excess = pointwiseMax(excess, pointwiseMax(numbers, range) &- range)
      guard isRegularEnd(bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self)) else {
        return false
      }
      start += CrossReferenceSection.rowBytes
    }
    return excess == SIMD16(repeating: 0)
  }

  /// Whether the last four bytes of a row, as a little-endian word, are a space, `n` or `f`, and white space.
  @inline(__always)
  private static func isRegularEnd(_ word: UInt32) -> Bool {
    let word = UInt32(littleEndian: word)
    // The four usual endings: `n` or `f`, then a space and a newline, or CR LF.
    switch word {
    case 0x0A20_6E20, 0x0A20_6620, 0x0A0D_6E20, 0x0A0D_6620: return true
    default:
      let kind = word >> 8 & 0xFF
      return word & 0xFF == 0x20 && (kind == 0x6E || kind == 0x66)
        && ByteClass.isWhite(Int(word >> 16 & 0xFF)) && ByteClass.isWhite(Int(word >> 24))
    }
  }
}
