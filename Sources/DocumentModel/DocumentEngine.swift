public import RectoGeometry

/// Turns pages into pictures.
///
/// Implemented by a pool of worker processes (`WorkerPool`) and, for files that are trusted, by an engine
/// in this process (`InProcessEngine`).
public protocol PageRasterizer: Sendable {
  /// Draws a page.
  ///
  /// - Parameters:
  ///   - drawing: The page and the pictures to make of it.
  ///   - subset: Pages of the document, this one among them, that can be opened without the others;
  ///     nil to open the whole document.
  /// - Returns: One picture for each that is asked for, in order.
  /// - Throws: `DocumentError` when any of them failed. `usage` or `pageSize` for pictures that do not fit the raster.
  func draw(
    _ drawing: PageDrawing,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> DrawnPage

  /// Draws pages until the queue is empty, without a pause between pages.
  ///
  /// A page that fails does not affect the others. When the task is cancelled, no more pages are taken. By default the
  /// pages are drawn one after the other by the function above.
  ///
  /// - Parameters:
  ///   - pages: The pages; several calls may take from the same ones.
  ///   - subset: Pages of the document, all of `pages` among them; nil for the whole document.
  func draw(_ pages: any DrawingQueue, subset: DocumentSubset?) async
}

/// A rasterizer that also reads the document: sizes, text, links and properties.
public protocol DocumentEngine: PageRasterizer {
  /// Where glyphs are drawn; part of every key of pictures in a cache.
  nonisolated var text: TextPlacement { get }
  /// The rasterizer.
  nonisolated var rasterizer: Rasterizer { get }
  /// Prepares for drawing, so that the first page is drawn sooner. Errors are reported when it is drawn.
  ///
  /// - Parameters:
  ///   - subset: Pages to open; nil opens nothing yet.
  ///   - workers: The most pages that will be drawn at once.
  func prepare(subset: DocumentSubset?, workers: Int) async
  /// Opens the document if need be.
  ///
  /// - Parameter subset: Pages of the document to open in its place; nil for the whole document.
  /// - Returns: The info of what is open.
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is.
  func open(_ subset: DocumentSubset?) async throws(DocumentError) -> OpenedDocument
  /// Reads the properties that `open()` does not return.
  ///
  /// - Returns: The properties; nil for those that the engine cannot tell.
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is.
  func properties() async throws(DocumentError) -> DocumentProperties
  /// Measures pages.
  ///
  /// - Parameter pages: The pages of the document.
  /// - Returns: Info or an error for each page of `pages`, in order.
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is.
  func measure(
    _ pages: Range<PageIndex>
  ) async throws(DocumentError) -> [Result<PageInfo, DocumentError>]
  /// Reads the text of pages.
  ///
  /// - Parameters:
  ///   - pages: The pages of the document.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted.
  ///   - subset: Pages of the document, these among them; nil for the whole document.
  /// - Returns: The text of each page, in order, or why there is none.
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is.
  func text(
    of pages: Range<PageIndex>,
    hasStyles: Bool,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>]
  /// Reads the links of a page.
  ///
  /// - Returns: The links in stacking order, the topmost last.
  /// - Throws: Why the document cannot be opened or the page be read; `cancelled` when the task is.
  func links(of page: PageIndex) async throws(DocumentError) -> [PageLink]
  /// Reads the outline of the document.
  ///
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is.
  func outline() async throws(DocumentError) -> DocumentOutline
  /// Finds a destination by its name.
  ///
  /// - Returns: The destination; nil when the document does not have it.
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is.
  func destination(named name: String) async throws(DocumentError) -> LinkDestination?
  /// Ends all work and closes the document; later requests fail with `cancelled`.
  func close() async
}

extension DocumentEngine {
  /// Opens the whole document if need be.
  ///
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is.
  public func open() async throws(DocumentError) -> OpenedDocument { try await open(nil) }
}

extension DocumentError {
  /// The request was cancelled.
  public static let cancelled = DocumentError(.cancelled, during: "", "the request was cancelled")

  /// The same error with the operation named, unless it names one already.
  public func during(_ operation: String) -> DocumentError {
    self.operation.isEmpty ? DocumentError(code, during: operation, detail) : self
  }

  /// The error to report for a subset that does not open. If the engine rejects a subset, the reader made it wrong:
  /// `pageMismatch`.
  public var ofSubset: DocumentError {
    guard code == .damaged || code == .passwordNeeded else { return self }
    return DocumentError(.pageMismatch, during: "open", detail)
  }
}

/// The info of a document that an engine has opened.
public struct OpenedDocument: Hashable, Sendable {
  /// The document's info.
  public var info: DocumentInfo
  /// The libraries that draw, with their versions; part of every cache key.
  public var engine: String

  /// Whether a text is a valid engine name: 1 to 128 characters of printable ASCII, safe to print.
  public static func isEngine(_ name: String) -> Bool {
    (1...128).contains(name.utf8.count) && name.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// The parts together.
  public init(info: DocumentInfo, engine: String) {
    self.info = info
    self.engine = engine
  }
}

/// Pictures of parts of a page.
public struct DrawnPage: Hashable, Sendable {
  /// One file of the style asked for, for each part in order; of a vector file, a piece for each sheet.
  public var pictures: [[UInt8]]
  /// The engine's warnings.
  public var warnings: Warnings
  /// The engine's warnings about each sheet of a vector file.
  public var sheets: [Warnings]
  /// Whether they were made of the picture that is embedded for the page.
  public var isEmbedded: Bool

  /// The parts together.
  ///
  /// - Parameters:
  ///   - pictures: One file for each part in order.
  ///   - warnings: The engine's warnings.
  ///   - sheets: Those about each sheet of a vector file.
  ///   - isEmbedded: Whether they were made of the picture that is embedded for the page.
  public init(
    pictures: [[UInt8]],
    warnings: Warnings,
    sheets: [Warnings] = [],
    isEmbedded: Bool = false
  ) {
    self.pictures = pictures
    self.warnings = warnings
    self.sheets = sheets
    self.isEmbedded = isEmbedded
  }
}
