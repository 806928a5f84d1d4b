public import DocumentModel
public import RectoTiles
internal import RenderWorkers

/// A name for the appearance of a document.
extension Document {
  /// Identifies the pixels of all pages: it differs for another file, password, shown content, engine, placement of
  /// text or rasterizer.
  ///
  /// If ``DocumentSettings/identity`` is the content and there is a cache, the key is the same on every
  /// machine.
  ///
  /// - Throws: Whatever keeps the document from being opened.
  public func drawingKey() async throws(DocumentError) -> CacheKey {
    let engine = try await engineVersion()
    return .drawing(
      of: contentKey,
      program: cache?.program
        ?? program.flatMap { WorkerProgram.identity($0) }.map(CacheKey.program),
      engine: engine,
      text: self.engine.text,
      rasterizer: self.engine.rasterizer
    )
  }

  /// Identifies what is drawn: the part of ``drawingKey()`` that does not depend on what draws it.
  package var contentKey: CacheKey {
    cache?.document ?? .document(identity, password: settings.password).showing(settings.shown)
  }
}
