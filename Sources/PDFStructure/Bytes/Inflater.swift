import CDeflate

/// A deflate decoder that never writes more than it is allowed to.
///
/// libdeflate rather than zlib: what is decoded here (cross-reference and object streams) is small
/// and needed as a whole, and libdeflate does that two to three times faster. It needs to know the
/// size beforehand, so the buffer starts at a guess and grows up to the bound.
final class Inflater {
  private let decompressor: OpaquePointer

  init() throws(StructureError) {
    guard let decompressor = libdeflate_alloc_decompressor() else {
      throw StructureError(.limit, "no memory for a decoder")
    }
    self.decompressor = decompressor
  }

  deinit {
    libdeflate_free_decompressor(decompressor)
    buffer.deallocate()
  }

  /// Where small streams are decoded, so that what is kept is no larger than its content.
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)
  /// The most bytes of it.
  private static let keptScratch = 1 << 20

  /// Decodes into at most `capacity` bytes. What is large is decoded where it stays: a copy of it would
  /// need its memory twice, and memory that is never written to costs nothing.
  private func decompress(
    _ body: ArraySlice<UInt8>,
    _ capacity: Int
  ) -> (libdeflate_result, [UInt8]) {
    guard capacity > Self.keptScratch else {
      let buffer = scratch(capacity)
      let (status, count) = decompress(body, into: buffer, capacity)
      return (status, status == LIBDEFLATE_SUCCESS ? [UInt8](buffer[..<count]) : [])
    }
    var status = LIBDEFLATE_BAD_DATA
    let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      (status, filled) = decompress(body, into: UnsafeMutableRawBufferPointer(buffer), capacity)
    }
    return (status, output)
  }

  private func decompress(
    _ body: ArraySlice<UInt8>,
    into buffer: UnsafeMutableRawBufferPointer,
    _ capacity: Int
  ) -> (libdeflate_result, Int) {
    var count = 0
    let status = body.withUnsafeBytes { bytes in
      libdeflate_deflate_decompress(
        decompressor,
        bytes.baseAddress,
        bytes.count,
        buffer.baseAddress,
        capacity,
        &count
      )
    }
    // Only success sets the count.
    return (status, status == LIBDEFLATE_SUCCESS ? min(count, capacity) : 0)
  }

  private func scratch(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if buffer.count < count {
      buffer.deallocate()
      buffer = .allocate(byteCount: count, alignment: 16)
    }
    return buffer
  }

  /// The decoded bytes of a zlib stream; anything behind its end, and its checksum, is ignored,
  /// as poppler does.
  ///
  /// - Parameters:
  ///   - expected: the size if it is known, or nil.
  ///   - limit: the most bytes to produce.
  /// - Throws: ``StructureError``: `damaged` for a stream that is broken or cut off, `limit` for one
  ///   that is larger than `limit`.
  func inflate(
    _ input: ArraySlice<UInt8>,
    expecting expected: Int?,
    limit: Int,
    meter: WorkMeter
  ) throws(StructureError) -> [UInt8] {
    guard input.count > 2, let method = input.first else {
      throw StructureError(.damaged, "an empty deflate stream")
    }
    let flags = input[input.startIndex + 1]
    guard method & 0x0F == 8, (Int(method) << 8 + Int(flags)) % 31 == 0, flags & 0x20 == 0 else {
      throw StructureError(.damaged, "not a deflate stream")
    }
    let body = input.dropFirst(2)
    // Object streams mostly grow five- to eightfold.
    var capacity = min(limit, max(4096, expected ?? input.count &* 8))
    while true {
      try meter.charge(capacity)
      let (status, output) = decompress(body, capacity)
      switch status {
      case LIBDEFLATE_SUCCESS: return output
      case LIBDEFLATE_INSUFFICIENT_SPACE where capacity < limit:
        capacity = min(limit, capacity.multipliedReportingOverflow(by: 4).partialValue)
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        throw StructureError(.limit, "a stream of more than \(limit) bytes")
      default: throw StructureError(.damaged, "a broken deflate stream")
      }
    }
  }
}
