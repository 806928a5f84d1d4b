import CDeflate

/// A deflate decoder that never writes more than it is allowed to.
///
/// libdeflate rather than zlib: what is decoded here (cross-reference and object streams) is small
/// and needed as a whole, and libdeflate does that two to three times faster. It needs to know the
/// size beforehand, so the buffer starts at a guess and grows up to the bound.
final class Inflater {
  private let decompressor: OpaquePointer

  init() throws(NotMine) {
    guard let decompressor = libdeflate_alloc_decompressor() else {
      throw NotMine(.budget, "no memory for a decoder")
    }
    self.decompressor = decompressor
  }

  deinit {
    libdeflate_free_decompressor(decompressor)
    buffer.deallocate()
  }

  /// Where streams are decoded, so that what is kept is no larger than its content.
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)
  /// The most bytes of it to hold on to.
  private static let keptScratch = 1 << 20

  private func scratch(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if buffer.count < count {
      buffer.deallocate()
      buffer = .allocate(byteCount: count, alignment: 16)
    }
    return buffer
  }

  private func releaseScratch() {
    buffer.deallocate()
    buffer = .allocate(byteCount: 0, alignment: 16)
  }

  /// The decoded bytes of a zlib stream; anything behind its end, and its checksum, is ignored,
  /// as poppler does.
  ///
  /// - Parameters:
  ///   - expected: the size if it is known, or nil.
  ///   - limit: the most bytes to produce.
  /// - Throws: ``NotMine``: `damaged` for a stream that is broken or cut off, `budget` for one
  ///   that is larger than `limit`.
  func inflate(
    _ input: ArraySlice<UInt8>,
    expecting expected: Int?,
    limit: Int,
    meter: WorkMeter
  ) throws(NotMine) -> [UInt8] {
    guard input.count > 2, let method = input.first else {
      throw NotMine(.damaged, "an empty deflate stream")
    }
    let flags = input[input.startIndex + 1]
    guard method & 0x0F == 8, (Int(method) << 8 + Int(flags)) % 31 == 0, flags & 0x20 == 0 else {
      throw NotMine(.damaged, "not a deflate stream")
    }
    let body = input.dropFirst(2)
    // Object streams mostly grow five- to eightfold.
    var capacity = min(limit, max(4096, expected ?? input.count &* 8))
    while true {
      try meter.charge(capacity)
      let buffer = scratch(capacity)
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
      switch status {
      case LIBDEFLATE_SUCCESS:
        let output = [UInt8](buffer[..<min(count, capacity)])
        if capacity > Self.keptScratch { releaseScratch() }
        return output
      case LIBDEFLATE_INSUFFICIENT_SPACE where capacity < limit:
        capacity = min(limit, capacity.multipliedReportingOverflow(by: 4).partialValue)
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        throw NotMine(.budget, "a stream of more than \(limit) bytes")
      default: throw NotMine(.damaged, "a broken deflate stream")
      }
    }
  }
}
