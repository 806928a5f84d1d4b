public import FileSystem
public import Geometry
internal import PNGCoding
public import SystemPackage

/// Tiles on disk.
///
/// There is no `fsync` on the way in, so every tile is checked on the way out: PNG signature, kind
/// and size, the checksum of every chunk, and the end where it belongs. What fails is removed and counts as a
/// miss, so a torn write costs one tile drawn again.
public struct TileCache: Hashable, Sendable {
  private let directory: CacheDirectory

  /// The tiles in `directory`.
  public init(_ directory: CacheDirectory) {
    self.directory = directory
  }

  /// Where a tile lies or would lie.
  public func path(of key: CacheKey) -> FilePath {
    directory.path(.tiles, key, ".png")
  }

  /// A tile's bytes; nil when it is not there or not whole.
  public func tile(_ key: CacheKey, size: PixelSize) -> [UInt8]? {
    let path = path(of: key)
    guard
      let bytes = directory.read(
        path,
        in: CacheShard(.tiles, of: key),
        limit: PNGEncoder.largestTile(size)
      )
    else { return nil }
    guard PNGStructure.isTile(bytes.span.bytes, size: size) else {
      // A miss either way; drawing it again replaces it.
      try? Files.remove(path)
      return nil
    }
    Files.touch(path, ifOlderThan: Self.touchInterval)
    return bytes
  }

  /// Keeps a tile.
  ///
  /// - Throws: `FileError` when the tile cannot be written.
  public func store(_ bytes: [UInt8], as key: CacheKey) throws(FileError) {
    try directory.write(bytes, to: path(of: key), in: CacheShard(.tiles, of: key))
  }

  /// The time of last use is the time of modification, set at most this often, in seconds.
  private static let touchInterval = 300
}
