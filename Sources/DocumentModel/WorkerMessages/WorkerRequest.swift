package import RectoBase
package import RectoGeometry

/// A request to a worker. It is answered before the next one is sent.
///
/// The document is open as ``documentDescriptor`` when the worker starts, so no path is sent over the pipe and the file
/// cannot be replaced.
package enum WorkerRequest: Hashable, Sendable {
  /// The descriptor on which a worker finds its document.
  package static let documentDescriptor: Int32 = 3
  /// The argument that makes the worker program start workers by forking itself, instead of drawing.
  package static let templateArgument = "--template"
  /// The argument that makes every request fail with `sandbox` unless the sandbox is in force.
  package static let requireSandboxArgument = "--require-sandbox"
  /// The argument of a worker that draws a contact sheet: it loads the library for text, and has no document.
  package static let sheetArgument = "--sheet"

  /// Opens the whole document, or only a subset of it. Answered by `opened`. The previous one is closed; pages keep
  /// their index in the document.
  case open(
    password: String?,
    subset: DocumentSubset?,
    text: TextPlacement = .precise,
    rasterizer: Rasterizer = .auto
  )
  /// Measures pages. Answered by any number of `measured`, then `done`.
  case measure(Range<PageIndex>)
  /// Draws a page. Answered by one `picture` for each that is asked for, or one `sheet` for each sheet, in order, then
  /// `done`.
  case draw(PageDrawing)
  /// Reads the properties of what is open. Answered by `properties`.
  case properties
  /// Reads the text of pages. Answered by one `text` for each page in order, then `done`.
  ///
  /// - `hasStyles`: Whether fonts, sizes and colors are wanted.
  case readText(Range<PageIndex>, hasStyles: Bool)
  /// Reads the links of a page. Answered by `links`.
  case links(PageIndex)
  /// Reads the outline. Answered by `outline`.
  case outline
  /// Finds a destination by its name. Answered by `destination`.
  case destination(String)
  /// Describes the worker; needs no document. Answered by `description`.
  case describe
  /// Begins a contact sheet with nothing on it; needs no document. Answered by `done`.
  case beginSheet(PixelSize)
  /// Draws something on the sheet. Answered by `done`, or `failed` for a picture that cannot be decoded.
  case drawOnSheet(SheetItem)
  /// Encodes the sheet, which has the given size. Answered by `picture`, then `done`.
  case encodeSheet(PixelSize, PictureStyle)

  /// The request as a payload.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .open(let password, let subset, let text, let rasterizer):
      writer = ByteWriter(capacity: 256 + (subset?.ownBytes ?? 0))
      writer.write(UInt8(1))
      writer.write(password) { $0.write($1) }
      writer.write(subset) { writer, subset in
        writer.write(subset.pages.count)
        for page in subset.pages {
          writer.write(page.index)
          writer.write(page.cropBox)
          writer.write(page.rotation.degrees)
          writer.write(page.hasCairoFaults)
        }
        writer.write(subset.pieces.count)
        for piece in subset.pieces { writer.write(piece) }
      }
      writer.write(text.rawValue)
      writer.write(rasterizer.rawValue)
    case .measure(let pages):
      writer.write(UInt8(2))
      writer.write(pages.lowerBound)
      writer.write(pages.upperBound)
    case .draw(let drawing):
      writer.write(UInt8(3))
      writer.write(drawing.raster)
      writer.write(drawing.pictures)
      writer.write(drawing.style)
      writer.write(drawing.purpose.rawValue)
    case .properties: writer.write(UInt8(4))
    case .readText(let pages, let hasStyles):
      writer.write(UInt8(6))
      writer.write(pages.lowerBound)
      writer.write(pages.upperBound)
      writer.write(hasStyles)
    case .links(let page):
      writer.write(UInt8(10))
      writer.write(page)
    case .outline: writer.write(UInt8(11))
    case .destination(let name):
      writer.write(UInt8(12))
      writer.write(name, atMost: TextLimit.target)
    case .describe: writer.write(UInt8(13))
    case .beginSheet(let size):
      writer.write(UInt8(14))
      writer.write(size.width)
      writer.write(size.height)
    case .drawOnSheet(let item):
      writer.write(UInt8(15))
      writer.write(item)
    case .encodeSheet(let size, let style):
      writer.write(UInt8(16))
      writer.write(size.width)
      writer.write(size.height)
      writer.write(style)
    }
    return writer.bytes
  }

  /// Reads a payload.
  ///
  /// - Throws: `ByteCodingError` when the payload is not a request: it ends too early or too late,
  ///   or has a value that does not exist.
  package init(payload: ArraySlice<UInt8>) throws(ByteCodingError) {
    var reader = ByteReader(payload)
    switch try reader.readByte() {
    case 1:
      let password = try reader.readOptional { reader throws(ByteCodingError) in
        try reader.readString()
      }
      let subset = try reader.readOptional { reader throws(ByteCodingError) in
        try reader.readSubset()
      }
      let text = TextPlacement(rawValue: try reader.readString(atMost: TextLimit.word))
      let rasterizer = Rasterizer(rawValue: try reader.readString(atMost: TextLimit.word))
      guard let text, let rasterizer else { throw ByteCodingError.unknown }
      self = .open(password: password, subset: subset, text: text, rasterizer: rasterizer)
    case 2: self = .measure(try reader.readPages())
    case 3:
      let raster = try reader.readRaster()
      let pictures = try reader.readPictures()
      let style = try reader.readStyle()
      let purpose = PageDrawing.Purpose(rawValue: try reader.readString(atMost: TextLimit.word))
      guard let purpose else { throw ByteCodingError.unknown }
      self = .draw(PageDrawing(raster, pictures, style: style, purpose: purpose))
    case 4: self = .properties
    case 6:
      let pages = try reader.readPages()
      self = .readText(pages, hasStyles: try reader.readBool())
    case 10:
      let page = try reader.readPageIndex()
      guard page >= 0 else { throw ByteCodingError.unknown }
      self = .links(page)
    case 11: self = .outline
    case 12: self = .destination(try reader.readString(atMost: TextLimit.target))
    case 13: self = .describe
    case 14: self = .beginSheet(try reader.readSheetSize())
    case 15: self = .drawOnSheet(try reader.readSheetItem())
    case 16:
      let size = try reader.readSheetSize()
      let style = try reader.readStyle()
      guard !style.format.isVector else { throw ByteCodingError.unknown }
      self = .encodeSheet(size, style)
    default: throw ByteCodingError.unknown
    }
    try reader.finish()
  }
}

