import Foundation
import TestSupport
import Testing

/// Many documents on servers, in lists and as prefixes of stores.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RemoteLibraryTests {
  private let sandbox: CommandSandbox
  private let server: DocumentServer
  /// The folder of the server; `library` in it is a bucket.
  private let folder: TemporaryFolder

  init() throws {
    sandbox = try CommandSandbox()
    folder = try TemporaryFolder()
    server = try DocumentServer(folder.url)
  }

  /// Puts a fixture, or bytes, into the bucket.
  private func put(_ key: String, _ fixture: String = "book", _ bytes: Data? = nil) throws {
    let file = folder.url.appending(path: "library").appending(path: key)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try (bytes ?? Data(contentsOf: TestPaths.fixture(fixture))).write(to: file)
  }

  private static let names = ["book", "rotate", "labels", "crop", "links"]

  /// Documents with names of all kinds, two with the same last part, and one that is damaged.
  private func fill() throws {
    for name in Self.names { try put("2026/\(name).pdf", name) }
    try put("2026/more/book.PDF", "form")
    try put("2026/more/a+b é & c%20.pdf", "layers")
    try put("2026/broken.pdf", "book", Data("%PDF-1.7\nnothing".utf8))
    try put("2026/.hidden/book.pdf")
    try put("2026/note.txt", "book", Data("no PDF".utf8))
    try put("2027/other.pdf")
  }

  private func recto(
    from kind: String = "plain",
    _ arguments: [String],
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let store = ["AWS_ENDPOINT_URL": "\(server.root)/\(kind)", "HOME": folder.url.path]
    return try sandbox.recto(
      arguments,
      environment: DocumentServer.environment.merging(store) { $1 }
        .merging(environment) { $1 }
    )
  }

  /// The lines of a result, by path.
  private func lines(_ result: ProgramResult) throws -> [String: [String: Any]] {
    let lines = try result.jsonLines()
    let found = Dictionary(lines.map { ($0["path"] as? String ?? "", $0) }) { $1 }
    #expect(found.count == lines.count, "\(result.text)")
    return found
  }

  private func code(_ line: [String: Any]?) -> String? {
    (line?["error"] as? [String: Any])?["code"] as? String
  }

  /// The bytes of a file of the sandbox.
  private func contents(_ name: String) throws -> Data {
    try Data(contentsOf: sandbox.folder.url.appending(path: name))
  }

  /// The files below a folder of the sandbox, with their bytes.
  private func files(_ name: String) throws -> [String: Data] {
    let root = sandbox.folder.url.appending(path: name)
    var files: [String: Data] = [:]
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    for path in paths where path.hasSuffix(".png") {
      files[path] = try Data(contentsOf: root.appending(path: path))
    }
    return files
  }

  @Test func `the thumbnails of a prefix are those of the folder`() throws {
    try fill()
    let here = folder.url.appending(path: "library/2026").path + "/"
    for options in [
      [], ["--pages", "all", "--size", "64"], ["--hidden"], ["--isolation", "worker"],
    ]
      as [[String]]
    {
      let local = try recto(["thumbs", here, "-o", "local"] + options)
      let remote = try recto(["thumbs", "s3://library/2026/", "-o", "remote"] + options)
      #expect(remote.code == local.code && remote.code == 1, "\(remote.errors)")
      #expect(try files("remote") == files("local"))
      #expect(try files("remote").count >= 7)
      #expect(
        remote.text.replacing("s3://library/2026/", with: here).replacing("remote/", with: "local/")
          .split(separator: "\n").sorted() == local.text.split(separator: "\n").sorted()
      )
      let errors = remote.errors.replacing("s3://library/2026/", with: here)
      #expect(errors == local.errors)
    }
  }

  @Test func `a prefix is listed by thousands, and nothing but documents is fetched`() throws {
    for number in 0..<2500 { try put("p/\(number).txt", "book", Data()) }
    for name in Self.names { try put("p/\(name).pdf", name) }
    let result = try recto(["thumbs", "s3://library/p/", "-o", "out"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(try lines(result).count == 5)
    let requests = server.requests.map { $0.split(separator: " ")[1] }
    #expect(requests.count { $0 == "/plain/library/" } == 3)
    #expect(requests.allSatisfy { $0 == "/plain/library/" || $0.hasSuffix(".pdf") })
  }

  @Test(arguments: [
    ["thumbs", "-o", "out"], ["text"], ["info"], ["search", "the"],
    ["pages", "--dpi", "20", "-o", "out/"],
  ])
  func `a list has paths, addresses and prefixes, and each failure is one line`(
    command: [String]
  ) throws {
    try fill()
    try sandbox.copy("crop", to: "here/crop.pdf")
    let addresses = [
      "\(server.root)/plain/library/2026/rotate.pdf", "\(server.root)/missing/a.pdf",
      "\(server.root)/forbidden/b.pdf", "s3://library/2027/other.pdf", "s3://library/none.pdf",
      "http://127.0.0.1:1/c.pdf",
    ]
    let prefixes = ["s3://library/2026/", "s3://library/2028/"]
    _ = try sandbox.file("list", (addresses + prefixes + ["here"]).joined(separator: "\n"))
    for (list, input) in [("list", nil), ("-", try contents("list"))] {
      let result = try sandbox.recto(
        command + ["--from", list],
        environment: DocumentServer.environment.merging([
          "AWS_ENDPOINT_URL": "\(server.root)/plain", "HOME": folder.url.path,
        ]) { $1 },
        input: input
      )
      #expect(result.code == 1, "\(result.errors)")
      let lines = try lines(result)
      #expect(lines.count == 6 + 8 + 1, "\(result.text)")
      let codes = addresses.map { code(lines[$0]) }
      #expect(
        codes == [nil, "unreadable", "not-allowed", nil, "unreadable", "unavailable"],
        "\(result.text)"
      )
      #expect(code(lines["s3://library/2026/broken.pdf"]) == "damaged")
      #expect(lines["here/crop.pdf"] != nil)
      // Four addresses, a damaged document, and a prefix without documents.
      #expect(result.messages.count == 6, "\(result.errors)")
      #expect(result.messages.contains("recto: s3://library/2028: no PDFs found"))
      for address in addresses where code(lines[address]) != nil {
        #expect(result.messages.count { $0.hasPrefix("recto: \(address): fetch: ") } == 1)
      }
    }
  }

  @Test func `a run that is resumed does what has changed, and nothing else`() throws {
    try fill()
    let addresses = ["crop", "links"].map { "\(server.root)/plain/library/2026/\($0).pdf" }
    let missing = "\(server.root)/plain/library/late.pdf"
    let arguments =
      ["thumbs", "-o", "out", "--resume", "s3://library/2026/more/", missing] + addresses
    func done() throws -> (paths: [String], requests: [String]) {
      let before = server.requests.count
      let result = try recto(arguments + ["--no-cache"])
      let new = server.requests.dropFirst(before).map { $0.split(separator: " ") }
      let paths = try lines(result).values.filter { $0["unchanged"] == nil }
        .compactMap { $0["path"] as? String }
      return (paths.sorted(), new.map { "\($0[1]) \($0[2])" })
    }
    #expect(try done().paths.count == 5)
    var again = try done()
    #expect(again.paths == [missing])
    // A request for the version of each address, the list, and the document that is missing.
    #expect(
      again.requests.filter { !$0.contains("late.pdf") }.sorted()
        == [
          "/plain/library/ -", "/plain/library/2026/crop.pdf bytes=-1",
          "/plain/library/2026/links.pdf bytes=-1",
        ]
    )
    try put("late.pdf")
    try put("2026/crop.pdf", "rotate")
    try put("2026/more/book.PDF", "labels")
    again = try done()
    #expect(again.paths == [missing, addresses[0], "s3://library/2026/more/book.PDF"].sorted())
    #expect(try done().paths.isEmpty)
    // What is in the journal makes no difference for other commands.
    let text = ["text", "--from", "list", "--journal", "text.jsonl", "--resume"]
    _ = try sandbox.file("list", addresses.joined(separator: "\n") + "\ns3://library/2026/more/")
    #expect(try lines(recto(text)).count == 4)
    #expect(try lines(recto(text)).values.allSatisfy { $0["unchanged"] as? Bool == true })
  }

  @Test func `failures stand, unless the server was the reason`() throws {
    try put("broken.pdf", "book", Data("%PDF-1.7\nnothing".utf8))
    let broken = "\(server.root)/plain/library/broken.pdf"
    let reasons = ["missing", "forbidden", "broken"].map { "\(server.root)/\($0)/a.pdf" }
    let arguments = ["thumbs", "-o", "out", "--resume", "s3://library/", broken] + reasons
    for isFirst in [true, false] {
      let result = try recto(arguments)
      #expect(result.code == 1)
      let lines = try lines(result)
      #expect(lines.count == 5)
      for path in [broken, "s3://library/broken.pdf"] {
        #expect(code(lines[path]) == "damaged")
        #expect((lines[path]?["unchanged"] == nil) == isFirst, "\(path)")
      }
      for path in reasons { #expect(lines[path]?["unchanged"] == nil) }
    }
  }

  @Test func `shards are parts of a prefix`() throws {
    try fill()
    var paths: [String] = []
    _ = try sandbox.file("list", "s3://library/2026/")
    for shard in 1...3 {
      let result = try recto(["info", "--from", "list", "--shard", "\(shard)/3"])
      paths += try lines(result).keys
    }
    #expect(paths.count == 8 && Set(paths).count == 8)
  }

  @Test(arguments: [
    ("missing", 66, "not found on the server"),
    ("forbidden", 77, "does not allow it (403)"),
    ("broken", 69, "status 500, 3 times"),
    ("html", 66, "no list of objects"),
    ("repeating-list", 66, "no list of objects"),
    ("endless-list", 66, "too long a list"),
    ("circle", 66, "more than 5 redirects"),
  ])
  func `a store that fails or lies is an error of one line`(
    kind: String,
    code: Int,
    words: String
  ) throws {
    try put("p/note.txt")
    let result = try recto(from: kind, ["thumbs", "s3://library/p/", "-o", "out"])
    #expect(Int(result.code) == code, "\(result.errors)")
    #expect(result.messages.count == 1, "\(result.errors)")
    #expect(result.errors.hasPrefix("recto: s3://library/p/: fetch: "), "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test func `a store that is not there is an error of one line`() throws {
    let result = try recto(
      ["thumbs", "s3://library/p/", "-o", "out", "--s3-endpoint", "http://127.0.0.1:1"]
    )
    #expect(result.code == 69)
    #expect(result.messages.count == 1, "\(result.errors)")
    #expect(try result.jsonLines().map { code($0) } == ["unavailable"])
  }

  @Test func `an empty prefix, watching and desktop thumbnails are errors`() throws {
    try put("p/note.txt")
    let empty = try recto(["thumbs", "s3://library/p/", "-o", "out"])
    #expect(empty.code == 1)
    #expect(empty.errors == "recto: s3://library/p/: no PDFs found\n")
    for options in [["-o", "out", "--watch"], ["--freedesktop"]] {
      #expect(try recto(["thumbs", "s3://library/p/"] + options).code == 64)
    }
    _ = try sandbox.file("list", "s3://library/p/\nhttp://reader:secret@127.0.0.1/a.pdf")
    let listed = try recto(["thumbs", "--freedesktop", "--from", "list"])
    #expect(listed.code == 1)
    #expect(listed.messages.count == 2, "\(listed.errors)")
    #expect(!(listed.text + listed.errors).contains("secret"))
  }

  @Test func `secrets of addresses are in no message, line or journal`() throws {
    try put("a.pdf")
    let host = server.root.dropFirst("http://".count)
    let keys = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret-key"]
    _ = try sandbox.file(
      "list",
      """
      http://reader:secret-password@\(host)/signed/library/a.pdf?signature=secret-signature
      http://reader:secret-password@\(host)/signed/library/a.pdf?signature=secret-but-wrong
      http://reader:secret-password@elsewhere.invalid/a.pdf?signature=secret-signature
      s3://library/
      """
    )
    for options in [[], ["--base", "http://\(host)/signed"], ["--errors", "json"], ["--resume"]] {
      let result = try recto(
        ["thumbs", "-o", "out", "--from", "list", "--journal", "journal"] + options,
        environment: keys
      )
      #expect(result.code == 1)
      #expect(result.text.contains("\(server.root)/signed/library/a.pdf"))
      let journal = String(decoding: try contents("journal"), as: UTF8.self)
      #expect(!(result.text + result.errors + journal).contains("secret"))
    }
    #expect(server.requests.contains { $0.hasSuffix("secret") })
  }

  // MARK: Output

  /// The files below a folder, by their paths in it.
  private func pictures(_ root: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for path in FileManager.default.subpaths(atPath: root) ?? [] {
      let file = URL(filePath: root).appending(path: path)
      let isFolder = try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory
      if isFolder == false { found[path] = try Data(contentsOf: file) }
    }
    return found
  }

  private var writes: Int { server.requests.count { $0.contains(" PUT ") } }

  private static let keys = [
    "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-central-1",
  ]

  @Test(arguments: [
    [], ["--size", "64,128"], ["--pages", "all", "--format", "jpeg"],
    ["TEMPLATE", "{dir}/{stem} ü+%.png"],
  ])
  func `thumbnails in a store are those in a directory`(options: [String]) throws {
    try fill()
    let template = options.first == "TEMPLATE" ? options[1] : ""
    let options = options.first == "TEMPLATE" ? [] : options
    let local = sandbox.folder.path("out")
    let input = "s3://library/2026/"
    let here = try recto(["thumbs", input, "-o", "\(local)/\(template)"] + options)
    let there = try recto(
      ["thumbs", input, "-o", "s3://library/out/\(template)"] + options,
      environment: Self.keys
    )
    #expect(here.code == there.code && here.code == 1, "\(there.errors)")
    let made = try pictures(folder.path("library/out"))
    #expect(try made.count > 5 && made == pictures(local))
    let lines = (here.text.replacing(local, with: "s3://library/out"), there.text)
    #expect(Set(lines.0.split(separator: "\n")) == Set(lines.1.split(separator: "\n")))
  }

  @Test func `a journal tells which thumbnails a store has`() throws {
    try fill()
    let journal = sandbox.folder.path("journal")
    let arguments = [
      "thumbs", "s3://library/2026/", "-o", "s3://library/out/", "--resume", "--journal", journal,
    ]
    let first = try recto(arguments, environment: Self.keys)
    let written = writes
    #expect(first.code == 1 && written > 5, "\(first.errors)")
    try put("2026/new.pdf", "crop")
    let second = try recto(arguments, environment: Self.keys)
    #expect(writes == written + 1 && second.text.contains("s3://library/out/new.png"))
    let without = try recto(["thumbs", "s3://library/2026/", "-o", "s3://library/out/", "--resume"])
    #expect(without.code == 64 && without.errors.contains("--journal"))
  }

  @Test func `pages of one document and of many become objects`() throws {
    try fill()
    let book = fixture("book")
    for (name, arguments) in [
      ("one", [book, "--pages", "1-3"]), ("key", [book, "--pages", "2", "--format", "jpeg"]),
      ("many", ["--from", try sandbox.file("list", "\(book)\n\(fixture("crop"))\n")]),
    ] {
      let template = name == "key" ? "{label}.jpg" : ""
      let local = sandbox.folder.path(name)
      let here = try recto(["pages", "--dpi", "20", "-o", "\(local)/\(template)"] + arguments)
      let there = try recto(
        ["pages", "--dpi", "20", "-o", "s3://library/\(name)/\(template)"] + arguments,
        environment: Self.keys
      )
      #expect(here.code == 0 && there.code == 0, "\(here.errors)\(there.errors)")
      let made = try pictures(folder.path("library/\(name)"))
      #expect(try !made.isEmpty && made == pictures(local))
    }
  }

  @Test(arguments: ["forbidden", "broken", "to-other-host"])
  func `a store that takes nothing ends the run with one line`(kind: String) throws {
    let result = try recto(
      from: kind,
      ["thumbs", fixture("book"), fixture("crop"), fixture("labels"), "-o", "s3://library/out/"],
      environment: Self.keys
    )
    #expect(result.code == 74, "\(result.errors)")
    #expect(result.errors.contains("s3://library/out/") && !result.errors.contains("secret"))
    #expect(try pictures(folder.path("library")).isEmpty)
  }

  @Test func `a store that is busy is asked again`() throws {
    let result = try recto(
      from: "busy-once",
      ["thumbs", fixture("book"), "-o", "s3://library/out/"],
      environment: Self.keys
    )
    #expect(result.code == 0 && writes == 2, "\(result.errors)")
    #expect(try pictures(folder.path("library/out")).count == 1)
  }

  @Test func `outputs that cannot be in a store are refused`() throws {
    for (output, options, word) in [
      ("s3://library/out", [], "one object"), ("s3://library{stem}/", [], "no address"),
      ("http://example.org/x/", [], "not to http"), ("s3://", [], "no address"),
      ("s3://library/out/", ["--sheet", "contact.png"], "--sheet"),
      ("s3://library/{stem}/", [], "name of an object"),
    ] {
      let result = try recto(["thumbs", fixture("book"), "-o", output] + options)
      #expect(result.code == 64 && result.errors.contains(word), "\(result.errors)")
    }
    let together = try recto(["pages", fixture("book"), "-o", "s3://library/book.pdf"])
    #expect(together.code == 64, "\(together.errors)")
    let pyramid = try recto(["pages", fixture("book"), "-o", "s3://library/x/", "--dzi"])
    #expect(pyramid.code == 64 && pyramid.errors.contains("store"), "\(pyramid.errors)")
    #expect(writes == 0)
    let secret = "https://reader:secret@host/x?secret"
    for arguments in [
      ["render", fixture("book"), "--image", secret], ["render", fixture("book"), "-o", secret],
      ["thumbs", fixture("book"), "-o", "out", "--journal", "s3://library/journal"],
      ["serve", "https://reader:secret@", "--http", "0"],
    ] {
      let result = try recto(arguments)
      #expect(result.code == 64 && !result.errors.contains("secret"), "\(result.errors)")
    }
  }

  @Test func `no document in a store is overwritten`() throws {
    try put("a/book.pdf")
    try put("a/crop.pdf", "crop")
    let before = try pictures(folder.path("library"))
    let one = try recto(
      ["pages", "s3://library/a/book.pdf", "--pages", "1", "-o", "s3://library/a/{stem}.pdf"],
      environment: Self.keys
    )
    #expect(one.code == 64 && one.errors.contains("the document itself"), "\(one.errors)")
    let list = try sandbox.file("list", "s3://library/a/\n")
    _ = try recto(
      ["pages", "--from", list, "--pages", "1", "-o", "s3://library/a/{stem}.pdf"],
      environment: Self.keys
    )
    #expect(try pictures(folder.path("library")) == before && writes == 0)
  }

  @Test func `a journal of another prefix says nothing of this one`() throws {
    try put("a/book.pdf")
    for name in ["one", "two"] {
      let result = try recto(
        [
          "thumbs", "s3://library/a/", "-o", "s3://library/\(name)/", "--resume", "--journal",
          sandbox.folder.path("journal"),
        ],
        environment: Self.keys
      )
      #expect(result.code == 0, "\(result.errors)")
      #expect(try pictures(folder.path("library/\(name)")).count == 1)
    }
  }
}
