import PNGCoding
import RectoGeometry
import Testing

@Suite struct MetadataTests {
  private let source = Source("", width: 4, height: 4) { x, _, _ in gray(x) }

  private func encoded(_ metadata: PNGMetadata, _ alpha: PNGAlpha = .opaque) throws -> [UInt8] {
    var encoder = try PNGEncoder()
    return try encoder.picture(
      source.words.span.bytes,
      stride: 16,
      size: source.size,
      alpha: alpha,
      metadata: metadata
    )
  }

  @Test func `texts come back in order`() throws {
    let texts = [
      PNGText(keyword: "Software", text: "Recto 1.0"),
      PNGText(keyword: "Thumb::URI", text: "file:///home/a/b%20c.pdf"),
      PNGText(keyword: "Title", text: "Größe"),
      PNGText(keyword: "Title", text: "日本語 and 🙂"),
      PNGText(keyword: "Empty", text: ""),
    ]
    let file = try encoded(PNGMetadata(texts: texts))
    #expect(try PNGStructure.texts(in: file) == texts)
    let types = chunks(of: file).map(\.type)
    #expect(types == ["IHDR", "tEXt", "tEXt", "tEXt", "iTXt", "tEXt", "PLTE", "IDAT", "IEND"])
    #expect(try PNGDecoder.decode(file, maxPixels: 16) == source.picture)
  }

  @Test func `resolution is written in pixels per metre`() throws {
    let file = try encoded(PNGMetadata(pixelsPerInch: 192))
    let chunk = chunks(of: file).first { $0.type == "pHYs" }
    #expect(chunk?.data == [0, 0, 0x1D, 0x87, 0, 0, 0x1D, 0x87, 1])
  }

  @Test func `keywords, texts and resolutions that PNG does not allow are refused`() {
    let long = String(repeating: "k", count: 80)
    for keyword in ["", " a", "a ", "a  b", long, "日本", "a\nb", "a\0"] {
      let text = PNGText(keyword: keyword, text: "")
      #expect(code { try encoded(PNGMetadata(texts: [text])) } == .badInput, "\(keyword)")
    }
    let text = PNGText(keyword: "a", text: "b\0c")
    #expect(code { try encoded(PNGMetadata(texts: [text])) } == .badInput)
    for resolution in [0, -1, 0.001, 1e9, .infinity, .nan] {
      #expect(
        code { try encoded(PNGMetadata(pixelsPerInch: resolution)) } == .badInput,
        "\(resolution)"
      )
    }
  }

  @Test func `a constant picture keeps its metadata to itself`() throws {
    var encoder = try PNGEncoder()
    let white = Source("", width: 4, height: 4) { _, _, _ in 0xFF_FFFF }
    let text = PNGText(keyword: "Software", text: "Recto")
    let plain = try white.encoded(&encoder)
    let named = try encoder.picture(
      white.words.span.bytes,
      stride: 16,
      size: white.size,
      metadata: PNGMetadata(texts: [text])
    )
    #expect(try white.encoded(&encoder) == plain)
    #expect(try PNGStructure.texts(in: named) == [text])
    #expect(try PNGStructure.texts(in: plain).isEmpty)
  }

  @Test func `a picture with alpha is RGBA and comes back within rounding`() throws {
    let source = Source("", width: 53, height: 37, padding: 2) { x, y, random in
      let alpha = [0, 255, 128, UInt32(x * 4)][Int.random(in: 0...3, using: &random)]
      func channel() -> UInt32 { .random(in: 0...alpha, using: &random) }
      return alpha << 24 | channel() << 16 | channel() << 8 | channel()
    }
    var encoder = try PNGEncoder()
    let file = try encoder.picture(
      source.words.span.bytes,
      stride: source.pitch * 4,
      size: source.size,
      alpha: .premultiplied
    )
    let header = try PNGStructure.validate(file)
    #expect(header == PNGHeader(size: source.size, bitDepth: 8, colorType: .rgba))
    let decoded = try PNGDecoder.decode(file, maxPixels: 10_000)
    for y in 0..<37 {
      for x in 0..<53 {
        // Dividing and multiplying again is exact: alpha is never above 255.
        #expect(decoded.pixels[y * 53 + x] == source.words[y * source.pitch + x])
      }
    }
  }

  @Test func `thumbnails of one color are RGBA too`() throws {
    let file = try encoded(PNGMetadata(), .premultiplied)
    #expect(try PNGStructure.validate(file).colorType == .rgba)
  }
}