extension DocumentSubset {
  /// About the number of bytes of its pieces in a message.
  fileprivate var ownBytes: Int {
    pieces.reduce(0) { sum, piece in
      if case .bytes(let bytes) = piece { sum + bytes.count + 32 } else { sum + 32 }
    }
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ piece: DocumentSubset.Piece) {
    switch piece {
    case .bytes(let bytes):
      write(UInt8(0))
      write(bytes)
    case .file(let range):
      write(UInt8(1))
      write(range.lowerBound)
      write(range.upperBound)
    case .inflated(let range, let count):
      write(UInt8(2))
      write(range.lowerBound)
      write(range.upperBound)
      write(count)
    }
  }

  fileprivate mutating func write(_ box: Rect) {
    write(box.minX)
    write(box.minY)
    write(box.width)
    write(box.height)
  }

  fileprivate mutating func write(_ raster: PageRaster) {
    write(raster.pageIndex)
    write(raster.scale)
    write(raster.rotation.degrees)
    write(raster.userUnit)
    write(raster.size.width)
    write(raster.size.height)
    write(raster.isFitted)
  }

  fileprivate mutating func write(_ pictures: PageDrawing.Pictures) {
    switch pictures {
    case .parts(let parts):
      write(UInt8(0))
      write(parts.count)
      for part in parts { write(part) }
    case .reduced(let parts):
      write(UInt8(1))
      write(parts.count)
      for part in parts {
        write(part.size.width)
        write(part.size.height)
        write(part.part)
      }
    case .sheets(let sheets):
      write(UInt8(2))
      write(sheets.count)
      for sheet in sheets { write(sheet) }
    }
  }

  private mutating func write(_ sheet: VectorSheet) {
    write(sheet.size.width)
    write(sheet.size.height)
    write(sheet.resolution)
    write(sheet.background) { $0.write(Int($1)) }
    write(sheet.pages.count)
    for page in sheet.pages {
      write(page.raster)
      write(page.frame)
      write(page.clip)
    }
  }

  fileprivate mutating func write(_ style: PictureStyle) {
    write(style.format.rawValue)
    write(style.quality) { $0.write($1) }
    write(style.isGray)
    write(style.isBilevel)
    write(style.isTransparent)
    write(style.isRGBA)
  }

  mutating func write(_ rect: PixelRect) {
    write(rect.x)
    write(rect.y)
    write(rect.width)
    write(rect.height)
  }
}

extension ByteReader {
  fileprivate mutating func readPages() throws(ByteCodingError) -> Range<PageIndex> {
    let lower = try readPageIndex()
    let upper = try readPageIndex()
    guard lower >= 0, lower <= upper else { throw ByteCodingError.unknown }
    return lower..<upper
  }

  fileprivate mutating func readRaster() throws(ByteCodingError) -> PageRaster {
    let index = try readPageIndex()
    let scale = try readDouble()
    guard let rotation = Rotation(rawValue: try readInt()) else { throw ByteCodingError.unknown }
    let userUnit = try readDouble()
    let size = PixelSize(width: try readInt(), height: try readInt())
    return PageRaster(
      pageIndex: index,
      scale: scale,
      rotation: rotation,
      userUnit: userUnit,
      size: size,
      isFitted: try readBool()
    )
  }

