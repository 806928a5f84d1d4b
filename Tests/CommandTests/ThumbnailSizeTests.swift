import Foundation
import TestSupport
import Testing

/// Several sizes of thumbnails, and the templates that name them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ThumbnailSizeTests {
  private func library() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "in/book.pdf")
    try sandbox.copy("rotate", to: "in/deep/er/book.PDF")
    try sandbox.copy("mixed-sizes", to: "in/deep/mixed.pdf")
    return sandbox
  }

  private func files(_ sandbox: CommandSandbox, _ folder: String) -> [String] {
    sandbox.folder.files.filter { $0.hasPrefix(folder) && !$0.hasSuffix(".jsonl") }
  }

  private func bytes(_ sandbox: CommandSandbox, _ name: String) -> Data? {
    FileManager.default.contents(atPath: sandbox.folder.path(name))
  }

  private func run(_ sandbox: CommandSandbox, _ arguments: String...) throws -> [ThumbnailLine] {
    let result = try sandbox.recto(["thumbs", "in"] + arguments)
    #expect(result.code == 0, "\(result.errors)")
    return try result.decodedLines()
  }

  @Test(
    "Each of several sizes has a folder, and the pictures have the size of those made one by one"
  )
  func sizes() throws {
    let sandbox = try library()
    let lines = try run(sandbox, "-o", "out", "--size", "50,200,99", "--pages", "1-2")
    for side in [200, 99, 50] {
      let alone = try run(sandbox, "-o", "one/\(side)", "--size", "\(side)", "--pages", "1-2")
      for line in alone {
        let all = try #require(lines.first { $0.path == line.path }?.thumbnails)
        let some = all.filter { $0.size == side }
        #expect(some.map(\.width) == line.thumbnails?.map(\.width))
        #expect(some.map(\.height) == line.thumbnails?.map(\.height))
        for (file, other) in zip(some, line.thumbnails ?? []) {
          let name = try #require(file.file)
          #expect(bytes(sandbox, name)?.count == file.bytes)
          // The largest is drawn, and the others are reduced from it.
          if side == 200 { #expect(bytes(sandbox, name) == bytes(sandbox, other.file ?? "")) }
        }
      }
    }
    let names = ["book-01", "book-02", "deep/er/book-1", "deep/er/book-2"]
    for side in [50, 99, 200] {
      for name in names { #expect(files(sandbox, "out").contains("out/\(side)/\(name).png")) }
    }
    let sizes = lines.flatMap { $0.thumbnails ?? [] }.map(\.size)
    #expect(sizes.prefix(6) == [200, 99, 50, 200, 99, 50])
  }

  @Test("A page whose file of one size is missing is made again, and pages are counted once")
  func resuming() throws {
    let sandbox = try library()
    let arguments = ["-o", "out", "--resume"]
    _ = try sandbox.recto(["thumbs", "in", "--size", "64,32"] + arguments)
    let before = bytes(sandbox, "out/32/book.png")
    try FileManager.default.removeItem(atPath: sandbox.folder.path("out/32/book.png"))
    let second = try sandbox.recto(["thumbs", "in", "--size", "32,64"] + arguments)
    let lines: [ThumbnailLine] = try second.decodedLines()
    #expect(lines.filter { $0.unchanged == nil }.map(\.path) == ["in/book.pdf"])
    #expect(bytes(sandbox, "out/32/book.png") == before)
    let third: [ThumbnailLine] = try sandbox.recto(["thumbs", "in", "--size", "32"] + arguments)
      .decodedLines()
    #expect(third.allSatisfy { $0.unchanged == nil })
    let report = try sandbox.recto("thumbs", "--report", "out/recto-journal.jsonl").text
    #expect(report.contains("pages        3\n"), "\(report)")
  }

  @Test("A template mirrors folders, and its extension is the format")
  func template() throws {
    let sandbox = try library()
    _ = try run(
      sandbox,
      "-o",
      "t/{dir}/x-{{{stem}}}_{size}.jpg",
      "--size",
      "40,80",
      "--journal",
      "j.jsonl"
    )
    #expect(
      files(sandbox, "t/") == [
        "t/deep/er/x-{book}_40.jpg", "t/deep/er/x-{book}_80.jpg", "t/deep/x-{mixed}_40.jpg",
        "t/deep/x-{mixed}_80.jpg", "t/x-{book}_40.jpg", "t/x-{book}_80.jpg",
      ]
    )
    #expect(bytes(sandbox, "t/x-{book}_40.jpg")?.prefix(2) == Data([0xFF, 0xD8]))
    // Without a folder the path does not begin with a slash.
    let planned = try run(sandbox, "-o", "{dir}/{stem}.{ext}", "--dry-run")
    #expect(
      Set(planned.compactMap { $0.planned?.file }) == [
        "book.png", "deep/er/book.png", "deep/mixed.png",
      ]
    )
  }

  @Test("A template continues with its journal, and another template begins again")
  func templateResumes() throws {
    let sandbox = try library()
    let template = ["-o", "t/{dir}/{stem}-{page}.png", "--pages", "all", "--resume"]
    _ = try sandbox.recto(["thumbs", "in"] + template)
    let again: [ThumbnailLine] = try sandbox.recto(["thumbs", "in"] + template).decodedLines()
    #expect(again.count == 3 && again.allSatisfy { $0.unchanged == true })
    let other: [ThumbnailLine] = try sandbox.recto(
      "thumbs",
      "in",
      "-o",
      "t/{stem}-{page}.png",
      "--pages",
      "all",
      "--resume"
    ).decodedLines()
    #expect(other.count == 3 && other.allSatisfy { $0.unchanged == nil })
  }

  @Test("Documents that a template gives the same path get different ones")
  func collisions() throws {
    let sandbox = try library()
    let lines = try run(sandbox, "-o", "t/{stem}.{ext}")
    #expect(Set(lines.compactMap { $0.thumbnails?.first?.file }).count == 3)
    #expect(files(sandbox, "t/") == ["t/book.png", "t/book~2.png", "t/mixed.png"])
  }

  @Test("No file is written for two documents, however pages and names run together")
  func guardedNames() throws {
    let sandbox = try CommandSandbox()
    // a.pdf has the pages a01 to a12, and a1.pdf the pages a11 to a14.
    try sandbox.copy("book", to: "a.pdf")
    try sandbox.copy("rotate", to: "a1.pdf")
    let result = try sandbox.recto(
      "thumbs",
      "a.pdf",
      "a1.pdf",
      "-o",
      "t/{stem}{page}.png",
      "--pages",
      "all",
      "--size",
      "20"
    )
    #expect(result.code == 1)
    #expect(files(sandbox, "t/").count == 14)
    #expect(result.errors.contains("another thumbnail of this run has this name"))
    let lines: [ThumbnailLine] = try result.decodedLines()
    let written = lines.flatMap { $0.thumbnails ?? [] }.compactMap(\.file)
    #expect(Set(written).count == written.count)
  }

  @Test(
    "Sizes and templates that cannot be are refused before anything is written",
    arguments: [
      (
        ["-o", "x", "--size", "0,3"],
        "--size: must be the length of the longer side, a whole number between 1 and 4096, or up"
      ),
      (["-o", "x", "--size", "3,"], "--size: must be"),
      (["-o", "x", "--size", ""], "--size: must be"),
      (["-o", "x", "--size", "5,4097"], "--size: must be"),
      (
        ["-o", "x/{page}.png"],
        "--output: several documents would be written to one file; add {stem}"
      ),
      (
        ["-o", "x/{stem}.png", "--pages", "all"], "several pages would be written to one file; add"
      ),
      (["-o", "x/{stem}.png", "--size", "3,4"], "several sizes would be written to one file; add"),
      (["-o", "x/th.jpg"], "--output: x/th.jpg would be a directory; write {stem}.jpg for files"),
      (["-o", "x/{stem}{nr}.png"], "unknown placeholder {nr}; there are {dir}, {size}, {stem}"),
      (["-o", "x/{stem.png"], "single {"), (["-o", "x/{stem}.gif"], "the format is to be .png"),
      (["--freedesktop", "-o", "x"], "--freedesktop cannot be used with --output"),
      (["--freedesktop", "--pages", "all"], "--freedesktop cannot be used with --pages"),
      (["--freedesktop", "--gray"], "--freedesktop cannot be used with --gray"),
      (["--freedesktop", "--size", "100"], "there are 128, 256, 512, 1024, is 100"),
      (["--freedesktop", "--resume"], "--resume needs --journal with --freedesktop"),
    ]
  )
  func refused(_ arguments: [String], _ message: String) throws {
    let sandbox = try library()
    let result = try sandbox.recto(["thumbs", "in"] + arguments)
    #expect(result.code == 64)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(sandbox.folder.files.count == 3)
  }
}
