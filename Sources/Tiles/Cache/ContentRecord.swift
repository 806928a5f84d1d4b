public import FileSystem
internal import SystemPackage

/// The digest of a file's contents, so that a file whose identity is known is not read again.
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

  /// The key of the contents, if it is known.
  public var contents: CacheKey? {
    guard let bytes = directory.read(path, in: shard, limit: Self.length),
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
    try directory.keepLimits()
  }

  /// Two digests and a line end.
  private static let length = 65

  /// Of the contents and of the file that they belong to, so that a record that was swapped for another
  /// one is rejected.
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
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try read(buffer)
      guard count > 0 else { return digest.key() }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
