internal import RectoBase
public import RectoGeometry

/// Writes pictures quickly as PNG, in the smallest pixel format that fits.
///
/// An encoder reuses its compressor and buffers, so create one per thread and keep it. The same
/// pixels always give the same bytes.
///
/// Pixels are 32-bit words 0xAARRGGBB in the machine's byte order, as in cairo's `ARGB32` and
/// `RGB24` surfaces; the machine must be little-endian.
public struct PNGEncoder: ~Copyable {
  /// How rows of 8-bit samples are filtered before compression.
  public enum Filtering: Hashable, Sendable {
    /// None for repetitive rows, ``adaptive`` for rows of photographs and scans.
    case byContent
    /// The same filter for every row.
    case none, sub, up, paeth
    /// For each row the filter with the smallest sum of differences.
    case adaptive
  }

  /// How rows are compressed.
  public enum Compression: Hashable, Sendable {
    /// ``quick`` for repetitive rows, libdeflate's level 2 for photographs and scans. `docs/PNG.md`
    /// has the measurements.
    case byContent
    /// The encoder's own compressor, which is fast on blank paper.
    case quick
    /// libdeflate at a level from 1, fastest, to 12, smallest.
    case libdeflate(level: Int)
  }

  let filtering: Filtering
  private let compression: Compression
  private var deflater: Deflater
  private var quick = QuickDeflater()
  var scan = PixelScan()
  /// Rows as they go to the compressor, each after its filter byte.
  var rows = Scratch()
  /// One row between filter and packing, and a row of zeros above the first.
  var row = Scratch()
  /// The compressed rows, which usually take a small part of the allocation.
  var compressed = Scratch(isFilled: false)
  var constants: [ConstantTile: [UInt8]] = [:]

  /// An encoder for one thread.
  ///
  /// - Parameters:
  ///   - compression: How rows are compressed.
  ///   - filtering: How 8-bit rows are filtered.
  /// - Throws: ``PNGError/Code-swift.enum/outOfMemory``.
  public init(
    compression: Compression = .byContent,
    filtering: Filtering = .byContent
  ) throws(PNGError) {
    let level = if case .libdeflate(let level) = compression { level } else { 2 }
    guard let deflater = Deflater(level: level) else {
      throw PNGError(.outOfMemory, during: "encode PNG", "no memory for a compressor")
    }
    self.deflater = deflater
    self.compression = compression
    self.filtering = filtering
  }

  /// A tile: opaque pixels, and only required chunks.
  ///
  /// One color, gray and up to 256 colors are detected and written with 1, 2, 4 or 8 bits per
  /// pixel; everything else as 8-bit RGB. A tile of one color is encoded once.
  ///
  /// - Parameters:
  ///   - pixels: Words 0xXXRRGGBB; the top byte is ignored.
  ///   - stride: Bytes from one row to the next, at least four per pixel.
  ///   - size: Columns and rows, 1 or more of each.
  /// - Returns: The PNG file.
  /// - Throws: ``PNGError/Code-swift.enum/badInput`` when size, stride and memory do not match.
  /// - Complexity: O(pixels).
  public mutating func tile(
    _ pixels: RawSpan,
    stride: Int,
    size: PixelSize
  ) throws(PNGError) -> [UInt8] {
    try picture(pixels, stride: stride, size: size)
  }

  /// The most bytes of a tile, whatever its colors; `Int.max` on overflow.
  ///
  /// Rows have three bytes a pixel and one more. Compression adds at most a third: in the worst
  /// case, a match of three bytes takes 28 bits and a literal ten.
  public static func largestTile(_ size: PixelSize) -> Int { largest(size, perPixel: 4) }

  /// The most bytes of a picture with alpha; `Int.max` on overflow.
  ///
  /// Rows have four bytes a pixel and one more, and compression adds as much as to tiles.
  public static func largestTransparent(_ size: PixelSize) -> Int { largest(size, perPixel: 6) }

  private static func largest(_ size: PixelSize, perPixel: Int) -> Int {
    let width = min(max(0, size.width), Int.max - 1)
    let (rows, overflow) = (width + 1).multipliedReportingOverflow(by: max(0, size.height))
    return overflow || rows > (Int.max - 4096) / perPixel ? Int.max : perPixel * rows + 4096
  }

