internal import DocumentModel
internal import RectoBase
internal import SystemPackage

/// The journal of runs with many documents: a line for each finished document.
///
/// Several processes may append at the same time. The last line about a document counts.
struct Journal: Sendable {
  /// Which documents are skipped because of their journal entry.
  enum Resumption: Sendable {
    /// None.
    case none
    /// Finished ones, and those that failed and would fail again.
    case unfinished
    /// Those that are done.
    case unfinishedAndFailed
  }

  /// The default name in the output folder.
  static let defaultName = "recto-journal.jsonl"

  private let file: LineFile
  /// The output folder, or the prefix of a store.
  private let folder: FilePath
  /// Whether it is a folder of this machine. What a store has is not asked.
  private let isLocal: Bool
  private let resumption: Resumption
  /// The options on which the files depend.
  private let options: String
  /// Whether a password is given.
  private let hasPassword: Bool
  /// The last lines about documents.
  private let index: JournalIndex

  /// Opens a journal, and reads it if documents may be skipped.
  ///
  /// - Parameters:
  ///   - path: The file; created if missing.
  ///   - options: The options on which the files depend.
  ///   - hasPassword: Whether a password is given: then documents that need one are tried again.
  /// - Throws: `FileError` if the file cannot be opened or read.
  /// - Complexity: O(*n*) in the size of the journal, if it is read.
  init(
    _ path: FilePath,
    of folder: FilePath,
    isLocal: Bool = true,
    options: String,
    _ resumption: Resumption,
    hasPassword: Bool
  ) throws(FileError) {
    file = try LineFile(appendingTo: path)
    self.folder = folder
    self.isLocal = isLocal
    self.options = options
    self.resumption = resumption
    self.hasPassword = hasPassword
    index = if case .none = resumption { JournalIndex() } else { try JournalIndex(path) }
  }

  /// Appends a line.
  ///
  /// - Parameters:
  ///   - name: The name of its output.
  ///   - identity: The identity of its file before the work; nil if there was none.
  ///   - time: The end of the work, in seconds since 1970.
  /// - Throws: `FileError` if the line cannot be written.
  func append(
    _ record: LibraryRecord,
    name: FilePath,
    _ identity: JournalIdentity?,
    seconds: Double,
    at time: Double
  ) throws(FileError) {
    var record = record
    for index in record.pages.indices {
      guard var path = record.pages[index].file?.path else { continue }
      // Relative paths, so that folder and journal can be moved.
      _ = path.removePrefix(folder)
      record.pages[index].file?.path = path
    }
    let entry = JournalEntry(
      subject: JournalEntry.Subject(path: record.path, name: name.bytes, options: options),
      identity: identity,
      record: record,
      seconds: seconds,
      time: time
    )
    try file.append(entry.line)
  }

  /// Whether there is a line about a document, which may say that it needs no work.
  func has(path: [UInt8], name: [UInt8]) -> Bool {
    index[JournalEntry.Subject(path: path, name: name, options: options).digest] != nil
  }

  /// The journal's record of a document that needs no work.
  ///
  /// - Parameters:
  ///   - name: The name of its output.
  ///   - identity: The identity of its file now; nil if there is none.
  /// - Returns: The record, with the complete paths of the files; nil if the document needs work.
  func settled(path: [UInt8], name: [UInt8], _ identity: JournalIdentity?) -> LibraryRecord? {
    let subject = JournalEntry.Subject(path: path, name: name, options: options)
    guard let place = index[subject.digest],
      // Ignore lines that can no longer be read.
      let line = try? file.bytes(place.count, at: place.offset),
      let entry = JournalEntry(line: line), entry.subject == subject, entry.identity == identity,
      !entry.record.isInterrupted, stands(entry.record)
    else { return nil }
    var record = entry.record
    for index in record.pages.indices {
      guard let file = record.pages[index].file else { continue }
      let path = folder.appending(file.path.components)
      if isLocal {
        guard let status = try? Files.status(of: path), status.type == .regular,
          Int(status.size) == file.bytes
        else { return nil }
      }
      record.pages[index].file?.path = path
    }
    record.isUnchanged = true
    return record
  }

  /// Whether a document would fail in the same way now.
  private func stands(_ record: LibraryRecord) -> Bool {
    let codes = ([record.error] + record.pages.map(\.error)).compactMap { $0?.code }
    return switch resumption {
    case .none: false
    case .unfinishedAndFailed: codes.isEmpty
    case .unfinished: codes.allSatisfy { !isPassing(DocumentError.Code(rawValue: $0)) }
    }
  }

  /// Whether an error is not caused by the document itself.
  private func isPassing(_ code: DocumentError.Code) -> Bool {
    switch code {
    case .unreadable, .unavailable, .notAllowed, .changed, .cancelled, .output, .io: true
    case .passwordNeeded, .passwordWrong: hasPassword
    default: false
    }
  }
}

/// Where the last line about each document is in a journal.
struct JournalIndex: Sendable {
  /// The place of a line.
  struct LineLocation: Sendable {
    var offset: Int
    /// The number of bytes.
    var count: Int
  }

  private var places: [StableDigest: LineLocation] = [:]

  /// No lines.
  init() {}

  /// Reads a journal. Torn lines, and lines that are not of a journal, are skipped.
  ///
  /// - Parameters:
  ///   - key: The key of a line; the last line with a key counts.
  /// - Throws: `FileError` if the file cannot be read, or is not a regular file.
  /// - Complexity: O(*n*) in the size of the journal. About 40 bytes for each key are kept.
  init(
    _ path: FilePath,
    by key: (JournalEntry) -> StableDigest = \.subject.digest
  ) throws(FileError) {
    var places: [StableDigest: LineLocation] = [:]
    try LineFile.forEachLine(of: path) { offset, line in
      guard let entry = JournalEntry(line: line) else { return }
      places[key(entry)] = LineLocation(offset: offset, count: line.count)
    }
    self.places = places
  }

  /// The place of the last line with a key.
  subscript(_ key: StableDigest) -> LineLocation? { places[key] }

  /// Whether the line at an offset is the last one with its key.
  func isLast(_ key: StableDigest, at offset: Int) -> Bool { places[key]?.offset == offset }
}
