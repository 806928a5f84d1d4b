internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// Writes a line for each document of a library, and reports failures.
struct LibraryReport {
  /// Prints failures.
  let messages: MessagePrinter
  /// Whether only a part of the documents is processed.
  private let isPart: Bool
  /// Whether the documents come from a stream.
  private let isStream: Bool
  /// Whether nothing is written.
  private let isDryRun: Bool
  /// Whether documents that needed no work get a line, and a warning if they failed before.
  private let printsSettled: Bool
  /// All documents, including those of earlier runs.
  private var documents = 0
  /// Documents that needed no work.
  private var settled = 0
  /// Documents that failed before and were not tried again.
  private var failedBefore = 0
  /// Pages that would be drawn.
  private var plannedPages = 0
  /// Documents, folders and paths that failed partly or completely.
  private var failures = 0
  /// Folders and paths that are none.
  private var others = 0
  private var emptyFolders = 0
  /// Whether the warning about an unusable cache was printed.
  private var isCacheReported = false
  /// The last failure of a document or folder as a whole.
  private var wholeFailure: Failure?
  /// Whether a document has what was searched for, or may have it.
  private var hasFound = false

  /// An empty report.
  ///
  /// - Parameters:
  ///   - isPart: Whether only a part of the documents is processed.
  ///   - isStream: Whether the documents come from a stream.
  ///   - printsSettled: Whether documents that needed no work get a line.
  init(
    _ messages: MessagePrinter,
    isPart: Bool = false,
    isStream: Bool = false,
    isDryRun: Bool = false,
    printsSettled: Bool = true
  ) {
    self.messages = messages
    self.isPart = isPart
    self.isStream = isStream
    self.isDryRun = isDryRun
    self.printsSettled = printsSettled
  }

  /// Reports a line of `--from` that is not a path.
  ///
  /// - Throws: A failure if standard output cannot be written.
  mutating func refuse(_ line: [UInt8], _ reason: String) throws(Failure) -> LibraryRecord {
    let text = String(decoding: line, as: UTF8.self)
    return try fail(Failure(usage: "\(text): \(reason)"), path: line, reason)
  }

  /// Reports a folder that cannot be read.
  ///
  /// - Throws: A failure if standard output cannot be written.
  mutating func write(
    unreadable failure: Failure,
    _ path: [UInt8]
  ) throws(Failure) -> LibraryRecord {
    return try fail(failure, path: path, failure.message)
  }

  /// Reports a folder without documents.
  mutating func write(empty path: [UInt8]) {
    emptyFolders += 1
    messages.print(code: "empty", path: FilePath(bytes: path), page: nil, "no PDFs found")
  }

  /// Writes the line of a document, and reports failures.
  ///
  /// - Throws: A failure if standard output cannot be written, or if the disk is full.
  mutating func write(_ result: LibraryResult) throws(Failure) {
    documents += 1
    plannedPages += result.record.planned?.pageCount ?? 0
    hasFound = hasFound || result.hasFound
    let path = result.document.item.path
    if let mismatch = result.mismatch {
      messages.print(rereading: Failure(mismatch, path: path))
    }
    try write(result.record, result.content)
    if let failure = result.cacheFailure, !isCacheReported {
      // The next documents meet the same.
      isCacheReported = true
      messages.warn(code: "cache", path: path, failure.description)
    }
    if result.report(messages) { failures += 1 }
    wholeFailure = result.failure ?? wholeFailure
    if let failure = result.endingFailure { throw failure }
  }

  /// Writes the line of a document that needed no work.
  ///
  /// - Throws: A failure if standard output cannot be written.
  mutating func write(settled record: LibraryRecord) throws(Failure) {
    documents += 1
    settled += 1
    hasFound = true
    guard printsSettled else { return }
    if record.hasFailed { failedBefore += 1 }
    try write(record)
  }

