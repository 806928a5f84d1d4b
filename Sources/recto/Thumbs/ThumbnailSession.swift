internal import Concurrency
internal import FileSystem
internal import FoundationEssentials
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// A run of `recto thumbs`: documents from a source, results to the journal, standard output and messages.
///
/// Writing may block, so it happens on a queue of its own.
actor ThumbnailSession {
  private let executor = QueueExecutor(label: "recto.thumbnails")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let source: ThumbnailSource
  private let run: ThumbnailRun
  private let journal: Journal?
  private var report: LibraryReport
  private let progress: ProgressStyle
  /// The documents that are being worked on.
  private var working: [DocumentLibrary.Item: (document: ThumbnailSource.Document, start: Double)] =
    [:]
  private var bar: ThumbnailProgressBar?

  /// A session that has not begun.
  ///
  /// - Parameters:
  ///   - source: Finds the documents.
  ///   - run: Makes the thumbnails.
  ///   - journal: Keeps the results; nil if they are not kept.
  ///   - report: Prints the results.
  init(
    _ source: ThumbnailSource,
    _ run: ThumbnailRun,
    _ journal: Journal?,
    _ report: LibraryReport
  ) {
    self.source = source
    self.run = run
    self.journal = journal
    self.report = report
    progress = report.messages.progress
  }

  /// Makes the thumbnails of all documents.
  ///
  /// - Returns: Whether everything succeeded.
  /// - Throws: A failure that ends the run, such as a full disk; or the failure of the only document.
  func process() async throws(Failure) -> Bool {
    let overview = await source.overview()
    let bar = ThumbnailProgressBar(total: overview.count, style: progress)
    self.bar = bar
    defer { bar.end() }
    try await run.thumbnails(
      expecting: overview.count,
      sparing: overview.files,
      progress: { bar.take($0) },
      next: { () async throws(Failure) in try await self.next() },
      each: { thumbnails throws(Failure) in try take(thumbnails) }
    )
    bar.end()
    return try report.end()
  }

  /// The next document that is to be worked on.
  ///
  /// - Throws: A failure if documents cannot be found, or results cannot be written.
  private func next() async throws(Failure) -> DocumentLibrary.Item? {
    while let finding = try await source.next() {
      bar?.clear()
      switch finding {
      case .document(let document):
        working[document.item] = (document, Self.now)
        bar?.found(document.item)
        return document.item
      case .settled(_, let record):
        bar?.settled()
        try report.write(settled: record)
      case .refused(let line, let reason): try keep(try report.refuse(line, reason))
      case .unreadable(let error, let path): try keep(try report.write(unreadable: error, path))
      case .empty(let path): report.write(empty: path)
      }
    }
    return nil
  }

  /// Keeps and prints the results of a document.
  ///
  /// - Throws: A failure if they cannot be written, or if the disk is full.
  private func take(_ thumbnails: DocumentThumbnails) throws(Failure) {
    assertIsolated()
    guard let (document, start) = working.removeValue(forKey: thumbnails.item) else { return }
    bar?.clear()
    let record = DocumentRecord(thumbnails, path: document.path)
    let time = Self.now
    if record.planned == nil {
      try keep(record, name: document.item.name, document.identity, seconds: time - start, at: time)
    }
    bar?.done(thumbnails.item, hasFailed: record.hasFailed)
    try report.write(thumbnails, record)
  }

  /// Keeps what is not a document.
  ///
  /// - Throws: A failure if the journal cannot be written.
  private func keep(_ record: DocumentRecord) throws(Failure) {
    try keep(record, name: FilePath(), nil, seconds: 0, at: Self.now)
  }

  /// Appends a line to the journal, if there is one.
  ///
  /// - Parameters:
  ///   - record: What became of the document.
  ///   - name: What is made from the document is called so.
  ///   - identity: Its file as it was.
  ///   - seconds: How long the work took.
  ///   - time: When it ended.
  /// - Throws: A failure if the journal cannot be written.
  private func keep(
    _ record: DocumentRecord,
    name: FilePath,
    _ identity: JournalIdentity?,
    seconds: Double,
    at time: Double
  ) throws(Failure) {
    do throws(FileError) {
      try journal?.append(record, name: name, identity, seconds: seconds, at: time)
    } catch {
      throw Failure(output: error)
    }
  }

  /// Seconds since 1970, with milliseconds.
  private static var now: Double { (Date().timeIntervalSince1970 * 1000).rounded() / 1000 }
}
