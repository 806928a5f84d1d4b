import DocumentModel
import PNGCoding
import RectoGeometry
import RectoPictures
import Testing

@Suite struct StyleTests {
  @Test func `there is no style that its format does not have`() {
    #expect(throws: PictureStyleError.transparency(.jpeg)) {
      try PictureStyle(.jpeg, isTransparent: true)
    }
    #expect(throws: PictureStyleError.qualityOfLossless(.png)) {
      try PictureStyle(.png, quality: 90)
    }
    for quality in [0, 101, -1, .max] {
      #expect(throws: PictureStyleError.quality(quality)) {
        try PictureStyle(.webp, quality: quality)
      }
    }
  }

  @Test func `a picture beyond the limits of its format is refused`() throws {
    for (format, side) in [(PictureFormat.webp, 16_384), (.jpeg, 65_501)] {
      for pixels in [Pixels(side, 1), Pixels(1, side)] {
        let style = try PictureStyle(format)
        #expect {
          try pixels.encoded(style)
        } throws: { error in
          (error as? DocumentError)?.code == .pageSize && "\(error)".contains("\(side - 1) a side")
        }
      }
      let largest = Pixels(side - 1, 1)
      let style = try PictureStyle(format)
      let file = try largest.encoded(style)
      #expect(PictureStructure.isPicture(file, size: largest.size, style))
    }
  }

  @Test func `pixels are read as they were written, and nothing else is`() throws {
    for (width, height) in [(1, 1), (7, 3), (120, 90)] {
      let pixels = Pixels(width, height)
      let file = try pixels.encoded(.pixels)
      let area = width * height
      #expect(Pixmap.picture(file, maxPixels: area)?.pixels == pixels.words)
      #expect(Pixmap.picture(file, maxPixels: area - 1) == nil)
      for count in [0, 2, 5, 9, file.count - 1] {
        #expect(Pixmap.picture(Array(file.prefix(count)), maxPixels: area) == nil)
      }
      #expect(Pixmap.picture(file + [0], maxPixels: area) == nil)
      let gray = try pixels.encoded(.opaque(.ppm, isGray: true))
      let png = try pixels.encoded(PictureStyle(.png, isGray: true))
      let expected = try PNGDecoder.decode(png.span.bytes, maxPixels: area)
      #expect(Pixmap.picture(gray, maxPixels: area)?.pixels == expected.pixels)
    }
    for header in [
      "P6\n-1 -1\n255\n", "P6\n9223372036854775807 2\n255\n", "P6\n1 1\n65535\n", "P3\n",
    ] {
      #expect(Pixmap.picture(Array(header.utf8) + [0, 0, 0], maxPixels: .max) == nil, "\(header)")
    }
  }

  @Test func `size and memory that do not fit are an error`() throws {
    var pixels = Pixels(8, 8)
    pixels.size = PixelSize(width: 9, height: 8)
    for style in try everyStyle() {
      #expect(throws: DocumentError.self) { try pixels.encoded(style) }
    }
  }

  @Test func `gray pixels have the values of the specification`() throws {
    let pixels = Pixels(50, 40)
    let file = try pixels.encoded(try PictureStyle(.png, isGray: true))
    let decoded = try PNGDecoder.decode(file.span.bytes, maxPixels: 2_000)
    for (word, result) in zip(pixels.words, decoded.pixels) {
      let (red, green, blue) = (word >> 16 & 255, word >> 8 & 255, word & 255)
      let exact = 0.3 * Double(red) + 0.59 * Double(green) + 0.11 * Double(blue)
      #expect(abs(Double(result & 255) - exact) <= 0.51)
      #expect(result == 0xFF00_0000 | (result & 255) * 0x01_0101)
    }
  }

  @Test func `resolution and color space are written without coding the picture again`() throws {
    let pixels = Pixels(50, 40)
    for format in PictureFormat.allCases where !format.isVector {
      let style = try PictureStyle(format)
      let file = try pixels.encoded(style)
      let result = try PictureDescription(pixelsPerInch: 300).added(to: file, style)
      if format == .png {
        #expect(try PNGStructure.validate(result.span.bytes).size == pixels.size)
        var encoder = try PNGEncoder()
        let direct = try encoder.picture(
          pixels.words.span.bytes,
          stride: 200,
          size: pixels.size,
          metadata: PNGMetadata(pixelsPerInch: 300, isStandardRGB: true)
        )
        #expect(result == direct)
        #expect(result.count == file.count + 21 + 13)
      } else if format == .jpeg {
        // After the JFIF header: marker, length and the profile, and then the file as it was.
        let profile = 2 + Int(result[22]) << 8 + Int(result[23])
        #expect(Array(result[22 - 2..<22]) == [0xFF, 0xE2])
        var plain = result
        plain.removeSubrange(20..<20 + profile)
        #expect(PictureStructure.isPicture(plain, size: pixels.size, style))
        #expect(plain[20...] == file[20...])
      } else if format == .tiff {
        #expect(PictureStructure.isPicture(result, size: pixels.size, style))
        // Two fractions: 300 over 1 in place of 72.
        #expect(zip(result, file).count { $0 != $1 } == 4)
      } else {
        #expect(result == file)
      }
    }
  }
}
