internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

/// The cache under the keys of one document.
struct DocumentCache {
  /// The cache.
  let directory: CacheDirectory
  /// The key of the document with its password, and what is shown of it: sizes, text and pictures depend on both.
  let document: CacheKey
  /// The key of the document with any password.
  let file: CacheKey
  /// The key of the worker program; nil for another engine.
  let program: CacheKey?
  /// The results of earlier runs. Nil when a reader is forced: the point is to see what that reader says; and once
  /// poppler has contradicted the page tree reader, which the next run reads with again.
  var record: DocumentRecord?
  /// The record of the drawing libraries; nil for another engine than the worker program.
  let engine: EngineRecord?
  /// Where glyphs are drawn.
  let text: TextPlacement
  /// The rasterizer.
  let rasterizer: Rasterizer

  /// The cache under the keys of an open file; nil if another change of the file could leave the same identity, so that
  /// entries could later be found for other bytes.
  ///
  /// - Parameters:
  ///   - file: The open file. If it was changed within the current tick of the system's clock, waits until that is
  ///     over.
  ///   - program: The worker program; nil for another engine.
  ///   - settings: The password, the reader, and how the document is identified.
  /// - Throws: `DocumentError` with `unreadable` when the file cannot be read, `changed` when it was
  ///   changed meanwhile.
  /// - Complexity: O(1); O(*n*) in the bytes of the file if its contents identify it and their digest is
  ///   not in the cache.
  init?(
    _ directory: CacheDirectory,
    _ file: OpenFile,
    program: FilePath?,
    text: TextPlacement,
    rasterizer: Rasterizer,
    _ settings: DocumentSettings
  ) throws(DocumentError) {
    guard file.isSettled() else { return nil }
    self.directory = directory
    self.text = text
    self.rasterizer = rasterizer
    switch settings.identity {
    case .file:
      self.file = .document(file.identity, password: nil)
      document = .document(file.identity, password: settings.password).showing(settings.shown)
      self.program = program.flatMap { WorkerProgram.identity($0) }.map(CacheKey.program)
    case .content:
      let contents = try file.contentsKey(in: directory)
      self.file = .document(contents, password: nil)
      document = .document(contents, password: settings.password).showing(settings.shown)
      // By its contents, too, so that other machines have the same key; with the fonts of this machine, because
      // documents may not embed theirs.
      self.program = try program.map { path throws(DocumentError) in
        let contents = try OpenFile(path).contentsKey(in: directory)
        return .program(contents: contents, fonts: WorkerProgram.fontsKey())
      }
    }
    record =
      settings.pageReader == .auto
      ? DocumentRecord(document, of: self.file, in: directory) : nil
    engine = program.flatMap { WorkerProgram.key(of: $0) }.map { EngineRecord($0, in: directory) }
  }

  /// The keys of tiles.
  ///
  /// - Parameters:
  ///   - engine: The libraries that draw, with their versions.
  /// - Returns: A key for each part.
  func tileKeys(_ raster: PageRaster, _ parts: [PixelRect], engine: String) -> [CachedTileKey] {
    let drawing = CacheKey.drawing(
      of: document,
      program: program,
      engine: engine,
      text: text,
      rasterizer: rasterizer
    )
    return parts.map {
      CachedTileKey(document: file, drawing: drawing, raster: raster, part: $0)
    }
  }

  /// The text of pages.
  ///
  /// - Parameter engine: The libraries that read it, with their versions.
  /// - Returns: The texts in the cache.
  func texts(engine: String) -> TextCache {
    let drawing = CacheKey.drawing(of: document, program: program, engine: engine)
    return TextCache(document: file, drawing: drawing, in: directory)
  }

  /// The tiles that are in the cache, in order; nil for others.
  func tiles(_ keys: [CachedTileKey]) -> [Tile?] {
    TileCache(directory).tiles(keys).map { found in
      found.map { Tile(bytes: $0.bytes, cached: $0.path, source: .disk) }
    }
  }
}
