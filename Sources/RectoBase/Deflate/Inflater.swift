internal import CDeflate

/// A libdeflate decompressor. Exactly one owner.
public struct Inflater: ~Copyable {
  /// The format around the compressed data.
  public enum Format: Sendable {
    /// Nothing: a DEFLATE stream (RFC 1951).
    case deflate
    /// A zlib header and a checksum (RFC 1950); both are checked.
    case zlib
  }

  /// Why a stream was not decompressed.
  public enum StreamError: Error, Sendable {
    /// The stream is broken or cut off, or its checksum is wrong.
    case damaged
    /// The stream has more bytes than fit.
    case tooLong
    /// The stream has fewer bytes than expected.
    case tooShort
  }

  private let raw: OpaquePointer

  /// Calls `libdeflate_alloc_decompressor`; nil when there is no memory for it.
  public init?() {
    guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
    raw = decompressor
  }

  deinit { libdeflate_free_decompressor(raw) }

  /// Whether a zlib stream of `compressed` bytes can decompress to `count` bytes: DEFLATE expands
  /// at most 1032-fold, and the shortest stream has eight bytes.
  public static func canBecome(_ count: Int, from compressed: Int) -> Bool {
    compressed >= 8 && count / 1032 <= compressed
  }

  /// Decompresses a stream that holds up to `output.count` bytes. What follows the stream is ignored.
  ///
  /// Calls `libdeflate_deflate_decompress` or `libdeflate_zlib_decompress`.
  ///
  /// - Parameters:
  ///   - input: The stream.
  ///   - format: The format around it.
  ///   - output: Where the bytes go; undefined after a failure.
  /// - Returns: The number of bytes.
  /// - Throws: ``StreamError``, `damaged` or `tooLong`.
  public mutating func decompress(
    _ input: UnsafeRawBufferPointer,
    _ format: Format,
    into output: UnsafeMutableRawBufferPointer
  ) throws(StreamError) -> Int {
    var count = 0
    try check(run(input, format, output, &count))
    return min(count, output.count)
  }

  /// Decompresses a stream that holds exactly `output.count` bytes.
  ///
  /// Calls `libdeflate_deflate_decompress` or `libdeflate_zlib_decompress`.
  ///
  /// - Parameters:
  ///   - input: The stream.
  ///   - format: The format around it.
  ///   - output: Where the bytes go; undefined after a failure.
  /// - Throws: ``StreamError``: `damaged`, `tooLong` or `tooShort`.
  public mutating func decompress(
    _ input: UnsafeRawBufferPointer,
    _ format: Format,
    filling output: UnsafeMutableRawBufferPointer
  ) throws(StreamError) {
    // Without a pointer for the count, libdeflate insists on exactly the size of `output`.
    try check(run(input, format, output, nil))
  }

  private func run(
    _ input: UnsafeRawBufferPointer,
    _ format: Format,
    _ output: UnsafeMutableRawBufferPointer,
    _ count: UnsafeMutablePointer<Int>?
  ) -> libdeflate_result {
    let decompress =
      switch format {
      case .deflate: libdeflate_deflate_decompress
      case .zlib: libdeflate_zlib_decompress
      }
    return decompress(
      raw,
      input.baseAddress,
      input.count,
      output.baseAddress,
      output.count,
      count
    )
  }

  private func check(_ result: libdeflate_result) throws(StreamError) {
    switch result {
    case LIBDEFLATE_SUCCESS: break
    case LIBDEFLATE_INSUFFICIENT_SPACE: throw .tooLong
    case LIBDEFLATE_SHORT_OUTPUT: throw .tooShort
    default: throw .damaged
    }
  }
}