  /// A whole picture, with metadata.
  ///
  /// - Parameters:
  ///   - pixels: Words 0xAARRGGBB.
  ///   - stride: Bytes from one row to the next, at least four per pixel.
  ///   - size: Columns and rows, 1 or more of each.
  ///   - alpha: What the top byte means. With ``PNGAlpha/premultiplied`` the file is RGBA, 8 bits.
  ///   - metadata: Resolution and texts.
  /// - Returns: The PNG file.
  /// - Throws: ``PNGError/Code-swift.enum/badInput`` when size, stride and memory do not match, or
  ///   a text cannot be written.
  /// - Complexity: O(pixels).
  public mutating func picture(
    _ pixels: RawSpan,
    stride: Int,
    size: PixelSize,
    alpha: PNGAlpha = .opaque,
    metadata: PNGMetadata = PNGMetadata()
  ) throws(PNGError) -> [UInt8] {
    let chunks = try metadata.chunks()
    // A typed error cannot leave a rethrowing closure, so it is returned as a result.
    let result = pixels.withUnsafeBytes { memory in
      Result { () throws(PNGError) in
        let pixels = try PixelRows(memory, stride: stride, size: size)
        return switch alpha {
        case .opaque: encode(pixels, chunks)
        case .premultiplied: encodeRGBA(pixels, chunks)
        }
      }
    }
    return try result.get()
  }

  private mutating func encode(_ pixels: PixelRows, _ chunks: [PNGMetadata.Chunk]) -> [UInt8] {
    let (finding, bytes) = scan.scan(pixels)
    switch finding {
    case .constant(let color):
      return encodeConstant(color, pixels, chunks)
    case .gray:
      return encodeGray(bytes, pixels, chunks)
    case .palette:
      return encodePalette(bytes, pixels, chunks)
    case .color:
      return encodeRGB(pixels, chunks)
    }
  }

  /// The file around rows that are ready.
  ///
  /// - Parameters:
  ///   - header: The size and kind of the picture.
  ///   - palette: The bytes of PLTE, three for each color; empty for none.
  ///   - isBusy: Whether the rows hold a photograph or a scan.
  /// - Returns: The PNG file.
  mutating func file(
    _ header: PNGHeader,
    palette: [UInt8] = [],
    _ chunks: [PNGMetadata.Chunk],
    rows: UnsafeMutableRawBufferPointer,
    isBusy: Bool = false
  ) -> [UInt8] {
    let isQuick =
      switch compression {
      case .byContent: !isBusy
      case .quick: true
      case .libdeflate: false
      }
    let input = UnsafeRawBufferPointer(rows)
    if isQuick && input.count <= QuickDeflater.maxInput {
      let output = compressed.bytes(QuickDeflater.bound(input.count))
      return file(header, palette, chunks, output[..<quick.compress(input, into: output)])
    }
    let output = compressed.bytes(deflater.bound(input.count))
    return file(header, palette, chunks, output[..<deflater.compress(input, into: output)])
  }

  /// The file with rows that are compressed while they are made; nil if rows are compressed otherwise.
  ///
  /// - Parameters:
  ///   - header: The size and kind of the picture.
  ///   - write: Writes a row, by its number, to an address. The row above it is directly before it there.
  /// - Returns: The PNG file.
  mutating func file(
    _ header: PNGHeader,
    pitch: Int,
    _ chunks: [PNGMetadata.Chunk],
    _ write: (Int, UnsafeMutableRawPointer) -> Void
  ) -> [UInt8]? {
    let count = pitch * header.size.height
    if case .libdeflate = compression { return nil }
    guard count <= QuickDeflater.maxInput else { return nil }
    let output = compressed.bytes(QuickDeflater.bound(count))
    let written = quick.compress(
      rows: header.size.height,
      pitch: pitch,
      in: &rows,
      into: output,
      write
    )
    return file(header, [], chunks, output[..<written])
  }

  /// The file around compressed rows.
  ///
  /// - Parameters:
  ///   - header: The size and kind of the picture.
  ///   - palette: The bytes of PLTE, three for each color; empty for none.
  /// - Returns: The PNG file.
  private func file(
    _ header: PNGHeader,
    _ palette: [UInt8],
    _ chunks: [PNGMetadata.Chunk],
    _ data: Slice<UnsafeMutableRawBufferPointer>
  ) -> [UInt8] {
    let metadataBytes = chunks.reduce(0) { $0 + $1.data.count + PNGFormat.chunkOverhead }
    var writer = ChunkWriter(capacity: data.count + palette.count + metadataBytes + 72)
    writer.append(PNGFormat.Chunk.header, header.bytes)
    // pHYs must come before the pixels, and text may.
    for chunk in chunks { writer.append(chunk.type, chunk.data) }
    if !palette.isEmpty { writer.append(PNGFormat.Chunk.palette, palette) }
    writer.append(PNGFormat.Chunk.data, UnsafeRawBufferPointer(rebasing: data))
    writer.append(PNGFormat.Chunk.end, [])
    return writer.bytes
  }
}
