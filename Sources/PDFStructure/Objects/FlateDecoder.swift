internal import RectoBase

/// Decodes the filter FlateDecode, up to a limit of bytes.
///
/// Uses libdeflate instead of zlib: cross-reference and object streams are small and needed as a
/// whole, which libdeflate decodes two to three times as fast. It needs the size in advance, so the
/// buffer starts with a guess and grows up to the limit.
final class FlateDecoder {
  private var inflater: Inflater
  /// A buffer for small streams, so that the result is no larger than its content.
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)
  /// The most bytes of it.
  private static let keptScratch = 1 << 20

  /// - Throws: ``StructureError``, `limit` when there is no memory.
  init() throws(StructureError) {
    guard let inflater = Inflater() else { throw StructureError(.limit, "no memory for a decoder") }
    self.inflater = inflater
  }

  deinit { buffer.deallocate() }

  /// The decoded bytes of a zlib stream. Like poppler, ignores its checksum and anything after its
  /// end.
  ///
  /// - Parameters:
  ///   - expected: The size if it is known, or nil.
  ///   - limit: The most bytes to produce.
  /// - Throws: ``StructureError``: `damaged` for a stream that is broken or cut off, `limit` for
  ///   one that is larger than `limit`.
  func decode(
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
    // Object streams usually expand five- to eightfold.
    var capacity = min(limit, max(4096, expected ?? input.count &* 8))
    while true {
      try meter.charge(capacity)
      switch decompress(body, capacity) {
      case .success(let output): return output
      case .failure(.tooLong) where capacity < limit:
        capacity = min(limit, capacity.multipliedReportingOverflow(by: 4).partialValue)
      case .failure(.tooLong):
        throw StructureError(.limit, "a stream of more than \(limit) bytes")
      case .failure: throw StructureError(.damaged, "a broken deflate stream")
      }
    }
  }

  /// Decodes into at most `capacity` bytes. Large data is decoded in its final memory: a copy would need twice the
  /// memory, and memory that is never written to is free.
  private func decompress(
    _ body: ArraySlice<UInt8>,
    _ capacity: Int
  ) -> Result<[UInt8], Inflater.StreamError> {
    guard capacity > Self.keptScratch else {
      let buffer = scratch(capacity)
      return decompress(body, into: buffer).map { [UInt8](buffer[..<$0]) }
    }
    var count: Result<Int, Inflater.StreamError> = .success(0)
    let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      let room = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: capacity)
      count = decompress(body, into: room)
      filled = (try? count.get()) ?? 0
    }
    return count.map { _ in output }
  }

  private func decompress(
    _ body: ArraySlice<UInt8>,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Result<Int, Inflater.StreamError> {
    body.withUnsafeBytes { bytes in
      Result { () throws(Inflater.StreamError) in
        try inflater.decompress(bytes, .deflate, into: buffer)
      }
    }
  }

  /// `count` bytes of the buffer; the old contents are lost.
  private func scratch(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if buffer.count < count {
      buffer.deallocate()
      buffer = .allocate(byteCount: count, alignment: 16)
    }
    return UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
  }
}
