// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
public import DocumentModel
public import RectoGeometry
internal import RectoPictures

/// An open document and the state kept between requests: a page, recordings, the encoder.
///
/// Lives on one thread, like the document in it.
public final class DrawingSession {
  private let document: PDFDocument
  /// For each page of the document: the page in the subset, and its expected properties. Nil if the whole document is
  /// open.
  private let subset: [PageIndex: (opened: PageIndex, page: DocumentSubset.Page)]?
  private var encoder: PictureEncoder
  private var page: PDFPage?
  private var lists: DisplayLists
  /// A recording that is too large to be kept, while its request is answered.
  private var unkept: DisplayList?
  /// Pages whose recordings cannot be made or kept.
  private var unrecordable: Set<PageRaster> = []

  /// The rasterizer.
  private let rasterizer: Rasterizer
  private var splashPictures = SplashPictures()
  /// Pages that cairo drew incompletely, which Splash draws instead.
  private var incomplete: Set<PageIndex> = []

  /// The most rasters in ``unrecordable``.
  private static let unrecordableLimit = 1024

  /// Loads libraries that are usually loaded on first use, for a process that cannot load libraries later: picture
  /// encoders, Splash, and the C library's converters for text.
  public static func loadLibraries() {
    PictureEncoder.loadLibraries()
    SplashDocument.load()
    // Not closed, because the converter would be unloaded.
    for encoding in ["UTF-16BE", "UTF-16LE", "ISO-8859-1"] { _ = g_iconv_open("UTF-8", encoding) }
  }

  /// The libraries that draw, as part of every cache key.
  public static var engine: String { PDFDocument.engine }

  /// Opens the document, or only a subset of it.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading.
  ///   - password: For encrypted documents.
  ///   - subset: Pages to open; nil for all.
  ///   - listBytes: The memory limit of recordings, in bytes.
  ///   - text: Where glyphs are drawn.
  ///   - rasterizer: The rasterizer.
  /// - Throws: `DocumentError` when the document cannot be opened; `pageMismatch` when the subset
  ///   does not have its pages.
  public init(
    descriptor: Int32,
    password: String?,
    subset: DocumentSubset?,
    listBytes: Int = DisplayLists.defaultLimit,
    text: TextPlacement = .precise,
    rasterizer: Rasterizer = .auto
  ) throws(DocumentError) {
    document = try PDFDocument(
      descriptor: descriptor,
      password: password,
      pieces: subset?.pieces,
      text: text,
      allowsSplash: rasterizer != .cairo
    )
    // Like poppler's tools, which draw only with cairo.
    self.rasterizer = rasterizer == .auto && text == .poppler ? .cairo : rasterizer
    if let subset {
      guard document.info.pageCount == subset.pages.count else {
        throw DocumentError(
          .pageMismatch,
          during: "open",
          "\(document.info.pageCount) pages in place of \(subset.pages.count)"
        )
      }
      // A subset is a separate document with its own page numbers.
      let pages = subset.pages.enumerated().map { ($1.index, (opened: PageIndex($0), page: $1)) }
      self.subset = Dictionary(pages) { first, _ in first }
    } else {
      self.subset = nil
    }
    encoder = try PictureEncoder()
    lists = DisplayLists(limit: listBytes)
  }

  /// The document's properties.
  public var info: DocumentInfo { document.info }

  /// Properties of the document that are not in ``info``.
  public var properties: DocumentProperties { document.properties }

  /// The links of a page.
  ///
  /// - Throws: `DocumentError` when there is no such page, `memoryLimit` for too many links.
  public func links(of index: PageIndex) throws(DocumentError) -> [PageLink] {
    try document.page(at: index).links(in: document)
  }

  /// The outline of the document.
  public func outline() -> DocumentOutline { document.outline() }

  /// The destination with a name; nil when the document does not have it.
  public func destination(named name: String) -> LinkDestination? {
    document.destination(named: name)
  }

