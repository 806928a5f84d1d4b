internal import DocumentModel
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// Reads or draws many documents for `info`, `text`, `search` and `pages`.
struct ContentRun: LibraryWork {
  /// Reads or draws a document, and adds what is printed of it.
  typealias Reading =
    @Sendable (Document, Context, inout DocumentLines) async throws(Failure) ->
    Void

  /// What is known when the work on a document begins.
  struct Context: Sendable {
    /// The document and its name.
    let item: DocumentLibrary.Item
    /// The number of pages that are read at the same time.
    let workers: Int
    /// The files of the run.
    let files: LibraryFiles
  }

  /// The documents that are worked on at the same time.
  let run: LibraryRun
  /// The member that has the parts of a document in its line.
  let name: String
  let kind: LibraryRecord.Kind
  let unit: LineUnit
  /// The most seconds for a document; nil for no limit.
  let documentLimit: Double?
  let read: Reading

  var isDryRun: Bool { false }

  func results(
    expecting count: Int?,
    sparing inputs: [FilePath],
    isolation: isolated (any Actor)?,
    progress: @escaping @Sendable (ThumbnailProgress) -> Void,
    next: @escaping @Sendable () async throws(Failure) -> LibrarySource.FoundDocument?,
    each body: (LibraryResult) throws(Failure) -> Void
  ) async throws(Failure) {
    let files = LibraryFiles()
    for path in inputs { files.spare(path) }
    try await run.run(
      expecting: count,
      next: { () async throws(Failure) in
        let document = try await next()
        if let document, document.file == nil { files.spare(document.item.path) }
        return document
      },
      work: { document, first, settings, stop in
        await Outcome.within(documentLimit) {
          await outcome(of: document, after: first, settings, files, until: stop)
        }
      },
      each: { (outcome: Outcome) throws(Failure) in
        progress(.finished(outcome.result.document.item, pages: 1))
        try body(outcome.result)
      }
    )
  }

  /// What came of a document.
  private struct Outcome: DocumentOutcome {
    var result: LibraryResult
    var hasCrash = false
    var printedParts = 0

    var isInterrupted: Bool {
      get { result.record.isInterrupted }
      set { result.record.isInterrupted = newValue }
    }
    var endsRun: Bool { result.endingFailure != nil }

    mutating func exceed(limit seconds: Double) {
      isInterrupted = false
      let error = DocumentError.notDone(after: seconds)
      result.fail(Failure(error, path: result.document.item.path))
    }
  }

  /// Works on a document.
  ///
  /// - Parameter first: The outcome of a first attempt, in which the document ended its worker process.
  private func outcome(
    of document: LibrarySource.FoundDocument,
    after first: Outcome?,
    _ settings: DocumentSettings,
    _ files: LibraryFiles,
    until stop: StopFlag
  ) async -> Outcome {
    var outcome = Outcome(result: LibraryResult(document))
    var lines = DocumentLines(
      name,
      path: document.path,
      unit: unit,
      until: stop,
      after: first?.printedParts
    )
    let context = Context(item: document.item, workers: settings.workers, files: files)
    var opened: Document?
    var failure: Failure?
    do throws(Failure) {
      let input = DocumentInput(document.item, document.file)
      var settings = settings
      // A copy has no lasting identity.
      if input.isCopy { settings.cache = nil }
      _ = try await input.read(settings, rereading: { outcome.result.mismatch = $0 }) {
        (file: Document) throws(Failure) in
        opened = file
        lines.restart()
        try await read(file, context, &lines)
        return true
      }
    } catch {
      failure = error
    }
    outcome.result.opened(opened?.remoteIdentity)
    outcome.result.record.pageCount = try? await opened?.info().pageCount
    outcome.result.cacheFailure = await opened?.takeCacheFailure()
    outcome.printedParts = lines.printedParts
    outcome.hasCrash = lines.hasCrash || (first == nil && failure?.code == Self.crash)
    outcome.isInterrupted = stop.isSet || Task.isCancelled
    if outcome.isInterrupted, failure?.code == Self.cancelled { failure = nil }
    if lines.isTooLong { failure = DocumentLines.tooLong(document.item.path) }
    let isDone = failure == nil && !outcome.isInterrupted
    outcome.result.content = lines.content(isDone: isDone)
    outcome.result.take(lines, kind: kind)
    if let failure { outcome.result.fail(failure) }
    return outcome
  }

  private static let crash = DocumentError.Code.crash.rawValue
  private static let cancelled = DocumentError.Code.cancelled.rawValue
}

extension LibraryResult {
  /// Takes what was read of the document.
  fileprivate mutating func take(_ lines: DocumentLines, kind: LibraryRecord.Kind) {
    pages = lines.pages
    hasFound = lines.hasFound
    endingFailure = lines.outputFailure
    record.kind = kind
    record.pages = lines.pages.flatMap(LibraryRecord.Page.pages)
      .filter { kind != .failures || $0.error != nil }
  }

  /// Makes a failure that of the document as a whole.
  fileprivate mutating func fail(_ failure: Failure) {
    self.failure = failure
    record.error = LibraryRecord.ErrorText(failure)
    if failure.exitCode == .io, failure.code == "io" { endingFailure = endingFailure ?? failure }
  }
}

extension DocumentLines {
  /// The failure of a document whose line is too long.
  static func tooLong(_ path: FilePath) -> Failure {
    let error = DocumentError(
      .memoryLimit,
      during: "",
      "its line has more than \(longestLine >> 20) MiB; --lines pages makes one for each page"
    )
    return Failure(error, path: path)
  }
}
