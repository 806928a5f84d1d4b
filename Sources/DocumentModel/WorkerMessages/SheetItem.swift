import RectoBase
package import RectoGeometry

/// Something that a worker draws on a contact sheet. Frames are in pixels from the top left of the sheet.
package enum SheetItem: Hashable, Sendable {
  /// A picture with a border, scaled to its frame: the bytes of a PNG, JPEG, WebP or PPM. The frame stays empty if
  /// they are none.
  case picture([UInt8], PixelRect)
  /// The crossed frame of a page without a picture.
  case cross(PixelRect)
  /// A line of text with the height of its font in pixels, centered. The middle of a line that is too long is omitted.
  case label(String, fontSize: Double, PixelRect)

  /// The longest side of a sheet in pixels: the limit of cairo's surfaces.
  package static let largestSide = 32_767
  /// The most pixels of a sheet.
  package static let mostPixels = 100_000_000
  /// The longest label in bytes.
  package static let longestLabel = 1024
  /// The heights of fonts in pixels.
  package static let fontSizes = 1.0...1000
}

extension ByteWriter {
  mutating func write(_ item: SheetItem) {
    switch item {
    case .picture(let file, let frame):
      write(UInt8(0))
      write(frame)
      write(file)
    case .cross(let frame):
      write(UInt8(1))
      write(frame)
    case .label(let text, let fontSize, let frame):
      write(UInt8(2))
      write(frame)
      write(fontSize)
      write(text, atMost: SheetItem.longestLabel)
    }
  }
}

extension ByteReader {
  mutating func readSheetItem() throws(ByteCodingError) -> SheetItem {
    let kind = try readByte()
    let frame = try readRect()
    let sides = [frame.x, frame.y, frame.width, frame.height]
    guard sides.allSatisfy({ (0...SheetItem.largestSide).contains($0) }), !frame.isEmpty else {
      throw ByteCodingError.unknown
    }
    switch kind {
    case 0: return .picture(try readBytes(), frame)
    case 1: return .cross(frame)
    case 2:
      let fontSize = try readDouble()
      guard SheetItem.fontSizes.contains(fontSize) else { throw ByteCodingError.unknown }
      return .label(try readString(atMost: SheetItem.longestLabel), fontSize: fontSize, frame)
    default: throw ByteCodingError.unknown
    }
  }

  mutating func readSheetSize() throws(ByteCodingError) -> PixelSize {
    let size = PixelSize(width: try readInt(), height: try readInt())
    guard (1...SheetItem.largestSide).contains(size.width),
      (1...SheetItem.largestSide).contains(size.height),
      size.width * size.height <= SheetItem.mostPixels
    else { throw ByteCodingError.tooLong }
    return size
  }
}
