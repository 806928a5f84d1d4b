public import DocumentModel
internal import FileSystem
public import SystemPackage
public import Tiles

/// What tells a document apart from others in the cache.
public enum DocumentIdentity: String, Hashable, Sendable, CaseIterable {
  /// The file: device, inode, size, and the times of its last changes. Costs nothing; a copy, or a file
  /// that was moved to another file system, is another document.
  case file
  /// The bytes of the file, and of the worker program, so that a cache can be used by several machines.
  /// A file is read once, and its digest is kept as long as the file does not change.
  case content
}

/// The keys of an open file.
struct DocumentKeys {
  /// The key of the file for every password.
  var file: CacheKey
  /// The key of the document with its password.
  var document: CacheKey
  /// Why the digest of the contents could not be kept.
  var failure: FileError?

  /// The keys of a file.
  ///
  /// - Parameters:
  ///   - file: The open file.
  ///   - settings: The password, what identifies the document, and the cache.
  /// - Throws: `DocumentError` with `unreadable` when the file cannot be read, `changed` when it was
  ///   changed meanwhile.
  init(of file: OpenFile, _ settings: DocumentSettings) throws(DocumentError) {
    // Without a cache, nothing is looked up by its key.
    guard settings.identity == .content, let cache = settings.cache else {
      self.file = .document(file.identity, password: nil)
      document = .document(file.identity, password: settings.password)
      return
    }
    let record = ContentRecord(file.identity, in: cache)
    let contents: CacheKey
    if let known = record.contents {
      contents = known
    } else {
      contents = try file.contentsKey()
      do throws(FileError) { try record.store(contents) } catch { failure = error }
    }
    self.file = .document(contents, password: nil)
    document = .document(contents, password: settings.password)
  }
}

extension OpenFile {
  /// The key of the bytes.
  ///
  /// - Throws: `DocumentError` with `unreadable` when the file cannot be read, `changed` when it was
  ///   changed meanwhile.
  /// - Complexity: O(*n*) in the number of bytes.
  func contentsKey() throws(DocumentError) -> CacheKey {
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
  /// Removes what there is of the document at a path, however it was identified, and with any password.
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
