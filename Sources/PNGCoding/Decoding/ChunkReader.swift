internal import RectoBase
internal import RectoGeometry

/// Reads the chunks of an untrusted PNG: every offset is checked before it is used.
///
/// Stores only offsets; each call must be passed the same bytes.
struct ChunkReader {
  /// A chunk with a valid checksum.
  struct Chunk {
    var type: UInt32
    /// The range of its data.
    var data: Range<Int>
  }

  private let operation: String
  private var offset = 8
  private var colorType = PNGHeader.ColorType.gray
  private var hasPalette = false
  private var hasData = false
  private var lastType: UInt32 = 0
  private var isAtEnd = false

  /// Starts after the signature.
  ///
  /// - Throws: ``PNGError/Code-swift.enum/notPNG`` when the signature is missing.
  init(_ bytes: RawSpan, during operation: String) throws(PNGError) {
    self.operation = operation
    let signature = PNGFormat.signature
    guard bytes.byteCount >= signature.count,
      signature.indices.allSatisfy({ Self.byte(bytes, $0) == signature[$0] })
    else { throw PNGError(.notPNG, during: operation, "the bytes do not begin as a PNG does") }
  }

  /// The first chunk, which has to be IHDR.
  ///
  /// - Throws: ``PNGError/Code-swift.enum/damaged`` for anything else.
  mutating func header(in bytes: RawSpan) throws(PNGError) -> PNGHeader {
    let chunk = try raw(in: bytes)
    guard chunk.type == PNGFormat.Chunk.header, chunk.data.count == 13 else {
      throw damaged("the first chunk is no IHDR of 13 bytes")
    }
    let start = chunk.data.lowerBound
    let width = Int(Self.number(bytes, start))
    let height = Int(Self.number(bytes, start + 4))
    let depth = Int(Self.byte(bytes, start + 8))
    let numbers = 1...PNGFormat.maxNumber
    guard numbers.contains(width), numbers.contains(height) else {
      throw damaged("\(width)×\(height) pixels is no size")
    }
    guard let type = PNGHeader.ColorType(rawValue: Self.byte(bytes, start + 9)),
      type.depths.contains(depth)
    else {
      throw damaged("there is no color type \(Self.byte(bytes, start + 9)) with \(depth) bits")
    }
    let interlace = Self.byte(bytes, start + 12)
    guard Self.byte(bytes, start + 10) == 0, Self.byte(bytes, start + 11) == 0, interlace <= 1
    else { throw damaged("an unknown method of compression, filtering or interlacing") }
    colorType = type
    return PNGHeader(
      size: PixelSize(width: width, height: height),
      bitDepth: depth,
      colorType: type,
      isInterlaced: interlace == 1
    )
  }

  /// The next chunk; nil after IEND, where the bytes have to end.
  ///
  /// - Throws: ``PNGError/Code-swift.enum/damaged`` for a chunk that is broken, misplaced, or has a
  ///   wrong checksum.
  mutating func next(in bytes: RawSpan) throws(PNGError) -> Chunk? {
    if isAtEnd { return nil }
    let chunk = try raw(in: bytes)
    defer { lastType = chunk.type }
    switch chunk.type {
    case PNGFormat.Chunk.header:
      throw damaged("a second IHDR")
    case PNGFormat.Chunk.palette:
      let count = chunk.data.count
      guard !hasPalette, !hasData, count > 0, count <= 768, count % 3 == 0 else {
        throw damaged("a PLTE of \(count) bytes, or in the wrong place")
      }
      hasPalette = true
    case PNGFormat.Chunk.data:
      guard !hasData || lastType == PNGFormat.Chunk.data else {
        throw damaged("the IDAT chunks do not follow each other")
      }
      guard hasPalette || colorType != .palette else { throw damaged("no PLTE before IDAT") }
      hasData = true
    case PNGFormat.Chunk.end:
      guard hasData else { throw damaged("no IDAT") }
      guard chunk.data.isEmpty, offset == bytes.byteCount else {
        throw damaged("bytes after the end")
      }
      isAtEnd = true
      return nil
    default:
      // In critical chunks bit 5 of the first letter is unset (a capital).
      guard chunk.type & 0x2000_0000 != 0 else {
        throw PNGError(.unsupported, during: operation, "an unknown critical chunk")
      }
    }
    return chunk
  }

  /// The chunk at ``offset``, its length and checksum checked.
  private mutating func raw(in bytes: RawSpan) throws(PNGError) -> Chunk {
    let left = bytes.byteCount - offset
    guard left >= PNGFormat.chunkOverhead else { throw damaged("it ends without IEND") }
    let length = Int(Self.number(bytes, offset))
    guard length <= left - PNGFormat.chunkOverhead else {
      throw damaged("a chunk of \(length) bytes with \(left - PNGFormat.chunkOverhead) left")
    }
    let type = Self.number(bytes, offset + 4)
    let data = (offset + 8)..<(offset + 8 + length)
    let sum = bytes.extracting((offset + 4)..<data.upperBound).withUnsafeBytes {
      Checksum.crc32($0)
    }
    guard sum == Self.number(bytes, data.upperBound) else {
      throw damaged("the checksum of the chunk at byte \(offset) is wrong")
    }
    offset = data.upperBound + 4
    return Chunk(type: type, data: data)
  }

  private func damaged(_ detail: String) -> PNGError {
    PNGError(.damaged, during: operation, detail)
  }

  static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
    bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// Four bytes, the highest first.
  static func number(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
    bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
  }
}

extension PNGHeader.ColorType {
  /// The bits per sample that PNG allows.
  fileprivate var depths: [Int] {
    switch self {
    case .gray: [1, 2, 4, 8, 16]
    case .palette: [1, 2, 4, 8]
    case .rgb, .grayAlpha, .rgba: [8, 16]
    }
  }
}
