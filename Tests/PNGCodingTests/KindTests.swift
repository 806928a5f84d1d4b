import PNGCoding
import RectoGeometry
import Testing

/// Which kind of PNG a picture becomes.
@Suite struct KindTests {
  /// What the file of a 40 × 40 picture says about itself.
  private func header(_ pixel: (Int, Int) -> UInt32) throws -> PNGHeader {
    let source = Source("", width: 40, height: 40) { x, y, _ in pixel(x, y) }
    return try PNGStructure.validate(try source.encoded())
  }

  private func expect(
    _ colorType: PNGHeader.ColorType,
    _ bitDepth: Int,
    _ pixel: (Int, Int) -> UInt32,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let header = try header(pixel)
    #expect(header.colorType == colorType, sourceLocation: location)
    #expect(header.bitDepth == bitDepth, sourceLocation: location)
    #expect(!header.isInterlaced, sourceLocation: location)
  }

  @Test func `grays that divide evenly need no palette`() throws {
    try expect(.gray, 1) { x, _ in gray(255 * (x % 2)) }
    try expect(.gray, 2) { x, _ in gray(85 * (x % 4)) }
    try expect(.gray, 4) { x, _ in gray(17 * (x % 16)) }
    try expect(.gray, 8) { x, _ in gray(x) }
  }

  @Test func `a few odd grays become a small palette`() throws {
    try expect(.palette, 1) { x, _ in gray([1, 200][x % 2]) }
    try expect(.palette, 2) { x, _ in gray([1, 2, 200][x % 3]) }
    try expect(.palette, 4) { x, _ in gray(x % 16 * 3) }
  }

  @Test func `the palette has the fewest bits that tell its colors apart`() throws {
    for (count, depth) in [(2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8), (256, 8)] {
      try expect(.palette, depth) { x, y in UInt32((x + y * 40) % count) << 8 | 0x01_0000 }
    }
    try expect(.rgb, 8) { x, y in UInt32((x + y * 40) % 257) << 4 | 0x01_0000 }
  }

  @Test func `one color is one bit`() throws {
    try expect(.gray, 1) { _, _ in 0 }
    try expect(.palette, 1) { _, _ in 0xFF_FFFF }
    try expect(.palette, 1) { _, _ in 0x12_3456 }
  }

  @Test func `the top byte does not count`() throws {
    let opaque = Source("", width: 30, height: 30) { x, y, _ in 0xFF00_0000 | gray(x) }
    let noisy = Source("", width: 30, height: 30) { x, y, random in
      UInt32.random(in: 0...255, using: &random) << 24 | gray(x)
    }
    #expect(try opaque.encoded() == noisy.encoded())
  }

  @Test func `a tile holds no chunk but those required`() throws {
    let source = Source("", width: 30, height: 30) { x, y, _ in UInt32(x * y) }
    let file = try source.encoded()
    let types = chunks(of: file).map(\.type)
    #expect(types == ["IHDR", "PLTE", "IDAT", "IEND"] || types == ["IHDR", "IDAT", "IEND"])
  }

  @Test func `blank paper is small`() throws {
    let blank = Source("", width: 512, height: 512) { _, _, _ in 0xFFFF_FFFF }
    #expect(try blank.encoded().count < 150)
  }

  @Test func `constant tiles of one encoder keep their colors and sizes apart`() throws {
    var encoder = try PNGEncoder()
    // More than are kept, and each asked for twice.
    for round in 0..<2 {
      for index in 0..<100 {
        let source = Source("", width: 3 + index % 7, height: 5 + index % 3) { _, _, _ in
          UInt32(index * 1000)
        }
        let file = try source.encoded(&encoder)
        let decoded = try PNGDecoder.decode(file, maxPixels: 100)
        #expect(decoded == source.picture, "\(index), round \(round)")
      }
    }
  }

  @Test func `sizes, strides and memory that do not fit are refused`() throws {
    var encoder = try PNGEncoder()
    let words = [UInt32](repeating: 0, count: 100)
    let bad: [(Int, Int, Int)] = [
      (40, 0, 1), (40, 1, 0), (40, -1, 1), (36, 10, 10), (40, 10, 11), (44, 10, 10), (-40, 10, 10),
      (.max, 10, 2), (40, .max, 1), (40, 1, .max), (40, .max, .max), (.max, .max / 4, 1),
    ]
    for (stride, width, height) in bad {
      #expect(throws: PNGError.self, "\(stride), \(width)×\(height)") {
        _ = try encoder.tile(
          words.span.bytes,
          stride: stride,
          size: PixelSize(width: width, height: height)
        )
      }
    }
    // The last row may end with its last pixel.
    _ = try encoder.tile(words.span.bytes, stride: 44, size: PixelSize(width: 1, height: 10))
  }
}
