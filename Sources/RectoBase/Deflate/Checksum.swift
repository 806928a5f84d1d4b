internal import CDeflate

/// The checksums of PNG and zlib, at memory speed.
public enum Checksum {
  /// The CRC-32 of bytes, or of bytes appended to others whose CRC-32 is known. Calls
  /// `libdeflate_crc32`.
  ///
  /// - Complexity: O(*n*), about 20 bytes per nanosecond.
  public static func crc32(_ bytes: UnsafeRawBufferPointer, continuing sum: UInt32 = 0) -> UInt32 {
    // An empty buffer may have no address, and libdeflate returns the initial sum for NULL.
    bytes.isEmpty ? sum : libdeflate_crc32(sum, bytes.baseAddress, bytes.count)
  }

  /// The Adler-32 of bytes, or of bytes appended to others whose Adler-32 is known. Calls
  /// `libdeflate_adler32`.
  ///
  /// - Complexity: O(*n*).
  public static func adler32(_ bytes: UnsafeRawBufferPointer, continuing sum: UInt32 = 1) -> UInt32
  {
    bytes.isEmpty ? sum : libdeflate_adler32(sum, bytes.baseAddress, bytes.count)
  }
}
