import Foundation
import Glibc
import TestSupport
import Testing

/// `thumbs --watch` and `--update`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchedFolderTests {
  /// Waits for a thumbnail with other bytes than `old`.
  private func thumbnail(
    _ name: String,
    in sandbox: CommandSandbox,
    insteadOf old: Data? = nil
  ) throws -> Data {
    let url = sandbox.folder.url.appending(path: "out/\(name)")
    var found: Data?
    let isThere = poll(seconds: 60) {
      found = try? Data(contentsOf: url)
      return found != nil && found != old
    }
    try #require(isThere, "\(name) is missing")
    return try #require(found)
  }

  private func put(_ fixture: String, as name: String, in sandbox: CommandSandbox) throws {
    try sandbox.copy(fixture, to: "new.tmp")
    let target = sandbox.folder.url.appending(path: name).path
    #expect(rename(sandbox.folder.url.appending(path: "new.tmp").path, target) == 0)
  }

  @Test func `documents that appear or change get thumbnails until a signal comes`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in/a.pdf")
    let command = try RunningCommand(sandbox, ["thumbs", "in", "-o", "out", "--watch"])
    let first = try thumbnail("a.png", in: sandbox)
    try sandbox.copy("labels", to: "in/b.pdf")
    _ = try thumbnail("b.png", in: sandbox)
    try put("rotate", as: "in/a.pdf", in: sandbox)
    _ = try thumbnail("a.png", in: sandbox, insteadOf: first)
    try sandbox.copy("links", to: "in/below/deeper/c.pdf")
    _ = try thumbnail("below/deeper/c.png", in: sandbox)
    try sandbox.copy("crop", to: "in/below/deeper/d.pdf")
    _ = try thumbnail("below/deeper/d.png", in: sandbox)
    #expect(command.end(with: SIGTERM) == 128 + SIGTERM)
    #expect(command.messages.isEmpty)
    // Each document has a line of the journal for each of its states.
    let journal = sandbox.folder.url.appending(path: "out/recto-journal.jsonl")
    let lines = try String(contentsOf: journal, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 5)
  }

  @Test func `thumbnails below the watched directory do not start another run`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "a.pdf")
    let command = try RunningCommand(
      sandbox,
      ["thumbs", ".", "-o", "out", "--watch"],
      output: sandbox.cache.url.appending(path: "lines")
    )
    _ = try thumbnail("a.png", in: sandbox)
    try sandbox.copy("labels", to: "b.pdf")
    _ = try thumbnail("b.png", in: sandbox)
    #expect(command.end(with: SIGINT) == 128 + SIGINT)
    let lines = try String(
      contentsOf: sandbox.cache.url.appending(path: "lines"),
      encoding: .utf8
    )
    #expect(lines.split(separator: "\n").count == 2)
  }

  @Test func `an update makes only what is new or has changed`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in/a.pdf")
    try sandbox.copy("labels", to: "in/b.pdf")
    let update = ["thumbs", "in", "-o", "out", "--update"]
    #expect(try sandbox.recto(update).code == 0)
    try put("rotate", as: "in/a.pdf", in: sandbox)
    try sandbox.copy("links", to: "in/c.pdf")
    let again = try sandbox.recto(update)
    #expect(again.code == 0)
    let unchanged = try again.jsonLines().map { ($0["path"] as? String, $0["unchanged"] as? Bool) }
    #expect(unchanged.count == 3)
    for (path, isUnchanged) in unchanged { #expect((isUnchanged == true) == (path == "in/b.pdf")) }
  }

  @Test(arguments: [["--from", "-"], ["--dry-run"], ["--sheet", "sheet.png"]])
  func `watching is refused with options that end`(options: [String]) throws {
    let result = try CommandSandbox().recto(["thumbs", ".", "-o", "out", "--watch"] + options)
    #expect(result.code == 64 && result.errors.contains(options[0]), "\(result.errors)")
  }
}
