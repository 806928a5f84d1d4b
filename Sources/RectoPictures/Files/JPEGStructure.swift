internal import DocumentModel
internal import RectoGeometry

/// Whether bytes are a JPEG as `PictureCoding` writes one: baseline, in one scan, without metadata.
struct JPEGStructure {
  private let bytes: [UInt8]
  private var offset = 0
  private let size: PixelSize
  /// One for gray, three for color.
  private let components: Int
  private var hasFrame = false

  private enum Marker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let application0: UInt8 = 0xE0
    static let quantization: UInt8 = 0xDB
    static let huffman: UInt8 = 0xC4
    static let baseline: UInt8 = 0xC0
    static let scan: UInt8 = 0xDA
  }

  /// The bytes of a JFIF segment without a thumbnail, after its length: `JFIF`, the version, the unit
  /// and the densities, and the size of the thumbnail.
  private static let jfif: [UInt8] = [0x4A, 0x46, 0x49, 0x46, 0]

  /// The most bytes that a picture takes: the bound of TurboJPEG (`tjBufSize`).
  static func largest(_ size: PixelSize, isGray: Bool) -> Int {
    let side = PictureFormat.jpeg.largestSide
    guard (1...side).contains(size.width), (1...side).contains(size.height) else { return 0 }
    let (width, height) = ((size.width + 15) & ~15, (size.height + 15) & ~15)
    return width * height * (isGray ? 2 : 6) + 2048
  }

  /// Whether the bytes are a whole picture of this size.
  ///
  /// - Parameters:
  ///   - isGray: Whether it has one component instead of three.
  /// - Complexity: O(bytes).
  static func isPicture(_ bytes: [UInt8], size: PixelSize, isGray: Bool) -> Bool {
    var structure = JPEGStructure(bytes: bytes, size: size, components: isGray ? 1 : 3)
    return structure.isWhole()
  }

  private init(bytes: [UInt8], size: PixelSize, components: Int) {
    self.bytes = bytes
    self.size = size
    self.components = components
  }

  private mutating func isWhole() -> Bool {
    guard nextMarker() == Marker.start, nextMarker() == Marker.application0,
      let header = nextSegment(), isJFIF(header)
    else { return false }
    while let marker = nextMarker(), let segment = nextSegment() {
      switch marker {
      case Marker.quantization: guard areQuantizationTables(segment) else { return false }
      case Marker.huffman: guard areHuffmanTables(segment) else { return false }
      case Marker.baseline:
        guard !hasFrame, isFrame(segment) else { return false }
        hasFrame = true
      case Marker.scan: return hasFrame && isScanHeader(segment) && isScanToTheEnd()
      default: return false
      }
    }
    return false
  }

  // MARK: Segments

  private mutating func nextMarker() -> UInt8? {
    guard bytes.count - offset >= 2, byte(offset) == 0xFF else { return nil }
    defer { offset += 2 }
    return byte(offset + 1)
  }

  /// The data of the segment whose length comes next.
  private mutating func nextSegment() -> Range<Int>? {
    let left = bytes.count - offset
    guard left >= 2 else { return nil }
    let length = number(offset)
    guard length >= 2, length <= left else { return nil }
    defer { offset += length }
    return (offset + 2)..<(offset + length)
  }

  private func isJFIF(_ segment: Range<Int>) -> Bool {
    let start = segment.lowerBound
    return segment.count == 14
      && Self.jfif.indices.allSatisfy { byte(start + $0) == Self.jfif[$0] }
      && byte(start + 5) == 1 && byte(start + 7) <= 2 && number(start + 12) == 0
  }

  /// Tables of 64 numbers of one byte each.
  private func areQuantizationTables(_ segment: Range<Int>) -> Bool {
    guard !segment.isEmpty, segment.count % 65 == 0 else { return false }
    return stride(from: segment.lowerBound, to: segment.upperBound, by: 65)
      .allSatisfy { byte($0) <= 3 }
  }

  /// Tables of 16 counts, followed by that many symbols.
  private func areHuffmanTables(_ segment: Range<Int>) -> Bool {
    var start = segment.lowerBound
    while start < segment.upperBound {
      // Class and destination: baseline has two of each.
      guard segment.upperBound - start >= 17, byte(start) & 0xEE == 0 else { return false }
      var codes = 0
      // Shorter codes must leave room for the codes of each length.
      for length in 1...16 {
        codes += Int(byte(start + length)) << (16 - length)
      }
      let symbols = (1...16).reduce(0) { $0 + Int(byte(start + $1)) }
      guard symbols <= 256, codes <= 1 << 16 else { return false }
      start += 17 + symbols
    }
    return start == segment.upperBound && !segment.isEmpty
  }

  /// Eight bits, the size, and the components with their sampling factors and tables.
  private func isFrame(_ segment: Range<Int>) -> Bool {
    let start = segment.lowerBound
    guard segment.count == 6 + 3 * components, byte(start) == 8,
      number(start + 1) == size.height, number(start + 3) == size.width,
      byte(start + 5) == UInt8(components)
    else { return false }
    return (0..<components).allSatisfy { component in
      let own = start + 6 + 3 * component
      let (across, down) = (byte(own + 1) >> 4, byte(own + 1) & 15)
      let isSampling =
        component == 0
        ? (1...2).contains(across) && (1...2).contains(down) : across == 1 && down == 1
      return byte(own) == UInt8(component + 1) && isSampling && byte(own + 2) <= 3
    }
  }

  /// All components, in the order of the frame, and all coefficients.
  private func isScanHeader(_ segment: Range<Int>) -> Bool {
    let start = segment.lowerBound
    guard segment.count == 4 + 2 * components, byte(start) == UInt8(components) else {
      return false
    }
    let end = start + 1 + 2 * components
    return byte(end) == 0 && byte(end + 1) == 63 && byte(end + 2) == 0
      && (0..<components).allSatisfy { component in
        let own = start + 1 + 2 * component
        return byte(own) == UInt8(component + 1) && byte(own + 1) & 0xEE == 0
      }
  }

  /// Whether the rest is compressed data and the end of the picture. In the data, 0xFF is followed by 0.
  private func isScanToTheEnd() -> Bool {
    let end = bytes.count - 2
    guard end > offset, byte(end) == 0xFF, byte(end + 1) == Marker.end else { return false }
    var isAfterMark = false
    for value in bytes[offset..<end] {
      if isAfterMark, value != 0 { return false }
      isAfterMark = value == 0xFF
    }
    return !isAfterMark
  }

  private func byte(_ offset: Int) -> UInt8 { bytes[offset] }

  /// Two bytes, the high one first.
  private func number(_ offset: Int) -> Int { Int(byte(offset)) << 8 | Int(byte(offset + 1)) }
}
