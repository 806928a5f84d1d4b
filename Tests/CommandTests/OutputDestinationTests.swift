import Foundation
import Glibc
import TestSupport
import Testing

/// What may stand where the output goes: nothing is destroyed that was not meant.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OutputDestinationTests {
  private static let command = ["render", fixture("rotate"), "--viewport", "300x200", "--no-cache"]

  /// The same window, written to a new file.
  private func expected(_ sandbox: CommandSandbox) throws -> Data {
    #expect(try sandbox.recto(Self.command + ["--image", "expected.png"]).code == 0)
    return try Data(contentsOf: sandbox.folder.url.appending(path: "expected.png"))
  }

  private func type(_ sandbox: CommandSandbox, _ name: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(sandbox.folder.path(name), &status) == 0)
    return status.st_mode & S_IFMT
  }

  @Test func `a symbolic link is kept, and its target is written`() throws {
    let sandbox = try CommandSandbox()
    let expected = try expected(sandbox)
    #expect(try sandbox.shell("mkdir sub; ln -s sub/real.png link.png").code == 0)
    for _ in 0..<2 {
      #expect(try sandbox.recto(Self.command + ["--image", "link.png"]).code == 0)
      #expect(try type(sandbox, "link.png") == S_IFLNK)
      #expect(try type(sandbox, "sub/real.png") == S_IFREG)
      #expect(try Data(contentsOf: sandbox.folder.url.appending(path: "sub/real.png")) == expected)
    }
  }

  @Test func `a picture can be written to a FIFO`() throws {
    let sandbox = try CommandSandbox()
    let expected = try expected(sandbox)
    let result = try sandbox.shell(
      """
      mkfifo fifo; cat fifo > read.png & \
      "$recto" \(Self.command.joined(separator: " ")) --image fifo >/dev/null; code=$?
      [ -p fifo ] || kill $!
      wait; exit $code
      """
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(try type(sandbox, "fifo") == S_IFIFO)
    #expect(try Data(contentsOf: sandbox.folder.url.appending(path: "read.png")) == expected)
  }

  @Test(.enabled(if: isRoot, "only root makes devices"))
  func `a device is written to`() throws {
    let sandbox = try CommandSandbox()
    // Nodes of the test's own: those of the machine are never named.
    #expect(try sandbox.shell("mknod null c 1 3 && mknod full c 1 7").code == 0)
    #expect(try sandbox.recto(Self.command + ["--image", "null"]).code == 0)
    let full = try sandbox.recto(Self.command + ["--image", "full"])
    #expect(full.code == 74)
    #expect(full.errors == "recto: full: write: No space left on device\n")
    for name in ["null", "full"] { #expect(try type(sandbox, name) == S_IFCHR) }
  }

  @Test func `a dash, or the file that standard output has open, means standard output`() throws {
    let sandbox = try CommandSandbox()
    let expected = try expected(sandbox)
    let piped = try sandbox.recto(Self.command + ["--image", "-"])
    #expect(piped.code == 0)
    #expect(piped.output == expected)
    #expect(!FileManager.default.fileExists(atPath: sandbox.folder.path("-")))
    let line = "\"$recto\" \(Self.command.joined(separator: " ")) --image"
    for command in ["\(line) - > a.png", "\(line) a.png > a.png", "\(line) link > a.png"] {
      #expect(try sandbox.shell("rm -f a.png; ln -sf a.png link; \(command)").code == 0)
      #expect(try Data(contentsOf: sandbox.folder.url.appending(path: "a.png")) == expected)
    }
    // A file of that name has to be asked for by more than its name.
    #expect(try sandbox.recto(Self.command + ["--image", "./-"]).text.hasPrefix("{"))
    #expect(FileManager.default.fileExists(atPath: sandbox.folder.path("-")))
    let full = try sandbox.shell("\(line) - > /dev/full")
    #expect(full.code == 74)
  }

  @Test func `exit code 64 if the picture would overwrite the document, under any name`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "in.pdf")
    #expect(try sandbox.shell("ln in.pdf hard.png; ln -s in.pdf link.png").code == 0)
    let before = try Data(contentsOf: sandbox.folder.url.appending(path: "in.pdf"))
    for name in ["in.pdf", "./in.pdf", "hard.png", "link.png"] {
      let result = try sandbox.recto(["render", "in.pdf", "-o", "out", "--image", name])
      #expect(result.code == 64)
      #expect(result.messages.count == 1)
      #expect(result.output.isEmpty)
      // Refused before any work.
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder.path("out")))
      #expect(sandbox.cache.files.isEmpty)
    }
    let after = try Data(contentsOf: sandbox.folder.url.appending(path: "in.pdf"))
    #expect(after == before)
  }

  @Test func `exit code 64 if a tile would overwrite the document`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "in.pdf")
    let before = try Data(contentsOf: sandbox.folder.url.appending(path: "in.pdf"))
    #expect(
      try sandbox.shell("mkdir -p out/p000001/1x; ln -s ../../../in.pdf out/p000001/1x/0_0.png")
        .code == 0
    )
    let result = try sandbox.recto("render", "in.pdf", "-o", "out")
    #expect(result.code == 64)
    #expect(result.messages.count == 1)
    #expect(try Data(contentsOf: sandbox.folder.url.appending(path: "in.pdf")) == before)
  }

  @Test func `a thumbnail does not overwrite any of the documents`() throws {
    let sandbox = try CommandSandbox()
    for name in ["a.pdf", "b.pdf", "c.pdf"] { try sandbox.copy("rotate", to: name) }
    let before = try Data(contentsOf: sandbox.folder.url.appending(path: "a.pdf"))
    #expect(
      try sandbox.shell("mkdir out; ln -s ../a.pdf out/b.png; ln -s d.png out/c.png").code == 0
    )
    let result = try sandbox.recto("thumbs", "a.pdf", "b.pdf", "c.pdf", "-o", "out")
    #expect(result.code == 1)
    let lines: [ThumbnailLine] = try result.decodedLines()
    #expect(lines.filter { $0.error != nil }.map(\.path) == ["b.pdf"])
    #expect(try Data(contentsOf: sandbox.folder.url.appending(path: "a.pdf")) == before)
    // Any other link is followed.
    #expect(try type(sandbox, "out/c.png") == S_IFLNK)
    #expect(try type(sandbox, "out/d.png") == S_IFREG)
  }

  @Test func `temporary files of a process with the same identifier are no obstacle`() throws {
    let sandbox = try CommandSandbox()
    _ = try sandbox.file("a.png", "old")
    // In a container numbers repeat: every name that a process number could make is taken, and locked
    // as if it was being written.
    let line = """
      mkfifo gate
      (read < gate; exec "$recto" \(Self.command.joined(separator: " ")) --image a.png >/dev/null) &
      for n in 1 2 3; do exec {file}> .recto-tmp-$!-$n; flock $file; done; echo > gate; wait $!
      """
    let result = try sandbox.shell(line)
    #expect(result.code == 0, "\(result.errors)")
    #expect(throws: Never.self) { try picture(sandbox.folder.path("a.png")) }
    #expect(sandbox.folder.files.count { $0.hasPrefix(".recto-tmp-") } == 3)
  }
}