  fileprivate mutating func readPictures() throws(ByteCodingError) -> PageDrawing.Pictures {
    switch try readByte() {
    case 0:
      let count = try readCount(ofSize: 32)
      var parts: [PixelRect] = []
      parts.reserveCapacity(count)
      for _ in 0..<count { parts.append(try readRect()) }
      return .parts(parts)
    case 1:
      let count = try readCount(ofSize: 48)
      var parts: [ReducedPart] = []
      parts.reserveCapacity(count)
      for _ in 0..<count {
        let size = PixelSize(width: try readInt(), height: try readInt())
        parts.append(ReducedPart(size: size, part: try readRect()))
      }
      return .reduced(parts)
    case 2:
      let count = try readCount(ofSize: 33)
      var sheets: [VectorSheet] = []
      sheets.reserveCapacity(count)
      for _ in 0..<count { sheets.append(try readSheet()) }
      return .sheets(sheets)
    default: throw ByteCodingError.unknown
    }
  }

  private mutating func readSheet() throws(ByteCodingError) -> VectorSheet {
    let size = Size(width: try readDouble(), height: try readDouble())
    let resolution = try readDouble()
    let background = try readOptional { reader throws(ByteCodingError) in try reader.readInt() }
    let color = background.map { UInt32(clamping: $0) }
    guard color ?? 0 <= 0xFF_FFFF else { throw ByteCodingError.unknown }
    let count = try readCount(ofSize: 113)
    var pages: [VectorSheet.Page] = []
    pages.reserveCapacity(count)
    for _ in 0..<count {
      let raster = try readRaster()
      let frame = try readBox()
      pages.append(VectorSheet.Page(raster, frame: frame, clip: try readBox()))
    }
    return VectorSheet(size: size, pages: pages, background: color, resolution: resolution)
  }

  /// Reads how pictures are to be made.
  ///
  /// - Throws: `ByteCodingError.unknown` for a style that does not exist.
  fileprivate mutating func readStyle() throws(ByteCodingError) -> PictureStyle {
    let format = PictureFormat(rawValue: try readString(atMost: TextLimit.word))
    let quality = try readOptional { reader throws(ByteCodingError) in try reader.readInt() }
    let isGray = try readBool()
    let isBilevel = try readBool()
    let isTransparent = try readBool()
    let isRGBA = try readBool()
    guard let format, (quality == nil) == (format.defaultQuality == nil) else {
      throw ByteCodingError.unknown
    }
    let style: PictureStyle
    do throws(PictureStyleError) {
      style = try PictureStyle(
        format,
        quality: quality,
        isGray: isGray,
        isBilevel: isBilevel,
        isTransparent: isTransparent
      )
    } catch {
      throw ByteCodingError.unknown
    }
    if style.isRGBA == isRGBA { return style }
    guard style == .tile else { throw ByteCodingError.unknown }
    return .desktopThumbnail
  }

  fileprivate mutating func readSubset() throws(ByteCodingError) -> DocumentSubset {
    let count = try readCount(ofSize: 48)
    var pages: [DocumentSubset.Page] = []
    pages.reserveCapacity(count)
    for _ in 0..<count {
      let index = try readPageIndex()
      let cropBox = try readBox()
      guard let rotation = Rotation(rawValue: try readInt()) else {
        throw ByteCodingError.unknown
      }
      pages.append(
        DocumentSubset.Page(
          index: index,
          cropBox: cropBox,
          rotation: rotation,
          hasCairoFaults: try readBool()
        )
      )
    }
    var pieces: [DocumentSubset.Piece] = []
    for _ in 0..<(try readCount(ofSize: 9)) { pieces.append(try readPiece()) }
    return DocumentSubset(pages: pages, pieces: pieces)
  }

  private mutating func readPiece() throws(ByteCodingError) -> DocumentSubset.Piece {
    let kind = try readByte()
    if kind == 0 { return .bytes(try readBytes()) }
    let start = try readInt()
    let end = try readInt()
    guard start >= 0, start <= end else { throw ByteCodingError.unknown }
    if kind == 1 { return .file(start..<end) }
    let count = try readInt()
    guard kind == 2, count >= 0 else { throw ByteCodingError.unknown }
    return .inflated(start..<end, count: count)
  }

  fileprivate mutating func readBox() throws(ByteCodingError) -> Rect {
    Rect(
      x: try readDouble(),
      y: try readDouble(),
      width: try readDouble(),
      height: try readDouble()
    )
  }

  mutating func readRect() throws(ByteCodingError) -> PixelRect {
    PixelRect(x: try readInt(), y: try readInt(), width: try readInt(), height: try readInt())
  }
}
