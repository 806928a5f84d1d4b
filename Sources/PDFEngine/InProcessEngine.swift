// SPDX-License-Identifier: GPL-2.0-or-later

public import DocumentModel
internal import RectoBase
public import RectoGeometry

/// Draws and measures one document in this process, for programs that trust their files.
///
/// Works like a pool of workers, but without protection: a page that hangs blocks it, a page that crashes poppler ends
/// the process, and the memory of a page is unlimited. A file that is truncated while it is open raises SIGBUS. In
/// return no process is started and no pixels are sent through pipes. The program links poppler (GPL 2 or 3).
///
/// A document is drawn on its own thread, one request after the other, in order of arrival.
public actor InProcessEngine: DocumentEngine {
  private let executor: ThreadExecutor
  /// The thread that draws.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Where glyphs are drawn.
  public nonisolated let text: TextPlacement
  /// The rasterizer.
  public nonisolated let rasterizer: Rasterizer
  private let descriptor: Int32
  private let password: String?
  private let recordingBytes: Int
  private var opened: (subset: DocumentSubset?, session: DrawingSession)?
  private var isClosed = false

  /// Address space of the thread's stack: poppler's parsers recurse about as deep as a file nests.
  private static let stackSize = 1 << 29

  /// An engine for an open file. Does not read it yet.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading; it must stay open as long as the engine exists.
  ///   - password: For encrypted documents.
  ///   - recordingBytes: The memory limit of recordings, in bytes.
  ///   - text: Where glyphs are drawn.
  ///   - rasterizer: The rasterizer.
  /// - Throws: `fault` when no thread can be started.
  public init(
    descriptor: Int32,
    password: String? = nil,
    recordingBytes: Int = DisplayLists.defaultLimit,
    text: TextPlacement = .precise,
    rasterizer: Rasterizer = .auto
  ) throws(DocumentError) {
    guard let executor = ThreadExecutor(stackSize: Self.stackSize) else {
      throw DocumentError(.fault, during: "open", "no thread can be started")
    }
    self.executor = executor
    self.descriptor = descriptor
    self.password = password
    self.recordingBytes = recordingBytes
    self.text = text
    self.rasterizer = rasterizer
  }

  /// Opens the subset, if one is given, so that the first page is drawn sooner.
  public func prepare(subset: DocumentSubset?, workers: Int) {
    guard let subset, workers > 0 else { return }
    // The next request will report any error.
    _ = try? session(subset, during: "open")
  }

  /// Opens the document.
  ///
  /// - Parameter subset: Pages to open; nil opens the whole document.
  /// - Returns: The info of the open document.
  /// - Throws: Why it cannot be opened; `cancelled` when the task is, or after ``close()``.
  public func open(_ subset: DocumentSubset?) throws(DocumentError) -> OpenedDocument {
    OpenedDocument(info: try session(subset, during: "open").info, engine: DrawingSession.engine)
  }

  /// Reads the properties of the whole document.
  ///
  /// - Throws: Why it cannot be opened; `cancelled` when the task is, or after ``close()``.
  public func properties() throws(DocumentError) -> DocumentProperties {
    try session(nil, during: "open").properties
  }

  /// Measures pages.
  ///
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is, or after
  ///   ``close()``.
  public func measure(
    _ pages: Range<PageIndex>
  ) throws(DocumentError) -> [Result<PageInfo, DocumentError>] {
    var results: [Result<PageInfo, DocumentError>] = []
    try session(nil, during: "measure").measure(pages, batchSize: .max) { results += $1 }
    return results
  }

  /// Reads the links of a page.
  ///
  /// - Throws: Why the document cannot be opened or the page cannot be read; `cancelled` when the task is, or after
  ///   ``close()``.
  public func links(of page: PageIndex) throws(DocumentError) -> [PageLink] {
    try session(nil, during: "read links").links(of: page)
  }

  /// Reads the outline of the document.
  ///
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is, or after
  ///   ``close()``.
  public func outline() throws(DocumentError) -> DocumentOutline {
    try session(nil, during: "read the outline").outline()
  }

  /// Finds a destination by its name.
  ///
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is, or after
  ///   ``close()``.
  public func destination(named name: String) throws(DocumentError) -> LinkDestination? {
    try session(nil, during: "find a destination").destination(named: name)
  }

  /// Draws a page. Cancelling the task does not stop a request that has begun.
  ///
  /// - Parameters:
  ///   - drawing: The page and the pictures to make of it.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  /// - Returns: A picture for each that is asked for, in order, with what poppler warned about.
  /// - Throws: `DocumentError` when any of them failed; `cancelled` when the task is, or after ``close()``.
  public func draw(
    _ drawing: PageDrawing,
    subset: DocumentSubset?
  ) throws(DocumentError) -> DrawnPage {
    var pictures: [[UInt8]] = []
    var sheets: [Warnings] = []
    let session = try session(subset, during: "draw")
    let (warnings, isEmbedded) = try session.draw(drawing, afterSheet: { sheets.append($0) }) {
      pictures.append($0)
    }
    return DrawnPage(
      pictures: pictures,
      warnings: warnings,
      sheets: sheets,
      isEmbedded: isEmbedded
    )
  }

  /// Reads the text of pages.
  ///
  /// - Parameters:
  ///   - pages: The pages of the document.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  /// - Returns: The text of each page, in order, or why there is none.
  /// - Throws: Why the document cannot be opened; `cancelled` when the task is, or after
  ///   ``close()``.
  public func text(
    of pages: Range<PageIndex>,
    hasStyles: Bool,
    subset: DocumentSubset?
  ) throws(DocumentError) -> [Result<PageText, DocumentError>] {
    var texts: [Result<PageText, DocumentError>] = []
    try session(subset, during: "read the text").readText(
      of: pages,
      hasStyles: hasStyles
    ) { texts.append($0) }
    return texts
  }

  /// Closes the document; later requests fail with `cancelled`.
  public func close() {
    isClosed = true
    opened = nil
  }

  /// The document, or a part of it, opened if it is not already open.
  private func session(
    _ subset: DocumentSubset?,
    during operation: String
  ) throws(DocumentError) -> DrawingSession {
    if isClosed || Task.isCancelled { throw DocumentError.cancelled.during(operation) }
    if let opened, opened.subset == subset { return opened.session }
    // The old one is closed first, so that two documents are never in memory at once.
    opened = nil
    do throws(DocumentError) {
      let session = try DrawingSession(
        descriptor: descriptor,
        password: password,
        subset: subset,
        listBytes: recordingBytes,
        text: text,
        rasterizer: rasterizer
      )
      opened = (subset, session)
      return session
    } catch {
      throw subset == nil ? error : error.ofSubset
    }
  }
}
