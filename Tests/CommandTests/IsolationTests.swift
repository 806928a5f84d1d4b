import Foundation
import TestSupport
import Testing

/// Worker processes that work on one document after another.
@Suite(.serialized, .timeLimit(.minutes(10))) struct IsolationTests {
  /// Good documents, and between them such that crash, hang or cannot be opened.
  private func library() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    let names = [
      "annotations", "book", "crop", "damaged-xref", "encrypted", "encrypted-open", "endless-forms",
      "form", "incomplete", "inherited", "labels", "not-a-pdf", "object-streams",
      "page-missing", "rasterizers", "repairs", "rotate", "syntax-errors", "text-scripts",
      "transparency", "truncated", "user-unit", "zero-pages",
    ]
    for name in names { try sandbox.copy(name, to: "in/\(name).pdf") }
    for name in ["crash", "more"] { _ = try sandbox.file("in/\(name).pdf", HostileFiles.crashes) }
    return sandbox
  }

  /// The lines of a command, sorted, because documents are finished in any order.
  private func lines(_ result: ProgramResult) -> [Substring] {
    result.text.split(separator: "\n").sorted()
  }

  /// Removes the output folder.
  ///
  /// - Returns: The names and bytes of its files.
  private func takeFiles(_ sandbox: CommandSandbox) throws -> [String: Data] {
    let names = sandbox.folder.files.filter { $0.hasPrefix("out/") }
    let files = try names.map {
      ($0, try Data(contentsOf: sandbox.folder.url.appending(path: $0)))
    }
    try? FileManager.default.removeItem(at: sandbox.folder.url.appending(path: "out"))
    return Dictionary(uniqueKeysWithValues: files)
  }

  /// Checks that a command prints and writes the same in both kinds of isolation.
  ///
  /// - Returns: What it wrote, and the number of its results with the code `crash`.
  private func expectSame(
    _ sandbox: CommandSandbox,
    _ command: [String]
  ) throws -> (files: [String: Data], crashes: Int) {
    let limits = ["--timeout", "8", "--no-cache", "--jobs", "1"]
    let apart = try sandbox.recto(command + limits)
    let files = try takeFiles(sandbox)
    let shared = try sandbox.recto(command + limits + ["--isolation", "worker"])
    #expect(lines(apart) == lines(shared), "\(command)")
    #expect(apart.messages.sorted() == shared.messages.sorted(), "\(command)")
    #expect(apart.code == shared.code)
    #expect(try takeFiles(sandbox) == files)
    return (files, apart.text.split(separator: "\"crash\"").count - 1)
  }

  @Test func `thumbnails of hostile and good documents are the same in a shared worker`() throws {
    let sandbox = try library()
    let (files, crashes) = try expectSame(
      sandbox,
      ["thumbs", "in", "-o", "out", "--size", "100", "--pages", "all"]
    )
    #expect(crashes == 2)
    #expect(files.count > 50)
  }

  @Test(arguments: [
    ["text"], ["text", "--json", "--lines", "pages"], ["info"], ["search", "the"],
    ["pages", "--dpi", "20", "-o", "out/"],
  ])
  func `what is read of hostile and good documents is the same in a shared worker`(
    command: [String]
  ) throws {
    let sandbox = try library()
    _ = try sandbox.file("list", "in\nmissing.pdf\n")
    _ = try expectSame(sandbox, command + ["--from", "list"])
  }

  @Test func `a shared worker leaves nothing in the cache, and the option needs a list`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in/book.pdf")
    try sandbox.copy("crop", to: "in/crop.pdf")
    let result = try sandbox.recto("thumbs", "in", "-o", "out", "--isolation", "worker")
    #expect(result.code == 0)
    #expect(sandbox.cachedTiles.isEmpty)
    let one = try sandbox.recto("text", "in/book.pdf", "--isolation", "worker")
    #expect(one.code == 64)
    #expect(one.errors.contains("--isolation needs --from"))
  }
}
