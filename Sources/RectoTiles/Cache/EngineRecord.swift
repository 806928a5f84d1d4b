internal import DocumentModel
public import RectoBase
internal import SystemPackage

/// The libraries that a worker program draws with, so that keys can be made without starting it.
///
/// Stored by the identity of the program, so that it is never used for another one.
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

  /// The libraries and their versions, if a valid name is known.
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

  /// Over the libraries and the program they belong to, so that a changed or swapped record is rejected.
  private func sum(of engine: String) -> String {
    var digest = Digest("recto engine of a program 1")
    digest.add(key)
    digest.add(engine)
    return digest.key().hexadecimal
  }

  /// The most bytes of the names and versions of libraries.
  private static let limit = 1 << 10

  /// Stores the libraries and their versions.
  ///
  /// - Throws: `FileError` when the record cannot be written.
  public func store(_ engine: String) throws(FileError) {
    try directory.write(Array("\(engine)\n\(sum(of: engine))\n".utf8), to: path, in: shard)
  }
}
