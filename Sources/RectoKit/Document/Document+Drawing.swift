public import DocumentModel
internal import FileSystem
public import Geometry
public import PageNumbers
internal import SystemPackage
public import Tiles

/// Parts of a page, drawn or found.
public struct PagePictures: Hashable, Sendable {
  /// One for each part asked for, in order.
  public var pictures: [Tile]
  /// What the engine warned about while it drew; nothing is known for what was found.
  public var warnings: Warnings
}

/// Drawing: tiles from the cache, else from the engine.
extension Document {
  /// Parts of a page as PNG, from the cache where it has them.
  ///
  /// Either all parts come back or an error: no part of a page that failed is kept.
  ///
  /// - Parameters:
  ///   - raster: The page at its scale.
  ///   - parts: Rectangles in pixels from the page's top left.
  ///   - isOneOff: Whether nothing else of this page at this scale will be wanted soon.
  /// - Returns: A tile for each part, in order, with what poppler warned about.
  /// - Throws: `DocumentError` when the document cannot be opened or a part cannot be drawn;
  ///   `changed` when the file was changed meanwhile.
  public func pictures(
    of raster: PageRaster,
    parts: [PixelRect],
    isOneOff: Bool = false
  ) async throws(DocumentError) -> PagePictures {
    let keys = cacheKeys(raster, parts, isOneOff: isOneOff, engine: try await engineVersion())
    var found = stored(keys, parts)
    let missing = found.indices.filter { found[$0] == nil }
    guard !missing.isEmpty else {
      return PagePictures(pictures: found.compactMap(\.self), warnings: Warnings())
    }
    let drawn = try await draw(
      raster,
      parts: missing.map { parts[$0] },
      keys: missing.map { keys[$0] },
      isOneOff: isOneOff
    )
    for (index, tile) in zip(missing, drawn.pictures) { found[index] = tile }
    return PagePictures(pictures: found.compactMap(\.self), warnings: drawn.warnings)
  }

  func cacheKeys(
    _ raster: PageRaster,
    _ parts: [PixelRect],
    isOneOff: Bool,
    engine: String
  ) -> [CachedTileKey] {
    let drawing = CacheKey.drawing(of: key, program: programKey, engine: engine)
    return parts.map {
      CachedTileKey(
        document: fileKey,
        drawing: drawing,
        raster: raster,
        part: $0,
        isOneOff: isOneOff
      )
    }
  }

  private func stored(_ keys: [CachedTileKey], _ parts: [PixelRect]) -> [Tile?] {
    guard let cache = settings.cache.map({ TileCache($0) }) else { return keys.map { _ in nil } }
    return cache.tiles(zip(keys, parts).map { ($0, $1.size) }).map { found in
      found.map { Tile(bytes: $0.bytes, cached: $0.path, source: .disk) }
    }
  }

  /// Draws parts of a page without looking them up, and keeps them.
  ///
  /// - Parameters:
  ///   - raster: The page at its scale.
  ///   - parts: Rectangles in pixels from the page's top left.
  ///   - keys: The key of each part in the cache.
  ///   - isOneOff: Whether nothing else of this page at this scale will be wanted soon.
  /// - Returns: A tile for each part, in order, with what poppler warned about.
  /// - Throws: `DocumentError` as for ``pictures(of:parts:isOneOff:)``.
  func draw(
    _ raster: PageRaster,
    parts: [PixelRect],
    keys: [CachedTileKey],
    isOneOff: Bool
  ) async throws(DocumentError) -> PagePictures {
    try requireAgreement()
    let subset = tree.subset(around: raster.pageIndex)
    try requireAgreement()
    let drawn: DrawnPage
    do throws(DocumentError) {
      drawn = try await engine.draw(raster, parts: parts, isOneOff: isOneOff, subset: subset)
    } catch {
      guard error.code == .pageMismatch else { throw error }
      throw giveUpTree("page \(raster.pageIndex.number): \(error)")
    }
    // What was drawn from other bytes than those the keys name must not be kept under them.
    guard file.isUnchanged else {
      throw DocumentError(.changed, during: "draw", "the file was changed meanwhile")
    }
    var paths: [FilePath] = []
    if let cache = settings.cache.map({ TileCache($0) }) {
      keep { () throws(FileError) in
        paths = try cache.store(zip(keys, drawn.pictures).map { ($0, $1) })
      }
    }
    let tiles = drawn.pictures.enumerated().map { index, bytes in
      Tile(bytes: bytes, cached: paths.isEmpty ? nil : paths[index], source: .rendered)
    }
    return PagePictures(pictures: tiles, warnings: drawn.warnings)
  }

  /// Starts workers for pages that are about to be drawn, with the surroundings of one of them open.
  /// Only where pages are certain to be drawn: tiles in the cache need no worker.
  ///
  /// - Parameters:
  ///   - page: The page that is wanted first; nil opens nothing yet.
  ///   - workers: How many at the most.
  public func prepareToDraw(page: PageIndex? = nil, workers: Int = .max) async {
    await engine.prepare(subset: page.flatMap { tree.subset(around: $0) }, workers: workers)
  }
}

extension Document: TileSource {
  /// Tiles that lie in the cache. None are found as long as it is not known which engine would draw
  /// them; a worker is not started to learn that.
  public func stored(_ keys: [TileKey]) -> [Tile?] {
    guard settings.cache != nil, let engine = knownEngine() else {
      return keys.map { _ in nil }
    }
    let parts = keys.map(\.part)
    let names = zip(keys, parts).flatMap { key, part in
      cacheKeys(key.raster, [part], isOneOff: false, engine: engine)
    }
    return stored(names, parts)
  }

  /// Draws tiles of one raster and keeps them in the cache.
  ///
  /// - Throws: What keeps the page from being drawn, and `fault` for tiles of several rasters.
  public func draw(_ keys: [TileKey]) async throws(DocumentError) -> [Tile] {
    guard let raster = keys.first?.raster else { return [] }
    guard keys.allSatisfy({ $0.raster == raster }) else {
      throw DocumentError(.fault, during: "draw", "tiles of several pages at once")
    }
    let parts = keys.map(\.part)
    let engine = try await engineVersion()
    return try await draw(
      raster,
      parts: parts,
      keys: cacheKeys(raster, parts, isOneOff: false, engine: engine),
      isOneOff: false
    ).pictures
  }
}
