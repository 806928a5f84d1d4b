internal import RectoBase
public import RectoGeometry

/// A decoded picture.
public struct PNGPicture: Hashable, Sendable {
  /// Columns and rows.
  public var size: PixelSize
  /// Words 0xAARRGGBB, row after row without gaps, premultiplied as in cairo's ARGB32. Alpha is 255
  /// unless the file has an alpha channel.
  public var pixels: [UInt32]

  /// A picture from its parts; `pixels` holds width times height words.
  public init(size: PixelSize, pixels: [UInt32]) {
    self.size = size
    self.pixels = pixels
  }
}

extension PNGPicture: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Its size.
  public var description: String { "\(size.width) × \(size.height) pixels" }
  /// The same line.
  public var debugDescription: String { description }
  /// Without children, so that the pixels are not dumped.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Reads the kinds of PNG that ``PNGEncoder`` writes, and similar ones: gray and palette of 1 to 8
/// bits, RGB and RGBA of 8, not interlaced.
///
/// The bytes are untrusted: every failure is a ``PNGError``, and memory is bounded by the given
/// limit. Except for libdeflate, which is made for hostile input, the decoder is bounds-checked
/// Swift.
public enum PNGDecoder {
  /// The pixels of a PNG.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, as ``PNGStructure/validate(_:)-(RawSpan)`` requires it.
  ///   - maxPixels: The most pixels accepted, width times height.
  /// - Returns: The picture.
  /// - Throws: ``PNGError``; ``PNGError/Code-swift.enum/unsupported`` for 16-bit, interlaced and
  ///   gray-with-alpha files and for transparency given by a tRNS chunk.
  /// - Complexity: O(bytes + pixels).
  public static func decode(_ bytes: RawSpan, maxPixels: Int) throws(PNGError) -> PNGPicture {
    var reader = try ChunkReader(bytes, during: "decode PNG")
    let header = try reader.header(in: bytes)
    let size = header.size
    guard let area = size.area, area <= min(maxPixels, PixelRows.maxPixels) else {
      throw PNGError(
        .tooLarge,
        during: "decode PNG",
        "\(size.width)×\(size.height) pixels; the limit is \(maxPixels)"
      )
    }
    try supports(header)
    let content = try Content(&reader, bytes)
    guard let rowBytes = header.rowBytes else {
      throw PNGError(.tooLarge, during: "decode PNG", "rows of \(size.width) pixels")
    }
    let (count, overflow) = (rowBytes + 1).multipliedReportingOverflow(by: size.height)
    guard !overflow else { throw PNGError(.tooLarge, during: "decode PNG", "too many rows") }
    try content.canHold(count)

    var rows: [UInt8]
    switch content.data {
    case .inPlace(let range): rows = try inflated(bytes.extracting(range), count: count)
    case .joined(let data): rows = try inflated(data.span.bytes, count: count)
    }
    let step = max(1, header.colorType.samples * header.bitDepth / 8)
    try Unfilter.rows(&rows, pitch: rowBytes + 1, step: step)
    let expansion = Expansion(header: header, palette: content.palette)
    return PNGPicture(size: size, pixels: try expansion.pixels(rows, pitch: rowBytes + 1))
  }

  /// Exactly `count` bytes from a zlib stream.
  private static func inflated(_ stream: RawSpan, count: Int) throws(PNGError) -> [UInt8] {
    guard var inflater = Inflater() else {
      throw PNGError(.outOfMemory, during: "decode PNG", "no memory for a decompressor")
    }
    var failure: Inflater.StreamError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
      let room = UnsafeMutableRawBufferPointer(start: output.baseAddress, count: count)
      do throws(Inflater.StreamError) {
        try stream.withUnsafeBytes { (input) throws(Inflater.StreamError) in
          try inflater.decompress(input, .zlib, filling: room)
        }
        initialized = count
      } catch {
        failure = error
        initialized = 0
      }
    }
    switch failure {
    case nil: return bytes
    case .damaged:
      throw PNGError(.damaged, during: "decode PNG", "the compressed data are damaged")
    case .tooLong, .tooShort:
      throw PNGError(.damaged, during: "decode PNG", "the compressed data are no \(count) bytes")
    }
  }

  private static func supports(_ header: PNGHeader) throws(PNGError) {
    guard header.bitDepth <= 8, !header.isInterlaced, header.colorType != .grayAlpha else {
      throw PNGError(
        .unsupported,
        during: "decode PNG",
        "16 bits, interlacing and gray with alpha are not read"
      )
    }
  }

  /// The contents of the chunks.
  private struct Content {
    /// Compressed data: almost always in a single chunk, which is not copied.
    enum Data {
      case inPlace(Range<Int>)
      case joined([UInt8])
    }

    var data = Data.joined([])
    /// Opaque words.
    var palette: [UInt32] = []

    init(_ reader: inout ChunkReader, _ bytes: RawSpan) throws(PNGError) {
      var ranges: [Range<Int>] = []
      while let chunk = try reader.next(in: bytes) {
        switch chunk.type {
        case PNGFormat.Chunk.data: ranges.append(chunk.data)
        case PNGFormat.Chunk.palette:
          palette = Swift.stride(
            from: chunk.data.lowerBound,
            to: chunk.data.upperBound,
            by: 3
          ).map { offset in
            0xFF00_0000 | UInt32(ChunkReader.byte(bytes, offset)) << 16
              | UInt32(ChunkReader.byte(bytes, offset + 1)) << 8
              | UInt32(ChunkReader.byte(bytes, offset + 2))
          }
        case PNGFormat.Chunk.transparency:
          throw PNGError(.unsupported, during: "decode PNG", "tRNS is not read")
        default: break
        }
      }
      if ranges.count == 1, let only = ranges.first {
        data = .inPlace(only)
      } else {
        var joined: [UInt8] = []
        joined.reserveCapacity(ranges.reduce(0) { $0 + $1.count })
        for range in ranges {
          bytes.extracting(range).withUnsafeBytes { joined.append(contentsOf: $0) }
        }
        data = .joined(joined)
      }
    }

    /// Checks the size before memory is allocated.
    ///
    /// - Throws: ``PNGError/Code-swift.enum/damaged`` when the compressed data cannot become
    ///   `count` bytes.
    func canHold(_ count: Int) throws(PNGError) {
      let compressed =
        switch data {
        case .inPlace(let range): range.count
        case .joined(let bytes): bytes.count
        }
      guard Inflater.canBecome(count, from: compressed) else {
        throw PNGError(
          .damaged,
          during: "decode PNG",
          "\(compressed) compressed bytes cannot become \(count)"
        )
      }
    }
  }
}