  /// Writes the line of a contact sheet, and reports a failure.
  ///
  /// - Throws: A failure if standard output cannot be written.
  mutating func write(
    _ sheet: ThumbnailSheets.Sheet,
    _ result: Result<WrittenSheet, ContactSheetWriter.SheetError>
  ) throws(Failure) {
    var writer = JSONWriter()
    let failure = Failure(sheet, result)
    writer.object { object in
      object.member("sheet", sheet.number)
      object.path(sheet.path, as: "file")
      object.member("cells", sheet.cells.count)
      if case .success(let written) = result {
        object.member("width", written.size.width)
        object.member("height", written.size.height)
        object.member("bytes", written.byteCount)
      }
      if let failure { object.error(code: failure.code, failure.message) }
    }
    writer.newline()
    try StandardStreams.write(writer.bytes)
    if case .success(let written) = result {
      for picture in written.unreadable {
        let text = "not on sheet \(sheet.number): \(picture.reason)"
        messages.warn(code: "sheet", path: picture.file, text)
      }
    }
    if let failure {
      failures += 1
      messages.print(failure)
    }
  }

  /// Ends the report.
  ///
  /// - Parameter plannedSheets: The number of contact sheets of a dry run; nil if there are none.
  /// - Returns: Whether all documents succeeded, and the given folders contain any.
  /// - Throws: The failure of the only document or folder: its exit code is more specific than 1.
  func end(plannedSheets: Int?) throws(Failure) -> Bool {
    if failedBefore > 0 {
      let what = failedBefore == 1 ? "1 document failed" : "\(failedBefore) documents failed"
      messages.warn(code: "journal", path: nil, "\(what) before; --retry-failed tries again")
    }
    if isDryRun {
      let sheets = plannedSheets.map { ", \($0) sheets" } ?? ""
      let text =
        "dry run: \(documents) documents: \(settled) unchanged, \(plannedPages) pages to draw"
        + sheets
      messages.warn(code: "info", path: nil, text)
    }
    // The exit code must not depend on a shard having a single document by chance.
    if documents + others == 1, !isPart, !isStream, var wholeFailure {
      wholeFailure.isReported = true
      throw wholeFailure
    }
    return failures + failedBefore == 0
      && (documents > 0 ? hasFound : emptyFolders == 0 || isPart)
  }

  private func write(
    _ record: LibraryRecord,
    _ content: DocumentLines.Content? = nil
  ) throws(Failure) {
    var writer = JSONWriter()
    if case .lines(let lines) = content {
      if !lines.isEmpty { try StandardStreams.write(lines) }
      guard record.error != nil || record.isInterrupted else { return }
    }
    writer.object { object in
      object.path(bytes: record.path)
      guard let content else { return object.members(of: record) }
      object.state(of: record)
      if case .member(let name, let json) = content { object.member(name, json: json) }
    }
    writer.newline()
    try StandardStreams.write(writer.bytes)
  }

  /// Reports an item without thumbnails.
  ///
  /// - Parameters:
  ///   - message: The message for the line, without the path.
  /// - Throws: A failure if standard output cannot be written.
  private mutating func fail(
    _ failure: Failure,
    path: [UInt8],
    _ message: String
  ) throws(Failure) -> LibraryRecord {
    failures += 1
    others += 1
    wholeFailure = failure
    var record = LibraryRecord(path: path)
    record.error = LibraryRecord.ErrorText(code: failure.code, message: message)
    try write(record)
    messages.print(failure)
    return record
  }
}

extension Failure {
  /// The error of a contact sheet; nil if it was written.
  fileprivate init?(
    _ sheet: ThumbnailSheets.Sheet,
    _ result: Result<WrittenSheet, ContactSheetWriter.SheetError>
  ) {
    switch result {
    case .success: return nil
    case .failure(.drawing(let error)): self.init(error, path: sheet.path)
    case .failure(.output(let error)): self.init(output: error)
    }
  }
}
