/// Reads what ``ByteWriter`` wrote.
///
/// The writer may be a compromised process: every count is checked against the remaining bytes
/// before anything is allocated, and nothing traps.
public struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// A reader at the start of `bytes`.
  public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Bytes not read yet.
  public var remaining: Int { bytes.endIndex - position }

  /// Reads one byte.
  ///
  /// - Throws: ``ByteCodingError/truncated`` at the end of the bytes.
  public mutating func readByte() throws(ByteCodingError) -> UInt8 {
    guard remaining >= 1 else { throw ByteCodingError.truncated }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads a byte; anything but 0 is true.
  ///
  /// - Throws: ``ByteCodingError/truncated`` at the end of the bytes.
  public mutating func readBool() throws(ByteCodingError) -> Bool { try readByte() != 0 }

  /// Reads eight bytes.
  ///
  /// - Throws: ``ByteCodingError/truncated`` when fewer than eight bytes are left.
  public mutating func readInt() throws(ByteCodingError) -> Int {
    Int(truncatingIfNeeded: try readWord())
  }

  /// Reads eight bytes.
  ///
  /// - Throws: ``ByteCodingError/truncated`` when fewer than eight bytes are left.
  public mutating func readDouble() throws(ByteCodingError) -> Double {
    Double(bitPattern: try readWord())
  }

  /// Reads counted bytes.
  ///
  /// - Throws: ``ByteCodingError/truncated`` when the count is negative or larger than the number
  ///   of bytes left.
  public mutating func readBytes() throws(ByteCodingError) -> [UInt8] {
    let count = try readInt()
    guard count >= 0, count <= remaining else { throw ByteCodingError.truncated }
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  /// Reads counted UTF-8.
  ///
  /// - Throws: ``ByteCodingError/truncated`` as for ``readBytes()``; ``ByteCodingError/unknown`` for invalid UTF-8:
  ///   repairing it could make the text too long.
  public mutating func readString() throws(ByteCodingError) -> String {
    guard let text = String(validating: try readBytes(), as: UTF8.self) else {
      throw ByteCodingError.unknown
    }
    return text
  }

  /// Reads counted UTF-8 of at most `limit` bytes.
  ///
  /// - Throws: As for ``readString()``, and ``ByteCodingError/tooLong``.
  public mutating func readString(atMost limit: Int) throws(ByteCodingError) -> String {
    let start = position
    let count = try readInt()
    position = start
    guard count <= limit else { throw ByteCodingError.tooLong }
    return try readString()
  }

  /// A count of items that take at least `size` bytes each.
  ///
  /// - Throws: ``ByteCodingError/truncated`` when the count is negative, or the bytes left cannot
  ///   hold as many items.
  public mutating func readCount(ofSize size: Int) throws(ByteCodingError) -> Int {
    let count = try readInt()
    guard count >= 0, count <= remaining / size else { throw ByteCodingError.truncated }
    return count
  }

  /// Reads whether there is a value, then the value.
  ///
  /// - Throws: ``ByteCodingError/truncated`` at the end of the bytes, and what `body` throws.
  @inlinable
  public mutating func readOptional<Value>(
    _ body: (inout ByteReader) throws(ByteCodingError) -> Value
  ) throws(ByteCodingError) -> Value? {
    try readBool() ? try body(&self) : nil
  }

  /// Fails unless everything has been read.
  ///
  /// - Throws: ``ByteCodingError/surplus`` when bytes are left.
  public func finish() throws(ByteCodingError) {
    guard remaining == 0 else { throw ByteCodingError.surplus }
  }

  private mutating func readWord() throws(ByteCodingError) -> UInt64 {
    guard remaining >= 8 else { throw ByteCodingError.truncated }
    var word: UInt64 = 0
    for offset in 0..<8 { word |= UInt64(bytes[position + offset]) << (8 * UInt64(offset)) }
    position += 8
    return word
  }
}

/// Why bytes cannot be decoded.
public enum ByteCodingError: Error, Hashable, Sendable {
  /// It ends too early.
  case truncated
  /// It continues after its end.
  case surplus
  /// Its kind or one of its values does not exist.
  case unknown
  /// It is longer than the limit.
  case tooLong
}
