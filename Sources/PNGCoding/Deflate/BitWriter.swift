/// Writes bits into memory, lowest first, as in DEFLATE (RFC 1951, 3.1.1).
///
/// The memory must extend eight bytes beyond the last one written.
struct BitWriter {
  private(set) var position: UnsafeMutableRawPointer
  private var bits: UInt64 = 0
  private(set) var count = 0

  init(_ start: UnsafeMutableRawPointer) { position = start }

  /// Adds the lowest `width` bits of `value`, whose other bits are 0. No more than 64 may be
  /// waiting; ``flush()`` leaves at most 7.
  @inline(__always)
  mutating func put(_ value: UInt64, _ width: Int) {
    bits |= value &<< UInt64(truncatingIfNeeded: count)
    count &+= width
  }

  /// Moves whole bytes to memory. Fewer than 64 bits may be waiting.
  @inline(__always)
  mutating func flush() {
    position.storeBytes(of: bits, as: UInt64.self)
    let bytes = count &>> 3
    position += bytes
    bits &>>= UInt64(truncatingIfNeeded: bytes &* 8)
    count &= 7
  }

  /// Fills the last byte with zeros.
  mutating func finish() {
    flush()
    if count > 0 { position += 1 }
    bits = 0
    count = 0
  }
}
