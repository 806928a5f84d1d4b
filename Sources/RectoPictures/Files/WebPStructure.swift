internal import DocumentModel
internal import RectoGeometry

/// Whether bytes are a WebP as `PictureCoding` writes one: one lossy picture, with alpha if it has
/// transparent pixels, and no metadata.
struct WebPStructure {
  private let bytes: [UInt8]
  private var offset = 12
  private let size: PixelSize

  /// A chunk: its four-letter type as a number, and where its data is.
  private typealias Chunk = (type: UInt32, data: Range<Int>)

  private enum ChunkType {
    static let riff = code("RIFF")
    static let webp = code("WEBP")
    static let lossy = code("VP8 ")
    static let extended = code("VP8X")
    static let alpha = code("ALPH")

    private static func code(_ letters: StaticString) -> UInt32 {
      letters.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }
  }

  /// The most bytes of a picture: several times the size of noise at the best quality.
  static func largest(_ size: PixelSize) -> Int {
    let side = PictureFormat.webp.largestSide
    guard (1...side).contains(size.width), (1...side).contains(size.height) else { return 0 }
    let (width, height) = ((size.width + 15) & ~15, (size.height + 15) & ~15)
    return width * height * 8 + 65_536
  }

  /// Whether the bytes are a whole picture of this size.
  ///
  /// - Parameters:
  ///   - isTransparent: Whether pixels may be transparent.
  /// - Complexity: O(1).
  static func isPicture(_ bytes: [UInt8], size: PixelSize, isTransparent: Bool) -> Bool {
    var structure = WebPStructure(bytes: bytes, size: size)
    return structure.isWhole(isTransparent: isTransparent)
  }

  private init(bytes: [UInt8], size: PixelSize) {
    self.bytes = bytes
    self.size = size
  }

  private mutating func isWhole(isTransparent: Bool) -> Bool {
    guard bytes.count >= 12, number(0) == ChunkType.riff,
      Int(number(4)) == bytes.count - 8, number(8) == ChunkType.webp,
      var chunk = nextChunk()
    else { return false }
    if chunk.type == ChunkType.extended {
      guard isTransparent, isCanvas(chunk.data), let alpha = nextChunk(),
        alpha.type == ChunkType.alpha, isAlpha(alpha.data), let picture = nextChunk()
      else { return false }
      chunk = picture
    }
    return chunk.type == ChunkType.lossy && isKeyFrame(chunk.data) && offset == bytes.count
  }

  /// The next chunk; nil if it is truncated. Chunks of odd length are followed by a zero.
  private mutating func nextChunk() -> Chunk? {
    let left = bytes.count - offset
    guard left >= 8 else { return nil }
    let length = Int(number(offset + 4))
    guard length <= left - 8, length + length % 2 <= left - 8 else { return nil }
    let data = (offset + 8)..<(offset + 8 + length)
    guard length % 2 == 0 || byte(data.upperBound) == 0 else { return nil }
    defer { offset = data.upperBound + length % 2 }
    return (number(offset), data)
  }

  /// VP8X: the only feature is alpha, and the canvas has the size.
  private func isCanvas(_ data: Range<Int>) -> Bool {
    let start = data.lowerBound
    return data.count == 10 && number(start) == 0x10
      && Int(number(start + 4) & 0xFF_FFFF) == size.width - 1
      && Int(number(start + 6) >> 8) == size.height - 1
  }

  /// ALPH: no more than the known methods of preprocessing and compression.
  private func isAlpha(_ data: Range<Int>) -> Bool {
    guard let start = data.first, data.count > 1 else { return false }
    return byte(start) & 0xC0 == 0 && byte(start) >> 4 & 3 <= 1 && byte(start) & 3 <= 1
  }

  /// VP8: a visible key frame of this size, not scaled, whose first partition is in bounds (RFC
  /// 6386, 9.1).
  private func isKeyFrame(_ data: Range<Int>) -> Bool {
    guard data.count > 10 else { return false }
    let start = data.lowerBound
    let tag = number(start) & 0xFF_FFFF
    let isShownKeyFrame = tag & 1 == 0 && tag >> 1 & 7 <= 3 && tag >> 4 & 1 == 1
    return isShownKeyFrame && Int(tag >> 5) <= data.count - 10
      && number(start + 2) >> 8 == 0x2A_019D
      && Int(number(start + 6)) == size.height << 16 | size.width
  }

  private func byte(_ offset: Int) -> UInt8 { bytes[offset] }

  /// Four bytes, the low one first.
  private func number(_ offset: Int) -> UInt32 {
    bytes[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
