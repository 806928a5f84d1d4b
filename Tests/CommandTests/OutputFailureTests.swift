import Foundation
import TestSupport
import Testing

/// Disks that are full, places that cannot be written, readers that go away.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OutputFailureTests {
  @Test func `73 when the output lies below a regular file`() throws {
    let desk = try Desk()
    _ = try desk.file("file", "")
    let commands = [
      ["render", fixture("rotate"), "-o", "file/out"],
      ["render", fixture("rotate"), "--image", "file/a.png"],
      ["render", fixture("rotate"), "--image", "missing/a.png"],
      ["thumbs", fixture("rotate"), "-o", "file/out"],
    ]
    for command in commands {
      let result = try desk.recto(command)
      #expect(result.code == 73, "\(command)")
      #expect(result.messages.count == 1)
      #expect(result.output.isEmpty)
    }
    #expect(desk.folder.files == ["file"])
  }

  @Test func `73 when a folder has the name of a tile`() throws {
    let desk = try Desk()
    #expect(try desk.shell("mkdir -p out/rotate.png").code == 0)
    let result = try desk.recto("thumbs", fixture("rotate"), "-o", "out")
    #expect(result.code == 73)
    #expect(result.messages.count == 1)
    #expect(desk.folder.files.isEmpty)
  }

  @Test(arguments: ["info", "layout", "render", "thumbs -o out", "cache info", "cache path"])
  func `74 when standard output is full`(command: String) throws {
    let desk = try Desk()
    let file = command.hasPrefix("cache") ? "" : "'\(fixture("rotate"))'"
    let result = try desk.shell("\"$recto\" \(command) \(file) > /dev/full")
    #expect(result.code == 74)
    #expect(result.errors == "recto: standard output: No space left on device\n")
  }

  @Test(arguments: ["render -o out", "render --image a.png", "thumbs -o out --size 1024"])
  func `74 when the disk is full, and nothing is half-written`(command: String) throws {
    let desk = try Desk()
    // One block a file; book.pdf's pages need more.
    let result = try desk.shell(
      "ulimit -f 1; env --default-signal=XFSZ \"$recto\" \(command) --no-cache '\(fixture("book"))'"
    )
    #expect(result.code == 74, "\(result.errors)")
    #expect(result.messages.count == 1)
    try expectWholePictures(in: desk.folder)
    #expect(desk.folder.files.allSatisfy { $0.hasSuffix(".png") })
  }

  @Test func `a cache on a full disk costs one message and nothing else`() throws {
    let desk = try Desk()
    let result = try desk.shell(
      "ulimit -f 1; env --default-signal=XFSZ \"$recto\" render '\(fixture("book"))'"
    )
    #expect(result.code == 0)
    #expect(result.messages.count == 1)
    let answer: Answer = try result.decoded()
    #expect(answer.tiles.contains { $0.file == nil })
    try expectWholePictures(in: desk.cache)
    #expect(!desk.cache.files.contains { $0.contains("tmp") })
  }

  @Test func `a closed pipe is a quiet success`() throws {
    let desk = try Desk()
    let pages = desk.folder.path("many.pdf")
    try ManyPages.write(2000, to: pages)
    for command in ["layout --all --sizes exact", "layout"] {
      let result = try desk.shell("set -o pipefail; \"$recto\" \(command) many.pdf | head -c 10")
      #expect(result.code == 0)
      #expect(result.errors.isEmpty)
      #expect(result.output.count == 10)
    }
    // Nobody reads at all.
    let none = try desk.shell(
      "{ \"$recto\" info many.pdf; echo $? >&3; } 3>code | true; cat code"
    )
    #expect(none.text == "0\n")
    #expect(none.errors.isEmpty)
  }

  @Test func `messages need no standard error`() throws {
    let desk = try Desk()
    #expect(try desk.shell("\"$recto\" info missing.pdf 2>&-").code == 66)
    #expect(try desk.shell("\"$recto\" info missing.pdf 2>/dev/full").code == 66)
  }
}
