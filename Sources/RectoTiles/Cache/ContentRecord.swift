public import RectoBase
internal import SystemPackage

/// Stores the digest of a file's contents, so that a file with a known identity is not read again.
public struct ContentRecord: Sendable {
  private let directory: CacheDirectory
  private let key: CacheKey
  private var path: FilePath { directory.path(.contents, key) }
  private var shard: CacheShard { CacheShard(.contents, of: key) }

  /// The record of the file with an identity.
  public init(_ file: FileIdentity, in directory: CacheDirectory) {
    self.directory = directory
    var digest = Digest("recto file 1")
    digest.add(file)
    key = digest.key()
  }

  /// The record with a name.
  init(named key: CacheKey, in directory: CacheDirectory) {
    self.directory = directory
    self.key = key
  }

  /// The key of the contents, if it is known.
  public var contents: CacheKey? { contents(noting: CacheDirectory.useInterval) }

  /// The key of the contents, if it is known.
  ///
  /// - Parameter interval: The time of last use is recorded at most this often, in seconds; nil if this is not a use.
  func contents(noting interval: Int?) -> CacheKey? {
    guard let bytes = directory.read(path, in: shard, limit: Self.length, noting: interval),
      bytes.count == Self.length, let text = String(validating: bytes, as: UTF8.self),
      let contents = CacheKey(hexadecimal: text.prefix(32)), text.utf8.last == 0x0A,
      text.dropFirst(32).dropLast() == sum(of: contents)
    else { return nil }
    return contents
  }

  /// Keeps the key of the contents.
  ///
  /// - Throws: `FileError` when the record cannot be written.
  public func store(_ contents: CacheKey) throws(FileError) {
    let text = "\(contents.hexadecimal)\(sum(of: contents))\n"
    try directory.write(Array(text.utf8), to: path, in: shard)
    directory.keepLimits()
  }

  /// Two digests and a line end.
  private static let length = 65

  /// Over the contents and the file they belong to, so that a swapped record is rejected.
  private func sum(of contents: CacheKey) -> String {
    var digest = Digest("recto contents of a file 1")
    digest.add(key)
    digest.add(contents)
    return digest.key().hexadecimal
  }
}

extension CacheKey {
  /// The key of a file's contents.
  ///
  /// - Parameter read: Reads the next bytes into a buffer, and returns their number; 0 at the end.
  /// - Returns: The key.
  /// - Throws: What `read` throws.
  /// - Complexity: O(*n*) in the number of bytes, some 4 ns each.
  public static func contents<Failure>(
    _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> CacheKey {
    var digest = Digest("recto contents 1")
    try digest.update(reading: read)
    return digest.key()
  }

  /// The picture key of a file's bytes; nil if it cannot be read. Does not follow links.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func picture(at path: FilePath) -> CacheKey? {
    guard let file = try? Files.openEntry(path) else { return nil }
    defer { try? file.close() }  // read only: closing cannot lose anything
    var digest = Digest()
    do {
      try digest.update(reading: { try file.read(into: $0) })
    } catch {
      return nil
    }
    return digest.key()
  }
}

extension Digest {
  /// Adds all bytes of a file.
  ///
  /// - Parameter read: Reads the next bytes into a buffer, and returns their number; 0 at the end.
  /// - Throws: What `read` throws.
  fileprivate mutating func update<Failure>(
    reading read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try read(buffer)
      guard count > 0 else { return }
      update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
