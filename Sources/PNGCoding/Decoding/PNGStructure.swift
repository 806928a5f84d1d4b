internal import RectoBase
public import RectoGeometry

/// Checks that bytes are a complete PNG, without decompressing it.
///
/// Tiles are checked when a worker sends them and whenever they are read from the cache. For the
/// cost of a CRC-32 this finds files that were truncated, overwritten or left empty by a power
/// failure.
public enum PNGStructure {
  /// Checks the signature, the order of the critical chunks, every chunk's checksum, and that IEND
  /// ends the bytes.
  ///
  /// - Returns: The content of IHDR.
  /// - Throws: ``PNGError`` with ``PNGError/Code-swift.enum/notPNG`` or
  ///   ``PNGError/Code-swift.enum/damaged``.
  /// - Complexity: O(bytes), about 20 bytes per nanosecond.
  public static func validate(_ bytes: RawSpan) throws(PNGError) -> PNGHeader {
    var reader = try ChunkReader(bytes, during: "check PNG")
    let header = try reader.header(in: bytes)
    while try reader.next(in: bytes) != nil {}
    return header
  }

  /// Whether ``validate(_:)-(RawSpan)`` passes and the picture has this size.
  public static func check(_ bytes: RawSpan, size: PixelSize) -> Bool {
    guard let header = try? validate(bytes) else { return false }
    return header.size == size
  }

  /// Whether the bytes are a tile of this size, as ``PNGEncoder/tile(_:stride:size:)`` writes them:
  /// ``validate(_:)-(RawSpan)`` passes, the pixels are gray, palette or RGB, of at most 8 bits and
  /// not interlaced, there are only required chunks, and the compressed data can have that many
  /// pixels.
  ///
  /// - Complexity: As ``validate(_:)-(RawSpan)``.
  public static func isTile(_ bytes: RawSpan, size: PixelSize) -> Bool {
    isPlain(bytes, size: size) { $0.isTile }
  }

  /// Whether the bytes are a picture of this size, as
  /// ``PNGEncoder/picture(_:stride:size:alpha:metadata:)`` writes one with alpha and without metadata:
  /// as `isTile`, but the pixels are RGBA of 8 bits.
  ///
  /// - Complexity: As ``validate(_:)-(RawSpan)``.
  public static func isTransparent(_ bytes: RawSpan, size: PixelSize) -> Bool {
    isPlain(bytes, size: size) {
      $0.colorType == .rgba && $0.bitDepth == 8 && !$0.isInterlaced
    }
  }

  /// Whether the bytes are a complete picture with only required chunks.
  ///
  /// - Parameters:
  ///   - isKind: Whether pixels may be of this kind.
  private static func isPlain(
    _ bytes: RawSpan,
    size: PixelSize,
    _ isKind: (PNGHeader) -> Bool
  ) -> Bool {
    do throws(PNGError) {
      var reader = try ChunkReader(bytes, during: "check PNG")
      let header = try reader.header(in: bytes)
      guard header.size == size, isKind(header), let rowBytes = header.rowBytes else {
        return false
      }
      var compressed = 0
      while let chunk = try reader.next(in: bytes) {
        switch chunk.type {
        case PNGFormat.Chunk.data: compressed += chunk.data.count
        case PNGFormat.Chunk.palette: guard header.colorType == .palette else { return false }
        default: return false
        }
      }
      let (count, overflow) = (rowBytes + 1).multipliedReportingOverflow(by: size.height)
      return !overflow && Inflater.canBecome(count, from: compressed)
    } catch {
      return false
    }
  }

  /// The text chunks in file order: tEXt, and uncompressed iTXt. Other and invalid ones are
  /// skipped.
  ///
  /// - Throws: ``PNGError``, as ``validate(_:)-(RawSpan)``.
  public static func texts(in bytes: RawSpan) throws(PNGError) -> [PNGText] {
    var reader = try ChunkReader(bytes, during: "check PNG")
    _ = try reader.header(in: bytes)
    var texts: [PNGText] = []
    while let chunk = try reader.next(in: bytes) {
      if let text = PNGText(chunk.type, bytes.extracting(chunk.data)) { texts.append(text) }
    }
    return texts
  }
}

extension PNGText {
  /// The text of a chunk; nil if it has none or is invalid.
  fileprivate init?(_ type: UInt32, _ data: RawSpan) {
    let bytes = data.byteOffsets.map { data.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    guard let keyEnd = bytes.firstIndex(of: 0), (1...79).contains(keyEnd) else { return nil }
    keyword = Self.string(latin1: bytes[..<keyEnd])
    let rest = bytes[(keyEnd + 1)...]
    switch type {
    case PNGFormat.Chunk.text:
      text = Self.string(latin1: rest)
    case PNGFormat.Chunk.unicodeText:
      // Compression flag and method, then language tag and translated keyword, each ended by 0.
      guard rest.count >= 4, rest[rest.startIndex] == 0 else { return nil }
      guard let language = rest[(rest.startIndex + 2)...].firstIndex(of: 0),
        let translated = rest[(language + 1)...].firstIndex(of: 0),
        let string = String(validating: rest[(translated + 1)...], as: UTF8.self)
      else { return nil }
      text = string
    default:
      return nil
    }
  }

  private static func string(latin1 bytes: ArraySlice<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
  }
}
