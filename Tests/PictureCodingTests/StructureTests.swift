import DocumentModel
import RectoGeometry
import RectoPictures
import TestSupport
import Testing

/// What the command accepts from a worker without decoding it.
@Suite struct StructureTests {
  private static let sides = [(1, 1), (7, 3), (16, 16), (17, 33), (64, 48)]

  @Test func `what is encoded is accepted, and fits into its limit`() throws {
    for style in try everyStyle() {
      for (width, height) in Self.sides {
        let pixels = Pixels(width, height, isTransparent: style.isTransparent)
        let file = try pixels.encoded(style)
        #expect(
          PictureStructure.isPicture(file, size: pixels.size, style),
          "\(style) \(pixels.size)"
        )
        #expect(file.count <= PictureStructure.largest(pixels.size, style))
      }
    }
  }

  @Test func `noise at the best quality fits into the limit`() throws {
    var random = SeededGenerator(seed: 3)
    var pixels = Pixels(128, 96)
    for index in pixels.words.indices {
      pixels.words[index] = UInt32.random(in: 0...0xFF_FFFF, using: &random) | 0xFF00_0000
    }
    // That of JPEG is the bound of the library; that of WebP is an estimate with much to spare.
    for (format, share) in [(PictureFormat.jpeg, 1), (.webp, 2)] {
      let style = try PictureStyle(format, quality: 100)
      let count = try pixels.encoded(style).count
      let largest = PictureStructure.largest(pixels.size, style)
      #expect(count <= largest / share, "\(format): \(count) of \(largest)")
    }
  }

  @Test func `a picture of another size or format is refused`() throws {
    let pixels = Pixels(20, 10)
    for style in try everyStyle() where !style.isTransparent {
      let file = try pixels.encoded(style)
      for (width, height) in [(10, 20), (21, 10), (20, 11), (0, 0)] {
        let size = PixelSize(width: width, height: height)
        #expect(!PictureStructure.isPicture(file, size: size, style))
      }
      for other in try everyStyle() where other.format != style.format {
        #expect(!PictureStructure.isPicture(file, size: pixels.size, other))
      }
    }
    let gray = try PictureStyle(.jpeg, isGray: true)
    let color = try PictureStyle(.jpeg)
    #expect(!PictureStructure.isPicture(try pixels.encoded(gray), size: pixels.size, color))
    #expect(!PictureStructure.isPicture(try pixels.encoded(color), size: pixels.size, gray))
    let clear = Pixels(20, 10, isTransparent: true)
    let webp = try clear.encoded(try PictureStyle(.webp, isTransparent: true))
    #expect(!PictureStructure.isPicture(webp, size: clear.size, try PictureStyle(.webp)))
  }

  @Test func `a file that is cut short or has bytes after its end is refused`() throws {
    for style in try everyStyle() {
      let pixels = Pixels(12, 9, isTransparent: style.isTransparent)
      let file = try pixels.encoded(style)
      for count in file.indices {
        #expect(!PictureStructure.isPicture(Array(file[..<count]), size: pixels.size, style))
      }
      for more in [[0], [0xFF, 0xD9], [0, 0]] as [[UInt8]] {
        #expect(!PictureStructure.isPicture(file + more, size: pixels.size, style))
      }
    }
  }

  @Test func `metadata is refused`() throws {
    let pixels = Pixels(12, 9)
    let jpeg = try PictureStyle(.jpeg)
    let file = try pixels.encoded(jpeg)
    for marker: UInt8 in [0xE0, 0xE1, 0xE2, 0xED, 0xEE, 0xFE, 0xDD, 0xC2, 0x01, 0xD8] {
      // After SOI and the JFIF header.
      let changed = file[..<20] + [0xFF, marker, 0, 4, 1, 2] + file[20...]
      #expect(!PictureStructure.isPicture(Array(changed), size: pixels.size, jpeg), "\(marker)")
    }
    let webp = try PictureStyle(.webp)
    let original = try pixels.encoded(webp)
    for name in ["EXIF", "XMP ", "ICCP", "ANIM"] {
      var changed = original + Array(name.utf8) + [2, 0, 0, 0, 1, 2]
      let count = UInt32(changed.count - 8)
      for index in 0..<4 { changed[4 + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
      #expect(!PictureStructure.isPicture(changed, size: pixels.size, webp), "\(name)")
    }
  }

  /// Whatever bytes come, the answer is yes or no; a file with another length in it is refused or
  /// whole.
  @Test func `changed and random bytes are answered`() throws {
    var random = SeededGenerator(seed: 11)
    var accepted = 0
    for style in try everyStyle() {
      let pixels = Pixels(24, 18, isTransparent: style.isTransparent)
      let file = try pixels.encoded(style)
      for _ in 0..<400 {
        var changed = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: 0..<min(changed.count, 700), using: &random)
          changed[index] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          changed.remove(at: Int.random(in: 0..<changed.count, using: &random))
        }
        if PictureStructure.isPicture(changed, size: pixels.size, style) { accepted += 1 }
        let noise = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        #expect(!PictureStructure.isPicture(noise, size: pixels.size, style))
        _ = PictureStructure.isPicture(file[..<20] + noise, size: pixels.size, style)
      }
    }
    // Compressed data can change unseen where no checksum protects it.
    #expect(accepted > 0)
  }
}
