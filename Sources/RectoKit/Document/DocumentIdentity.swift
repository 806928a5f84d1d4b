public import DocumentModel
internal import RectoBase
public import RectoTiles
public import SystemPackage

/// How a document is identified in the cache.
public enum DocumentIdentity: String, Hashable, Sendable, CaseIterable {
  /// The file: device, inode, size, and the times of its last changes. Free; but a copy, or a file moved to another
  /// file system, is another document.
  case file
  /// The bytes of the file, and of the worker program, so that machines can share a cache. A file is read once, and its
  /// digest is stored until the file changes.
  case content
}

extension OpenFile {
  /// The key of the bytes, from the cache if it knows the file.
  ///
  /// - Parameter directory: The cache, which stores the key. A failure to write will be reported when something else is
  ///   stored.
  /// - Throws: `DocumentError` as for ``contentsKey()``.
  func contentsKey(in directory: CacheDirectory) throws(DocumentError) -> CacheKey {
    let record = ContentRecord(identity, in: directory)
    if let known = record.contents { return known }
    let contents = try contentsKey()
    if isSettled() { try? record.store(contents) }
    return contents
  }

  /// The key of the bytes.
  ///
  /// - Throws: `DocumentError` with `unreadable` when the file cannot be read, `changed` when it was
  ///   changed meanwhile.
  /// - Complexity: O(*n*) in the number of bytes.
  func contentsKey() throws(DocumentError) -> CacheKey {
    // The strong name of the version, which is the same on all machines, takes the place of the bytes.
    if remote != nil { return .document(identity, password: nil) }
    var offset: Int64 = 0
    let key = try CacheKey.contents { (buffer) throws(DocumentError) in
      do {
        let count = try descriptor.read(fromAbsoluteOffset: offset, into: buffer)
        offset += Int64(count)
        return count
      } catch {
        throw DocumentError(.unreadable, during: "", "\(error)")
      }
    }
    guard isUnchanged else {
      throw DocumentError(.changed, during: "read", "the file was changed meanwhile")
    }
    return key
  }
}

extension CacheDirectory {
  /// Removes all entries of the document at a path, however it was identified, and with any password.
  ///
  /// - Throws: `DocumentError` with `unreadable` when the file cannot be opened or read, `changed` when
  ///   it was changed meanwhile, `io` when the cache is not this user's own or cannot be changed.
  /// - Complexity: O(*n*) in the entries of the cache and the bytes of the file.
  public func clear(documentAt path: FilePath) throws(DocumentError) {
    let file = try OpenFile(path)
    let contents = try file.contentsKey()
    do throws(FileError) {
      try clear([.document(file.identity, password: nil), .document(contents, password: nil)])
    } catch {
      throw DocumentError(.io, during: "clear the cache", "\(error.path): \(error)")
    }
  }
}
