import DocumentModel
import RectoGeometry
import RectoPictures
import TestSupport

/// Pixels to encode.
struct Pixels {
  var size: PixelSize
  /// 0xAARRGGBB, multiplied by alpha.
  var words: [UInt32]

  /// A slope of colors with some noise; transparent at the left if asked for.
  init(_ width: Int, _ height: Int, isTransparent: Bool = false) {
    size = PixelSize(width: width, height: height)
    var random = SeededGenerator(seed: 7)
    words = (0..<(width * height)).map { index in
      let (x, y) = (index % width, index / width)
      let alpha = isTransparent ? UInt32(255 * x / max(1, width - 1)) : 255
      func channel(_ value: Int) -> UInt32 {
        let value = UInt32(min(255, max(0, value + Int.random(in: -4...4, using: &random))))
        return (value * alpha + 127) / 255
      }
      let red = channel(255 * x / width)
      let green = channel(255 * y / height)
      return alpha << 24 | red << 16 | green << 8 | channel(128)
    }
  }

  /// The picture as a file.
  func encoded(_ style: PictureStyle) throws(DocumentError) -> [UInt8] {
    var encoder = try PictureEncoder()
    return try encoder.encode(words.span.bytes, stride: size.width * 4, size: size, style: style)
  }
}

/// Every style there is, with a few qualities.
func everyStyle() throws -> [PictureStyle] {
  var styles: [PictureStyle] = []
  for isGray in [false, true] {
    for isTransparent in [false, true] {
      styles.append(try PictureStyle(.png, isGray: isGray, isTransparent: isTransparent))
      for quality in [1, 50, 90, 100] {
        styles.append(
          try PictureStyle(.webp, quality: quality, isGray: isGray, isTransparent: isTransparent)
        )
        guard !isTransparent else { continue }
        styles.append(try PictureStyle(.jpeg, quality: quality, isGray: isGray))
      }
      if !isTransparent {
        styles.append(.opaque(.ppm, isGray: isGray))
        styles.append(.opaque(.tiff, isGray: isGray))
      }
    }
  }
  styles.append(try PictureStyle(.tiff, isBilevel: true))
  styles.append(try PictureStyle(.png, isBilevel: true))
  return styles
}
