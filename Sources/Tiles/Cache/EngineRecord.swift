internal import DocumentModel
public import FileSystem
internal import SystemPackage

/// Which libraries a worker program draws with, so that a key can be made without starting it.
///
/// Kept under the identity of the program: what one program says of itself is never taken for
/// another's word.
public struct EngineRecord: Sendable {
  private let directory: CacheDirectory
  private let path: FilePath
  private let shard: CacheShard

  /// The record of the worker named by `key`.
  public init(_ key: CacheKey, in directory: CacheDirectory) {
    self.directory = directory
    shard = CacheShard(.engines, of: key)
    path = directory.current.appending("engines").appending(key.hexadecimal)
  }

  /// The libraries and their versions, if they are known. What cannot be their name is not.
  public var engine: String? {
    guard let bytes = directory.read(path, in: shard, limit: Self.limit),
      bytes.last == UInt8(ascii: "\n")
    else { return nil }
    let name = String(decoding: bytes.dropLast(), as: UTF8.self)
    return OpenedDocument.isEngine(name) ? name : nil
  }

  /// Bytes that names and versions of libraries can have.
  private static let limit = 1 << 10

  /// Keeps the libraries and their versions.
  ///
  /// - Throws: `FileError` when the record cannot be written.
  public func store(_ engine: String) throws(FileError) {
    try directory.write(Array("\(engine)\n".utf8), to: path, in: shard)
  }
}
