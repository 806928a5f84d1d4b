public import DocumentModel
internal import FileSystem
internal import Tiles

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
    if recordedEngine == nil { recordedEngine = engineRecord?.engine }
    return recordedEngine
  }

  var engineRecord: EngineRecord? {
    engineKey.flatMap { key in settings.cache.map { EngineRecord(key, in: $0) } }
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
