internal import RectoBase
internal import RectoTiles

/// Tiles that other machines have drawn, or will find.
extension Document {
  /// Keeps tiles in the cache.
  ///
  /// - Parameters:
  ///   - named: The key and the bytes of each tile.
  ///   - tiles: The same tiles, which get their paths.
  func store(_ named: [(key: CachedTileKey, bytes: [UInt8])], _ tiles: inout [Tile]) {
    guard let cache else { return }
    keep { () throws(FileError) in
      let paths = try TileCache(cache.directory).store(named)
      for (index, path) in paths.enumerated() { tiles[index].cached = path }
    }
  }

  /// Where machines share tiles, if this document is one whose tiles are shared: known by its bytes, and
  /// readable without a password.
  private var sharedCache: SharedTileCache? {
    guard settings.identity == .content, settings.password == nil, cache?.program != nil else {
      return nil
    }
    return settings.shared
  }

  /// Shares tiles that were drawn, unless the file was written to since it was opened: its key is that of
  /// the bytes that it had.
  func share(_ named: [(key: CachedTileKey, bytes: [UInt8])]) {
    guard let shared = sharedCache, file.isUntouched else { return }
    shared.put(named)
  }

  /// Tiles that other machines have drawn; they are in the cache from now on.
  func sharedTiles(_ keys: [CachedTileKey]) async -> [Tile?] {
    guard let shared = sharedCache else { return keys.map { _ in nil } }
    let found = await shared.tiles(keys)
    let named = zip(keys, found).compactMap { key, bytes in bytes.map { (key: key, bytes: $0) } }
    var tiles = named.map { Tile(bytes: $0.bytes, cached: nil, source: .shared) }
    store(named, &tiles)
    var rest = tiles[...]
    return found.map { $0 == nil ? nil : rest.removeFirst() }
  }
}
