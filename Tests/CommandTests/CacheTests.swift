import Foundation
import TestSupport
import Testing

/// What the command keeps, and what it does when that is gone, damaged or cannot be written.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CacheTests {
  private struct Contents: Decodable {
    var path: String
    var tiles: Int
    var tileBytes: Int
    var documents: Int
    var documentBytes: Int
  }

  private static let window = ["render", fixture("book"), "--page", "3", "--viewport", "500x900"]

  @Test func `a window that is cached starts no worker`() throws {
    let desk = try Desk()
    // A worker that writes down that it was started.
    let worker = try desk.file(
      "worker",
      "#!/bin/sh\necho start >> '\(desk.folder.path("starts"))'\nexec '\(Places.worker.path)' \"$@\"\n"
    )
    #expect(try desk.shell("chmod +x worker").code == 0)
    let cold = try desk.recto(Self.window, environment: ["RECTO_WORKER": worker])
    #expect(cold.code == 0)
    let rendered: Answer = try cold.decoded()
    #expect(rendered.tiles.allSatisfy { $0.source == "rendered" })
    #expect(FileManager.default.fileExists(atPath: desk.folder.path("starts")))
    try FileManager.default.removeItem(atPath: desk.folder.path("starts"))
    let warm = try desk.recto(
      Self.window + ["-o", "out", "--image", "window.png"],
      environment: ["RECTO_WORKER": worker]
    )
    #expect(warm.code == 0)
    let cached: Answer = try warm.decoded()
    #expect(cached.tiles.count == rendered.tiles.count)
    #expect(cached.tiles.allSatisfy { $0.source == "disk" })
    #expect(!FileManager.default.fileExists(atPath: desk.folder.path("starts")))
    for (kept, copied) in zip(rendered.tiles, cached.tiles) {
      let one = try Data(contentsOf: URL(filePath: try #require(kept.file)))
      let other = try Data(contentsOf: URL(filePath: desk.folder.path(try #require(copied.file))))
      #expect(one == other)
    }
  }

  @Test func `without the cache nothing is read or written`() throws {
    let desk = try Desk()
    for _ in 0..<2 {
      for command in [
        Self.window + ["-o", "out"], ["layout", fixture("book")], ["info", fixture("book")],
        ["thumbs", fixture("book"), "-o", "out"],
      ] {
        #expect(try desk.recto(command + ["--no-cache"]).code == 0)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.cache.url.path).isEmpty)
    #expect(try desk.recto(Self.window).code == 0)
    let answer: Answer = try desk.recto(Self.window + ["--no-cache", "-o", "out"]).decoded()
    #expect(answer.tiles.allSatisfy { $0.source == "rendered" })
  }

  @Test func `a damaged tile is rendered again`() throws {
    let desk = try Desk()
    let first: Answer = try desk.recto(Self.window).decoded()
    let files = try first.tiles.map { URL(filePath: try #require($0.file)) }
    let whole = try files.map { try Data(contentsOf: $0) }
    let damages: [(Data) -> Data] = [
      { _ in Data() }, { $0.prefix($0.count / 2) }, { $0.dropLast() },
      { data in
        var data = data
        data[data.count / 2] ^= 1
        return data
      }, { $0 + [0] },
    ]
    for (place, damage) in damages.enumerated() {
      let victim = place % files.count
      try damage(whole[victim]).write(to: files[victim])
      let again: Answer = try desk.recto(Self.window).decoded()
      #expect(
        again.tiles.enumerated().allSatisfy { index, tile in
          tile.source == (index == victim ? "rendered" : "disk")
        }
      )
      #expect(try Data(contentsOf: files[victim]) == whole[victim])
    }
  }

  @Test func `a layout that is on record needs neither the PDF nor a worker`() throws {
    let desk = try Desk()
    try desk.copy("book", to: "a.pdf")
    let questions = [
      ["--offset", "0"], ["--offset", "1500"], ["--offset", "99999"], ["--page", "3"],
      ["--page", "3", "--sizes", "exact"],
      ["--page", "2+0.5", "--sizes", "exact", "--mode", "grid"],
      ["--all"],
    ].map { ["layout", "a.pdf"] + $0 }
    #expect(try desk.recto("layout", "a.pdf", "--all").code == 0)
    let expected = try questions.map { try desk.recto($0).text }
    // The same file to whoever looks at its status, with nothing of a PDF inside.
    let line = """
      touch -r a.pdf time && head -c $(stat -c %s a.pdf) /dev/zero | dd of=a.pdf conv=notrunc &&
      touch -r time a.pdf
      """
    #expect(try desk.shell(line).code == 0)
    for (question, answer) in zip(questions, expected) {
      let again = try desk.recto(question, environment: ["RECTO_WORKER": "/bin/false"])
      #expect(again.code == 0, "\(again.errors)")
      #expect(again.text == answer)
    }
    // Without the record there is nothing to answer from.
    #expect(try desk.recto(["layout", "a.pdf", "--no-cache"]).code != 0)
  }

  @Test func `damaged records are learned again`() throws {
    let desk = try Desk()
    let expected = try desk.recto("layout", fixture("book"), "--all").text
    for file in desk.cache.files where !file.contains("/tiles/") && !file.hasSuffix(".TAG") {
      let url = desk.cache.url.appending(path: file)
      var data = try Data(contentsOf: url)
      data[data.count / 3] ^= 0x40
      try data.write(to: url)
    }
    let again = try desk.recto("layout", fixture("book"), "--all")
    #expect(again.code == 0)
    #expect(again.text == expected)
  }

  @Test func `a page that failed leaves no tile`() throws {
    let desk = try Desk()
    let window = ["--page", "2", "--viewport", "300x300", "--timeout", "2"]
    for name in ["endless-forms", "page-empty"] {
      let result = try desk.recto(["render", fixture(name), "--pages", "2"] + window)
      #expect(result.code == 1, "\(name) \(result.errors)")
      #expect(desk.cachedTiles.isEmpty)
    }
  }

  @Test func `a file that changed is another document`() throws {
    let desk = try Desk()
    try desk.copy("rotate", to: "a.pdf")
    let first: Answer = try desk.recto("render", "a.pdf").decoded()
    try FileManager.default.removeItem(atPath: desk.folder.path("a.pdf"))
    try desk.copy("crop", to: "a.pdf")
    let second: Answer = try desk.recto("render", "a.pdf").decoded()
    #expect(first.document.pages == second.document.pages)
    #expect(second.tiles.allSatisfy { $0.source == "rendered" })
    #expect(second.pages[1].size == Answer.Extent(width: 400, height: 300))
  }

  @Test func `a cache that cannot be written costs one message`() throws {
    let desk = try Desk()
    let file = try desk.file("file", "")
    for command in [
      Self.window, ["layout", fixture("book")], ["thumbs", fixture("book"), "-o", "out"],
    ] {
      let result = try desk.recto(command, environment: ["XDG_CACHE_HOME": "\(file)/cache"])
      #expect(result.code == 0)
      #expect(result.messages.count == 1, "\(result.errors)")
      #expect(result.errors.contains("cache"))
    }
  }

  @Test(.disabled(if: isRoot, "root may write everywhere"))
  func `a read-only cache costs one message`() throws {
    let desk = try Desk()
    #expect(try desk.shell("chmod 555 \"$XDG_CACHE_HOME\"").code == 0)
    let result = try desk.recto(Self.window)
    #expect(try desk.shell("chmod 755 \"$XDG_CACHE_HOME\"").code == 0)
    #expect(result.code == 0)
    #expect(result.messages.count == 1)
  }

  @Test func `the cache tells its place and contents, and is cleared`() throws {
    let desk = try Desk()
    let root = desk.cache.url.resolvingSymlinksInPath().appending(path: "recto").path
    #expect(try desk.recto("cache", "path").text == "\(desk.cache.url.path)/recto\n")
    let empty: Contents = try desk.recto("cache", "info").decoded()
    #expect(empty.tiles == 0 && empty.documents == 0)
    #expect(try desk.recto("cache", "clear").code == 0)
    let answer: Answer = try desk.recto(Self.window).decoded()
    let full: Contents = try desk.recto("cache", "info").decoded()
    #expect(full.path == "\(desk.cache.url.path)/recto")
    #expect(full.tiles == answer.tiles.count)
    #expect(full.tileBytes == answer.tiles.map(\.bytes).reduce(0, +))
    #expect(full.documents == 1)
    #expect(full.documentBytes > 0)
    let tag = try String(contentsOfFile: "\(root)/CACHEDIR.TAG", encoding: .utf8)
    #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    try Data().write(to: URL(filePath: "\(root)/somebody-else's"))
    #expect(try desk.recto("cache", "clear").code == 0)
    #expect(desk.cache.files == ["recto/somebody-else's"])
  }

  @Test func `what is cached is the owner's alone`() throws {
    let desk = try Desk()
    #expect(try desk.recto(Self.window).code == 0)
    #expect(try desk.shell("find \"$XDG_CACHE_HOME/recto\" -perm /077").text.isEmpty)
  }
}
