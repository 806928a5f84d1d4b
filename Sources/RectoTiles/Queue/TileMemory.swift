/// A tile of one of the queue's sources.
struct SourceTile: Hashable {
  var source: SourceID
  var key: TileKey
}

/// Tiles in memory; the least recently used are evicted first.
struct TileMemory {
  /// The most bytes of tiles that are not pinned.
  let limit: Int
  /// Bytes that tiles take.
  private(set) var bytes = 0

  /// A link of the list from the least to the most recently used tile.
  private struct Link {
    var tile: Tile
    var older: SourceTile?
    var newer: SourceTile?
  }
  private var links: [SourceTile: Link] = [:]
  private var oldest: SourceTile?
  private var newest: SourceTile?

  init(limit: Int) { self.limit = limit }

  var count: Int { links.count }

  /// Returns a tile and marks it as just used.
  ///
  /// - Complexity: O(1).
  mutating func use(_ name: SourceTile) -> Tile? {
    guard let tile = links[name]?.tile else { return nil }
    if newest != name {
      unlink(name)
      append(tile, as: name)
    }
    return tile
  }

  /// Adds a tile as just used, and evicts others if there are too many bytes.
  ///
  /// - Parameters:
  ///   - isPinned: Whether a tile must stay.
  mutating func insert(_ tile: Tile, as name: SourceTile, isPinned: (SourceTile) -> Bool) {
    remove(name)
    var tile = tile
    tile.source = .memory
    append(tile, as: name)
    bytes += tile.bytes.count
    trim(isPinned: isPinned)
  }

  /// Evicts tiles until the limit is met or only pinned ones are left.
  ///
  /// - Complexity: O(number of evicted tiles + older pinned ones).
  mutating func trim(isPinned: (SourceTile) -> Bool) {
    var next = oldest
    while bytes > limit, let name = next {
      next = links[name]?.newer
      if !isPinned(name) { remove(name) }
    }
  }

  /// Removes all tiles of a source.
  ///
  /// - Complexity: O(number of tiles).
  mutating func removeAll(of source: SourceID) {
    for name in links.keys where name.source == source { remove(name) }
  }

  private mutating func remove(_ name: SourceTile) {
    guard let tile = links[name]?.tile else { return }
    bytes -= tile.bytes.count
    unlink(name)
  }

  private mutating func unlink(_ name: SourceTile) {
    guard let link = links.removeValue(forKey: name) else { return }
    if let older = link.older { links[older]?.newer = link.newer } else { oldest = link.newer }
    if let newer = link.newer { links[newer]?.older = link.older } else { newest = link.older }
  }

  private mutating func append(_ tile: Tile, as name: SourceTile) {
    links[name] = Link(tile: tile, older: newest)
    if let newest { links[newest]?.newer = name } else { oldest = name }
    newest = name
  }
}
