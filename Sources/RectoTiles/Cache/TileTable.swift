internal import RectoBase

/// The pictures of the tiles of a table, in rows of 64 bytes; the last row of a tile counts.
///
/// A row describes the picture's file, so that a truncated, changed or swapped file is detected. Each row has a
/// checksum; invalid rows are ignored. Its size is a power of two, so that a write cut off at a memory page leaves
/// whole rows.
struct TileTable {
  /// A row.
  struct Row: Hashable {
    /// The key of the tile, which includes everything it depends on.
    var tile: CacheKey
    /// The digest of the picture's bytes, which names its file.
    var picture: CacheKey
    /// The length of the picture in bytes.
    var length: Int
    /// The CRC-32 of the picture's bytes.
    var checksum: UInt32
  }

  /// Bytes in a row.
  static let rowLength = 64
  /// The most bytes of a table, about 16,000 tiles; beyond that older rows are dropped.
  static let largest = 1 << 20

  /// Whole rows, good and bad.
  private(set) var bytes: [UInt8]
  /// Whether bytes at the end were ignored because they are not a whole row.
  let isCut: Bool

  /// The table in a file.
  init(_ bytes: [UInt8]) {
    let rest = bytes.count % Self.rowLength
    isCut = rest > 0
    self.bytes = isCut ? bytes.dropLast(rest) : bytes
  }

  /// A table that names the document of its tiles.
  init(of document: CacheKey) {
    isCut = false
    bytes = []
    append(document.high, document.low, Self.documentMark, 0, 0, 0)
  }

  /// Adds a row.
  mutating func append(_ row: Row) {
    let details = (UInt64(row.length), UInt64(row.checksum))
    append(row.picture.high, row.picture.low, row.tile.high, row.tile.low, details.0, details.1)
  }

  /// The last valid row of a tile.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  func row(of tile: CacheKey) -> Row? {
    bytes.withUnsafeBytes { bytes in
      var start = bytes.count - Self.rowLength
      while start >= 0 {
        // Nearly all rows are other tiles'.
        if Self.word(bytes, start + 16) == tile.high, let row = Self.row(bytes, start),
          row.tile == tile
        {
          return row
        }
        start -= Self.rowLength
      }
      return nil
    }
  }

  /// All valid rows except those replaced by a later row of the same tile, the document, and the number of damaged
  /// rows.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  func contents() -> (document: CacheKey?, rows: [Row], damaged: Int) {
    bytes.withUnsafeBytes { bytes in
      var document: CacheKey?
      var rows: [Row] = []
      var seen: Set<CacheKey> = []
      var damaged = 0
      for start in stride(from: bytes.count - Self.rowLength, through: 0, by: -Self.rowLength) {
        if let row = Self.row(bytes, start) {
          if seen.insert(row.tile).inserted { rows.append(row) }
        } else if Self.isGood(bytes, start), Self.word(bytes, start + 16) == Self.documentMark {
          document = CacheKey(high: Self.word(bytes, start), low: Self.word(bytes, start + 8))
        } else {
          damaged += 1
        }
      }
      return (document, rows.reversed(), damaged)
    }
  }
}

extension TileTable {
  /// Stands in place of the first half of a tile's key.
  private static let documentMark: UInt64 = 0x7265_6374_6F2D_3200

  /// Adds six words, a reserved one, and the checksums of all.
  private mutating func append(
    _ words: UInt64...
  ) {
    let start = bytes.count
    for word in words + [0] {
      withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
    let sum = bytes.withUnsafeBytes { Self.sum(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    withUnsafeBytes(of: sum.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// CRC-32 and Adler-32: a damaged row passes as rarely as two keys collide.
  private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(Checksum.crc32(bytes)) << 32 | UInt64(Checksum.adler32(bytes))
  }

  private static func isGood(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
    let end = start + rowLength - 8
    return word(bytes, end) == sum(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
  }

  private static func row(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Row? {
    guard isGood(bytes, start), word(bytes, start + 16) != documentMark,
      let length = Int(exactly: word(bytes, start + 32)),
      let checksum = UInt32(exactly: word(bytes, start + 40))
    else { return nil }
    return Row(
      tile: CacheKey(high: word(bytes, start + 16), low: word(bytes, start + 24)),
      picture: CacheKey(high: word(bytes, start), low: word(bytes, start + 8)),
      length: length,
      checksum: checksum
    )
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }
}
