import Foundation
import Geometry
import PNGCoding
import TestSupport
import Testing

/// Thumbnails of libraries, in which some documents are always bad.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ThumbsTests {
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

  @Test func `a second run reads its pictures from the cache`() throws {
    let sandbox = try CommandSandbox()
    let arguments = ["thumbs", fixture("book"), "-o", "out"]
    let first: [ThumbnailLine] = try sandbox.recto(arguments).decodedLines()
    let second: [ThumbnailLine] = try sandbox.recto(arguments).decodedLines()
    #expect(first.first?.thumbnails?.first?.source == "rendered")
    #expect(second.first?.thumbnails?.first?.source == "disk")
  }

  @Test func `an empty folder is no failure`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.shell("mkdir in").code == 0)
    let result = try sandbox.recto("thumbs", "in", "-o", "out")
    #expect(result.code == 0)
    #expect(result.output.isEmpty)
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