  /// Measures pages and delivers them in batches, so that a page that hangs does not delay earlier
  /// ones.
  ///
  /// - Parameters:
  ///   - pages: The pages of the document.
  ///   - batchSize: The most pages in a batch.
  ///   - deliver: Called for each batch with the index of its first page, and a result for each of
  ///     its pages.
  public func measure(
    _ pages: Range<PageIndex>,
    batchSize: Int,
    _ deliver: (_ first: PageIndex, [Result<PageInfo, DocumentError>]) -> Void
  ) {
    var first = pages.lowerBound
    var batch: [Result<PageInfo, DocumentError>] = []
    for index in pages {
      do {
        batch.append(.success(try document.page(at: index).info()))
      } catch {
        batch.append(.failure(error))
      }
      if batch.count >= batchSize {
        deliver(first, batch)
        first = index.advanced(by: 1)
        batch.removeAll(keepingCapacity: true)
      }
    }
    if !batch.isEmpty { deliver(first, batch) }
  }

  /// Reads the text of pages and delivers it in order.
  ///
  /// - Parameters:
  ///   - pages: The pages of the document.
  ///   - limit: The most characters of a page.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted.
  ///   - deliver: Called with the text of each page, or why there is none.
  public func readText(
    of pages: Range<PageIndex>,
    atMost limit: Int = PageText.largestCount,
    hasStyles: Bool,
    _ deliver: (Result<PageText, DocumentError>) -> Void
  ) {
    for index in pages {
      do throws(DocumentError) {
        // Not the page that is kept for drawing: poppler takes a page's text from its first drawing, in which text was
        // not collected.
        let page = try newPage(at: index)
        var text = PageText.empty
        // Poppler's messages are known from drawing the page.
        _ = try Messages.collect { () throws(DocumentError) in
          text = try page.text(atMost: limit, hasStyles: hasStyles)
        }
        deliver(.success(text))
      } catch {
        deliver(.failure(error))
      }
    }
  }

  /// Draws a page.
  ///
  /// - Parameters:
  ///   - drawing: The page and the pictures to make of it.
  ///   - afterSheet: Called with the warnings about each sheet of a vector file, before its bytes are delivered.
  ///   - deliver: Called with each picture as a file, in order; for a vector file, with the bytes of each sheet.
  /// - Returns: Poppler's warnings, and whether the embedded thumbnail was used.
  /// - Throws: `DocumentError` when the page cannot be drawn; `usage` or `pageSize` for pictures that do not fit the
  ///   raster, or exceed the limits of a ``Bitmap`` or the format; `pageMismatch` when its size is not that of the
  ///   raster.
  public func draw(
    _ drawing: PageDrawing,
    afterSheet: (Warnings) -> Void = { _ in },
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) -> (warnings: Warnings, isEmbedded: Bool) {
    switch drawing.pictures {
    case .parts(let parts):
      let warnings = try draw(
        drawing.raster,
        parts: parts,
        style: drawing.style,
        isOneOff: drawing.isDirect,
        deliver
      )
      return (warnings, false)
    case .sheets(let sheets):
      return (try draw(sheets, style: drawing.style, afterSheet, deliver), false)
    case .reduced(let parts):
      return try reduce(
        drawing.raster,
        to: parts,
        style: drawing.style,
        allowsEmbedded: drawing.purpose == .thumbnail,
        deliver
      )
    }
  }

  /// Draws parts of a page and delivers them as files, in order.
  private func draw(
    _ raster: PageRaster,
    parts: [PixelRect],
    style: PictureStyle,
    isOneOff: Bool,
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) -> Warnings {
    let page = try page(of: raster)
    for part in parts { try style.format.requireSize(part.size) }
    if let splash = try splash(for: raster.pageIndex) {
      return try drawWithSplash(splash, page, raster, parts, style, deliver)
    }
    var delivered = 0
    do throws(DocumentError) {
      return try drawWithCairo(page, raster, parts, style, isOneOff: isOneOff) {
        deliver($0)
        delivered += 1
      }
    } catch {
      guard incomplete.contains(raster.pageIndex), let splash = try splash(for: raster.pageIndex)
      else { throw error }
      let rest = Array(parts.dropFirst(delivered))
      return try drawWithSplash(splash, page, raster, rest, style, deliver)
    }
  }

