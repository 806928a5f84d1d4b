import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// Thumbnails of libraries, in which some documents are always bad.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ThumbsTests {
  /// A library with good, bad, locked and endless documents, and a folder in it.
  private func library() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in/book.pdf")
    try sandbox.copy("rotate", to: "in/turned.PDF")
    try sandbox.copy("book", to: "in/deep/er/book.pdf")
    try sandbox.copy("not-a-pdf", to: "in/bad.pdf")
    try sandbox.copy("truncated", to: "in/short.pdf")
    try sandbox.copy("encrypted", to: "in/locked.pdf")
    try sandbox.copy("zero-pages", to: "in/zero.pdf")
    _ = try sandbox.file("in/endless.pdf", HostileFiles.hangsAtMeasuring)
    _ = try sandbox.file("in/notes.txt", "no PDF")
    return sandbox
  }

  @Test func `thumbs writes one line per document and one picture per valid document`() throws {
    let sandbox = try library()
    let result = try sandbox.recto("thumbs", "in", "-o", "out", "--size", "100", "--timeout", "2")
    #expect(result.code == 1)
    let lines: [ThumbnailLine] = try result.decodedLines()
    let errors = Dictionary(
      lines.map { ($0.path, $0.error?.code ?? $0.thumbnails?.first?.error?.code) }
    ) { first, _ in first }
    // Who reads the page tree decides whether the endless one is slow or damaged.
    #expect(errors["in/endless.pdf"] != .some(nil))
    #expect(
      errors.filter { $0.key != "in/endless.pdf" } == [
        "in/bad.pdf": "not-pdf", "in/book.pdf": nil, "in/deep/er/book.pdf": nil,
        "in/locked.pdf": "password-needed",
        "in/short.pdf": "damaged", "in/turned.PDF": nil, "in/zero.pdf": "damaged",
      ]
    )
    #expect(lines.count == 8)
    #expect(result.messages.count == 5)
    #expect(
      sandbox.folder.files.filter { $0.hasPrefix("out") } == [
        "out/book.png", "out/deep/er/book.png", "out/turned.png",
      ]
    )
    try expectSizes(lines, in: sandbox, longer: 100)
  }

  @Test func `thumbs of all pages continue after a page that does not end`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("mixed-sizes", to: "in/mixed.pdf")
    try sandbox.copy("endless-forms", to: "in/endless.pdf")
    let result = try sandbox.recto(
      "thumbs",
      "in",
      "-o",
      "out",
      "--pages",
      "all",
      "--size",
      "64",
      "--timeout",
      "2"
    )
    #expect(result.code == 1)
    let lines: [ThumbnailLine] = try result.decodedLines()
    let endless = try #require(lines.first { $0.path == "in/endless.pdf" })
    #expect(endless.thumbnails?.map { $0.error?.code } == [nil, "time-limit", nil])
    #expect(
      sandbox.folder.files.filter { $0.hasPrefix("out") }
        == ["out/endless-1.png", "out/endless-3.png"] + (1...8).map { "out/mixed-\($0).png" }
    )
    try expectSizes(lines, in: sandbox, longer: 64)
  }

  @Test func `documents with the same name get different thumbnails`() throws {
    let sandbox = try CommandSandbox()
    for (index, name) in ["a/x.pdf", "b/x.pdf", "c/x.PDF", "d/x~2.pdf"].enumerated() {
      try sandbox.copy(["book", "rotate", "crop", "labels"][index], to: name)
    }
    let list = Data("a/x.pdf\nb/x.pdf\n\nc/x.PDF\nd/x~2.pdf\n".utf8)
    let result = try sandbox.recto(["thumbs", "-o", "out", "--from", "-"], input: list)
    #expect(result.code == 0)
    let lines: [ThumbnailLine] = try result.decodedLines()
    let files = lines.compactMap { $0.thumbnails?.first?.file }
    #expect(files.count == 4)
    #expect(Set(files).count == 4)
    #expect(sandbox.folder.files.filter { $0.hasPrefix("out") }.count == 4)
    #expect(lines.first { $0.path == "a/x.pdf" }?.thumbnails?.first?.file == "out/x.png")
    try expectSizes(lines, in: sandbox, longer: 256)
  }

  @Test func `the only path of a stream may fail without the command failing as a whole`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("zero-pages", to: "a.pdf")
    let stream = try sandbox.recto(
      ["thumbs", "--from", "-", "-o", "out"],
      input: Data("a.pdf\n".utf8)
    )
    #expect(stream.code == 1)
    let lines: [ThumbnailLine] = try stream.decodedLines()
    #expect(lines.map { $0.error?.code } == ["damaged"])
    #expect(try sandbox.recto("thumbs", "a.pdf", "-o", "out").code == 65)
  }

  @Test func `paths come from a file too, and page numbers do not collide with names`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("labels", to: "a.pdf")
    try sandbox.copy("rotate", to: "a-01.pdf")
    let list = try sandbox.file("list", "a.pdf\na-01.pdf\n")
    let result = try sandbox.recto("thumbs", "-o", "out", "--from", list, "--pages", "1-2,z")
    #expect(result.code == 0)
    let lines: [ThumbnailLine] = try result.decodedLines()
    let files = lines.flatMap { $0.thumbnails ?? [] }.compactMap(\.file)
    #expect(Set(files).count == 6)
    #expect(Set(files) == Set(sandbox.folder.files.filter { $0.hasPrefix("out") }))
    #expect(
      lines.first { $0.path == "a.pdf" }?.thumbnails?.compactMap(\.file)
        == ["out/a-01.png", "out/a-02.png", "out/a-12.png"]
    )
  }

  @Test func `an unreadable list of paths is reported`() throws {
    let result = try CommandSandbox().recto("thumbs", "-o", "out", "--from", "missing")
    #expect(result.code == 66)
    #expect(result.messages.count == 1)
  }

  @Test func `page lists that only some documents satisfy`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "thumbs",
      fixture("book"),
      fixture("form"),
      "-o",
      "out",
      "--pages",
      "2"
    )
    #expect(result.code == 1)
    let lines: [ThumbnailLine] = try result.decodedLines()
    #expect(lines.count == 2)
    #expect(sandbox.folder.files == ["out/book-02.png"])
  }

  @Test func `a thumbnail is written once, and not to the cache too`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto("thumbs", fixture("book"), "-o", "out").code == 0)
    #expect(sandbox.folder.files == ["out/book.png"])
    #expect(sandbox.cachedTiles.isEmpty)
  }

  @Test func `a folder without PDFs is a message, and exit code 1 if it is alone`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.shell("mkdir -p in .hidden; touch in/a.txt").code == 0)
    let result = try sandbox.recto("thumbs", "in", "-o", "out")
    #expect(result.code == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors == "recto: in: no PDFs found\n")
    let both = try sandbox.recto("thumbs", "in", fixture("form"), "-o", "out")
    #expect(both.code == 0)
    #expect(both.errors == "recto: in: no PDFs found\n")
    // No paths are not a folder in which something was expected.
    let none = try sandbox.recto(["thumbs", "--from", "-", "-o", "out"], input: Data("\n".utf8))
    #expect(none.code == 0)
    #expect(none.output.isEmpty && none.errors.isEmpty)
  }

  @Test func `a folder that cannot be read costs itself only`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("form", to: "in/a.pdf")
    try sandbox.copy("form", to: "in/closed/b.pdf")
    try sandbox.copy("form", to: "in/open/c.pdf")
    // Permissions do not apply to root: the command runs as another user, with the files of its own.
    let user = isRoot ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
    let line = """
      mkdir -p out; chmod 777 out "$XDG_CACHE_HOME"; chmod 755 . in in/open; chmod 0 in/closed
      \(user) "$recto" thumbs in -o out --no-cache; code=$?
      \(user) "$recto" thumbs in/closed -o out --no-cache; echo $code $?; chmod 755 in/closed
      """
    let result = try sandbox.shell(line)
    try #require(!result.errors.contains("recto: error"), "\(result.errors)")
    #expect(result.text.hasSuffix("1 66\n"), "\(result.text)\(result.errors)")
    let text = result.text.split(separator: "\n").dropLast()
    let lines = try text.map { try JSONDecoder().decode(ThumbnailLine.self, from: Data($0.utf8)) }
    #expect(lines.filter { $0.error != nil }.map(\.path) == ["in/closed", "in/closed"])
    #expect(lines.compactMap { $0.error?.code } == ["unreadable", "unreadable"])
    #expect(
      sandbox.folder.files.filter { $0.hasPrefix("out") } == ["out/a.png", "out/open/c.png"]
    )
  }

  @Test func `hidden names are searched with --hidden, or if they are given`() throws {
    let sandbox = try CommandSandbox()
    for name in ["in/a.pdf", "in/.b.pdf", "in/.c/c.pdf", ".d/d.pdf", ".e.pdf"] {
      try sandbox.copy("form", to: name)
    }
    func paths(_ arguments: String...) throws -> Set<String> {
      let result = try sandbox.recto(["thumbs", "-o", "out"] + arguments)
      return Set(try result.decodedLines(ThumbnailLine.self).map(\.path))
    }
    #expect(try paths("in") == ["in/a.pdf"])
    #expect(try paths("in", "--hidden") == ["in/a.pdf", "in/.b.pdf", "in/.c/c.pdf"])
    #expect(try paths("in/.c", ".d", ".e.pdf") == ["in/.c/c.pdf", ".d/d.pdf", ".e.pdf"])
  }

  @Test func `lines may end in CRLF or U+0000, and paths are printed as they were typed`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("form", to: "in/sub/a.pdf")
    try sandbox.copy("form", to: "in/new\nline.pdf")
    func paths(_ arguments: [String], _ input: String) throws -> [String] {
      let result = try sandbox.recto(["thumbs", "-oout"] + arguments, input: Data(input.utf8))
      #expect(result.code == 0, "\(result.errors)")
      return try result.decodedLines(ThumbnailLine.self).map(\.path).sorted()
    }
    #expect(
      try paths(["--from", "-"], "in//sub/a.pdf\r\n\r\n.//in/sub/./a.pdf")
        == [".//in/sub/./a.pdf", "in//sub/a.pdf"]
    )
    #expect(
      try paths(["--from", "-", "-0"], "in/new\nline.pdf\0in/sub/a.pdf\0")
        == ["in/new\nline.pdf", "in/sub/a.pdf"]
    )
    #expect(try paths(["in//sub//"], "") == ["in//sub//a.pdf"])
    #expect(try sandbox.recto("thumbs", "in", "-0", "-o", "out").code == 64)
  }

  @Test func `a range of pages ends with the document, and a page beyond it is an error`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("form", to: "in/one.pdf")
    try sandbox.copy("rotate", to: "in/four.pdf")
    let clipped = try sandbox.recto("thumbs", "in", "-o", "out", "--pages", "1-3")
    #expect(clipped.code == 0)
    #expect(
      sandbox.folder.files.filter { $0.hasPrefix("out") }
        == ["out/four-1.png", "out/four-2.png", "out/four-3.png", "out/one-1.png"]
    )
    let beyond = try sandbox.recto("thumbs", "in", "-o", "out", "--pages", "4,1,6-8")
    #expect(beyond.code == 1)
    let lines = try beyond.decodedLines(ThumbnailLine.self)
    let four = try #require(lines.first { $0.path == "in/four.pdf" }?.thumbnails)
    #expect(four.map(\.page) == [4, 1, 6])
    #expect(four.map(\.lastPage) == [nil, nil, 8])
    #expect(four.map { $0.error?.code } == [nil, nil, "usage"])
    let one = try #require(lines.first { $0.path == "in/one.pdf" }?.thumbnails)
    #expect(one.map { $0.error?.code } == ["usage", nil, "usage"])
    // Nothing of the only document.
    let none = try sandbox.recto("thumbs", "in/one.pdf", "-o", "out", "--pages", "2")
    #expect(none.code == 64)
    #expect(none.errors == "recto: in/one.pdf: page 2: the document has 1 page\n")
  }

  @Test(arguments: ["first", "all", "1-2"])
  func `a document without pages is damaged, whatever pages are wanted`(pages: String) throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto("thumbs", fixture("zero-pages"), "-o", "out", "--pages", pages)
    #expect(result.code == 65)
    #expect(result.errors == "recto: \(fixture("zero-pages")): the document has no pages\n")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal leaves the line of each document that was being worked on`(signal: Int32) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("endless-forms", to: "in/endless.pdf")
    let lines = sandbox.cache.url.appending(path: "lines")
    let command = try RunningCommand(
      sandbox,
      ["thumbs", "in", "-o", "out", "--pages", "all", "--size", "40", "--no-cache"],
      output: lines
    )
    // Both pages beside the endless one.
    let isDone = poll { sandbox.folder.files.count { $0.hasSuffix(".png") } == 2 }
    try #require(isDone)
    _ = try command.waitForWorkers(busyFor: 0.1)
    #expect(command.end(with: signal) == 128 + signal)
    #expect(command.messages.isEmpty)
    let line = try JSONDecoder().decode(ThumbnailLine.self, from: Data(contentsOf: lines))
    #expect(line.interrupted == true)
    #expect(line.error == nil)
    #expect(line.thumbnails?.compactMap(\.file) == ["out/endless-1.png", "out/endless-3.png"])
    #expect(try expectWholePictures(in: sandbox.folder) == 2)
  }

  @Test func `progress counts the pages of a document`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.shell(
      #"TERM=xterm script -qec "'$recto' thumbs '"# + fixture("book")
        + #"' -o out --size 20 --pages all > lines" bar > /dev/null; tr '\r' '\n' < bar"#
    )
    for count in [1, 6, 12] { #expect(result.text.contains(" \(count)/12 "), "\(result.text)") }
  }

  private func expectSizes(_ lines: [ThumbnailLine], in sandbox: CommandSandbox, longer: Int) throws
  {
    for thumbnail in lines.flatMap({ $0.thumbnails ?? [] }) where thumbnail.error == nil {
      let file = try #require(thumbnail.file)
      let decoded = try picture(sandbox.folder.path(file))
      #expect(max(decoded.size.width, decoded.size.height) == longer)
      #expect(decoded.size.width == thumbnail.width)
      #expect(decoded.size.height == thumbnail.height)
      let attributes = try FileManager.default.attributesOfItem(atPath: sandbox.folder.path(file))
      #expect(attributes[.size] as? Int == thumbnail.bytes)
    }
  }
}
