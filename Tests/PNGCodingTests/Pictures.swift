import PNGCoding
import RectoGeometry
import TestSupport

/// A picture in memory with room to spare on the right, as surfaces have it.
struct Source: CustomStringConvertible {
  var description: String
  var size: PixelSize
  /// Words from one row to the next.
  var pitch: Int
  var words: [UInt32]

  /// `padding` words of noise stand behind each row.
  init(
    _ description: String,
    width: Int,
    height: Int,
    padding: Int = 0,
    seed: UInt64 = 1,
    _ pixel: (Int, Int, inout SeededGenerator) -> UInt32
  ) {
    self.description = "\(description), \(width)×\(height)+\(padding)"
    size = PixelSize(width: width, height: height)
    pitch = width + padding
    words = []
    var random = SeededGenerator(seed: seed)
    for y in 0..<height {
      for x in 0..<width { words.append(pixel(x, y, &random)) }
      for _ in 0..<padding { words.append(.random(in: 0 ... .max, using: &random)) }
    }
  }

  /// What a decoder has to return: the rows without padding, opaque.
  var picture: PNGPicture {
    var pixels: [UInt32] = []
    for y in 0..<size.height {
      pixels += words[y * pitch..<y * pitch + size.width].map { $0 | 0xFF00_0000 }
    }
    return PNGPicture(size: size, pixels: pixels)
  }

  func encoded(_ encoder: inout PNGEncoder) throws -> [UInt8] {
    try encoder.tile(words.span.bytes, stride: pitch * 4, size: size)
  }

  func encoded() throws -> [UInt8] {
    var encoder = try PNGEncoder()
    return try encoded(&encoder)
  }
}

/// A gray as a pixel.
func gray(_ value: Int) -> UInt32 { UInt32(value & 255) * 0x01_0101 }

/// A kind of content, able to fill any size.
struct Kind: Sendable {
  var name: String
  var pixel: @Sendable (Int, Int, inout SeededGenerator) -> UInt32

  init(
    _ name: String,
    _ pixel: @escaping @Sendable (Int, Int, inout SeededGenerator) -> UInt32
  ) {
    self.name = name
    self.pixel = pixel
  }

  /// Noise of so many colors: multiples of an odd number, which are all different.
  static func colors(_ count: UInt32) -> Kind {
    Kind("\(count) colors") { _, _, random in
      UInt32.random(in: 0..<count, using: &random) &* 0x9E_3779 & 0xFF_FFFF
    }
  }

  static let plain: [Kind] = [
    Kind("white") { _, _, _ in 0xFF_FFFF },
    Kind("black") { _, _, _ in 0 },
    Kind("orange") { _, _, _ in 0xFF_8800 },
    Kind("white but one pixel") { x, y, _ in x == 0 && y == 1 ? 0 : 0xFF_FFFF },
    Kind("black and white") { x, y, _ in (x / 3 + y) % 2 == 0 ? 0 : 0xFF_FFFF },
    Kind("black and white noise") { _, _, random in
      Bool.random(using: &random) ? 0 : 0xFF_FFFF
    },
  ]

  static let grays: [Kind] = [
    Kind("four even grays") { x, y, _ in gray(85 * ((x + y * 3) % 4)) },
    Kind("sixteen even grays") { x, y, _ in gray(17 * ((x * 5 + y) % 16)) },
    Kind("five odd grays") { x, y, _ in gray([3, 50, 99, 200, 254][(x + y) % 5]) },
    Kind("a gray ramp") { x, y, _ in gray(x + y * 2) },
    Kind("gray noise") { _, _, random in gray(Int.random(in: 0...255, using: &random)) },
    Kind("grays, then a color") { x, y, _ in y >= 3 && x == 0 ? 0x12_3456 : gray(x * 7 + y) },
  ]

  static let colors: [Kind] =
    [
      Kind("a color ramp") { x, y, _ in UInt32(x & 255) << 16 | UInt32(y & 255) << 8 | 0x40 },
      Kind("color noise") { _, _, random in UInt32.random(in: 0 ... .max, using: &random) },
      Kind("noise below white") { _, y, random in
        y < 20 ? 0xFFFF_FFFF : UInt32.random(in: 0 ... .max, using: &random)
      },
    ] + [1, 2, 3, 4, 5, 15, 16, 17, 100, 255, 256, 257, 300].map(colors)

  static let all = plain + grays + colors
}

/// Widths and heights around the sizes of vectors and of packed bytes.
let sizes: [(Int, Int)] = [
  (1, 1), (2, 1), (1, 2), (3, 5), (7, 3), (8, 8), (9, 4), (15, 16), (16, 5), (17, 33), (31, 9),
  (32, 2), (33, 7), (63, 40), (64, 64), (65, 21), (129, 12), (512, 3), (270, 10),
]

/// Every kind in every size.
func everyPicture(_ body: (Source) throws -> Void) rethrows {
  for kind in Kind.all {
    for (index, (width, height)) in sizes.enumerated() {
      try body(
        Source(
          kind.name,
          width: width,
          height: height,
          padding: [0, 1, 5][index % 3],
          seed: UInt64(width * 1000 + height),
          kind.pixel
        )
      )
    }
  }
}
