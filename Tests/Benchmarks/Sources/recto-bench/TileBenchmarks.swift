import PNGCoding
import RectoGeometry

private let side = 512

/// Bits that look random and depend on `seed` alone.
private func noise(_ seed: Int) -> UInt32 {
  var state = UInt32(truncatingIfNeeded: seed) &* 2_654_435_761 &+ 0x9E37_79B9
  state ^= state >> 15
  state = state &* 2_246_822_519
  state ^= state >> 13
  return state
}

/// Pixels of one tile, words 0xAARRGGBB, always the same.
private struct Drawing {
  var pixels: [UInt32]

  /// `color` gives a pixel's color from its place.
  init(_ color: (_ x: Int, _ y: Int) -> UInt32) {
    pixels = (0..<side * side).map { 0xFF00_0000 | color($0 % side, $0 / side) }
  }

  /// White paper.
  static let blank = Drawing { _, _ in 0xFFFFFF }

  /// Rows of soft gray marks like those of text: about an eighth of the paper is covered.
  static let text = Drawing { x, y in
    let row = y % 24
    guard row < 14, x > 40, x < side - 40, noise(x / 40 + y / 24 * 64) % 7 != 0 else {
      return 0xFFFFFF
    }
    let letter = noise(x / 9 + y / 24 * 4096)
    guard (letter >> (UInt32(x % 9) + UInt32(row / 2))) & 3 == 0 else { return 0xFFFFFF }
    let level = (noise(x % 9 + row * 16 + Int(letter % 61) * 256) & 0xF) * 17
    return level << 16 | level << 8 | level
  }

  /// Blocks and lines in many colors, like a diagram.
  static let diagram = Drawing { x, y in
    if x % 37 == 0 || y % 53 == 0 { return 0x203040 }
    let block = noise(x / 37 + y / 53 * 64)
    return block % 3 == 0 ? 0xFFFFFF : block & 0xFFFFFF
  }

  /// A soft gradient under noise, like a photograph.
  static let photograph = Drawing { x, y in
    let grain = noise(x + y * side)
    let red = UInt32(x / 3) + grain & 0x1F
    let green = UInt32(y / 3) + (grain >> 8) & 0x1F
    let blue = UInt32((x + y) / 6) + (grain >> 16) & 0x1F
    return red << 16 | green << 8 | blue
  }

  func encoded(by encoder: inout PNGEncoder) throws -> [UInt8] {
    try encoder.tile(
      pixels.span.bytes,
      stride: side * 4,
      size: PixelSize(width: side, height: side)
    )
  }
}

/// A closure cannot own a noncopyable value itself.
private final class EncoderBox {
  var encoder: PNGEncoder
  init() throws { encoder = try PNGEncoder() }
}

func tileBenchmarks() -> [Benchmark] {
  let drawings: [(String, Drawing)] = [
    ("blank paper", .blank), ("text", .text), ("a diagram", .diagram),
    ("a photograph", .photograph),
  ]
  var benchmarks = drawings.map { name, drawing in
    Benchmark("a tile of \(name) becomes PNG", operations: 4) {
      let box = try EncoderBox()
      consume(try drawing.encoded(by: &box.encoder))
      return {
        for _ in 0..<4 { consume(try drawing.encoded(by: &box.encoder)) }
      }
    }
  }
  benchmarks.append(
    Benchmark("a tile of text is checked as PNG", operations: 100) {
      let file = try Drawing.text.encoded(by: &EncoderBox().encoder)
      return {
        for _ in 0..<100 { consume(try PNGStructure.validate(file)) }
      }
    }
  )
  benchmarks.append(
    Benchmark("a tile of text is decoded") {
      let file = try Drawing.text.encoded(by: &EncoderBox().encoder)
      return { consume(try PNGDecoder.decode(file, maxPixels: side * side)) }
    }
  )
  return benchmarks
}

/// The PNG of a tile of text, for benchmarks that need one.
func tileOfText() throws -> [UInt8] {
  try Drawing.text.encoded(by: &EncoderBox().encoder)
}
