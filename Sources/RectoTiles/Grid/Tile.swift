public import DocumentModel
public import SystemPackage

/// A part of a page as a picture file; PNG unless another style was asked for.
public struct Tile: Hashable, Sendable {
  /// Where it came from.
  public enum Source: String, Hashable, Sendable {
    /// It has been drawn now.
    case rendered
    /// It was still in memory.
    case memory
    /// It lay in the cache directory.
    case disk
    /// It came from a store shared between machines.
    case shared
    /// It was made from the thumbnail embedded for the page.
    case embedded
  }

  /// The bytes of the file.
  public var bytes: [UInt8]
  /// Its file in the cache; nil without a cache, or if it could not be written.
  public var cached: FilePath?
  /// Where it came from.
  public var source: Source
  /// Why the page is incomplete, in the library's words; nil if it is complete.
  public var incomplete: String?

  /// A tile from its parts.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - cached: Its file in the cache; nil without one.
  ///   - source: Where it came from.
  ///   - incomplete: Why the page is incomplete; nil if it is complete.
  public init(bytes: [UInt8], cached: FilePath?, source: Source, incomplete: String? = nil) {
    self.bytes = bytes
    self.cached = cached
    self.source = source
    self.incomplete = incomplete
  }
}

extension Tile: BriefValue {
  /// The bytes, and where they came from.
  public var description: String { "\(bytes.count) bytes, \(source.rawValue)" }
}
