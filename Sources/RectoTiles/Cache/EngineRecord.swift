internal import DocumentModel
public import RectoBase
internal import SystemPackage

/// Which libraries a worker program draws with, so that a key can be made without starting it.
///
/// Kept under the identity of the program: what one program says of itself is never taken for
/// another's word.
public struct EngineRecord: Sendable {
  private let directory: CacheDirectory
  private let key: CacheKey
  private let path: FilePath
  private let shard: CacheShard

  /// The record of the worker named by `key`.
  public init(_ key: CacheKey, in directory: CacheDirectory) {
    self.directory = directory
    self.key = key
    shard = CacheShard(.engines, of: key)
    path = directory.current.appending("engines").appending(key.hexadecimal)
  }

  /// The libraries and their versions, if they are known. What cannot be their name is not.
  public var engine: String? {
    guard let bytes = directory.read(path, in: shard, limit: Self.limit),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 3, lines[2].isEmpty, OpenedDocument.isEngine(String(lines[0])),
      lines[1] == sum(of: String(lines[0]))
    else { return nil }
    return String(lines[0])
  }

  /// Of the libraries and of the program that they belong to, so that a record that was changed, or swapped
  /// for another one, is rejected.
  private func sum(of engine: String) -> String {
    var digest = Digest("recto engine of a program 1")
    digest.add(key)
    digest.add(engine)
    return digest.key().hexadecimal
  }

  /// Bytes that names and versions of libraries can have.
  private static let limit = 1 << 10

  /// Keeps the libraries and their versions.
  ///
  /// - Throws: `FileError` when the record cannot be written.
  public func store(_ engine: String) throws(FileError) {
    try directory.write(Array("\(engine)\n\(sum(of: engine))\n".utf8), to: path, in: shard)
  }
}
