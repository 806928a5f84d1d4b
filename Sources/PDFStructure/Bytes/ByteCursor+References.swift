extension Reference {
  /// Both numbers in one word, so that a million kids take eight megabytes.
  var packed: UInt64 {
    UInt64(UInt32(bitPattern: number)) << 32 | UInt64(UInt32(bitPattern: generation))
  }

  init(packed: UInt64) {
    number = Int32(truncatingIfNeeded: packed >> 32)
    generation = Int32(truncatingIfNeeded: packed)
  }
}

extension ByteCursor {
  /// Skips the plain references that follow in the current block.
  ///
  /// Large /Kids arrays are megabytes of only `12 0 R`. The parser reads the rest: the end of the
  /// array, a reference across blocks, anything unusual.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func skipReferences() throws(StructureError) {
    try scanReferences { _ in true }
  }

  /// Reads the plain references that follow in the current block, up to the capacity.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func collectReferences(into list: inout [UInt64], atMost limit: Int)
    throws(StructureError)
  {
    try scanReferences { packed in
      guard list.count < limit else { return false }
      list.append(packed)
      return true
    }
  }

  @inline(__always)
  private mutating func scanReferences(_ take: (UInt64) -> Bool) throws(StructureError) {
    let start = position
    let (from, to) = unread
    let reached = currentBytes.withUnsafeBufferPointer { bytes in
      var taken = from
      var index = from
      while true {
        while index < to, ByteClass.isWhite(Int(bytes[index])) { index += 1 }
        guard let number = Self.digits(bytes, &index, to), number > 0,
          Self.white(bytes, &index, to),
          let generation = Self.digits(bytes, &index, to),
          Self.white(bytes, &index, to),
          index + 1 < to, bytes[index] == 0x52, ByteClass.isBoundary(Int(bytes[index + 1])),
          take(UInt64(number) << 32 | UInt64(generation))
        else { return taken }
        index += 1
        taken = index
      }
    }
    seek(to: start + (reached - from))
    try meter.charge(reached - from)
  }

  /// Two numbers of plain digits, each followed by white space: the usual entry in the table of an
  /// object stream. If something else is next, returns nil and does not move.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func nextPlainPair() throws(StructureError) -> (Int32, Int32)? {
    let start = position
    let (from, to) = unread
    var index = from
    let pair = currentBytes.withUnsafeBufferPointer { bytes -> (Int32, Int32)? in
      while index < to, ByteClass.isWhite(Int(bytes[index])) { index += 1 }
      guard let first = Self.digits(bytes, &index, to), Self.white(bytes, &index, to),
        let second = Self.digits(bytes, &index, to), Self.white(bytes, &index, to)
      else { return nil }
      return (Int32(first), Int32(second))
    }
    guard let pair else { return nil }
    seek(to: start + (index - from))
    try meter.charge(index - from)
    return pair
  }

  /// Up to nine digits, which always fit 32 bits.
  @inline(__always)
  private static func digits(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ index: inout Int,
    _ end: Int
  ) -> UInt32? {
    let first = index
    var value: UInt32 = 0
    while index < end, ByteClass.isDigit(Int(bytes[index])) {
      guard index - first < 9 else { return nil }
      value = value * 10 + UInt32(bytes[index] - 48)
      index += 1
    }
    return index > first ? value : nil
  }

  @inline(__always)
  private static func white(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ index: inout Int,
    _ end: Int
  ) -> Bool {
    let first = index
    while index < end, ByteClass.isWhite(Int(bytes[index])) { index += 1 }
    return index > first
  }
}
