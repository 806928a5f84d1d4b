internal import CDeflate

/// A libdeflate compressor. Exactly one owner.
public struct Deflater: ~Copyable {
  private let raw: OpaquePointer

  /// Calls `libdeflate_alloc_compressor`; nil when there is no memory for it.
  ///
  /// - Parameter level: 1, fastest, to 12, smallest; clamped to this range.
  public init?(level: Int) {
    guard let compressor = libdeflate_alloc_compressor(Int32(min(max(level, 1), 12))) else {
      return nil
    }
    raw = compressor
  }

  deinit { libdeflate_free_compressor(raw) }

  /// The most bytes that `count` bytes can compress to. Calls `libdeflate_zlib_compress_bound`.
  public borrowing func bound(_ count: Int) -> Int {
    libdeflate_zlib_compress_bound(raw, count)
  }

  /// Writes `input` as a zlib stream to `output`, which must hold at least ``bound(_:)`` bytes.
  ///
  /// Calls `libdeflate_zlib_compress`.
  ///
  /// - Returns: The bytes written; 0 when `output` is too small, which the bound rules out.
  /// - Complexity: O(*n*) for levels up to 9.
  public mutating func compress(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) -> Int {
    libdeflate_zlib_compress(raw, input.baseAddress, input.count, output.baseAddress, output.count)
  }

  /// Compresses bytes to gzip (RFC 1952). Calls `libdeflate_gzip_compress`.
  ///
  /// - Complexity: O(*n*) for levels up to 9.
  public mutating func gzip(_ input: [UInt8]) -> [UInt8] {
    let bound = libdeflate_gzip_compress_bound(raw, input.count)
    return input.withUnsafeBytes { input in
      [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        count = libdeflate_gzip_compress(
          raw,
          input.baseAddress,
          input.count,
          output.baseAddress,
          output.count
        )
      }
    }
  }
}
