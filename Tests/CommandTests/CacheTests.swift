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
    let reads = try FileReads(of: desk.folder.path("a.pdf"))
    for (question, answer) in zip(questions, expected) {
      let again = try desk.recto(question, environment: ["RECTO_WORKER": "/bin/false"])
      #expect(again.code == 0, "\(again.errors)")
      #expect(again.text == answer)
    }
    #expect(!reads.happened)
    // Without the record there is nothing to answer from.
    #expect(try desk.recto(["layout", "a.pdf", "--no-cache"]).code == 0)
    #expect(reads.happened)
  }

  @Test func `a file edited under its old time is another document`() throws {
    let desk = try Desk()
    let path = try desk.file("a.pdf", HostileFiles.page(width: 300, height: 400))
    _ = try desk.file("b.pdf", HostileFiles.page(width: 400, height: 300))
    let window = ["render", "a.pdf", "--viewport", "500x500"]
    for size in [Answer.Extent(width: 300, height: 400), Answer.Extent(width: 400, height: 300)] {
      let answer: Answer = try desk.recto(window).decoded()
      #expect(answer.pages.map(\.size) == [size])
      #expect(answer.tiles.allSatisfy { $0.source == "rendered" })
      let again: Answer = try desk.recto(window).decoded()
      #expect(again.tiles.allSatisfy { $0.source == "disk" })
      // The same inode, size and time of modification.
      let edit = "touch -r a.pdf time && dd if=b.pdf of=a.pdf conv=notrunc && touch -r time a.pdf"
      #expect(try desk.shell(edit).code == 0)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("400 300"))
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

  // MARK: Whose the cache is

  static let changes = [
    ("", "g+w"), ("", "o+w"), ("v1", "o+w"), ("v1/tiles", "g+w"), ("v1/documents", "o+w"),
  ]

  /// Runs commands with a cache that is not to be trusted and checks that none uses it.
  private func expectUnused(_ desk: Desk, because reason: String) throws {
    let before = desk.cache.files
    for command in [Self.window, ["thumbs", fixture("book"), fixture("rotate"), "-o", "out"]] {
      let result = try desk.recto(command)
      #expect(result.code == 0)
      #expect(result.messages.count == 1, "\(command) \(result.errors)")
      #expect(result.errors.contains("cache not used: \(reason)"))
      #expect(!result.text.contains("\"source\":\"disk\""))
    }
    #expect(desk.cache.files == before)
    // It can be named and counted, but not cleared.
    #expect(try desk.recto("cache", "path").errors.isEmpty)
    let info = try desk.recto("cache", "info")
    #expect(info.code == 0)
    #expect(info.messages.count == 1)
    let clear = try desk.recto("cache", "clear")
    #expect(clear.code == 74)
    #expect(clear.messages.count == 1)
    #expect(clear.errors.contains(reason))
    #expect(desk.cache.files == before)
  }

  @Test(arguments: changes)
  func `a cache that others may write to is not used`(folder: String, change: String) throws {
    let desk = try Desk()
    #expect(try desk.recto(Self.window).code == 0)
    #expect(try desk.shell("chmod \(change) \"$XDG_CACHE_HOME/recto/\(folder)\"").code == 0)
    try expectUnused(desk, because: "other users may write to it")
  }

  @Test(.enabled(if: isRoot, "only root gives files away"), arguments: ["", "v1", "v1/tiles"])
  func `a cache of another user is not used`(folder: String) throws {
    let desk = try Desk()
    #expect(try desk.recto(Self.window).code == 0)
    #expect(try desk.shell("chown 12345 \"$XDG_CACHE_HOME/recto/\(folder)\"").code == 0)
    try expectUnused(desk, because: "it belongs to another user")
  }

  @Test func `a folder of tiles that others may write to is neither read nor written`() throws {
    let desk = try Desk()
    #expect(try desk.recto(Self.window).code == 0)
    #expect(try desk.shell("chmod o+w \"$XDG_CACHE_HOME\"/recto/v1/tiles/*").code == 0)
    let again = try desk.recto(Self.window)
    #expect(again.code == 0)
    let answer: Answer = try again.decoded()
    #expect(answer.tiles.allSatisfy { $0.source == "rendered" && $0.file == nil })
    #expect(again.messages.count == 1)
  }

  @Test func `a cache behind a link is what the link leads to`() throws {
    let desk = try Desk()
    #expect(
      try desk.shell("mkdir -m 700 real; ln -s \"$PWD/real\" \"$XDG_CACHE_HOME/recto\"").code == 0
    )
    #expect(try desk.recto(Self.window).errors.isEmpty)
    let answer: Answer = try desk.recto(Self.window).decoded()
    #expect(answer.tiles.allSatisfy { $0.source == "disk" })
    #expect(try desk.shell("chmod 770 real").code == 0)
    try expectUnused(desk, because: "other users may write to it")
    #expect(try desk.shell("chmod 700 real; mv real/v1 moved; ln -s ../moved real/v1").code == 0)
    try expectUnused(desk, because: "it is not a directory")
  }

  // MARK: Beside others

  @Test func `the cache is cleared beside processes that write to it`() throws {
    let desk = try Desk()
    // All start at one gate and work at the same time, each a bounded number of times.
    let result = try desk.shell(
      """
      mkfifo gate
      write() {
        for n in 1 2; do
          "$recto" render '\(fixture("rotate"))' --page $1 --viewport 240x160 --tile 16 \
            --scale 1.$n >/dev/null || echo "write $?"
        done
        : > done$1
      }
      clear() {
        for n in {1..100}; do
          [ -e done1 -a -e done3 ] && break
          "$recto" cache clear || echo "clear $?"
        done
      }
      (read < gate; write 1) & (read < gate; write 3) & (read < gate; clear) & (read < gate; clear) &
      exec 3<>gate; printf '\\n\\n\\n\\n' >&3; wait
      """
    )
    #expect(result.text.isEmpty)
    #expect(result.errors.isEmpty)
    #expect(try desk.recto("cache", "clear").code == 0)
    #expect(desk.cache.files.allSatisfy { $0 == "recto/CACHEDIR.TAG" })
    #expect(try desk.shell("ls -A \"$XDG_CACHE_HOME/recto\" | grep -v TAG").text.isEmpty)
  }

  @Test func `what a killed process moved aside goes with the next clearing`() throws {
    let desk = try Desk()
    #expect(try desk.recto(Self.window).code == 0)
    #expect(
      try desk.shell("cd \"$XDG_CACHE_HOME/recto\" && cp -r v1 .recto-tmp-0").code == 0
    )
    #expect(try desk.recto("cache", "clear").code == 0)
    #expect(desk.cache.files.isEmpty)
  }

  @Test func `what is cached is the owner's alone`() throws {
    let desk = try Desk()
    #expect(try desk.recto(Self.window).code == 0)
    #expect(try desk.shell("find \"$XDG_CACHE_HOME/recto\" -perm /077").text.isEmpty)
  }
}
