import Foundation
import Glibc
import TestSupport
import Testing

/// The journal of `recto thumbs`, and what later runs do with it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JournalTests {
  static let journal = "out/recto-journal.jsonl"
  static let arguments = [
    "thumbs", "in", "-o", "out", "--pages", "all", "--size", "40", "--resume",
  ]

  /// A library of good documents.
  private func library() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    for name in ["book", "rotate", "mixed-sizes", "labels", "crop"] {
      try sandbox.copy(name, to: "in/\(name).pdf")
      try sandbox.copy(name, to: "in/more/\(name).pdf")
    }
    return sandbox
  }

  /// The names and bytes of the files in the output folder, without the journal.
  private func pictures(_ sandbox: CommandSandbox) throws -> [String: Data] {
    let names = sandbox.folder.files.filter { $0.hasPrefix("out/") && $0 != Self.journal }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: sandbox.folder.url.appending(path: $0)))
      }
    )
  }

  private func entries(_ sandbox: CommandSandbox, _ name: String = journal) throws -> [Entry] {
    let text = try String(contentsOfFile: sandbox.folder.path(name), encoding: .utf8)
    // The last line may be torn.
    let lines = text.split(separator: "\n").filter { $0.hasSuffix("}") }
    RecordedOutput.add(lines.joined(separator: "\n"), to: "journal-line")
    return lines.compactMap {
      try? JSONDecoder().decode(Entry.self, from: Data($0.utf8))
    }
  }

  private struct Entry: Decodable {
    var path: String
    var pages: Int?
    var error: RenderOutput.Failure?
    var interrupted: Bool?
    var thumbnails: [ThumbnailLine.Thumbnail]?
    var bytes: Int
    var seconds: Double
  }

  /// The number of lines of the journal so far.
  private func lineCount(_ sandbox: CommandSandbox) -> Int {
    let data = FileManager.default.contents(atPath: sandbox.folder.path(Self.journal)) ?? Data()
    return data.count { $0 == UInt8(ascii: "\n") }
  }

  @Test func `a run that is resumed after SIGKILL ends as one that was not disturbed`() throws {
    let whole = try library()
    #expect(try whole.recto(Self.arguments).code == 0)
    let expected = try pictures(whole)
    #expect(expected.count > 60)
    var random = SeededGenerator(16)
    for moment in 0..<20 {
      let sandbox = try library()
      if moment % 2 == 1 {
        // Every file is replaced, which takes a temporary name.
        let other = ["thumbs", "in", "-o", "out", "--pages", "all", "--size", "30"]
        #expect(try sandbox.recto(other).code == 0)
      }
      let count = Int.random(in: 0..<10, using: &random)
      let files = Int.random(in: 0..<12, using: &random)
      let command = try RunningCommand(sandbox, Self.arguments)
      let start = try pictures(sandbox).count
      #expect(
        poll {
          let isFar = lineCount(sandbox) >= count
          return isFar && (moment % 2 == 1 || sandbox.folder.files.count - start >= files)
        }
      )
      _ = command.end(with: SIGKILL)
      // The journal may not have been made yet.
      let isBegun = FileManager.default.fileExists(atPath: sandbox.folder.path(Self.journal))
      let done = isBegun ? Set(try entries(sandbox).map(\.path)) : []
      let result = try sandbox.recto(Self.arguments)
      #expect(result.code == 0, "\(result.errors)")
      let lines: [ThumbnailLine] = try result.decodedLines()
      #expect(Set(lines.filter { $0.unchanged == true }.map(\.path)) == done)
      #expect(lines.count == 10)
      let found = try pictures(sandbox)
      #expect(found.keys.sorted() == expected.keys.sorted(), "moment \(moment)")
      #expect(found == expected, "moment \(moment)")
      #expect(Set(try entries(sandbox).map(\.path)).count == 10)
    }
  }

  @Test func `what has changed is done again, and nothing else`() throws {
    let sandbox = try library()
    func done(_ arguments: [String] = Self.arguments) throws -> [String] {
      let result = try sandbox.recto(arguments)
      #expect(result.code == 0, "\(result.errors)")
      let lines: [ThumbnailLine] = try result.decodedLines()
      #expect(lines.count == 10)
      #expect(lines.allSatisfy { $0.thumbnails?.isEmpty == false })
      return lines.filter { $0.unchanged == nil }.map(\.path).sorted()
    }
    #expect(try done().count == 10)
    #expect(try done() == [])
    // A document under the same name and of the same size and time.
    let crop = sandbox.folder.path("in/crop.pdf")
    #expect(
      try sandbox.shell(
        "touch -r in/crop.pdf time; cp in/crop.pdf c; cat c > in/crop.pdf; touch -r time in/crop.pdf"
      ).code == 0
    )
    #expect(FileManager.default.fileExists(atPath: crop))
    #expect(try done() == ["in/crop.pdf"])
    // A picture that is missing, and one that is torn.
    #expect(try sandbox.shell("rm out/book-03.png; truncate -s 20 out/more/rotate-1.png").code == 0)
    #expect(try done() == ["in/book.pdf", "in/more/rotate.pdf"])
    #expect(try done() == [])
    // Other options, after which the first ones are still known.
    #expect(try done(Self.arguments + ["--gray"]).count == 10)
    #expect(try done(Self.arguments + ["--gray"]) == [])
    // The journal and the folder can be moved.
    #expect(try sandbox.shell("mv out moved").code == 0)
    #expect(
      try done(["thumbs", "in", "-omoved", "--pages", "all", "--size", "40", "--resume", "--gray"])
        == []
    )
  }

  @Test func `failures stand until they are to be tried again`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("not-a-pdf", to: "in/bad.pdf")
    try sandbox.copy("page-empty", to: "in/pages.pdf")
    try sandbox.copy("encrypted", to: "in/locked.pdf")
    try sandbox.copy("form", to: "in/good.pdf")
    let plain = ["thumbs", "in", "gone.pdf", "-o", "out", "--pages", "all"]
    func done(_ more: String...) throws -> [String] {
      let result = try sandbox.recto(plain + more)
      #expect(result.code == 1)
      let lines: [ThumbnailLine] = try result.decodedLines()
      #expect(lines.count == 5)
      return lines.filter { $0.unchanged == nil }.map(\.path).sorted()
    }
    #expect(try done("--journal", Self.journal).count == 5)
    // A file that is not there may be there now.
    #expect(try done("--resume") == ["gone.pdf"])
    #expect(try done("--resume", "--password", "user") == ["gone.pdf", "in/locked.pdf"])
    #expect(
      try done("--retry-failed").filter { $0 != "in/locked.pdf" } == [
        "gone.pdf", "in/bad.pdf", "in/pages.pdf",
      ]
    )
    let message = try sandbox.recto(plain + ["--resume"]).errors
    #expect(message.contains("documents failed before; --retry-failed tries again\n"), "\(message)")
    try FileManager.default.removeItem(atPath: sandbox.folder.path("in/bad.pdf"))
    try sandbox.copy("form", to: "in/bad.pdf")
    #expect(try done("--resume") == ["gone.pdf", "in/bad.pdf"])
  }

  @Test func `a journal with torn and foreign lines is read, and continued on a new line`() throws {
    let sandbox = try library()
    #expect(try sandbox.recto(Self.arguments).code == 0)
    let path = sandbox.folder.path(Self.journal)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let torn = lines[9].prefix(lines[9].count / 2)
    let text = "no JSON\n{\"path\":\"in/x.pdf\"}\n\n\(lines[..<9].joined(separator: "\n"))\n\(torn)"
    try Data(text.utf8).write(to: URL(filePath: path))
    let again: [ThumbnailLine] = try sandbox.recto(Self.arguments).decodedLines()
    #expect(again.count { $0.unchanged == true } == 9)
    #expect(
      try sandbox.recto(Self.arguments).decodedLines(ThumbnailLine.self).allSatisfy {
        $0.unchanged == true
      }
    )
    let report = try sandbox.recto("thumbs", "--report", Self.journal)
    #expect(report.code == 0)
    #expect(
      report.text.contains("documents    10: 10 done, 0 with failures, 0 interrupted\n"),
      "\(report.text)"
    )
    #expect(report.text.contains("ignored      3 lines"), "\(report.text)")
  }

  @Test func `a report has a row for each code, with examples`() throws {
    let sandbox = try CommandSandbox()
    for name in ["a", "b", "c"] { try sandbox.copy("not-a-pdf", to: "in/\(name).pdf") }
    try sandbox.copy("page-empty", to: "in/pages.pdf")
    try sandbox.copy("form", to: "in/good.pdf")
    let arguments = ["thumbs", "in", "-o", "out", "--pages", "all", "--retry-failed"]
    for _ in 0..<2 { #expect(try sandbox.recto(arguments).code == 1) }
    let report = try sandbox.recto("thumbs", "--report", Self.journal)
    #expect(report.code == 0)
    #expect(report.errors.isEmpty)
    // Tried twice, counted once.
    #expect(
      report.text.contains("documents    5: 1 done, 4 with failures, 0 interrupted\n"),
      "\(report.text)"
    )
    #expect(report.text.contains("not-pdf            3          0\n    in/"), "\(report.text)")
    #expect(
      report.text.contains("page-size          1          2\n    in/pages.pdf: page 2: "),
      "\(report.text)"
    )
    #expect(try sandbox.recto("thumbs", "--report", "missing").code == 66)
    #expect(try sandbox.recto("thumbs", "--report", Self.journal, "in").code == 64)
  }

  @Test func `shards are parts of the library, whatever their number and however it is listed`()
    throws
  {
    let sandbox = try library()
    let all = try sandbox.recto("thumbs", "in", "-o", "out", "--dry-run", "-q")
    let paths = try all.decodedLines(ThumbnailLine.self).map(\.path).sorted()
    #expect(paths.count == 10)
    let list = Data((paths.reversed().joined(separator: "\n") + "\n").utf8)
    for count in 1...7 {
      var found: [String] = []
      for number in 1...count {
        let shard = ["--shard", "\(number)/\(count)", "--dry-run", "-q", "-o", "out"]
        let part = try sandbox.recto(["thumbs", "in"] + shard)
        #expect(part.code == 0)
        let one = try part.decodedLines(ThumbnailLine.self).map(\.path).sorted()
        found += one
        let other = try sandbox.recto(["thumbs", "--from", "-"] + shard, input: list)
        #expect(try other.decodedLines(ThumbnailLine.self).map(\.path).sorted() == one)
      }
      #expect(found.sorted() == paths)
    }
    #expect(!sandbox.folder.files.contains { $0.hasPrefix("out") })
  }

  @Test(arguments: [
    (
      [
        "SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "9",
        "SLURM_ARRAY_TASK_STEP": "4", "SLURM_ARRAY_TASK_COUNT": "3",
      ], "auto", "3/3"
    ),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "1", "AWS_BATCH_JOB_ARRAY_SIZE": "4"], "auto", "2/4"),
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "5"], "auto", "1/5"),
    (["JOB_COMPLETION_INDEX": "2"], "auto/3", "3/3"),
  ])
  func `a shard is that of the run in an array`(
    variables: [String: String],
    given: String,
    same: String
  ) throws {
    let sandbox = try library()
    func paths(_ shard: String, _ variables: [String: String]) throws -> [String] {
      let result = try sandbox.recto(
        ["thumbs", "in", "-o", "out", "--dry-run", "--shard", shard],
        environment: variables
      )
      #expect(result.code == 0)
      return try result.decodedLines(ThumbnailLine.self).map(\.path).sorted()
    }
    #expect(try paths(given, variables) == paths(same, [:]))
  }

  @Test(arguments: [
    [:], ["JOB_COMPLETION_INDEX": "1"], ["JOB_COMPLETION_INDEX": "x", "JOB_COMPLETIONS": "2"],
    ["AWS_BATCH_JOB_ARRAY_INDEX": "4", "AWS_BATCH_JOB_ARRAY_SIZE": "4"],
    [
      "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "7",
      "SLURM_ARRAY_TASK_COUNT": "3",
    ],
  ])
  func `an array that does not say which part is meant is refused`(variables: [String: String])
    throws
  {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      ["thumbs", "in", "-o", "out", "--shard", "auto"],
      environment: variables
    )
    #expect(result.code == 64)
    #expect(result.messages.count == 1)
    #expect(sandbox.folder.files.isEmpty)
  }

  @Test func `paths of standard input are answered before it ends`() throws {
    let sandbox = try library()
    let input = try Pipes()
    let output = try Pipes()
    let process = try ChildProcess(
      TestPaths.recto,
      ["thumbs", "--from", "-", "-o", "out", "--size", "20"],
      environment: sandbox.environment,
      folder: sandbox.folder.url,
      input: .descriptor(input.reading.descriptor),
      output: .descriptor(output.writing.descriptor)
    )
    output.writing.close()
    input.reading.close()
    for path in ["in/book.pdf", "in/more/book.pdf", "missing.pdf", "in/crop.pdf"] {
      try input.writing.write(Data("\(path)\n".utf8))
      let line = try JSONDecoder().decode(ThumbnailLine.self, from: output.reading.read())
      #expect(line.path == path)
      #expect((line.error != nil) == (path == "missing.pdf"))
    }
    input.writing.close()
    #expect(process.wait() == 1)
    #expect(
      sandbox.folder.files.filter { $0.hasPrefix("out") } == [
        "out/book.png", "out/book~2.png", "out/crop.png",
      ]
    )
  }

  @Test func `a signal ends a command that waits for paths`() throws {
    let sandbox = try library()
    let input = try Pipes()
    let output = try Pipes()
    let process = try ChildProcess(
      TestPaths.recto,
      ["thumbs", "--from", "-", "-o", "out"],
      environment: sandbox.environment,
      folder: sandbox.folder.url,
      input: .descriptor(input.reading.descriptor),
      output: .descriptor(output.writing.descriptor)
    )
    try input.writing.write(Data("in/crop.pdf\n".utf8))
    _ = try output.reading.read()
    process.send(SIGINT)
    #expect(process.wait() == 130)
  }

  @Test func `a document that ends its worker is tried once more`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "a.pdf")
    let worker = sandbox.cache.url.appending(path: "worker")
    // The first one to make the directory crashes.
    try Executable.write(
      "echo >> '\(worker.path)-starts'; mkdir '\(worker.path)-$N' 2>/dev/null && kill -SEGV $$; "
        + "exec '\(TestPaths.worker.path)' \"$@\"",
      to: worker
    )
    let once = try sandbox.recto(
      ["thumbs", "a.pdf", "-o", "out", "--jobs", "1", "--journal", "j"],
      environment: ["RECTO_WORKER": worker.path, "N": "1"]
    )
    #expect(once.code == 0, "\(once.errors)")
    #expect(try entries(sandbox, "j").count == 1)
    try Executable.write("echo >> '\(worker.path)-all'; kill -SEGV $$", to: worker)
    let always = try sandbox.recto(
      ["thumbs", "a.pdf", "-o", "out", "--jobs", "1", "--journal", "j"],
      environment: ["RECTO_WORKER": worker.path]
    )
    #expect(always.code == 1 || always.code == 65)
    let lines: [ThumbnailLine] = try always.decodedLines()
    #expect(lines.map { $0.error?.code ?? $0.thumbnails?.first?.error?.code } == ["crash"])
    #expect(try entries(sandbox, "j").count == 2)
  }

  @Test func `the time for a document covers all its pages, and those that are done stay`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("endless-forms", to: "a.pdf")
    let result = try sandbox.recto(
      "thumbs",
      "a.pdf",
      "-o",
      "out",
      "--pages",
      "all",
      "--size",
      "20",
      "--document-timeout",
      "3",
      "--resume"
    )
    #expect(result.code == 1)
    let line: ThumbnailLine = try result.decoded()
    #expect(line.thumbnails?.map { $0.error?.code } == [nil, "time-limit", nil])
    #expect(line.thumbnails?[1].error?.message == "the document was not done after 3 s")
    #expect(line.interrupted == nil)
    let again: ThumbnailLine = try sandbox.recto(
      "thumbs",
      "a.pdf",
      "-o",
      "out",
      "--pages",
      "all",
      "--size",
      "20",
      "--resume"
    ).decoded()
    #expect(again.unchanged == true)
  }

  @Test func `a dry run says what would be done, and writes nothing`() throws {
    let sandbox = try library()
    #expect(try sandbox.recto(Self.arguments).code == 0)
    try sandbox.copy("form", to: "in/new.pdf")
    let before = sandbox.folder.files + sandbox.cache.files
    let result = try sandbox.recto(Self.arguments + ["--dry-run"])
    #expect(result.code == 0)
    #expect(result.errors == "recto: dry run: 11 documents: 10 unchanged, 1 pages to draw\n")
    #expect(
      result.text.contains(#""planned":{"pages":1,"file":"out/new-1.png"}"#),
      "\(result.text)"
    )
    #expect(sandbox.folder.files + sandbox.cache.files == before)
  }

  @Test func `an interrupted document is done again`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("endless-forms", to: "in/a.pdf")
    let arguments = ["thumbs", "in", "-o", "out", "--pages", "all", "--size", "20", "--resume"]
    let command = try RunningCommand(sandbox, arguments)
    #expect(poll { sandbox.folder.files.count { $0.hasSuffix(".png") } == 2 })
    #expect(command.end(with: SIGINT) == 130)
    #expect(try entries(sandbox).map(\.interrupted) == [true])
    let again: ThumbnailLine = try sandbox.recto(arguments + ["--timeout", "2"]).decoded()
    #expect(again.unchanged == nil)
    #expect(again.thumbnails?.map { $0.error?.code } == [nil, "time-limit", nil])
  }
}