  private func drawWithSplash(
    _ splash: SplashDocument,
    _ page: PDFPage,
    _ raster: PageRaster,
    _ parts: [PixelRect],
    _ style: PictureStyle,
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) -> Warnings {
    try splashPictures.draw(
      parts,
      page,
      in: splash,
      raster: raster,
      hasPaper: !style.isTransparent
    ) { (bitmap, part) throws(DocumentError) in
      deliver(try encode(bitmap, part, style))
    }
  }

  private func drawWithCairo(
    _ page: PDFPage,
    _ raster: PageRaster,
    _ parts: [PixelRect],
    _ style: PictureStyle,
    isOneOff: Bool,
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) -> Warnings {
    defer { unkept = nil }
    guard !isOneOff else { return try drawDirectly(page, raster, parts[...], style, deliver) }
    var warnings = Warnings()
    for (index, part) in parts.enumerated() {
      guard let list = recording(of: page, raster, part),
        let bitmap = try playback(of: list, part, hasPaper: !style.isTransparent)
      else {
        warnings.add(try drawDirectly(page, raster, parts[index...], style, deliver))
        return warnings
      }
      try requireComplete(list.warnings, raster)
      warnings.add(list.warnings)
      let whole = PixelRect(x: 0, y: 0, width: part.width, height: part.height)
      deliver(try encode(bitmap, whole, style))
    }
    return warnings
  }

  /// Checks that cairo has drawn all of a page, if Splash can be used instead.
  ///
  /// - Throws: `drawing` if it has not; then use `splash(for:)`.
  private func requireComplete(_ warnings: Warnings, _ raster: PageRaster) throws(DocumentError) {
    guard let reason = warnings.incomplete, replacement(after: warnings, raster) != nil else {
      return
    }
    throw DocumentError(.drawing, during: "draw", reason)
  }

  /// The document opened for Splash, if cairo has not drawn all of a page. From then on Splash draws the page.
  func replacement(after warnings: Warnings, _ raster: PageRaster) -> SplashDocument? {
    guard rasterizer == .auto, warnings.incomplete != nil, let splash = try? document.splash()
    else { return nil }
    incomplete.insert(raster.pageIndex)
    return splash
  }

  /// Draws a page once, directly, and delivers pictures of it as files, in order.
  private func reduce(
    _ raster: PageRaster,
    to parts: [ReducedPart],
    style: PictureStyle,
    allowsEmbedded: Bool,
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) -> (warnings: Warnings, isEmbedded: Bool) {
    try ReducedPart.check(parts, of: raster, style.format)
    let page = try page(of: raster)
    if allowsEmbedded, let embedded = page.embeddedPicture(for: raster) {
      try deliverParts(parts, of: embedded, style, deliver)
      return (Warnings(), true)
    }
    let whole = raster.whole
    let hasPaper = !style.isTransparent
    var bitmap: Bitmap
    if let splash = try splash(for: raster.pageIndex) {
      bitmap = try splash.bitmap(of: whole, page, raster: raster, hasPaper: hasPaper)
    } else {
      bitmap = try page.bitmap(of: whole, raster: raster, hasPaper: hasPaper)
      if let splash = replacement(after: bitmap.warnings, raster) {
        bitmap = try splash.bitmap(of: whole, page, raster: raster, hasPaper: hasPaper)
      }
    }
    let warnings = bitmap.warnings
    try deliverParts(parts, of: bitmap, style, deliver)
    return (warnings, false)
  }

  /// The document opened for Splash, if Splash draws the page; nil if cairo does.
  ///
  /// - Throws: `drawing` when Splash cannot open the document and cairo is not allowed.
  func splash(for page: PageIndex) throws(DocumentError) -> SplashDocument? {
    switch rasterizer {
    case .cairo: nil
    case .splash: try document.splash()
    // A picture with faults is better than none.
    case .auto where incomplete.contains(page) || subset?[page]?.page.hasCairoFaults == true:
      try? document.splash()
    case .auto: nil
    }
  }

