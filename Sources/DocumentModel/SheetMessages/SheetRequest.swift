package import RectoBase
package import RectoGeometry

/// A contact sheet that `recto-sheet` is to draw: the only request, sent once.
///
/// All frames are in pixels from the top left of the sheet.
package struct SheetRequest: Hashable, Sendable {
  /// A picture file and its place on the sheet.
  package struct Picture: Hashable, Sendable {
    /// The path of the file: PNG, JPEG, WebP or PPM.
    package var file: [UInt8]
    /// Where it is drawn; it is scaled to that size.
    package var frame: PixelRect

    /// A picture from its parts.
    package init(file: [UInt8], frame: PixelRect) {
      self.file = file
      self.frame = frame
    }
  }

  /// A line of text and its place on the sheet.
  package struct Label: Hashable, Sendable {
    /// The text; the middle of a line that is too long is omitted.
    package var text: String
    /// Where it is drawn, centered.
    package var frame: PixelRect

    /// A label from its parts.
    package init(text: String, frame: PixelRect) {
      self.text = text
      self.frame = frame
    }
  }

  /// The size of the sheet.
  package var size: PixelSize
  /// The format of the sheet.
  package var style: PictureStyle
  /// The height of the font in pixels.
  package var fontSize: Double
  /// The pictures.
  package var pictures: [Picture]
  /// The frames of pages without a picture.
  package var missing: [PixelRect]
  /// The labels.
  package var labels: [Label]

  /// The longest request in bytes.
  package static let largestPayload = 64 << 20
  /// The most pixels of a sheet.
  package static let mostPixels = 100_000_000
  /// The longest side of a sheet in pixels: the limit of cairo's surfaces.
  package static let largestSide = 32_767
  /// The most pictures, labels and frames of each kind.
  package static let mostCells = 10_000
  /// The longest label in bytes.
  package static let longestLabel = 1024

  /// A request from its parts.
  ///
  /// - Parameters:
  ///   - fontSize: The height of the font in pixels.
  ///   - missing: The frames of pages without a picture.
  package init(
    size: PixelSize,
    style: PictureStyle,
    fontSize: Double,
    pictures: [Picture],
    missing: [PixelRect],
    labels: [Label]
  ) {
    self.size = size
    self.style = style
    self.fontSize = fontSize
    self.pictures = pictures
    self.missing = missing
    self.labels = labels
  }
}

extension SheetRequest {
  /// The request as bytes.
  package var payload: [UInt8] {
    var writer = ByteWriter(capacity: 64 * (pictures.count + labels.count) + 256)
    writer.write(size.width)
    writer.write(size.height)
    writer.write(style.format.rawValue)
    writer.write(style.quality) { $0.write($1) }
    writer.write(style.isGray)
    writer.write(fontSize)
    writer.write(pictures.count)
    for picture in pictures {
      writer.write(picture.file)
      writer.write(picture.frame)
    }
    writer.write(missing.count)
    for frame in missing { writer.write(frame) }
    writer.write(labels.count)
    for label in labels {
      writer.write(label.text, atMost: Self.longestLabel)
      writer.write(label.frame)
    }
    return writer.bytes
  }

  /// The request in bytes.
  ///
  /// - Throws: `ByteCodingError` for bytes that are not a request, or exceed its limits.
  package init(payload: ArraySlice<UInt8>) throws(ByteCodingError) {
    var reader = ByteReader(payload)
    size = PixelSize(width: try reader.readInt(), height: try reader.readInt())
    guard (1...Self.largestSide).contains(size.width),
      (1...Self.largestSide).contains(size.height),
      size.width * size.height <= Self.mostPixels
    else { throw .tooLong }
    style = try reader.readStyle()
    fontSize = try reader.readDouble()
    guard fontSize >= 1, fontSize <= 1000 else { throw .unknown }
    let bounds = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    pictures = []
    for _ in 0..<(try reader.readCellCount()) {
      let file = try reader.readBytes()
      pictures.append(Picture(file: file, frame: try reader.readFrame(in: bounds)))
    }
    missing = []
    for _ in 0..<(try reader.readCellCount()) {
      missing.append(try reader.readFrame(in: bounds))
    }
    labels = []
    for _ in 0..<(try reader.readCellCount()) {
      let text = try reader.readString(atMost: Self.longestLabel)
      labels.append(Label(text: text, frame: try reader.readFrame(in: bounds)))
    }
    try reader.finish()
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ frame: PixelRect) {
    write(frame.x)
    write(frame.y)
    write(frame.width)
    write(frame.height)
  }
}

extension ByteReader {
  /// The number of cells of a kind.
  ///
  /// - Throws: `ByteCodingError` for more than allowed.
  fileprivate mutating func readCellCount() throws(ByteCodingError) -> Int {
    let count = try readCount(ofSize: 32)
    guard count <= SheetRequest.mostCells else { throw .tooLong }
    return count
  }

  /// A frame inside the sheet that is not empty.
  ///
  /// - Throws: `ByteCodingError` for any other.
  fileprivate mutating func readFrame(in bounds: PixelRect) throws(ByteCodingError) -> PixelRect {
    let sides = [try readInt(), try readInt(), try readInt(), try readInt()]
    guard sides.allSatisfy({ (0...SheetRequest.largestSide).contains($0) }) else { throw .unknown }
    let frame = PixelRect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    guard !frame.isEmpty, bounds.contains(frame) else { throw .unknown }
    return frame
  }

  /// The format of the sheet.
  ///
  /// - Throws: `ByteCodingError` for an invalid style.
  fileprivate mutating func readStyle() throws(ByteCodingError) -> PictureStyle {
    guard let format = PictureFormat(rawValue: try readString(atMost: 16)), !format.isVector else {
      throw .unknown
    }
    let quality = try readOptional { reader throws(ByteCodingError) in try reader.readInt() }
    let isGray = try readBool()
    do {
      return try PictureStyle(format, quality: quality, isGray: isGray)
    } catch {
      throw ByteCodingError.unknown
    }
  }
}
