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

/// Documents and pictures in the streams of a command, and the names of many documents.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DocumentStreamTests {
  /// Documents as standard input with `--contents` has them.
  private func contents(_ documents: [(name: String, data: Data)]) -> Data {
    documents.reduce(into: Data()) { stream, document in
      stream += Data("{\"path\":\"\(document.name)\",\"bytes\":\(document.data.count)}\n".utf8)
      stream += document.data
    }
  }

  private func data(_ name: String) throws -> Data { try Data(contentsOf: TestPaths.fixture(name)) }

  @Test(arguments: [["text"], ["info"], ["search", "the"], ["pages", "--pictures", "inline"]])
  func `documents of standard input are as those of files`(command: [String]) throws {
    let sandbox = try CommandSandbox()
    let names = ["book", "crop", "labels"]
    for name in names { try sandbox.copy(name, to: "\(name).pdf") }
    let list = try sandbox.file("list", names.map { "\($0).pdf\n" }.joined())
    let files = try sandbox.recto(command + ["--from", list])
    let input = contents(try names.map { ("\($0).pdf", try data($0)) })
    let stream = try sandbox.recto(command + ["--from", "-", "--contents"], input: input)
    #expect(files.code == 0 && stream.code == 0, "\(stream.errors)")
    #expect(
      Set(files.text.split(separator: "\n")) == Set(stream.text.split(separator: "\n"))
    )
    // Nothing is kept of them.
    #expect(stream.errors.isEmpty)
  }

  @Test func `a document that is too large or incomplete costs itself only`() throws {
    let sandbox = try CommandSandbox()
    let crop = try data("crop")
    var input = contents([
      ("a.pdf", crop), ("large.pdf", Data(count: 2_000_000)), ("b.pdf", crop), ("c.pdf", Data()),
    ])
    input += Data("\n{\"path\":\"d.pdf\",\"bytes\":100}\nabc".utf8)
    let result = try sandbox.recto(
      ["text", "--from", "-", "--contents", "--max-input", "1"],
      input: input
    )
    #expect(result.code == 1)
    let lines = try result.jsonLines()
    let failed = lines.filter { $0["error"] != nil }.compactMap { $0["path"] as? String }
    #expect(lines.count == 5 && Set(failed) == ["large.pdf", "c.pdf", "d.pdf"])
    #expect(result.errors.contains("--max-input") && result.errors.contains("3 of 100 bytes"))
    let foreign = try sandbox.recto(
      ["text", "--from", "-", "--contents"],
      input: contents([("a.pdf", crop)]) + Data("a.pdf\n".utf8)
    )
    #expect(foreign.code == 64 && foreign.errors.contains("\"bytes\":N"))
  }

  @Test func `pictures in lines have the bytes of those in files, and pages their text`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "book.pdf")
    let list = try sandbox.file("list", "book.pdf\n")
    let files = try sandbox.recto(
      ["pages", "--from", list, "--size", "200", "-o", "out/", "--with-text"]
    )
    let inline = try sandbox.recto(
      ["pages", "--from", list, "--size", "200", "--pictures", "inline", "--lines", "pages"]
    )
    let texts = try sandbox.recto("text", "book.pdf", "--json").jsonLines()
    #expect(files.code == 0 && inline.code == 0, "\(files.errors)\(inline.errors)")
    let pages = try #require(try files.jsonLines().first?["pictures"] as? [[String: Any]])
    let lines = try inline.jsonLines()
    #expect(pages.count == 12 && lines.count == 12)
    #expect(pages.map { $0["text"] as? String } == texts.map { $0["text"] as? String })
    for line in lines {
      let number = try #require(line["page"] as? Int)
      let file = try #require(pages[number - 1]["file"] as? String)
      let picture = try #require((line["picture"] as? String).flatMap { Data(base64Encoded: $0) })
      #expect(try picture == Data(contentsOf: sandbox.folder.url.appending(path: file)))
      #expect(line["bytes"] as? Int == picture.count)
      #expect(line["file"] == nil && line["path"] as? String == "book.pdf")
    }
  }

  @Test(arguments: [
    ("{dir}/{stem}.png", ["a/scan.png", "b/c/scan.png"]),
    ("{hash}.png", ["16", "16"]), ("", ["a/scan.png", "b/c/scan.png"]),
  ])
  func `names below a directory need no number`(template: String, names: [String]) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("crop", to: "in/a/scan.pdf")
    try sandbox.copy("rotate", to: "in/b/c/scan.pdf")
    let base = sandbox.folder.path("in")
    let first = try sandbox.file("first", "\(base)/a/scan.pdf\n\(base)/b/c/scan.pdf\n")
    let second = try sandbox.file("second", "\(base)/b/c/scan.pdf\nother.pdf\n\(base)/a/scan.pdf\n")
    var found: [[String]] = []
    for list in [first, second] {
      let result = try sandbox.recto(
        ["thumbs", "--from", list, "--base", base, "--size", "20", "-o", "out/\(template)"]
      )
      #expect(result.code == (list == first ? 0 : 1))
      #expect(result.errors.isEmpty || result.errors.contains("other.pdf: not below --base"))
      found.append(sandbox.folder.files.filter { $0.hasPrefix("out/") })
    }
    #expect(found[0] == found[1])
    if names[0] == "16" {
      #expect(found[0].count == 2 && found[0].allSatisfy { $0.count == "out/.png".count + 16 })
    } else {
      #expect(found[0] == names.map { "out/\($0)" })
    }
  }

  @Test func `one path twice has two names, also by its digits`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("crop", to: "a.pdf")
    let list = try sandbox.file("list", "a.pdf\na.pdf\n")
    let result = try sandbox.recto("thumbs", "--from", list, "-o", "out/{hash}.png")
    #expect(result.code == 0, "\(result.errors)")
    #expect(sandbox.folder.files.count { $0.hasPrefix("out/") } == 2)
  }

  @Test func `lines of documents that are drawn at the same time do not mix`() throws {
    let sandbox = try CommandSandbox()
    let list = try sandbox.file("list", String(repeating: "\(fixture("book"))\n", count: 6))
    let inline = ["--lines", "pages", "--pictures", "inline", "--dpi", "300", "--jobs", "2"]
    let result = try sandbox.recto(["pages", "--from", list] + inline)
    #expect(result.code == 0)
    #expect(try result.jsonLines().count == 72)
  }

  @Test func `a command ends with the reader of its lines, also while it draws`() throws {
    let sandbox = try CommandSandbox()
    let list = try sandbox.file(
      "list",
      "\(fixture("book"))\n\(fixture("endless-forms"))\n"
    )
    let inline = "--lines pages --pictures inline --size 16 --jobs 2 --timeout 600"
    let command = "\"$recto\" pages --from '\(list)' \(inline) | head -n 1 >first"
    let duration = try ContinuousClock().measure { _ = try sandbox.shell(command) }
    #expect(duration < .seconds(300))
    #expect(sandbox.folder.files.contains("first"))
  }

  @Test func `a document may be the address of a file`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("crop", to: "a b.pdf")
    let folder = sandbox.folder.url.path
    let expected = try sandbox.recto("text", "a b.pdf")
    for address in ["file:\(folder)/a%20b.pdf", "file://\(folder)/a%20b.pdf"] {
      let result = try sandbox.recto("text", address)
      #expect(result.code == 0 && result.output == expected.output, "\(result.errors)")
      #expect(try sandbox.recto("pages", address, "1", "--size", "16").code == 0)
    }
    #expect(sandbox.folder.files.count { $0.hasPrefix("a b-") } == 1)
  }

  @Test func `paths may be addresses of files`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("crop", to: "a b.pdf")
    let folder = sandbox.folder.url.path
    let addresses = [
      "file:\(folder)/a%20b.pdf", "file://\(folder)/a%20b.pdf",
      "file://localhost\(folder)/a%20b.pdf",
      "file://elsewhere/a.pdf", "file:/%zz",
    ]
    let list = try sandbox.file("list", addresses.joined(separator: "\n"))
    let result = try sandbox.recto("info", "--from", list)
    #expect(result.code == 1)
    let lines = try result.jsonLines()
    let failed = lines.filter { $0["error"] != nil }.compactMap { $0["path"] as? String }
    #expect(Set(failed) == Set(addresses.suffix(2)))
    #expect(Set(lines.compactMap { $0["path"] as? String }) == Set(addresses))
  }

  @Test(arguments: [
    (["text", "a.pdf", "--contents"], "--contents needs --from"),
    (["text", "--from", "list", "--contents"], "--contents needs --from -"),
    (["text", "--from", "-", "--contents", "--journal", "j", "--resume"], "--contents cannot"),
    (["pages", "a.pdf", "--pictures", "inline"], "--pictures inline needs --from"),
    (["pages", "a.pdf", "--with-text"], "--with-text needs --from"),
    (["pages", "--from", "-", "--pictures", "inline", "-o", "out/"], "--output"),
    (["text", "a.pdf", "--base", "in"], "--base needs --from"),
  ])
  func `options that do not fit are refused`(arguments: [String], reason: String) throws {
    let result = try CommandSandbox().recto(arguments)
    #expect(result.code == 64 && result.errors.contains(reason), "\(result.errors)")
  }
}
