// SPDX-License-Identifier: GPL-2.0-or-later

public import DocumentModel
internal import RectoBase
public import RectoGeometry

/// Draws and measures one document in this process, for programs that trust their files.
///
/// Answers as a pool of workers does, without its protection: a page that never ends is waited for, a
/// page that crashes poppler ends the process, and nothing bounds the memory that a page takes. A file
/// that is cut short while it is open raises SIGBUS. In return no process is started and no pixel
/// crosses a pipe. The program links poppler (GPL 2 or 3).
///
/// A document is drawn on a thread of its own, one request after the other in the order of asking.
public actor InProcessEngine: DocumentEngine {
  private let executor: ThreadExecutor
  /// The thread that draws.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Where glyphs are drawn.
  public nonisolated let text: TextPlacement
  /// What makes pixels.
  public nonisolated let rasterizer: Rasterizer
  private let descriptor: Int32
  private let password: String?
  private let recordingBytes: Int
  private var opened: (subset: DocumentSubset?, session: DrawingSession)?
  private var isClosed = false

  /// Address space of the thread's stack: poppler's parsers recurse about as deep as a file nests.
  private static let stackSize = 1 << 29

  /// An engine over an open file. Nothing is read yet.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading; it must stay open as long as the engine lives.
  ///   - password: For encrypted documents.
  ///   - recordingBytes: How much memory recordings of pages may take up.
  ///   - text: Where glyphs are drawn.
  ///   - rasterizer: What makes pixels.
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

  /// Opens the subset, if one is given, so that the first page waits less.
  public func prepare(subset: DocumentSubset?, workers: Int) {
    guard let subset, workers > 0 else { return }
    // What goes wrong is met again by the next request.
    _ = try? session(subset, during: "open")
  }

  /// Opens the document.
  ///
  /// - Parameter subset: Pages to open; nil opens the whole document.
  /// - Returns: What is open says of itself.
  /// - Throws: What keeps it from being opened; `cancelled` when the task is, or after ``close()``.
  public func open(_ subset: DocumentSubset?) throws(DocumentError) -> OpenedDocument {
    OpenedDocument(info: try session(subset, during: "open").info, engine: DrawingSession.engine)
  }

  /// Reads the properties of the whole document.
  ///
  /// - Throws: What keeps it from being opened; `cancelled` when the task is, or after ``close()``.
  public func properties() throws(DocumentError) -> DocumentProperties {
    try session(nil, during: "open").properties
  }

  /// Measures pages.
  ///
  /// - Throws: What keeps the document from being opened; `cancelled` when the task is, or after
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
  /// - Throws: What keeps the document from being opened or the page from being read; `cancelled` when the
  ///   task is, or after ``close()``.
  public func links(of page: PageIndex) throws(DocumentError) -> [PageLink] {
    try session(nil, during: "read links").links(of: page)
  }

  /// Reads the outline of the document.
  ///
  /// - Throws: What keeps the document from being opened; `cancelled` when the task is, or after
  ///   ``close()``.
  public func outline() throws(DocumentError) -> DocumentOutline {
    try session(nil, during: "read the outline").outline()
  }

  /// Finds a destination by its name.
  ///
  /// - Throws: What keeps the document from being opened; `cancelled` when the task is, or after
  ///   ``close()``.
  public func destination(named name: String) throws(DocumentError) -> LinkDestination? {
    try session(nil, during: "find a destination").destination(named: name)
  }

  /// Draws a page. A request that has begun is not stopped by cancelling its task.
  ///
  /// - Parameters:
  ///   - drawing: The page, and the pictures of it.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  /// - Returns: A picture for each that is asked for, in order, with what poppler warned about.
  /// - Throws: `DocumentError` when any of them failed; `cancelled` when the task is, or after ``close()``.
  public func draw(
    _ drawing: PageDrawing,
    subset: DocumentSubset?
  ) throws(DocumentError) -> DrawnPage {
    var pictures: [[UInt8]] = []
    let (warnings, isEmbedded) = try session(subset, during: "draw").draw(drawing) {
      pictures.append($0)
    }
    return DrawnPage(pictures: pictures, warnings: warnings, isEmbedded: isEmbedded)
  }

  /// Reads the text of pages.
  ///
  /// - Parameters:
  ///   - pages: The pages of the document.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  /// - Returns: The text of each page, in order, or why there is none.
  /// - Throws: What keeps the document from being opened; `cancelled` when the task is, or after
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

  /// Lets go of the document; requests that come later are `cancelled`.
  public func close() {
    isClosed = true
    opened = nil
  }

  /// The document, or a part of it, opened if it is not what is open.
  private func session(
    _ subset: DocumentSubset?,
    during operation: String
  ) throws(DocumentError) -> DrawingSession {
    if isClosed || Task.isCancelled { throw DocumentError.cancelled.during(operation) }
    if let opened, opened.subset == subset { return opened.session }
    // What was open goes first, so that two documents are never in memory at once.
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
