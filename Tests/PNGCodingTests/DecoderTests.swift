import PNGCoding
import RectoGeometry
import TestSupport
import Testing

@Suite struct DecoderTests {
  private func decode(_ file: [UInt8], maxPixels: Int = 1_000_000) throws -> PNGPicture {
    try PNGDecoder.decode(file, maxPixels: maxPixels)
  }

  @Test func `all five filters are undone, whatever the pixel's size`() throws {
    var random = SeededGenerator(seed: 7)
    for (colorType, step) in [(0, 1), (2, 3), (6, 4)] {
      for width in [1, 2, 5, 20] {
        for _ in 0..<20 {
          let height = 6
          let rowBytes = width * step
          let plain = (0..<height * rowBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
          var filtered: [UInt8] = []
          for y in 0..<height {
            let filter = Int.random(in: 0...4, using: &random)
            filtered.append(UInt8(filter))
            for x in 0..<rowBytes {
              let a = x >= step ? Int(plain[y * rowBytes + x - step]) : 0
              let b = y > 0 ? Int(plain[(y - 1) * rowBytes + x]) : 0
              let c = x >= step && y > 0 ? Int(plain[(y - 1) * rowBytes + x - step]) : 0
              let nearest = [a, b, c].min { abs(a + b - c - $0) < abs(a + b - c - $1) } ?? 0
              let prediction = [0, a, b, (a + b) / 2, nearest][filter]
              filtered.append(plain[y * rowBytes + x] &- UInt8(prediction))
            }
          }
          var image = HandMade(
            width: width,
            height: height,
            depth: 8,
            colorType: colorType,
            rows: filtered
          )
          image.pieces = 3
          let libpng = try RoundTripTests.libpng(image.file)
          let ours = try decode(image.file)
          if colorType == 6 {
            // cairo rounds premultiplied colors a little differently.
            for (mine, theirs) in zip(ours.pixels, libpng.pixels) {
              for shift in [0, 8, 16, 24] {
                #expect(abs(Int(mine >> shift & 255) - Int(theirs >> shift & 255)) <= 1)
              }
            }
          } else {
            #expect(ours == libpng)
          }
        }
      }
    }
  }

  @Test func `low depths are read from the highest bits and spread to 255`() throws {
    #expect(
      try decode(HandMade(width: 3, height: 1, depth: 1, colorType: 0, rows: [0, 0xBF]).file)
        .pixels == [0xFFFF_FFFF, 0xFF00_0000, 0xFFFF_FFFF]
    )
    #expect(
      try decode(
        HandMade(width: 3, height: 1, depth: 2, colorType: 0, rows: [0, 0b0110_1111]).file
      )
      .pixels == [0xFF55_5555, 0xFFAA_AAAA, 0xFFFF_FFFF]
    )
    #expect(
      try decode(HandMade(width: 3, height: 1, depth: 4, colorType: 0, rows: [0, 0x1F, 0x20]).file)
        .pixels == [0xFF11_1111, 0xFFFF_FFFF, 0xFF22_2222]
    )
    let palette = HandMade(
      width: 2,
      height: 1,
      depth: 4,
      colorType: 3,
      rows: [0, 0x10],
      palette: [1, 2, 3, 4, 5, 6]
    )
    #expect(try decode(palette.file).pixels == [0xFF04_0506, 0xFF01_0203])
  }

  @Test func `more pixels than the limit are refused before memory is asked for`() {
    let rows = [UInt8](repeating: 0, count: 30)
    let file = HandMade(width: 9, height: 3, depth: 8, colorType: 0, rows: rows).file
    #expect(throws: Never.self) { try decode(file, maxPixels: 27) }
    #expect(code { try decode(file, maxPixels: 26) } == .tooLarge)
    #expect(code { try decode(file, maxPixels: -1) } == .tooLarge)
    let huge = HandMade(
      width: 0x7FFF_FFFF,
      height: 0x7FFF_FFFF,
      depth: 8,
      colorType: 6,
      rows: rows
    )
    #expect(code { try decode(huge.file, maxPixels: .max) } == .tooLarge)
    let promising = HandMade(width: 40_000, height: 40_000, depth: 8, colorType: 6, rows: rows)
    #expect(code { try decode(promising.file, maxPixels: .max) } == .damaged)
  }

  @Test func `kinds that are not read are named so`() {
    let gray16 = HandMade(width: 1, height: 1, depth: 16, colorType: 0, rows: [0, 1, 2])
    let grayAlpha = HandMade(width: 1, height: 1, depth: 8, colorType: 4, rows: [0, 1, 2])
    let adam7 = HandMade(
      width: 1,
      height: 1,
      depth: 8,
      colorType: 0,
      interlace: 1,
      rows: [0, 1]
    )
    let keyed = HandMade(
      width: 1,
      height: 1,
      depth: 8,
      colorType: 0,
      rows: [0, 1],
      extra: [("tRNS", [0, 1])]
    )
    let critical = HandMade(
      width: 1,
      height: 1,
      depth: 8,
      colorType: 0,
      rows: [0, 1],
      extra: [("ABCD", [])]
    )
    for image in [gray16, grayAlpha, adam7, keyed, critical] {
      #expect(code { try decode(image.file) } == .unsupported)
    }
  }

  @Test func `contents against the specification are damage`() {
    let cases: [(String, HandMade)] = [
      ("a row too few", HandMade(width: 2, height: 2, depth: 8, colorType: 0, rows: [0, 1, 2])),
      ("a byte too many", HandMade(width: 1, height: 1, depth: 8, colorType: 0, rows: [0, 1, 2])),
      ("filter 5", HandMade(width: 1, height: 1, depth: 8, colorType: 0, rows: [5, 1])),
      ("no width", HandMade(width: 0, height: 1, depth: 8, colorType: 0, rows: [0])),
      ("depth 3", HandMade(width: 1, height: 1, depth: 3, colorType: 0, rows: [0, 1])),
      ("type 1", HandMade(width: 1, height: 1, depth: 8, colorType: 1, rows: [0, 1])),
      ("no palette", HandMade(width: 1, height: 1, depth: 8, colorType: 3, rows: [0, 0])),
      (
        "an index outside",
        HandMade(width: 1, height: 1, depth: 8, colorType: 3, rows: [0, 1], palette: [0, 0, 0])
      ),
      (
        "half a color",
        HandMade(width: 1, height: 1, depth: 8, colorType: 3, rows: [0, 0], palette: [0, 0])
      ),
    ]
    for (name, image) in cases {
      #expect(code { try decode(image.file) } == .damaged, "\(name)")
    }
  }

  @Test func `errors say what was done and what is wrong`() throws {
    let error = #expect(throws: PNGError.self) { try decode(Array("%PDF-1.7".utf8)) }
    #expect(error?.code == .notPNG)
    #expect(error?.description == "decode PNG: the bytes do not begin as a PNG does")
  }
}

/// The code of the error that `body` throws.
func code<Result>(_ body: () throws -> Result) -> PNGError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? PNGError)?.code
  }
}
