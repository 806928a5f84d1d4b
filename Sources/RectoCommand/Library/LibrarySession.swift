internal import FoundationEssentials
internal import RectoBase
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// A run of a command with many documents: documents from a source, results to the journal, standard output and messages.
///
/// Writing may block, so it uses its own queue.
actor LibrarySession {
  private let executor = QueueExecutor(label: "recto.library-session")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let source: LibrarySource
  private let work: any LibraryWork
  private let journal: Journal?
  private var report: LibraryReport
  private let progress: ProgressStyle
  /// When the work on documents began.
  private var starts: [DocumentLibrary.Item: Double] = [:]
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
    _ source: LibrarySource,
    _ work: any LibraryWork,
    _ journal: Journal?,
    _ report: LibraryReport,
    _ sheets: ThumbnailSheets? = nil
  ) {
    self.sheets = sheets
    self.source = source
    self.work = work
    self.journal = journal
    self.report = report
    progress = report.messages.progress
  }

  /// Seconds to finish the current pages after a signal.
  static let patience = 5.0

  /// Does work that a signal ends in an orderly way: current pages are finished first. When the reader of standard
  /// output is gone, the process ends.
  ///
  /// - Throws: What `body` throws.
  static func untilSignal(
    _ messages: MessagePrinter,
    _ body: @escaping @Sendable () async throws(Failure) -> Bool
  ) async throws(Failure) -> Bool {
    StandardStreams.endWithReader()
    // Printed to a terminal after a signal.
    let notice = messages.line(
      code: "info",
      path: nil,
      page: nil,
      "finishing the pages that are being drawn; Ctrl-C ends at once"
    )
    return try await Shutdown.cancelling(
      patience: patience + 2,
      notice: messages.level >= .warnings ? notice : nil,
      body
    )
  }

  /// Works on all documents.
  ///
  /// - Returns: Whether everything succeeded.
  /// - Throws: A failure that ends the run, such as a full disk; or the failure of the only document.
  func process() async throws(Failure) -> Bool {
    let overview = await source.overview()
    let bar = ThumbnailProgressBar(total: overview.count, style: progress)
    self.bar = bar
    defer { bar.end() }
    try await work.results(
      expecting: overview.count,
      sparing: overview.files,
      isolation: self,
      progress: { bar.take($0) },
      next: { () async throws(Failure) in try await self.next() },
      each: { result throws(Failure) in try take(result) }
    )
    if isAtEnd, !work.isDryRun, let last = sheets?.end() { draw(last) }
    try await finishSheets(atMost: 0)
    bar.end()
    return try report.end(plannedSheets: sheets?.plannedCount)
  }

  /// The next document to process.
  ///
  /// - Throws: A failure if documents cannot be found, or results cannot be written.
  private func next() async throws(Failure) -> LibrarySource.FoundDocument? {
    try await finishSheets(atMost: Self.mostSheets)
    while let finding = try await source.next() {
      bar?.clear()
      switch finding {
      case .document(let document):
        starts[document.item] = Self.now
        sheets?.add(document.item)
        bar?.found(document.item)
        return document
      case .settled(let document, let record):
        bar?.settled()
        try report.write(settled: record)
        sheets?.add(document.item)
        addToSheets(document.item, record)
        try await finishSheets(atMost: Self.mostSheets)
      case .refused(let line, let reason): try keep(try report.refuse(line, reason))
      case .unreadable(let failure, let path): try keep(try report.write(unreadable: failure, path))
      case .empty(let path): report.write(empty: path)
      }
    }
    isAtEnd = !Task.isCancelled
    return nil
  }

  /// Adds the thumbnails of a document to the contact sheets, and draws complete sheets.
  private func addToSheets(_ item: DocumentLibrary.Item, _ record: LibraryRecord) {
    guard !work.isDryRun else {
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
  private func take(_ result: LibraryResult) throws(Failure) {
    assertIsolated()
    let (document, record) = (result.document, result.record)
    let time = Self.now
    let start = starts.removeValue(forKey: document.item) ?? time
    bar?.clear()
    // What a journal says is done has been printed, or is a file.
    let isPrintedFirst = result.content != nil
    if isPrintedFirst { try report.write(result) }
    if record.planned == nil {
      try keep(record, name: document.item.name, document.identity, seconds: time - start, at: time)
    }
    bar?.done(document.item, hasFailed: record.hasFailed)
    if !isPrintedFirst { try report.write(result) }
    addToSheets(document.item, record)
  }

  /// Stores the record of an item that is not a document.
  ///
  /// - Throws: A failure if the journal cannot be written.
  private func keep(_ record: LibraryRecord) throws(Failure) {
    try keep(record, name: FilePath(), nil, seconds: 0, at: Self.now)
  }

  /// Appends a line to the journal, if there is one.
  ///
  /// - Parameters:
  ///   - name: The name of the document's output.
  /// - Throws: A failure if the journal cannot be written.
  private func keep(
    _ record: LibraryRecord,
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
