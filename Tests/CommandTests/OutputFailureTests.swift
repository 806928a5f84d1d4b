import Foundation
import TestSupport
import Testing

/// Disks that are full, places that cannot be written, readers that go away.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OutputFailureTests {
  @Test func `exit code 73 if the output is below a regular file`() throws {
    let sandbox = try CommandSandbox()
    _ = try sandbox.file("file", "")
    let commands = [
      ["render", fixture("rotate"), "-o", "file/out"],
      ["render", fixture("rotate"), "--image", "file/a.png"],
      ["render", fixture("rotate"), "--image", "missing/a.png"],
      ["thumbs", fixture("rotate"), "-o", "file/out"],
      ["pages", fixture("rotate"), "-o", "file/out/"],
    ]
    for command in commands {
      let result = try sandbox.recto(command)
      #expect(result.code == 73, "\(command)")
      #expect(result.messages.count == 1)
      #expect(result.output.isEmpty)
    }
    #expect(sandbox.folder.files == ["file"])
  }

  @Test func `exit code 73 if a directory has the name of a tile`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.shell("mkdir -p out/rotate.png").code == 0)
    let result = try sandbox.recto("thumbs", fixture("rotate"), "-o", "out")
    #expect(result.code == 73)
    #expect(result.messages.count == 1)
    #expect(sandbox.folder.files.isEmpty)
  }

  @Test(arguments: [
    "info", "layout", "render", "thumbs -o out", "pages --json", "cache info",
    "cache path",
  ])
  func `74 when standard output is full`(command: String) throws {
    let sandbox = try CommandSandbox()
    let file = command.hasPrefix("cache") ? "" : "'\(fixture("rotate"))'"
    let result = try sandbox.shell("\"$recto\" \(command) \(file) > /dev/full")
    #expect(result.code == 74)
    #expect(result.errors == "recto: standard output: No space left on device\n")
  }

  @Test(arguments: [
    "render -o out", "render --image a.png", "thumbs -o out --size 1024", "pages",
  ])
  func `74 when the disk is full, and nothing is half-written`(command: String) throws {
    let sandbox = try CommandSandbox()
    // One block a file; book.pdf's pages need more.
    let result = try sandbox.shell(
      "ulimit -f 1; env --default-signal=XFSZ \"$recto\" \(command) --no-cache '\(fixture("book"))'"
    )
    #expect(result.code == 74, "\(result.errors)")
    #expect(result.messages.count == 1)
    try expectWholePictures(in: sandbox.folder)
    #expect(sandbox.folder.files.allSatisfy { $0.hasSuffix(".png") })
  }

  @Test func `a cache on a full disk costs one message, unless the tiles have no other place`()
    throws
  {
    let sandbox = try CommandSandbox()
    let command = "ulimit -f 1; env --default-signal=XFSZ \"$recto\" render '\(fixture("book"))'"
    let nowhere = try sandbox.shell(command)
    #expect(nowhere.code == 74)
    #expect(nowhere.output.isEmpty)
    #expect(nowhere.messages.count == 1)
    // What standard output gets is no file.
    let picture = try sandbox.shell("\(command) --image - | cat > /dev/null; exit ${PIPESTATUS[0]}")
    #expect(picture.code == 0)
    #expect(picture.messages.count == 1)
    try expectWholePictures(in: sandbox.cache)
    #expect(!sandbox.cache.files.contains { $0.contains("tmp") })
  }

  @Test func `a closed pipe is success without a message`() throws {
    let sandbox = try CommandSandbox()
    let pages = sandbox.folder.path("many.pdf")
    try ManyPages.write(2000, to: pages)
    for command in ["layout --all --sizes exact", "layout"] {
      let result = try sandbox.shell("set -o pipefail; \"$recto\" \(command) many.pdf | head -c 10")
      #expect(result.code == 0)
      #expect(result.errors.isEmpty)
      #expect(result.output.count == 10)
    }
    // No reader at all.
    let none = try sandbox.shell(
      "{ \"$recto\" info many.pdf; echo $? >&3; } 3>code | true; cat code"
    )
    #expect(none.text == "0\n")
    #expect(none.errors.isEmpty)
  }

  @Test func `messages need no standard error`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.shell("\"$recto\" info missing.pdf 2>&-").code == 66)
    #expect(try sandbox.shell("\"$recto\" info missing.pdf 2>/dev/full").code == 66)
  }
}
