internal import RectoBase

/// Bytes of a record, followed by a checksum over them and a header.
///
/// CRC-32 and Adler-32 detect torn files. They do not stop forgers, who could write a valid file anyway. Looking up the
/// last pages of a long document reads dozens of files, and SHA-256 would double the time.
enum SealedBytes {
  private static let checksumLength = 8

  /// The bytes with their checksum.
  ///
  /// - Parameters:
  ///   - header: Identifies the record, so that bytes of another record are rejected.
  static func seal(_ content: [UInt8], as header: String) -> [UInt8] {
    content + checksum(of: content[...], header)
  }

  /// The bytes without their checksum.
  ///
  /// - Parameters:
  ///   - bytes: The bytes read from a file.
  ///   - header: Identifies the record.
  /// - Returns: The content; nil if the checksum is wrong, or the bytes belong to another record.
  static func open(_ bytes: [UInt8], as header: String) -> ArraySlice<UInt8>? {
    guard bytes.count > checksumLength else { return nil }
    let content = bytes.dropLast(checksumLength)
    guard bytes.suffix(checksumLength) == ArraySlice(checksum(of: content, header)) else {
      return nil
    }
    return content
  }

  private static func checksum(of content: ArraySlice<UInt8>, _ header: String) -> [UInt8] {
    var sums: (crc: UInt32, adler: UInt32) = (0, 1)
    for part in [Array(header.utf8)[...], content] {
      part.withUnsafeBytes { bytes in
        sums.crc = Checksum.crc32(bytes, continuing: sums.crc)
        sums.adler = Checksum.adler32(bytes, continuing: sums.adler)
      }
    }
    var writer = ByteWriter()
    writer.write(Int(sums.crc) << 32 | Int(sums.adler))
    return writer.bytes
  }
}
