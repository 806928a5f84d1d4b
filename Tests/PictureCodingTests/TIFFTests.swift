import DocumentModel
import PNGCoding
import RectoGeometry
import RectoPictures
import TestSupport
import Testing

@Suite struct TIFFTests {
  @Test func `bilevel pixels are black below the middle of the gray scale, else white`() throws {
    let pixels = Pixels(50, 40)
    let style = try PictureStyle(.png, isBilevel: true)
    let file = try pixels.encoded(style)
    let decoded = try PNGDecoder.decode(file.span.bytes, maxPixels: 2_000)
    let grayStyle = try PictureStyle(.png, isGray: true)
    let grayFile = try pixels.encoded(grayStyle)
    let grays = try PNGDecoder.decode(grayFile.span.bytes, maxPixels: 2_000)
    for (pixel, gray) in zip(decoded.pixels, grays.pixels) {
      #expect(pixel == (gray & 255 < 128 ? 0xFF00_0000 : 0xFFFF_FFFF))
    }
    #expect(Set(decoded.pixels).count == 2)
  }

  @Test func `rows of every width, and any pixels, fit into the largest size`() throws {
    var random = SeededGenerator(seed: 3)
    let bilevel = try PictureStyle(.tiff, isBilevel: true)
    let styles: [PictureStyle] = [bilevel, .opaque(.tiff), .opaque(.tiff, isGray: true)]
    for width in Array(1...34) + [1000] {
      var pixels = Pixels(width, 33)
      for kind in 0..<3 {
        // Noise, columns that alternate, and a board.
        for index in pixels.words.indices {
          let (x, y) = (index % width, index / width)
          let noise = UInt32.random(in: 0...0xFF_FFFF, using: &random)
          let isBlack = (kind == 1 ? x : x + y) % 2 == 0
          pixels.words[index] = 0xFF00_0000 | (kind == 0 ? noise : isBlack ? 0 : 0xFF_FFFF)
        }
        for style in styles {
          let file = try pixels.encoded(style)
          #expect(PictureStructure.isPicture(file, size: pixels.size, style))
          #expect(file.count <= PictureStructure.largest(pixels.size, style), "\(width) \(kind)")
        }
      }
    }
  }

  @Test func `files that are not of one picture cannot be joined`() throws {
    let file = try Pixels(9, 9).encoded(.opaque(.tiff))
    let joined = try #require(TIFFStructure.joined([file, file, file]))
    #expect(
      !PictureStructure.isPicture(joined, size: PixelSize(width: 9, height: 9), .opaque(.tiff))
    )
    for other in [[], [0x49, 0x49, 42, 0], Array(file.prefix(100)), Array("no TIFF".utf8)]
      as [[UInt8]]
    {
      #expect(TIFFStructure.joined([file, other]) == nil)
    }
  }
}
