public import DocumentModel
internal import RectoBase
internal import Synchronization

/// The reader of pages: with ``PageReader/auto`` the page tree reader, until poppler disagrees and takes over.
extension Document {
  /// Counts the readers of pages: 0, and 1 from when poppler has taken the place of the page tree reader. What was said
  /// of pages in another generation is not valid.
  public nonisolated var generation: Int { measured.withLock(\.generation) }

  /// Each change of ``generation`` after this call, for code that shows pages.
  public nonisolated var generations: AsyncStream<Int> {
    AsyncStream { listener in
      let number = listeners.withLock { all in
        let number = (all.keys.max() ?? 0) + 1
        all[number] = listener
        return number
      }
      listener.onTermination = { [weak self] _ in
        _ = self?.listeners.withLock { $0.removeValue(forKey: number) }
      }
    }
  }

  /// Why the page tree reader turned out to be wrong, with the code `pageMismatch`; nil if it did not.
  public nonisolated var mismatch: DocumentError? { measured.withLock(\.mismatch) }

  /// The reader of the page tree as text: "tree", or "poppler" with the reason.
  public var pageReader: (name: String, reason: String?) {
    // Results of earlier runs do not show this; checking the file does.
    if tree.refusal == nil { _ = tree.info() }
    return tree.refusal.map { ("poppler", $0) } ?? ("tree", nil)
  }

  /// Does work that makes several calls, and once more if ``generation`` has changed by its end: what comes of it is from
  /// one reader, as the answer of a single call always is.
  ///
  /// - Parameters:
  ///   - isolation: Where `body` runs: where the caller does.
  ///   - body: The work, such as laying out pages and drawing them.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withOneReader<Value, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let first = generation
    let result: Result<Value, Failure>
    do throws(Failure) {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    // There is no third reader.
    return try await generation == first ? result.get() : body()
  }

  /// Fails if what was said of pages in a generation is not valid any more.
  ///
  /// - Throws: `DocumentError` with `pageMismatch`.
  public nonisolated func requireGeneration(_ generation: Int) throws(DocumentError) {
    let known = known
    guard var error = known.mismatch,
      settings.pageReader == .tree || generation != known.generation
    else { return }
    if settings.pageReader == .auto {
      error.detail += "; what was said of pages before is not valid, ask again"
    }
    throw error
  }

  /// Has all calls fail once poppler has contradicted the page tree reader, as with ``PageReader/tree``: for one who then
  /// begins again, and has them answered.
  package func failOnMismatch(_ fails: Bool) { failsOnMismatch = fails }

  /// Answers a question from the page tree, else from the engine if that may answer.
  func answer<Answer>(
    _ tree: () -> Answer?,
    else engine: () async throws(DocumentError) -> Answer
  ) async throws(DocumentError) -> Answer {
    try await withOneReader { () throws(DocumentError) in
      if let answer = tree() { return answer }
      try requireAgreement()
      try requireEngine()
      return try await engine()
    }
  }

  /// Fails if the page tree reader has just turned out to be wrong, or earlier where poppler is not to answer in its place.
  ///
  /// - Throws: `pageMismatch`; `changed` when the file was changed.
  func requireAgreement() throws(DocumentError) {
    if tree.hasFailedLate { throw contradicted(tree.refusal ?? "") }
    if failsOnMismatch || settings.pageReader == .tree, let mismatch { throw mismatch }
  }

  /// What an error of the engine means: after a mismatch poppler takes the place of the page tree reader.
  func final(_ error: DocumentError, of page: PageIndex? = nil) -> DocumentError {
    guard error.code == .pageMismatch else { return error }
    // If it has its place, the request was planned with what had been said before.
    if tree.isRefused { return settings.pageReader == .tree ? mismatch ?? error : error }
    return contradicted(page.map { "page \($0.number): \(error)" } ?? "\(error)")
  }

  /// Forgets all that is known of the document, and has poppler read it from now on; not if the file was changed, which is
  /// another error.
  private func contradicted(_ reason: String) -> DocumentError {
    // A file that was changed contradicts any reader.
    guard file.isUnchanged else {
      return DocumentError(.changed, during: "read the page tree", "the file was changed meanwhile")
    }
    tree.refuse(reason)
    (knownInfo, opened) = (nil, nil)
    repaired.withLock { $0 = [:] }
    if let record = cache?.record { keep { () throws(FileError) in try record.discard() } }
    cache?.record = nil
    let error = DocumentError(.pageMismatch, during: "read the page tree", reason)
    let next = generation + (settings.pageReader == .auto ? 1 : 0)
    measured.withLock { $0 = MeasuredPages(generation: next, mismatch: error) }
    for listener in listeners.withLock(\.self).values where next > 0 { listener.yield(next) }
    return error
  }

  /// Fails when only the page tree reader may answer.
  ///
  /// - Throws: `DocumentError` with `damaged` when the settings ask for the page tree reader alone; `usage` as
  ///   ``requireShown()``.
  func requireEngine() throws(DocumentError) {
    try requireShown()
    guard settings.pageReader == .tree else { return }
    throw DocumentError(
      .damaged,
      during: "read the page tree",
      tree.refusal ?? "the tree reader has no answer"
    )
  }
}
