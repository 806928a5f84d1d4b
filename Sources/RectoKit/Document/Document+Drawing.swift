public import DocumentModel
internal import RectoBase
public import RectoGeometry
public import RectoTiles
internal import Synchronization
internal import SystemPackage

/// Parts of a page, drawn or found.
public struct PagePictures: Hashable, Sendable {
  /// One for each part asked for, in order.
  public var pictures: [Tile]
  /// The engine's warnings; empty for pictures from the cache.
  public var warnings: Warnings
  /// The engine's warnings about each sheet of a vector file.
  var sheets: [Warnings] = []
}

extension PagePictures: BriefValue {
  /// How many pictures, and their bytes.
  public var description: String {
    "\(pictures.count) pictures, \(pictures.reduce(0) { $0 + $1.bytes.count }) bytes"
  }
}

/// Drawing: pictures from the cache, else from the engine.
extension Document {
  /// Parts of a page as tiles, from the cache where it has them.
  ///
  /// Returns all parts or throws; parts of failed or incomplete pages are not cached.
  ///
  /// - Parameters:
  ///   - raster: The page at its scale.
  ///   - parts: Rectangles in pixels from the page's top left.
  /// - Returns: A picture for each part, in order, with what poppler warned about.
  /// - Throws: `DocumentError` when the document cannot be opened or a part cannot be drawn;
  ///   `pageMismatch` as for ``draw(_:)-(PageDrawing)``; `changed` when the file was changed meanwhile.
  public func pictures(
    of raster: PageRaster,
    parts: [PixelRect]
  ) async throws(DocumentError) -> PagePictures {
    guard let cache else { return try await draw(tileDrawing(raster, parts)) }
    openingPage = raster.pageIndex
    let keys = cache.tileKeys(raster, parts, engine: try await engineVersion())
    var found = cache.tiles(keys)
    let missing = found.indices.filter { found[$0] == nil }
    guard !missing.isEmpty else {
      return PagePictures(pictures: found.compactMap(\.self), warnings: Warnings())
    }
    let drawn = try await draw(raster, missing.map { keys[$0] })
    for (index, tile) in zip(missing, drawn.pictures) { found[index] = tile }
    return PagePictures(pictures: found.compactMap(\.self), warnings: drawn.warnings)
  }

  /// Draws a page without the cache, for pictures that are written to other files.
  ///
  /// - Parameter drawing: The page and the pictures to make of it.
  /// - Returns: A picture for each that is asked for, in order, with what poppler warned about.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be drawn; `usage` or `pageSize`
  ///   for pictures that do not fit the raster; `pageMismatch` when poppler has taken the place of the page tree reader
  ///   since the raster was made, and finds the page with another crop box or rotation: it has to be measured again;
  ///   `changed` when the file was changed meanwhile.
  public func draw(_ drawing: PageDrawing) async throws(DocumentError) -> PagePictures {
    do throws(DocumentError) {
      return try await drawn(drawing)
    } catch {
      // The embedded thumbnail may have killed the worker. A limit applies to the page, whichever is read.
      guard drawing.purpose == .thumbnail, error.code == .crash else { throw error }
      var drawing = drawing
      drawing.purpose = .picture
      return try await drawn(drawing)
    }
  }

  /// Draws sheets as one vector file. Not cached.
  ///
  /// - Parameters:
  ///   - sheets: The sheets, with at least one page; one for SVG.
  ///   - style: SVG or PDF.
  /// - Returns: The file, and the engine's warnings about each sheet.
  /// - Throws: `DocumentError` as for ``draw(_:)-(PageDrawing)``: a page that cannot be drawn, which is named if there
  ///   are several, makes all of it fail; `memoryLimit` for a file of more than `VectorSheet.largestFile`.
  public func vectorFile(
    _ sheets: [VectorSheet],
    style: PictureStyle
  ) async throws(DocumentError) -> (file: [UInt8], warnings: [Warnings]) {
    guard let first = sheets.lazy.flatMap(\.pages).first else {
      throw DocumentError(.usage, during: "draw", "there is no page on the sheet")
    }
    let drawn = try await draw(PageDrawing(first.raster, .sheets(sheets), style: style))
    var warnings = drawn.sheets
    repaired.withLock { repaired in
      for (place, sheet) in sheets.enumerated() where place < warnings.count {
        for page in Set(sheet.pages.map(\.raster.pageIndex)) {
          if let repairs = repaired[page] { warnings[place].repairs.formUnion(repairs) }
        }
      }
    }
    return (drawn.pictures.flatMap(\.bytes), warnings)
  }

  /// Draws a page with the engine, from a subset of the pages around it if the page tree reader can make one.
  private func drawn(_ drawing: PageDrawing) async throws(DocumentError) -> PagePictures {
    let page = drawing.raster.pageIndex
    let pages = drawing.pages
    let (planned, first) = (pages.map { known.info(of: $0) }, generation)
    return try await withOneReader { () throws(DocumentError) in
      for (page, planned) in zip(pages, planned) {
        try await require(page, page)
        guard let planned, generation != first else { continue }
        let (box, rotation) = (planned.cropBox, planned.rotation ?? .none)
        let shape = DocumentSubset.Page(index: page, cropBox: box, rotation: rotation)
        if try await !shape.agrees(with: self.page(at: page)) { try requireGeneration(first) }
      }
      if drawing.purpose == .thumbnail { tree.keepEmbeddedPictures() }
      let subset = try pages.count == 1 ? subset(around: page) : subset(of: pages)
      let drawn: DrawnPage
      do throws(DocumentError) {
        drawn = try await engine.draw(drawing, subset: subset)
      } catch {
        throw final(error, of: page)
      }
      return try pictures(drawn, of: page, allowsEmbedded: drawing.purpose == .thumbnail)
    }
  }

