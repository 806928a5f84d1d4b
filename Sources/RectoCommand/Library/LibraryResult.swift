internal import DocumentModel
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// What came of one of many documents: what is kept, printed and reported.
struct LibraryResult: Sendable {
  /// The document.
  private(set) var document: LibrarySource.FoundDocument
  /// What the journal keeps.
  var record: LibraryRecord
  /// What is printed beside the record; nil for the pages of the record.
  var content: DocumentLines.Content?
  /// The pages whose errors and warnings are reported.
  var pages: [ExportedPage] = []
  /// Why the document failed as a whole.
  var failure: Failure?
  /// Why the run cannot continue: the disk is full, for example.
  var endingFailure: Failure?
  /// The first failure to write to the cache.
  var cacheFailure: DocumentError?
  /// Why poppler became the reader of pages.
  var mismatch: DocumentError?
  /// Whether the document has what was searched for.
  var hasFound = true

  /// A document on a server was opened.
  ///
  /// - Parameter version: The version; nil for a file of this machine.
  mutating func opened(_ version: FileIdentity?) {
    if let version { document.identity = JournalIdentity(version) }
  }

  /// A document of which nothing is known.
  init(_ document: LibrarySource.FoundDocument) {
    self.document = document
    record = LibraryRecord(path: document.path)
  }
}

extension LibraryResult {
  /// The thumbnails of a document.
  init(_ thumbnails: DocumentThumbnails, of document: LibrarySource.FoundDocument) {
    self.init(document)
    opened(thumbnails.remoteIdentity)
    failure = thumbnails.failure.map { Failure($0, path: document.item.path) }
    endingFailure = thumbnails.deviceFailure.map(Failure.init(output:))
    cacheFailure = thumbnails.cacheFailure
    mismatch = thumbnails.mismatch
    pages = thumbnails.pages
    record.pageCount = thumbnails.pageCount
    record.error = (failure ?? endingFailure).map(LibraryRecord.ErrorText.init)
    record.isInterrupted = thumbnails.isInterrupted
    record.planned = thumbnails.planned
    record.pages = thumbnails.pages.flatMap(LibraryRecord.Page.pages)
  }

  /// Prints failures; returns whether there are any.
  func report(_ messages: MessagePrinter) -> Bool {
    if let failure {
      messages.print(failure)
      return true
    }
    // Not `contains`: reports every page.
    return pages.reduce(false) { failed, page in
      page.report(messages, path: document.item.path) || failed
    }
  }
}

/// What a command makes of the documents of a library.
protocol LibraryWork: Sendable {
  /// Whether nothing is drawn or written.
  var isDryRun: Bool { get }

  /// Works on documents that are found during the run.
  ///
  /// - Parameters:
  ///   - count: The number of documents; nil if it is not known.
  ///   - inputs: Files that are not overwritten, beside the documents.
  ///   - isolation: The actor that `body` runs on.
  ///   - progress: Receives each step of the work, on any thread.
  ///   - next: Returns the next document; nil at the end.
  ///   - body: Receives the result of each document as soon as it is there.
  /// - Throws: What `next` and `body` throw.
  func results(
    expecting count: Int?,
    sparing inputs: [FilePath],
    isolation: isolated (any Actor)?,
    progress: @escaping @Sendable (ThumbnailProgress) -> Void,
    next: @escaping @Sendable () async throws(Failure) -> LibrarySource.FoundDocument?,
    each body: (LibraryResult) throws(Failure) -> Void
  ) async throws(Failure)
}

extension ThumbnailRun: LibraryWork {
  func results(
    expecting count: Int?,
    sparing inputs: [FilePath],
    isolation: isolated (any Actor)?,
    progress: @escaping @Sendable (ThumbnailProgress) -> Void,
    next: @escaping @Sendable () async throws(Failure) -> LibrarySource.FoundDocument?,
    each body: (LibraryResult) throws(Failure) -> Void
  ) async throws(Failure) {
    let working = Mutex<[DocumentLibrary.Item: LibrarySource.FoundDocument]>([:])
    try await thumbnails(
      expecting: count,
      sparing: inputs,
      progress: progress,
      next: { () async throws(Failure) in
        guard let document = try await next() else { return nil }
        working.withLock { $0[document.item] = document }
        return document.item
      },
      each: { thumbnails throws(Failure) in
        guard let document = working.withLock({ $0.removeValue(forKey: thumbnails.item) })
        else { return }
        try body(LibraryResult(thumbnails, of: document))
      }
    )
  }
}
