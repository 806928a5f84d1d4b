internal import RectoBase
internal import SystemPackage

/// The summary of a journal that `recto thumbs --report` prints.
struct JournalSummary {
  /// Failures of one code.
  private struct Failures {
    var documents = 0
    var pages = 0
    var examples: [String] = []
  }

  private var documents = 0
  private var failed = 0
  private var interrupted = 0
  private var pages = 0
  private var bytes = 0
  private var seconds = 0.0
  private var slowest: (seconds: Double, path: [UInt8])?
  /// When there was work on each document.
  private var spans: [(start: Double, end: Double)] = []
  private var codes: [String: Failures] = [:]
  /// Lines that are not of a journal.
  private var foreignLines = 0

  /// A summary of nothing.
  private init() {}

  /// The summary of a journal: counts the last line about each document, with any options.
  ///
  /// - Throws: `FileError` if it cannot be read, or is not a regular file.
  /// - Complexity: O(*n*) in the size of the journal, which is read twice.
  static func read(_ path: FilePath) throws(FileError) -> JournalSummary {
    let index = try JournalIndex(path, by: \.document)
    var summary = JournalSummary()
    try LineFile.forEachLine(of: path) { offset, line in
      if let entry = JournalEntry(line: line) {
        if index.isLast(entry.document, at: offset) { summary.add(entry) }
      } else if !line.isEmpty {
        summary.foreignLines += 1
      }
    }
    return summary
  }

  private mutating func add(_ entry: JournalEntry) {
    let record = entry.record
    documents += 1
    if record.isInterrupted { interrupted += 1 }
    if record.hasFailed { failed += 1 }
    // A page with several sizes has a file with the largest one.
    let largest = record.pages.compactMap { $0.file?.longestSide }.max()
    pages += record.pages.count { $0.file != nil && $0.file?.longestSide == largest }
    bytes += record.bytes
    seconds += entry.seconds
    spans.append((entry.time - max(0, entry.seconds), entry.time))
    if entry.seconds > slowest?.seconds ?? -1 { slowest = (entry.seconds, record.path) }
    if let error = record.error {
      add(error, pages: 0, "\(FilePath(bytes: record.path).printable)")
    }
    var seen: Set<String> = []
    for page in record.pages {
      guard let error = page.error else { continue }
      let count = (page.lastNumber ?? page.number) - page.number + 1
      let name = FilePath(bytes: record.path).printable + ": page \(page.number)"
      add(error, pages: count, name, isNew: seen.insert(error.code).inserted)
    }
  }

  /// Adds a failure.
  ///
  /// - Parameters:
  ///   - pages: The number of pages that failed; 0 for a document as a whole.
  ///   - isNew: Whether it is the document's first failure with this code.
  private mutating func add(
    _ error: LibraryRecord.ErrorText,
    pages: Int,
    _ place: String,
    isNew: Bool = true
  ) {
    let code = error.code.escapingControls
    var failures = codes[code, default: Failures()]
    failures.documents += isNew ? 1 : 0
    failures.pages += pages
    if isNew, failures.examples.count < Self.mostExamples {
      failures.examples.append("\(place): \(error.message.escapingControls)")
    }
    codes[code] = failures
  }

  private static let mostExamples = 2

  /// The table.
  var text: String {
    var lines = [
      "documents    \(documents): \(documents - failed - interrupted) done, \(failed) with failures, "
        + "\(interrupted) interrupted",
      "pages        \(pages)",
      "bytes        \(bytes)",
    ]
    if documents > 0 {
      let (elapsed, busy) = duration
      lines.append(
        "elapsed      \(elapsed.tenths) s, \(busy.tenths) s with work; on documents \(seconds.tenths) s"
      )
      lines.append(
        "rate         \((Double(documents) / busy).tenths) documents/s, "
          + "\((Double(pages) / busy).tenths) pages/s"
      )
    }
    if let slowest {
      lines.append(
        "slowest      \(slowest.seconds.tenths) s: \(FilePath(bytes: slowest.path).printable)"
      )
    }
    if foreignLines > 0 {
      lines.append("ignored      \(foreignLines) lines that are torn or not of a journal")
    }
    if !codes.isEmpty { lines += [""] + table }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The seconds from the first start to the last end, and those in which there was work on a document: a task may have
  /// waited in a queue.
  ///
  /// - Complexity: O(*n* log *n*) in the number of documents.
  private var duration: (elapsed: Double, busy: Double) {
    let spans = spans.sorted { $0.start < $1.start }
    guard let first = spans.first else { return (0, 0) }
    var end = first.start
    var busy = 0.0
    for span in spans where span.end > end {
      busy += span.end - max(end, span.start)
      end = span.end
    }
    return (max(0.001, end - first.start), max(0.001, busy))
  }

  /// A row for each code, the most frequent one first, with its examples below.
  private var table: [String] {
    let rows = codes.sorted { ($1.value.documents, $0.key) < ($0.value.documents, $1.key) }
    let width = max(4, rows.map(\.key.count).max() ?? 0)
    func row(_ code: String, _ documents: String, _ pages: String) -> String {
      code.padded(to: width) + "  " + documents.leftPadded(to: 9) + "  " + pages.leftPadded(to: 9)
    }
    return [row("code", "documents", "pages")]
      + rows.flatMap { code, failures in
        [row(code, String(failures.documents), String(failures.pages))]
          + failures.examples.map { "    \($0)" }
      }
  }
}

extension JournalEntry {
  /// A short form of the path of the document.
  fileprivate var document: StableDigest { StableDigest(subject.path) }
}

extension Double {
  /// The number with one decimal.
  fileprivate var tenths: String {
    let tenths = Int((max(0, min(self, 1e15)) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
