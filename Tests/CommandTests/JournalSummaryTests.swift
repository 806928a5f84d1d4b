import RectoBase
import SystemPackage
import TestSupport
import Testing

@testable import RectoCommand

/// What `recto thumbs --report` prints of a journal.
@Suite struct JournalSummaryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The line of a document with three pages that were not drawn, or with one file.
  private func entry(
    _ path: String,
    options: String = "",
    error: String? = nil,
    seconds: Double = 1,
    time: Double = 2
  ) -> JournalEntry {
    var record = LibraryRecord(path: Array(path.utf8))
    record.error = error.map { LibraryRecord.ErrorText(code: $0, message: "m\u{1B}[2J") }
    return JournalEntry(
      subject: JournalEntry.Subject(path: record.path, name: record.path, options: options),
      identity: nil,
      record: record,
      seconds: seconds,
      time: time
    )
  }

  private func report(_ entries: [JournalEntry]) throws -> String {
    let path = FilePath(folder.path("journal"))
    try Files.write([], to: path)
    let journal = try LineFile(appendingTo: path)
    for entry in entries { try journal.append(entry.line) }
    return try JournalSummary.read(path).text
  }

  @Test func `a document is counted once, whatever the options of its lines are`() throws {
    let text = try report([
      entry("a.pdf", options: "size 128"), entry("b.pdf", options: "size 128"),
      entry("a.pdf", options: "size 256"), entry("b.pdf", options: "size 256"),
    ])
    #expect(text.hasPrefix("documents    2: 2 done, 0 with failures, 0 interrupted\n"), "\(text)")
  }

  @Test func `the rate is that of the work, without the wait in a queue`() throws {
    let text = try report([
      entry("a.pdf", seconds: 2, time: 12), entry("b.pdf", seconds: 3, time: 14),
      entry("c.pdf", seconds: 1, time: 13), entry("d.pdf", seconds: 1, time: 1000),
    ])
    #expect(text.contains("elapsed      990.0 s, 5.0 s with work; on documents 7.0 s\n"), "\(text)")
    #expect(text.contains("rate         0.8 documents/s, "), "\(text)")
  }

  @Test(arguments: [-1, 0, 1e300]) func `times that are wrong give a report`(
    seconds: Double
  ) throws {
    let text = try report([entry("a.pdf", seconds: seconds, time: 5), entry("b.pdf", time: -1e300)])
    #expect(text.hasPrefix("documents    2: "), "\(text)")
  }

  @Test func `a failure that a later run has mended is not counted`() throws {
    let text = try report([
      entry("a.pdf", options: "size 128", error: "crash"), entry("a.pdf", options: "size 256"),
    ])
    #expect(text.hasPrefix("documents    1: 1 done, 0 with failures, 0 interrupted\n"), "\(text)")
    #expect(!text.contains("crash"))
  }

  @Test func `a failure is counted although an earlier run had none`() throws {
    let text = try report([
      entry("a.pdf", options: "size 256"), entry("a.pdf", options: "size 128", error: "crash"),
    ])
    #expect(text.hasPrefix("documents    1: 0 done, 1 with failures, 0 interrupted\n"), "\(text)")
  }

  @Test func `nothing of a journal rules the terminal`() throws {
    let text = try report([entry("a\u{1B}]0;x\u{7}.pdf", options: "", error: "c\u{1B}[31m\u{9B}")])
    #expect(
      text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
    )
    #expect(text.contains("c\\x1b[31m"), "\(text)")
  }
}