  /// The pages to open for one of them; nil for the whole document.
  ///
  /// - Throws: `pageMismatch` when the page tree reader turns out to be wrong.
  func subset(around page: PageIndex) throws(DocumentError) -> DocumentSubset? {
    let subset = tree.subset(around: page, seen: seenPages.withLock(\.self))
    noteRepairs()
    try requireAgreement()
    if subset == nil { try requireShown() }
    return subset
  }

  /// A subset of pages that are drawn together; nil for the whole document.
  ///
  /// - Throws: `pageMismatch` when the page tree reader turns out to be wrong.
  private func subset(of pages: [PageIndex]) throws(DocumentError) -> DocumentSubset? {
    let subset = tree.subset(of: pages)
    noteRepairs()
    try requireAgreement()
    return subset
  }

  /// The engine's drawing as pictures.
  ///
  /// - Parameters:
  ///   - allowsEmbedded: Whether the page's embedded picture was also accepted.
  /// - Returns: The pictures, with poppler's warnings and the repairs.
  /// - Throws: `changed` when the file was changed meanwhile.
  nonisolated func pictures(
    _ drawn: DrawnPage,
    of page: PageIndex,
    allowsEmbedded: Bool = false
  ) throws(DocumentError) -> PagePictures {
    // Pictures of other bytes than the keys identify must not be cached under them.
    guard file.isUnchanged else {
      throw DocumentError(.changed, during: "draw", "the file was changed meanwhile")
    }
    let incomplete = drawn.warnings.incomplete
    var warnings = drawn.warnings
    warnings.repairs = repaired.withLock { $0[page] } ?? Repairs()
    let source: Tile.Source = allowsEmbedded && drawn.isEmbedded ? .embedded : .rendered
    return PagePictures(
      pictures: drawn.pictures.map {
        Tile(bytes: $0, cached: nil, source: source, incomplete: incomplete)
      },
      warnings: warnings,
      sheets: drawn.sheets
    )
  }

  private nonisolated func tileDrawing(_ raster: PageRaster, _ parts: [PixelRect]) -> PageDrawing {
    PageDrawing(raster, .parts(parts), purpose: .tiles)
  }

  /// Gets tiles of a page from the shared store, or draws them, and caches them unless the page is incomplete.
  ///
  /// - Returns: A tile for each key, in order, with what poppler warned about.
  /// - Throws: `DocumentError` as for ``draw(_:)-(PageDrawing)``.
  private func draw(
    _ raster: PageRaster,
    _ keys: [CachedTileKey]
  ) async throws(DocumentError) -> PagePictures {
    var tiles = await sharedTiles(keys)
    let missing = tiles.indices.filter { tiles[$0] == nil }
    guard !missing.isEmpty else {
      return PagePictures(pictures: tiles.compactMap(\.self), warnings: Warnings())
    }
    let missingKeys = missing.map { keys[$0] }
    var drawn = try await draw(tileDrawing(raster, missingKeys.map(\.part)))
    if drawn.warnings.incomplete == nil {
      let named = zip(missingKeys, drawn.pictures).map { (key: $0, bytes: $1.bytes) }
      store(named, &drawn.pictures)
      share(named)
    }
    for (index, tile) in zip(missing, drawn.pictures) { tiles[index] = tile }
    return PagePictures(pictures: tiles.compactMap(\.self), warnings: drawn.warnings)
  }

  /// Closes the engine. Later requests fail with `cancelled`; known info is kept.
  public func close() async { await engine.close() }

  /// Announces pages that will all be drawn soon, so that they are opened together: the worker loads their fonts once,
  /// and no other page is opened with them.
  ///
  /// - Parameter pages: Consecutive pages. A page that is not drawn after all costs the time to open it.
  public func willDraw(_ pages: Range<PageIndex>) { tree.expect(pages) }

  /// Announces the visible pages, so that after a jump they do not wait for others to be opened.
  ///
  /// - Parameter pages: Consecutive pages, which replace the previous ones.
  public nonisolated func willShow(_ pages: Range<PageIndex>) {
    seenPages.withLock { $0 = pages }
  }

  /// Starts workers for pages that are about to be drawn, with the surroundings of one of them open.
  /// Only where pages are certain to be drawn: tiles in the cache need no worker.
  ///
  /// - Parameters:
  ///   - page: The page that is needed first; nil opens nothing yet.
  ///   - workers: The most workers to start.
  public func prepareToDraw(page: PageIndex? = nil, workers: Int = .max) async {
    await engine.prepare(subset: page.flatMap { tree.subset(around: $0) }, workers: workers)
  }
}

extension Document: TileSource {
  /// Tiles in the cache. Finds none while the engine that would draw them is unknown; does not
  /// start a worker to learn it.
  public func stored(_ keys: [TileKey]) -> [Tile?] {
    guard let cache, let engine = knownEngine() else { return keys.map { _ in nil } }
    return cache.tiles(keys.flatMap { cache.tileKeys($0.raster, [$0.part], engine: engine) })
  }

  /// Draws tiles of one raster and keeps them in the cache.
  ///
  /// - Throws: Why the page cannot be drawn, and `fault` for tiles of several rasters.
  public func draw(_ keys: [TileKey]) async throws(DocumentError) -> [Tile] {
    guard let raster = keys.first?.raster else { return [] }
    guard keys.allSatisfy({ $0.raster == raster }) else {
      throw DocumentError(.fault, during: "draw", "tiles of several pages at once")
    }
    let parts = keys.map(\.part)
    guard let cache else { return try await draw(tileDrawing(raster, parts)).pictures }
    return try await draw(raster, cache.tileKeys(raster, parts, engine: engineVersion())).pictures
  }
}
