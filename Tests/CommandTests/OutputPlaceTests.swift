import Foundation
import Glibc
import TestSupport
import Testing

/// What may stand where the output goes: nothing is destroyed that was not meant.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OutputPlaceTests {
  private static let command = ["render", fixture("rotate"), "--viewport", "300x200", "--no-cache"]

  /// The same window, written to a new file.
  private func expected(_ desk: Desk) throws -> Data {
    #expect(try desk.recto(Self.command + ["--image", "expected.png"]).code == 0)
    return try Data(contentsOf: desk.folder.url.appending(path: "expected.png"))
  }

  private func type(_ desk: Desk, _ name: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(desk.folder.path(name), &status) == 0)
    return status.st_mode & S_IFMT
  }

  @Test func `a link stays, and what it leads to is written`() throws {
    let desk = try Desk()
    let expected = try expected(desk)
    #expect(try desk.shell("mkdir sub; ln -s sub/real.png link.png").code == 0)
    for _ in 0..<2 {
      #expect(try desk.recto(Self.command + ["--image", "link.png"]).code == 0)
      #expect(try type(desk, "link.png") == S_IFLNK)
      #expect(try type(desk, "sub/real.png") == S_IFREG)
      #expect(try Data(contentsOf: desk.folder.url.appending(path: "sub/real.png")) == expected)
    }
  }

  @Test func `a fifo is written to`() throws {
    let desk = try Desk()
    let expected = try expected(desk)
    let result = try desk.shell(
      """
      mkfifo fifo; cat fifo > read.png & \
      "$recto" \(Self.command.joined(separator: " ")) --image fifo >/dev/null; code=$?
      [ -p fifo ] || kill $!
      wait; exit $code
      """
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(try type(desk, "fifo") == S_IFIFO)
    #expect(try Data(contentsOf: desk.folder.url.appending(path: "read.png")) == expected)
  }

  @Test(.enabled(if: isRoot, "only root makes devices"))
  func `a device is written to`() throws {
    let desk = try Desk()
    // Nodes of the test's own: those of the machine are never named.
    #expect(try desk.shell("mknod null c 1 3 && mknod full c 1 7").code == 0)
    #expect(try desk.recto(Self.command + ["--image", "null"]).code == 0)
    let full = try desk.recto(Self.command + ["--image", "full"])
    #expect(full.code == 74)
    #expect(full.errors == "recto: full: write: No space left on device\n")
    for name in ["null", "full"] { #expect(try type(desk, name) == S_IFCHR) }
  }

  @Test func `a dash is standard output, and so is a file that it has open`() throws {
    let desk = try Desk()
    let expected = try expected(desk)
    let piped = try desk.recto(Self.command + ["--image", "-"])
    #expect(piped.code == 0)
    #expect(piped.output == expected)
    #expect(!FileManager.default.fileExists(atPath: desk.folder.path("-")))
    let line = "\"$recto\" \(Self.command.joined(separator: " ")) --image"
    for command in ["\(line) - > a.png", "\(line) a.png > a.png", "\(line) link > a.png"] {
      #expect(try desk.shell("rm -f a.png; ln -sf a.png link; \(command)").code == 0)
      #expect(try Data(contentsOf: desk.folder.url.appending(path: "a.png")) == expected)
    }
    // A file of that name has to be asked for by more than its name.
    #expect(try desk.recto(Self.command + ["--image", "./-"]).text.hasPrefix("{"))
    #expect(FileManager.default.fileExists(atPath: desk.folder.path("-")))
    let full = try desk.shell("\(line) - > /dev/full")
    #expect(full.code == 74)
  }

  @Test func `64 for a picture over the document, by whatever name`() throws {
    let desk = try Desk()
    try desk.copy("rotate", to: "in.pdf")
    #expect(try desk.shell("ln in.pdf hard.png; ln -s in.pdf link.png").code == 0)
    let before = try Data(contentsOf: desk.folder.url.appending(path: "in.pdf"))
    for name in ["in.pdf", "./in.pdf", "hard.png", "link.png"] {
      let result = try desk.recto(["render", "in.pdf", "-o", "out", "--image", name])
      #expect(result.code == 64)
      #expect(result.messages.count == 1)
      #expect(result.output.isEmpty)
      // Refused before any work.
      #expect(!FileManager.default.fileExists(atPath: desk.folder.path("out")))
      #expect(desk.cache.files.isEmpty)
    }
    let after = try Data(contentsOf: desk.folder.url.appending(path: "in.pdf"))
    #expect(after == before)
  }

  @Test func `64 for a tile over the document`() throws {
    let desk = try Desk()
    try desk.copy("rotate", to: "in.pdf")
    let before = try Data(contentsOf: desk.folder.url.appending(path: "in.pdf"))
    #expect(
      try desk.shell("mkdir -p out/p000001/1x; ln -s ../../../in.pdf out/p000001/1x/0_0.png")
        .code == 0
    )
    let result = try desk.recto("render", "in.pdf", "-o", "out")
    #expect(result.code == 64)
    #expect(result.messages.count == 1)
    #expect(try Data(contentsOf: desk.folder.url.appending(path: "in.pdf")) == before)
  }

  @Test func `a thumbnail goes over none of the documents`() throws {
    let desk = try Desk()
    for name in ["a.pdf", "b.pdf", "c.pdf"] { try desk.copy("rotate", to: name) }
    let before = try Data(contentsOf: desk.folder.url.appending(path: "a.pdf"))
    #expect(try desk.shell("mkdir out; ln -s ../a.pdf out/b.png; ln -s d.png out/c.png").code == 0)
    let result = try desk.recto("thumbs", "a.pdf", "b.pdf", "c.pdf", "-o", "out")
    #expect(result.code == 1)
    let lines: [ThumbnailLine] = try result.decodedLines()
    #expect(lines.filter { $0.error != nil }.map(\.path) == ["b.pdf"])
    #expect(try Data(contentsOf: desk.folder.url.appending(path: "a.pdf")) == before)
    // Any other link is followed.
    #expect(try type(desk, "out/c.png") == S_IFLNK)
    #expect(try type(desk, "out/d.png") == S_IFREG)
  }

  @Test func `temporary names left by processes of the same number are no obstacle`() throws {
    let desk = try Desk()
    _ = try desk.file("a.png", "old")
    // In a container numbers repeat: every name that a process number could make is taken.
    let line = """
      mkfifo gate
      (read < gate; exec "$recto" \(Self.command.joined(separator: " ")) --image a.png >/dev/null) &
      for n in 1 2 3; do : > .recto-tmp-$!-$n; done; echo > gate; wait $!
      """
    let result = try desk.shell(line)
    #expect(result.code == 0, "\(result.errors)")
    #expect(throws: Never.self) { try picture(desk.folder.path("a.png")) }
    #expect(desk.folder.files.count { $0.hasPrefix(".recto-tmp-") } == 3)
  }
}
