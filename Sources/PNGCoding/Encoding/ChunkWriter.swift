internal import RectoBase

/// The PNG container: a signature and chunks of length, type, data and checksum.
enum PNGFormat {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Bytes around a chunk's data: length, type, checksum.
  static let chunkOverhead = 12
  /// The largest length, width or height.
  static let maxNumber = 0x7FFF_FFFF

  /// Chunk types, their four letters as a number.
  enum Chunk {
    static let header: UInt32 = 0x4948_4452  // IHDR
    static let palette: UInt32 = 0x504C_5445  // PLTE
    static let transparency: UInt32 = 0x7452_4E53  // tRNS
    static let data: UInt32 = 0x4944_4154  // IDAT
    static let end: UInt32 = 0x4945_4E44  // IEND
    static let standardRGB: UInt32 = 0x7352_4742  // sRGB
    static let physical: UInt32 = 0x7048_5973  // pHYs
    static let text: UInt32 = 0x7445_5874  // tEXt
    static let unicodeText: UInt32 = 0x6954_5874  // iTXt
  }
}

/// A PNG file as it grows.
struct ChunkWriter {
  private(set) var bytes: [UInt8]

  /// Starts with the signature, in memory for `capacity` bytes.
  init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
    bytes += PNGFormat.signature
  }

  /// Appends a chunk.
  mutating func append(_ type: UInt32, _ data: UnsafeRawBufferPointer) {
    append(UInt32(truncatingIfNeeded: data.count))
    let start = bytes.count
    append(type)
    bytes.append(contentsOf: data)
    let sum = bytes.withUnsafeBytes { all in
      Checksum.crc32(UnsafeRawBufferPointer(rebasing: all[start...]))
    }
    append(sum)
  }

  /// Appends a chunk.
  mutating func append(_ type: UInt32, _ data: [UInt8]) {
    data.withUnsafeBytes { append(type, $0) }
  }

  private mutating func append(_ number: UInt32) { bytes.append(bigEndian: number) }
}

extension [UInt8] {
  /// Appends four bytes, the highest first, as PNG writes numbers.
  mutating func append(bigEndian number: UInt32) {
    append(UInt8(truncatingIfNeeded: number >> 24))
    append(UInt8(truncatingIfNeeded: number >> 16))
    append(UInt8(truncatingIfNeeded: number >> 8))
    append(UInt8(truncatingIfNeeded: number))
  }
}
