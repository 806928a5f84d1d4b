import Foundation
import Glibc
import TestSupport
import Testing

/// `info`, `text`, `search` and `pages` with `--from`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ManyDocumentsTests {
  private static let names = ["book", "rotate", "mixed-sizes", "labels", "crop"]

  /// A library of good documents, a damaged one, and a list of both and of a file that is missing.
  private func library() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    for name in Self.names { try sandbox.copy(name, to: "in/\(name).pdf") }
    try sandbox.copy("book", to: "in/more/book.pdf")
    _ = try sandbox.file("in/broken.pdf", "%PDF-1.7\nnothing")
    _ = try sandbox.file("list", "in\nmissing.pdf\n")
    return sandbox
  }

  /// The lines of a command, by path.
  private func lines(_ result: ProgramResult) throws -> [String: [[String: Any]]] {
    try Dictionary(grouping: result.jsonLines()) { $0["path"] as? String ?? "" }
  }

  private func code(_ line: [String: Any]?) -> String? {
    (line?["error"] as? [String: Any])?["code"] as? String
  }

  @Test(arguments: [
    ["text"], ["text", "--json"], ["text", "--aligned"], ["info"], ["search", "the"],
    ["pages", "--dpi", "20", "-o", "out/"],
  ])
  func `each document of a list has a line, and failures cost themselves only`(
    command: [String]
  ) throws {
    let sandbox = try library()
    let result = try sandbox.recto(command + ["--from", "list"])
    #expect(result.code == 1, "\(result.errors)")
    let lines = try lines(result)
    #expect(lines.count == 8)
    #expect(lines.values.allSatisfy { $0.count == 1 })
    #expect(code(lines["in/broken.pdf"]?.first) == "damaged")
    #expect(code(lines["missing.pdf"]?.first) == "unreadable")
    #expect(lines.values.count { $0[0]["error"] == nil } == 6)
    #expect(result.messages.count == 2, "\(result.errors)")
  }

  @Test func `texts are those of a command for one document`() throws {
    let sandbox = try library()
    for options in [[], ["--characters"], ["--pages", "1-2,z"], ["--area", "0,0,300,300"]] {
      let many = try lines(sandbox.recto(["text", "--json", "--from", "list"] + options))
      let plain = try lines(
        sandbox.recto(["text", "--from", "list"] + options.filter { $0 != "--characters" })
      )
      for name in Self.names {
        let path = "in/\(name).pdf"
        let one = try sandbox.recto(["text", "--json", path] + options).jsonLines()
        let texts = many[path]?.first?["texts"] as? [[String: Any]]
        #expect(texts.map { $0 as NSArray } == one as NSArray, "\(path) \(options)")
        let strings = (plain[path]?.first?["texts"] as? [[String: Any]])?.map {
          $0["text"] as? String
        }
        #expect(strings == one.map { $0["text"] as? String }, "\(path) \(options)")
      }
    }
  }

  @Test(arguments: [
    ["text"], ["text", "--json"], ["search", "e"], ["info"], ["pages", "-o", "out/"],
  ])
  func `with lines of pages each has the parts of the line of the document`(
    command: [String]
  ) throws {
    let sandbox = try library()
    let member = ["text": "texts", "search": "found", "info": "info", "pages": "pictures"]
    let documents = try lines(sandbox.recto(command + ["--from", "list"]))
    let pages = try lines(sandbox.recto(command + ["--from", "list", "--lines", "pages"]))
    #expect(documents.count == 8)
    for (path, document) in documents {
      let name = try #require(member[command[0]])
      if code(document[0]) != nil {
        #expect(pages[path]?.count == 1 && code(pages[path]?[0]) == code(document[0]))
      } else if command[0] == "info" {
        #expect(pages[path]?.count == document[0]["pages"] as? Int)
      } else {
        let parts = try #require(document[0][name] as? [[String: Any]])
        var shown = pages[path] ?? []
        for index in shown.indices { shown[index]["path"] = nil }
        let order: ([String: Any], [String: Any]) -> Bool = {
          ($0["page"] as? Int ?? 0) < ($1["page"] as? Int ?? 0)
        }
        #expect(shown.sorted(by: order) as NSArray == parts.sorted(by: order) as NSArray, "\(path)")
      }
    }
  }

  @Test func `information and hits are those of a command for one document`() throws {
    let sandbox = try library()
    let info = try lines(sandbox.recto(["info", "--fonts", "--all", "--from", "list"]))
    let found = try lines(sandbox.recto(["search", "the", "--from", "list"]))
    for name in Self.names {
      let path = "in/\(name).pdf"
      let one = try sandbox.recto(["info", "--fonts", "--all", "--json", path]).jsonLines()
      #expect(info[path]?.first?["info"] as? NSDictionary == one[0] as NSDictionary, "\(path)")
      let hits = try sandbox.recto(["search", path, "the", "--json"]).jsonLines()
      #expect(found[path]?.first?["found"] as? NSArray == hits as NSArray, "\(path)")
    }
    #expect(try sandbox.recto(["search", "no such words", "--from", "in/more"]).code == 66)
    _ = try sandbox.file("good", "in/more\nin/crop.pdf\n")
    #expect(try sandbox.recto(["search", "no such words", "--from", "good"]).code == 1)
    #expect(try sandbox.recto(["search", "the", "--from", "good"]).code == 0)
  }

  @Test func `pictures are those of a command for one document, under names of their own`() throws {
    let sandbox = try library()
    let pages = ["--dpi", "30", "--pages", "1-2"]
    let result = try sandbox.recto(
      ["pages", "--from", "list", "-o", "out/{dir}/{stem}_{page:3}.png"] + pages
    )
    #expect(result.code == 1)
    let files = sandbox.folder.files.filter { $0.hasPrefix("out/") }
    #expect(files.contains("out/more/book_001.png"))
    for name in Self.names + ["more/book"] {
      let one = try sandbox.recto(["pages", "in/\(name).pdf", "-o", "one/{page}.png"] + pages)
      #expect(one.code == 0, "\(one.errors)")
      for file in sandbox.folder.files where file.hasPrefix("one/") {
        let number = try #require(Int(file.dropFirst(4).dropLast(4)))
        let other = "out/\(name)_00\(number).png"
        #expect(try sandbox.data(file) == sandbox.data(other), "\(other)")
        try FileManager.default.removeItem(atPath: sandbox.folder.path(file))
      }
    }
  }

  @Test func `documents of one name get files of their own, and none is overwritten`() throws {
    let sandbox = try library()
    _ = try sandbox.file("list", "in/book.pdf\nin/more/book.pdf\nbook.pdf\n")
    try sandbox.copy("crop", to: "book.pdf")
    let before = try sandbox.data("book.pdf")
    let result = try sandbox.recto(["pages", "--from", "list", "-o", "{stem}.pdf"])
    #expect(try sandbox.data("book.pdf") == before)
    let names = sandbox.folder.files.filter { !$0.contains("/") && $0.hasSuffix(".pdf") }
    #expect(names == ["book.pdf", "book~2.pdf", "book~3.pdf"])
    // The first one would have had the name of a document.
    #expect(result.code == 1)
    #expect(code(try lines(result)["in/book.pdf"]?.first) == "usage")
  }

  @Test func `a run that is resumed does what is new, changed or failed in passing`() throws {
    let sandbox = try library()
    let command = ["text", "--from", "list", "--journal", "journal", "--resume"]
    let first = try lines(sandbox.recto(command))
    #expect(first.values.allSatisfy { $0[0]["unchanged"] == nil })
    try sandbox.copy("links", to: "new.tmp")
    #expect(
      rename(sandbox.folder.path("new.tmp"), sandbox.folder.path("in/crop.pdf")) == 0
    )
    try sandbox.copy("links", to: "in/added.pdf")
    let result = try sandbox.recto(command)
    #expect(result.code == 1)
    let second = try lines(result)
    let done = second.filter { $0.value[0]["unchanged"] == nil }.map(\.key)
    #expect(Set(done) == ["in/crop.pdf", "in/added.pdf", "missing.pdf"])
    #expect(second["in/book.pdf"]?[0]["pages"] as? Int == first["in/book.pdf"]?[0]["pages"] as? Int)
    #expect(code(second["in/broken.pdf"]?[0]) == "damaged")
    // Other options: other texts.
    let other = try lines(sandbox.recto(command + ["--aligned"]))
    #expect(other.values.allSatisfy { $0[0]["unchanged"] == nil })
    let again = try lines(
      sandbox.recto(["text", "--from", "list", "--journal", "journal", "--retry-failed"])
    )
    #expect(again["in/broken.pdf"]?[0]["unchanged"] == nil)
    let journal = try String(contentsOfFile: sandbox.folder.path("journal"), encoding: .utf8)
    RecordedOutput.add(journal, to: "journal-line")
    let report = try sandbox.recto("thumbs", "--report", "journal")
    #expect(report.text.contains("damaged") && report.text.contains("unreadable"))
  }

  @Test func `pictures that are gone are made again`() throws {
    let sandbox = try library()
    let command = [
      "pages", "--from", "list", "-o", "out/", "--journal", "j", "--resume", "--dpi", "9",
    ]
    _ = try sandbox.recto(command)
    let files = sandbox.folder.files.filter { $0.hasPrefix("out/") }
    let lost = try #require(files.first { $0.contains("rotate") })
    try FileManager.default.removeItem(atPath: sandbox.folder.path(lost))
    let again = try lines(sandbox.recto(command))
    let done = again.filter { $0.value[0]["unchanged"] == nil }.map(\.key)
    #expect(Set(done) == ["in/rotate.pdf", "missing.pdf"])
    #expect((again["in/book.pdf"]?[0]["pictures"] as? [Any])?.isEmpty == false)
    #expect(sandbox.folder.files.filter { $0.hasPrefix("out/") } == files)
  }

  @Test func `shards have each document once`() throws {
    let sandbox = try library()
    var paths: [String] = []
    for shard in 1...3 {
      let result = try sandbox.recto(["info", "--from", "list", "--shard", "\(shard)/3"])
      paths += try lines(result).keys
    }
    #expect(paths.count == 8 && Set(paths).count == 8)
  }

  @Test func `paths of standard input are answered before it ends`() throws {
    let sandbox = try library()
    let input = try Pipes()
    let output = try Pipes()
    let process = try ChildProcess(
      TestPaths.recto,
      ["text", "--from", "-"],
      environment: sandbox.environment,
      folder: sandbox.folder.url,
      input: .descriptor(input.reading.descriptor),
      output: .descriptor(output.writing.descriptor)
    )
    output.writing.close()
    input.reading.close()
    for path in ["in/crop.pdf", "missing.pdf", "in/labels.pdf"] {
      try input.writing.write(Data("\(path)\n".utf8))
      let text = String(decoding: try output.reading.read(), as: UTF8.self)
      #expect(text.hasPrefix("{\"path\":\"\(path)\""))
    }
    input.writing.close()
    #expect(process.wait() == 1)
  }

  @Test(arguments: ["documents", "pages"])
  func `a document that ends its worker is tried once more, and printed once`(unit: String) throws {
    let sandbox = try library()
    _ = try sandbox.file("list", "in/book.pdf\nin/crop.pdf\n")
    let plain = try sandbox.recto(["text", "--from", "list", "--lines", unit, "--no-cache"])
    let worker = sandbox.cache.url.appending(path: "worker")
    // The first one crashes.
    try Executable.write(
      "mkdir '\(worker.path)-once' 2>/dev/null && kill -SEGV $$; "
        + "exec '\(TestPaths.worker.path)' \"$@\"",
      to: worker
    )
    let once = try sandbox.recto(
      ["text", "--from", "list", "--lines", unit, "--no-cache", "--jobs", "1"],
      environment: ["RECTO_WORKER": worker.path]
    )
    #expect(once.code == 0, "\(once.errors)")
    #expect(Set(once.text.split(separator: "\n")) == Set(plain.text.split(separator: "\n")))
    try Executable.write("kill -SEGV $$", to: worker)
    let always = try sandbox.recto(
      ["text", "--from", "list", "--lines", unit, "--no-cache", "--jobs", "1"],
      environment: ["RECTO_WORKER": worker.path]
    )
    #expect(always.code == 1)
    #expect(always.text.contains("\"crash\""))
  }

  @Test func `the time for a document is limited`() throws {
    let sandbox = try library()
    _ = try sandbox.file("list", "in/book.pdf\nin/crop.pdf\n")
    let worker = sandbox.cache.url.appending(path: "worker")
    try Executable.write("sleep 60", to: worker)
    let result = try sandbox.recto(
      ["text", "--from", "list", "--document-timeout", "0.5", "--no-cache"],
      environment: ["RECTO_WORKER": worker.path]
    )
    #expect(result.code == 1)
    #expect(try lines(result).values.allSatisfy { code($0[0]) == "time-limit" })
  }

  @Test(arguments: [
    (["text", "a.pdf", "--lines", "pages"], "--lines needs --from"),
    (["info", "a.pdf", "--resume"], "--resume needs --from"),
    (["text", "--from", "list", "--resume"], "--resume needs --journal"),
    (["text", "a.pdf", "--from", "list"], "--from cannot be used with a file"),
    (["search", "--from", "list"], "'<words>'"),
    (["search", "--from", "list", "words", "1-3"], "--pages names pages"),
    (["pages", "--from", "list", "-o", "-"], "--from cannot be used with --output -"),
    (["pages", "--from", "list", "-o", "a.png"], "{stem}"),
    (["pages", "--from", "list", "-o", "{stem}.png"], "{page}"),
    (["pages", "--from", "list", "-o", "{stem}{page}{size}.png"], "{size}"),
    (["pages", "--from", "list", "--dzi"], "--from cannot be used with --dzi"),
    (["text"], "'<file>'"), (["info", "--null", "a.pdf"], "--null needs --from"),
  ])
  func `options that do not fit are refused`(arguments: [String], reason: String) throws {
    let result = try library().recto(arguments)
    #expect(result.code == 64)
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(result.text.isEmpty)
  }
}

extension CommandSandbox {
  /// The bytes of a file in the folder.
  fileprivate func data(_ name: String) throws -> Data {
    try Data(contentsOf: folder.url.appending(path: name))
  }
}
