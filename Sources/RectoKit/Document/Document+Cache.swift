public import DocumentModel
internal import FileSystem
package import Tiles

/// What finds its way into the cache.
extension Document {
  /// The first failure to write to the cache, if there was one; worth one message, never more.
  public func takeCacheFailure() -> DocumentError? {
    defer { cacheFailure = nil }
    return cacheFailure
  }

  /// The libraries that draw, if they are known without starting a worker.
  ///
  /// The record is read until it has an answer, not for each page: a request asks for the name once
  /// for each page that it shows.
  func knownEngine() -> String? {
    if let opened { return opened.engine }
    if recordedEngine == nil { recordedEngine = cache?.engine?.engine }
    return recordedEngine
  }

  /// The name of the document in the cache; nil without a cache.
  package var key: CacheKey? { cache?.document }

  /// The cache under the keys of the document; nil without one, or if the file cannot be identified: it
  /// is then drawn, or why it cannot be read is met again.
  func makeCache() -> DocumentCache? {
    do throws(DocumentError) {
      return try settings.cache.flatMap { directory throws(DocumentError) in
        try DocumentCache(directory, file, program: program, settings)
      }
    } catch {
      return nil
    }
  }

  @discardableResult
  func keep(_ body: () throws(FileError) -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      cacheFailure =
        cacheFailure
        ?? DocumentError(cache: error)
      return false
    }
  }
}

extension DocumentError {
  /// A failure to write to the cache.
  init(cache error: FileError) {
    self.init(
      error.isDevice ? .io : .output,
      during: "write to the cache",
      "\(error.path): \(error)"
    )
  }
}
