internal import Glibc
public import RectoBase
internal import SystemPackage

/// Parts of a document on a server, kept under its address and version.
///
/// Parts are written without `fsync` and have a checksum: a damaged one is a miss.
public struct PartCache: Sendable {
  /// What is known of the document at an address.
  public struct Revision: Hashable, Sendable {
    /// The strong entity tag.
    public var tag: String
    /// The number of bytes.
    public var size: Int

    /// A version from its parts.
    ///
    /// - Parameters:
    ///   - tag: The strong entity tag.
    ///   - size: The number of bytes.
    public init(tag: String, size: Int) {
      (self.tag, self.size) = (tag, size)
    }
  }

  /// The bytes of a part; the last one of a document has fewer.
  public static let partLength = 1 << 16

  /// The most bytes to store at a time: a quarter of what the cache may hold.
  public var most: Int { directory.limits.size.map { $0 / 4 } ?? .max }

  private let directory: CacheDirectory
  private let address: String

  /// The parts of the document at an address.
  ///
  /// - Parameters:
  ///   - address: With everything that leads to the document; only a digest of it is written.
  ///   - directory: The cache.
  public init(address: String, in directory: CacheDirectory) {
    self.address = address
    self.directory = directory
  }

  /// The version that was stored last.
  public var version: Revision? {
    guard let bytes = Self.bytes(of: versionKey, in: directory) else { return nil }
    var reader = ByteReader(bytes)
    guard let tag = try? reader.readString(atMost: Self.longestTag),
      let size = try? reader.readInt(), size >= 0, (try? reader.finish()) != nil
    else { return nil }
    return Revision(tag: tag, size: size)
  }

  /// The bytes of a part.
  ///
  /// - Parameters:
  ///   - index: The number of parts before it.
  ///   - version: The version of the document.
  /// - Returns: As many bytes as the part has; nil for a missing or damaged one.
  public func part(_ index: Int, of version: Revision) -> ArraySlice<UInt8>? {
    let count = min(Self.partLength, version.size - index * Self.partLength)
    guard count > 0, let bytes = Self.bytes(of: key(index, version), in: directory),
      bytes.count == count
    else { return nil }
    return bytes
  }

  /// Stores parts, and that the document has the version.
  ///
  /// - Parameters:
  ///   - parts: The number of parts before each, and all of its bytes.
  ///   - version: The version of the document.
  /// - Throws: `FileError` when one cannot be written.
  public func store(
    _ parts: [(index: Int, bytes: [UInt8])],
    of version: Revision
  ) throws(FileError) {
    for part in parts { try store(part.bytes, as: key(part.index, version)) }
    if self.version != version {
      var writer = ByteWriter()
      writer.write(version.tag)
      writer.write(version.size)
      try store(writer.bytes, as: versionKey)
    }
    directory.keepLimits()
  }

  private func store(_ bytes: [UInt8], as key: CacheKey) throws(FileError) {
    let path = directory.path(.parts, key)
    let shard = CacheShard(.parts, of: key)
    try directory.write(SealedBytes.seal(bytes, as: key.hexadecimal), to: path, in: shard)
  }

  /// The bytes of an entry; nil for a missing or damaged one.
  ///
  /// - Parameter interval: The time of last use is recorded at most this often, in seconds; nil if this is not a use.
  static func bytes(
    of key: CacheKey,
    in directory: CacheDirectory,
    noting interval: Int? = CacheDirectory.useInterval
  ) -> ArraySlice<UInt8>? {
    let path = directory.path(.parts, key)
    let shard = CacheShard(.parts, of: key)
    let limit = partLength + longestTag
    guard let bytes = directory.read(path, in: shard, limit: limit, noting: interval) else {
      return nil
    }
    return SealedBytes.open(bytes, as: key.hexadecimal)
  }

  /// In bytes.
  private static let longestTag = 1024

  private var versionKey: CacheKey {
    var digest = Digest("recto version of a document 1")
    digest.add(address)
    return digest.key()
  }

  private func key(_ index: Int, _ version: Revision) -> CacheKey {
    var digest = Digest("recto part of a document 1")
    digest.add(address)
    digest.add(version.tag)
    digest.add(version.size)
    digest.add(index)
    return digest.key()
  }
}
