public import SystemPackage

/// A part of a page as PNG.
public struct Tile: Hashable, Sendable {
  /// Where it came from.
  public enum Source: String, Hashable, Sendable {
    /// It has been drawn now.
    case rendered
    /// It was still in memory.
    case memory
    /// It lay in the cache directory.
    case disk
  }

  /// The PNG file's bytes.
  public var bytes: [UInt8]
  /// Its file in the cache; nil without a cache or when that could not be written.
  public var cached: FilePath?
  /// Where it came from.
  public var source: Source

  /// A tile from its parts.
  ///
  /// - Parameters:
  ///   - bytes: The PNG file's bytes.
  ///   - cached: Its file in the cache; nil without one.
  ///   - source: Where it came from.
  public init(bytes: [UInt8], cached: FilePath?, source: Source) {
    self.bytes = bytes
    self.cached = cached
    self.source = source
  }
}
