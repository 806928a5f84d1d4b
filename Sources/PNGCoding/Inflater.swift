internal import CDeflate

/// A libdeflate decompressor. Exactly one owner.
struct Inflater: ~Copyable {
  private let raw: OpaquePointer

  /// Calls `libdeflate_alloc_decompressor`.
  init() throws(PNGError) {
    guard let decompressor = libdeflate_alloc_decompressor() else {
      throw PNGError(.outOfMemory, during: "decode PNG", "no memory for a decompressor")
    }
    raw = decompressor
  }

  deinit { libdeflate_free_decompressor(raw) }

  /// Whether a zlib stream of `compressed` bytes can hold `count`: DEFLATE expands at most
  /// 1032-fold, and the shortest stream has eight bytes.
  static func canBecome(_ count: Int, from compressed: Int) -> Bool {
    compressed >= 8 && count / 1032 <= compressed
  }

  /// Exactly `count` bytes from a zlib stream. Calls `libdeflate_zlib_decompress`.
  ///
  /// - Throws: ``PNGError/Code-swift.enum/damaged`` when the stream is damaged, or holds more or
  ///   fewer bytes.
  mutating func decompress(_ stream: RawSpan, count: Int) throws(PNGError) -> [UInt8] {
    var result = LIBDEFLATE_BAD_DATA
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
      result = stream.withUnsafeBytes { input in
        // Without a place for the count, libdeflate insists on exactly the size of `output`.
        libdeflate_zlib_decompress(
          raw,
          input.baseAddress,
          input.count,
          output.baseAddress,
          count,
          nil
        )
      }
      initialized = result == LIBDEFLATE_SUCCESS ? count : 0
    }
    guard result == LIBDEFLATE_SUCCESS else {
      throw PNGError(
        .damaged,
        during: "decode PNG",
        result == LIBDEFLATE_BAD_DATA
          ? "the compressed data are damaged"
          : "the compressed data are no \(count) bytes"
      )
    }
    return bytes
  }
}
