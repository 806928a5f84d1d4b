public import DocumentModel
public import FileSystem
public import Geometry
internal import PictureFiles
public import SystemPackage

/// Tiles on disk.
///
/// There is no `fsync` on the way in, so the structure of every picture is checked on the way out: format, kind
/// and size, and that it is whole; for PNG, also the checksum of every chunk. What fails is removed and counts
/// as a miss, so a torn write costs one tile drawn again.
public struct TileCache: Hashable, Sendable {
  private let directory: CacheDirectory

  /// The tiles in `directory`.
  public init(_ directory: CacheDirectory) {
    self.directory = directory
  }

  /// Where a tile lies or would lie.
  public func path(of key: CacheKey, _ format: PictureFormat = .png) -> FilePath {
    directory.path(.tiles, key, ".\(format.fileExtension)")
  }

  /// A tile's bytes; nil when it is not there or not whole.
  ///
  /// - Parameters:
  ///   - key: The key of the tile.
  ///   - size: The size of the picture in pixels.
  ///   - style: The style that `key` was made of.
  /// - Returns: The file.
  public func tile(
    _ key: CacheKey,
    size: PixelSize,
    style: PictureStyle = .tile
  ) -> [UInt8]? {
    let path = path(of: key, style.format)
    guard
      let bytes = directory.read(
        path,
        in: CacheShard(.tiles, of: key),
        limit: PictureStructure.largest(size, style)
      )
    else { return nil }
    guard PictureStructure.isPicture(bytes, size: size, style) else {
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
  public func store(
    _ bytes: [UInt8],
    as key: CacheKey,
    _ format: PictureFormat = .png
  ) throws(FileError) {
    try directory.write(bytes, to: path(of: key, format), in: CacheShard(.tiles, of: key))
  }

  /// The time of last use is the time of modification, set at most this often, in seconds.
  private static let touchInterval = 300
}
