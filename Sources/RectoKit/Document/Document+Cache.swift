public import DocumentModel
internal import RectoBase
package import RectoTiles

/// Storing results in the cache.
extension Document {
  /// Returns the first failure to write to the cache; nil from then on, so that it is reported once.
  public func takeCacheFailure() -> DocumentError? {
    guard !isCacheFailureTaken, let cacheFailure else { return nil }
    isCacheFailureTaken = true
    return cacheFailure
  }

  /// The libraries that draw, if they are known without starting a worker.
  ///
  /// The record is read until it has an answer, not for each page: a request needs the name once
  /// for each page that it shows.
  func knownEngine() -> String? {
    if let opened { return opened.engine }
    if recordedEngine == nil { recordedEngine = cache?.engine?.engine }
    return recordedEngine
  }

  /// The name of the document in the cache; nil without a cache.
  package var key: CacheKey? { cache?.document }

  /// The cache under the keys of the document; nil without one, or if the file cannot be identified. It is then drawn,
  /// or reading it fails again.
  func makeCache() -> DocumentCache? {
    guard settings.reuse == nil, let directory = settings.cache else { return nil }
    do throws(DocumentError) {
      if let cache = try DocumentCache(
        directory,
        file,
        program: program,
        text: engine.text,
        rasterizer: engine.rasterizer,
        settings
      ) {
        return cache
      }
      let reason = "the file was changed a moment ago, or its time of change is still to come"
      cacheFailure = DocumentError(.output, during: "use the cache", reason)
    } catch {
      cacheFailure = error
    }
    return nil
  }

  /// Whether data read now belongs to the document's key.
  var mayKeep: Bool { settings.identity != .content || file.isUntouched }

  /// Writes to the cache. The first failure is kept for ``takeCacheFailure()``.
  ///
  /// Nothing is written for a document that is identified by its contents and has changed: another file may still have
  /// the old contents, and some changes only show in the time of last change.
  func keep(_ body: () throws(FileError) -> Void) {
    let failure: DocumentError
    do throws(FileError) {
      guard !mayKeep else { return try body() }
      failure = DocumentError(.changed, during: "use the cache", "the file was changed meanwhile")
    } catch {
      failure = DocumentError(
        error.isDevice ? .io : .output,
        during: "write to the cache",
        "\(error.path): \(error)"
      )
    }
    cacheFailure = cacheFailure ?? failure
  }
}
