internal import DocumentModel
internal import RectoBase
internal import RectoGeometry

/// Another engine that reads a document on a server: what a request needs is fetched before the engine gets it, so that
/// no worker ever waits for a network or reads bytes that are not there.
actor RemoteEngine: DocumentEngine {
  private let executor = QueueExecutor(label: "recto.remote-engine")
  /// The actor's own queue: fetching blocks.
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let engine: any DocumentEngine
  private let file: RemoteFile

  init(_ engine: any DocumentEngine, _ file: RemoteFile) {
    self.engine = engine
    self.file = file
  }

  nonisolated var text: TextPlacement { engine.text }
  nonisolated var rasterizer: Rasterizer { engine.rasterizer }

  /// Fetches what a subset has of the file; all of the file without one.
  private func fetch(_ subset: DocumentSubset?) throws(DocumentError) {
    guard let subset else { return try file.fetchAll() }
    try file.fetch(
      subset.pieces.compactMap { piece in
        switch piece {
        case .bytes: nil
        case .file(let range), .inflated(let range, _): range
        }
      }
    )
  }

  func draw(
    _ drawing: PageDrawing,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> DrawnPage {
    try fetch(subset)
    return try await engine.draw(drawing, subset: subset)
  }

  func draw(_ pages: any DrawingQueue, subset: DocumentSubset?) async {
    do throws(DocumentError) {
      try fetch(subset)
    } catch {
      while !Task.isCancelled, await pages.wait() {
        if let (number, _) = pages.next(isAhead: false) { pages.finish(number, .failure(error)) }
      }
      return
    }
    await engine.draw(pages, subset: subset)
  }

  func prepare(subset: DocumentSubset?, workers: Int) async {
    // A failure is reported when something is drawn.
    if let subset, (try? fetch(subset)) == nil { return }
    await engine.prepare(subset: subset, workers: workers)
  }

  func open(_ subset: DocumentSubset?) async throws(DocumentError) -> OpenedDocument {
    try fetch(subset)
    return try await engine.open(subset)
  }

  func properties() async throws(DocumentError) -> DocumentProperties {
    try fetch(nil)
    return try await engine.properties()
  }

  func measure(
    _ pages: Range<PageIndex>
  ) async throws(DocumentError) -> [Result<PageInfo, DocumentError>] {
    try fetch(nil)
    return try await engine.measure(pages)
  }

  func text(
    of pages: Range<PageIndex>,
    hasStyles: Bool,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>] {
    try fetch(subset)
    return try await engine.text(of: pages, hasStyles: hasStyles, subset: subset)
  }

  func links(of page: PageIndex) async throws(DocumentError) -> [PageLink] {
    try fetch(nil)
    return try await engine.links(of: page)
  }

  func outline() async throws(DocumentError) -> DocumentOutline {
    try fetch(nil)
    return try await engine.outline()
  }

  func destination(named name: String) async throws(DocumentError) -> LinkDestination? {
    try fetch(nil)
    return try await engine.destination(named: name)
  }

  func close() async { await engine.close() }
}
