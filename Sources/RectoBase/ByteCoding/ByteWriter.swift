/// Writes values as bytes: little-endian integers, IEEE doubles, counted bytes.
public struct ByteWriter {
  /// The written bytes.
  public private(set) var bytes: [UInt8]

  /// An empty writer; `capacity` is a guess at the number of bytes.
  public init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Writes one byte.
  public mutating func write(_ value: UInt8) { bytes.append(value) }

  /// Writes a byte, 0 or 1.
  public mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Writes eight bytes.
  public mutating func write(_ value: Int) {
    withUnsafeBytes(of: Int64(value).littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes the eight bytes of the bit pattern, which preserves every value.
  public mutating func write(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes the count, then the bytes.
  public mutating func write(_ value: [UInt8]) {
    write(value.count)
    bytes.append(contentsOf: value)
  }

  /// Writes a string as counted UTF-8.
  public mutating func write(_ value: String) {
    write(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a string as counted UTF-8, cut off before the character that would exceed `limit`
  /// bytes.
  public mutating func write(_ value: String, atMost limit: Int) {
    guard value.utf8.count > limit else { return write(value) }
    var end = value.utf8.index(value.startIndex, offsetBy: limit)
    while end.samePosition(in: value.unicodeScalars) == nil { end = value.utf8.index(before: end) }
    write(String(value[..<end]))
  }

  /// Writes whether there is a value, then the value.
  @inlinable
  public mutating func write<Value>(_ value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
    write(value != nil)
    if let value { body(&self, value) }
  }
}