  /// Reduces a picture of a page step by step.
  private func deliverParts(
    _ parts: [ReducedPart],
    of page: consuming Bitmap,
    _ style: PictureStyle,
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) {
    var bitmap = page
    for part in parts {
      if part.size != bitmap.size { bitmap = try bitmap.reduced(to: part.size) }
      deliver(try encode(bitmap, part.part, style))
    }
  }

  /// A part of a recording; nil if it cannot be played back, such as for a page on which cairo fails. From then on the
  /// page is drawn directly.
  ///
  /// - Throws: `memoryLimit` or `pageSize`.
  private func playback(
    of list: DisplayList,
    _ part: PixelRect,
    hasPaper: Bool
  ) throws(DocumentError) -> Bitmap? {
    do throws(DocumentError) {
      return try list.bitmap(of: part, hasPaper: hasPaper)
    } catch {
      guard error.code == .drawing else { throw error }
      lists.remove(list)
      noteUnrecordable(list.raster)
      return nil
    }
  }

  private func drawDirectly(
    _ page: PDFPage,
    _ raster: PageRaster,
    _ parts: ArraySlice<PixelRect>,
    _ style: PictureStyle,
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) -> Warnings {
    try page.draw(
      Array(parts),
      raster: raster,
      hasPaper: !style.isTransparent
    ) { (strip, part) throws(DocumentError) in
      try requireComplete(strip.warnings, raster)
      deliver(try encode(strip, part, style))
    }
  }

  /// The page of a raster.
  ///
  /// - Throws: `pageMismatch` when it does not have the size of the raster.
  func page(of raster: PageRaster) throws(DocumentError) -> PDFPage {
    let page = try page(at: raster.pageIndex)
    guard page.hasSize(of: raster) else {
      throw DocumentError(.pageMismatch, during: "find", "its size is not the one it was asked for")
    }
    return page
  }

  private func page(at index: PageIndex) throws(DocumentError) -> PDFPage {
    let opened = subset.map { $0[index]?.opened } ?? index
    if let page, page.index == opened { return page }
    let found = try newPage(at: index)
    page = found
    return found
  }

  /// A separate page, which is not cached.
  private func newPage(at index: PageIndex) throws(DocumentError) -> PDFPage {
    guard let subset else { return try document.page(at: index) }
    guard let (opened, promised) = subset[index] else {
      throw DocumentError(.fault, during: "find", "it is not in the subset")
    }
    // If the page is missing or another one, the reader is wrong, not the page.
    guard let found = try? document.page(at: opened), promised.agrees(with: found.info()) else {
      throw DocumentError(.pageMismatch, during: "find", "page \(index.number) is another one")
    }
    return found
  }

  /// A recording with the part, made if necessary; nil if the page must be drawn directly.
  ///
  /// cairo cannot record some pages that it can draw. A recording that is too large to be kept is
  /// used only for the current request; recording it again for the next would cost too much memory.
  private func recording(
    of page: PDFPage,
    _ raster: PageRaster,
    _ part: PixelRect
  ) -> DisplayList? {
    if let list = lists.list(of: raster, holding: part) { return list }
    if let unkept, unkept.raster == raster, unkept.rect.contains(part) { return unkept }
    guard !unrecordable.contains(raster) else { return nil }
    let rect = DisplayList.rect(around: part, of: raster)
    let list = try? DisplayList(page, raster: raster, rect: rect)
    guard let list, lists.keep(list) else {
      noteUnrecordable(raster)
      unkept = list
      return list
    }
    return list
  }

  private func noteUnrecordable(_ raster: PageRaster) {
    if unrecordable.count == Self.unrecordableLimit { unrecordable.removeAll() }
    unrecordable.insert(raster)
  }

  private func encode(
    _ bitmap: borrowing Bitmap,
    _ part: PixelRect,
    _ style: PictureStyle
  ) throws(DocumentError) -> [UInt8] {
    let file = try bitmap.withPixels(of: part) { (bytes, stride) throws(DocumentError) in
      try encoder.encode(bytes.bytes, stride: stride, size: part.size, style: style)
    }
    guard let file else { throw DocumentError(.fault, during: "draw", "a part is empty") }
    return file
  }
}
