internal import RectoBase
internal import RectoTiles

/// Tiles shared with other machines.
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

  /// The shared store, if the tiles of this document are shared: it is identified by its contents and has no password.
  private var sharedCache: SharedTileCache? {
    guard settings.identity == .content, settings.password == nil, cache?.program != nil else {
      return nil
    }
    return settings.shared
  }

  /// Shares drawn tiles, unless the file was written to since it was opened: its key is that of the original bytes.
  func share(_ named: [(key: CachedTileKey, bytes: [UInt8])]) {
    guard let shared = sharedCache, file.isUntouched else { return }
    shared.put(named)
  }

  /// Gets tiles that other machines have drawn, and adds them to the cache.
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
