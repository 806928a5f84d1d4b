internal import DocumentModel
internal import PNGCoding
internal import RectoGeometry
internal import RectoPictures

/// Applies operations to pixels that the engine cannot do.
struct PixelEditing {
  private var picture: PNGPicture

  /// The pixels of a worker's picture.
  ///
  /// - Throws: `DocumentError` with `fault` if it is not a PPM, or has more pixels than `limit`.
  init(_ pixmap: [UInt8], limit: Int) throws(DocumentError) {
    guard let picture = Pixmap.picture(pixmap, maxPixels: limit) else {
      throw DocumentError(.fault, during: "edit", "the picture is no PPM")
    }
    self.picture = picture
  }

  /// Reduces the picture to a size by averaging areas, with separate scales for columns and rows.
  ///
  /// - Complexity: O(pixels).
  mutating func reduce(to size: PixelSize) {
    guard size != picture.size else { return }
    let source = picture
    var result = [UInt32](repeating: 0, count: size.width * size.height)
    let columns = (0..<size.width).map { Self.span($0, source.size.width, size.width) }
    for row in 0..<size.height {
      let rows = Self.span(row, source.size.height, size.height)
      for column in 0..<size.width {
        var sums = (red: 0, green: 0, blue: 0)
        for y in rows {
          for x in columns[column] {
            let pixel = Int(source.pixels[y * source.size.width + x])
            sums.red += pixel >> 16 & 255
            sums.green += pixel >> 8 & 255
            sums.blue += pixel & 255
          }
        }
        let count = rows.count * columns[column].count
        let half = count / 2
        result[row * size.width + column] =
          0xFF00_0000 | UInt32((sums.red + half) / count) << 16
          | UInt32((sums.green + half) / count) << 8 | UInt32((sums.blue + half) / count)
      }
    }
    picture = PNGPicture(size: size, pixels: result)
  }

  /// The source pixels of a result pixel: at least one.
  private static func span(_ index: Int, _ source: Int, _ target: Int) -> Range<Int> {
    let start = min(index * source / target, source - 1)
    return start..<max(start + 1, min((index + 1) * source / target, source))
  }

  /// Mirrors the picture horizontally or vertically.
  mutating func mirror(upsideDown: Bool) {
    let (width, height) = (picture.size.width, picture.size.height)
    if upsideDown {
      for row in 0..<height / 2 {
        for column in 0..<width {
          picture.pixels.swapAt(row * width + column, (height - 1 - row) * width + column)
        }
      }
    } else {
      for row in 0..<height {
        for column in 0..<width / 2 {
          picture.pixels.swapAt(row * width + column, row * width + width - 1 - column)
        }
      }
    }
  }

  /// Makes each pixel black or white, by its luminance (Rec. 601).
  mutating func makeBitonal() {
    for index in picture.pixels.indices {
      let pixel = picture.pixels[index]
      let gray = (299 * (pixel >> 16 & 255) + 587 * (pixel >> 8 & 255) + 114 * (pixel & 255)) / 1000
      picture.pixels[index] = gray < 128 ? 0xFF00_0000 : 0xFFFF_FFFF
    }
  }

  /// The picture as a file.
  ///
  /// - Throws: `DocumentError` if the format does not support it.
  func encoded(_ style: PictureStyle) throws(DocumentError) -> [UInt8] {
    var encoder = try PictureEncoder()
    return try encoder.encode(
      picture.pixels.span.bytes,
      stride: picture.size.width * 4,
      size: picture.size,
      style: style
    )
  }
}
