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

/// Drawing: pictures from the cache, else from the engine.
extension Document {
  /// Parts of a page as pictures, from the cache where it has them.
  ///
  /// Either all parts come back or an error: no part of a page that failed is kept, and none of a page
  /// that is incomplete.
  ///
  /// - Parameters:
  ///   - raster: The page at its scale.
  ///   - parts: Rectangles in pixels from the page's top left.
  ///   - style: The format of the pictures, and what is kept of the pixels.
  ///   - isOneOff: Whether nothing else of this page at this scale will be wanted soon.
  ///   - isKept: Whether the cache is used. A picture that goes into a file of its own need not be
  ///     written twice: it is neither looked up nor kept.
  /// - Returns: A picture for each part, in order, with what poppler warned about.
  /// - Throws: `DocumentError` when the document cannot be opened or a part cannot be drawn;
  ///   `changed` when the file was changed meanwhile.
  public func pictures(
    of raster: PageRaster,
    parts: [PixelRect],
    style: PictureStyle = .tile,
    isOneOff: Bool = false,
    isKept: Bool = true
  ) async throws(DocumentError) -> PagePictures {
    let wish = Wish(raster: raster, style: style, isOneOff: isOneOff)
    guard isKept, settings.cache != nil else {
      return try await draw(wish, parts: parts, keys: nil)
    }
    let keys = cacheKeys(wish, parts, engine: try await engineVersion())
    var found = zip(parts, keys).map { stored($1, size: $0.size, style) }
    let missing = found.indices.filter { found[$0] == nil }
    guard !missing.isEmpty else {
      return PagePictures(pictures: found.compactMap(\.self), warnings: Warnings())
    }
    let drawn = try await draw(
      wish,
      parts: missing.map { parts[$0] },
      keys: missing.map { keys[$0] }
    )
    for (index, tile) in zip(missing, drawn.pictures) { found[index] = tile }
    return PagePictures(pictures: found.compactMap(\.self), warnings: drawn.warnings)
  }

  /// What is wanted of a page, apart from which parts.
  private struct Wish {
    var raster: PageRaster
    var style = PictureStyle.tile
    var isOneOff = false
  }

  private func cacheKeys(_ wish: Wish, _ parts: [PixelRect], engine: String) -> [CacheKey] {
    let drawing = CacheKey.drawing(of: key, program: programKey, engine: engine)
    return parts.map {
      CacheKey.tile(
        of: drawing,
        raster: wish.raster,
        part: $0,
        style: wish.style,
        isOneOff: wish.isOneOff
      )
    }
  }

  private func stored(_ key: CacheKey, size: PixelSize, _ style: PictureStyle) -> Tile? {
    guard let cache = settings.cache.map({ TileCache($0) }),
      let bytes = cache.tile(key, size: size, style: style)
    else { return nil }
    return Tile(bytes: bytes, cached: cache.path(of: key, style.format), source: .disk)
  }

  /// Draws parts of a page without looking them up, and keeps them unless the page is incomplete.
  ///
  /// - Parameters:
  ///   - wish: What is wanted of the page.
  ///   - parts: Rectangles in pixels from the page's top left.
  ///   - keys: The key of each part in the cache; nil to keep none.
  /// - Returns: A picture for each part, in order, with what poppler warned about.
  /// - Throws: `DocumentError` as for ``pictures(of:parts:style:isOneOff:isKept:)``.
  private func draw(
    _ wish: Wish,
    parts: [PixelRect],
    keys: [CacheKey]?
  ) async throws(DocumentError) -> PagePictures {
    try requireAgreement()
    let subset = tree.subset(around: wish.raster.pageIndex)
    try requireAgreement()
    let drawn: DrawnPage
    do throws(DocumentError) {
      drawn = try await engine.draw(
        wish.raster,
        parts: parts,
        style: wish.style,
        isOneOff: wish.isOneOff,
        subset: subset
      )
    } catch {
      guard error.code == .pageMismatch else { throw error }
      throw giveUpTree("page \(wish.raster.pageIndex.number): \(error)")
    }
    // What was drawn from other bytes than those the keys name must not be kept under them.
    guard file.isUnchanged else {
      throw DocumentError(.changed, during: "draw", "the file was changed meanwhile")
    }
    let incomplete = drawn.warnings.incomplete
    let tiles = drawn.pictures.enumerated().map { index, bytes in
      let path = incomplete == nil ? keys.flatMap { store(bytes, as: $0[index], wish.style) } : nil
      return Tile(bytes: bytes, cached: path, source: .rendered, incomplete: incomplete)
    }
    return PagePictures(pictures: tiles, warnings: drawn.warnings)
  }

  /// Keeps a picture, if there is a cache.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - key: Its key.
  ///   - style: Its style.
  /// - Returns: The path in the cache; nil if it could not be kept.
  private func store(_ bytes: [UInt8], as key: CacheKey, _ style: PictureStyle) -> FilePath? {
    guard let cache = settings.cache.map({ TileCache($0) }),
      keep({ () throws(FileError) in try cache.store(bytes, as: key, style.format) })
    else { return nil }
    return cache.path(of: key, style.format)
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
    return keys.map { tile in
      let part = tile.part
      let keys = cacheKeys(Wish(raster: tile.raster), [part], engine: engine)
      return keys.first.flatMap { stored($0, size: part.size, .tile) }
    }
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
    let wish = Wish(raster: raster)
    let engine = try await engineVersion()
    let names = cacheKeys(wish, parts, engine: engine)
    return try await draw(wish, parts: parts, keys: names).pictures
  }
}
