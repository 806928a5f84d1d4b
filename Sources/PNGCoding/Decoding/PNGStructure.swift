internal import RectoBase
public import RectoGeometry

/// Whether bytes are a whole PNG, told without decompressing anything.
///
/// A tile is checked so when a worker hands it over and each time it is read from the cache: a file
/// cut short, overwritten or left empty by a power cut fails, at the price of one CRC-32 over its
/// bytes.
public enum PNGStructure {
  /// Checks the signature, the order of the critical chunks, every chunk's checksum, and that IEND
  /// ends the bytes.
  ///
  /// - Returns: What IHDR says.
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
  /// ``validate(_:)-(RawSpan)`` passes, the pixels are gray, from a palette or RGB, of 8 bits at
  /// the most and in plain order, there is no chunk that PNG does not require, and the compressed
  /// data can become so many pixels.
  ///
  /// - Complexity: As ``validate(_:)-(RawSpan)``.
  public static func isTile(_ bytes: RawSpan, size: PixelSize) -> Bool {
    isPlain(bytes, size: size) { $0.isTile }
  }

  /// Whether the bytes are a picture of this size, as
  /// ``PNGEncoder/picture(_:stride:size:alpha:metadata:)`` writes one with alpha and without metadata:
  /// as `isTile`, and the pixels are RGBA of 8 bits.
  ///
  /// - Complexity: As ``validate(_:)-(RawSpan)``.
  public static func isTransparent(_ bytes: RawSpan, size: PixelSize) -> Bool {
    isPlain(bytes, size: size) {
      $0.colorType == .rgba && $0.bitDepth == 8 && !$0.isInterlaced
    }
  }

  /// Whether the bytes are a whole picture without a chunk that PNG does not require.
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

  /// The text chunks in the order they stand: tEXt, and iTXt that is not compressed. Others, and
  /// any that break the rules, are passed over.
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
  /// The text of a chunk; nil when the chunk holds none that can be read.
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
