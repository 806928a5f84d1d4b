internal import FoundationEssentials
internal import RectoBase
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// A run of `recto thumbs`: documents from a source, results to the journal, standard output and messages.
///
/// Writing may block, so it uses its own queue.
actor ThumbnailSession {
  private let executor = QueueExecutor(label: "recto.thumbnails")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let source: ThumbnailSource
  private let run: ThumbnailRun
  private let journal: Journal?
  private var report: LibraryReport
  private let progress: ProgressStyle
  /// The documents that are being worked on.
  private var working:
    [DocumentLibrary.Item: (document: ThumbnailSource.FoundDocument, start: Double)] =
      [:]
  private var bar: ThumbnailProgressBar?
  /// The contact sheets; nil if there are none.
  private var sheets: ThumbnailSheets?
  /// Sheets that are being drawn, in order.
  private var drawing: [Task<Void, Never>] = []
  /// The failure of writing a line about a sheet.
  private var sheetFailure: Failure?
  /// Whether all documents have been found.
  private var isAtEnd = false

  /// The most sheets being drawn or waiting; above that, no other document is started.
  private static let mostSheets = 2

  /// A session that has not started.
  ///
  /// - Parameters:
  ///   - journal: Stores the results; nil if they are not stored.
  ///   - sheets: The contact sheets; nil if there are none.
  init(
    _ source: ThumbnailSource,
    _ run: ThumbnailRun,
    _ journal: Journal?,
    _ report: LibraryReport,
    _ sheets: ThumbnailSheets?
  ) {
    self.sheets = sheets
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
    if isAtEnd, !run.isDryRun, let last = sheets?.end() { draw(last) }
    try await finishSheets(atMost: 0)
    bar.end()
    return try report.end(plannedSheets: sheets?.plannedCount)
  }

  /// The next document to process.
  ///
  /// - Throws: A failure if documents cannot be found, or results cannot be written.
  private func next() async throws(Failure) -> DocumentLibrary.Item? {
    try await finishSheets(atMost: Self.mostSheets)
    while let finding = try await source.next() {
      bar?.clear()
      switch finding {
      case .document(let document):
        working[document.item] = (document, Self.now)
        sheets?.add(document.item)
        bar?.found(document.item)
        return document.item
      case .settled(let document, let record):
        bar?.settled()
        try report.write(settled: record)
        sheets?.add(document.item)
        addToSheets(document.item, record)
        try await finishSheets(atMost: Self.mostSheets)
      case .refused(let line, let reason): try keep(try report.refuse(line, reason))
      case .unreadable(let error, let path): try keep(try report.write(unreadable: error, path))
      case .empty(let path): report.write(empty: path)
      }
    }
    isAtEnd = !Task.isCancelled
    return nil
  }

  /// Adds the thumbnails of a document to the contact sheets, and draws complete sheets.
  private func addToSheets(_ item: DocumentLibrary.Item, _ record: ThumbnailRecord) {
    guard !run.isDryRun else {
      sheets?.plan(record)
      return
    }
    for sheet in sheets?.finish(item, record) ?? [] { draw(sheet) }
  }

  /// Draws a sheet in the background.
  private func draw(_ sheet: ThumbnailSheets.Sheet) {
    guard let writer = sheets?.writer else { return }
    drawing.append(
      Task {
        do throws(ContactSheetWriter.SheetError) {
          let written = try await writer.write(sheet.cells, to: sheet.path)
          report(sheet, .success(written))
        } catch {
          report(sheet, .failure(error))
        }
      }
    )
  }

  private func report(
    _ sheet: ThumbnailSheets.Sheet,
    _ result: Result<WrittenSheet, ContactSheetWriter.SheetError>
  ) {
    bar?.clear()
    do throws(Failure) {
      try report.write(sheet, result)
    } catch {
      sheetFailure = sheetFailure ?? error
    }
  }

  /// Waits until at most `count` sheets are being drawn.
  ///
  /// - Throws: A failure if a line about one could not be written.
  private func finishSheets(atMost count: Int) async throws(Failure) {
    while drawing.count > count { await drawing.removeFirst().value }
    if let sheetFailure { throw sheetFailure }
  }

  /// Stores and prints the results of a document.
  ///
  /// - Throws: A failure if they cannot be written, or if the disk is full.
  private func take(_ thumbnails: DocumentThumbnails) throws(Failure) {
    assertIsolated()
    guard let (document, start) = working.removeValue(forKey: thumbnails.item) else { return }
    bar?.clear()
    let record = ThumbnailRecord(thumbnails, path: document.path)
    let time = Self.now
    if record.planned == nil {
      try keep(record, name: document.item.name, document.identity, seconds: time - start, at: time)
    }
    bar?.done(thumbnails.item, hasFailed: record.hasFailed)
    try report.write(thumbnails, record)
    addToSheets(thumbnails.item, record)
  }

  /// Stores the record of an item that is not a document.
  ///
  /// - Throws: A failure if the journal cannot be written.
  private func keep(_ record: ThumbnailRecord) throws(Failure) {
    try keep(record, name: FilePath(), nil, seconds: 0, at: Self.now)
  }

  /// Appends a line to the journal, if there is one.
  ///
  /// - Parameters:
  ///   - name: The name of the document's output.
  /// - Throws: A failure if the journal cannot be written.
  private func keep(
    _ record: ThumbnailRecord,
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
