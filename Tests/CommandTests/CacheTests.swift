import Foundation
import TestSupport
import Testing

/// What the command keeps, and what it does when that is gone, damaged or cannot be written.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CacheTests {
  private struct Contents: Decodable {
    var path: String
    var tiles: Int
    var tileBytes: Int
    var documents: Int
    var documentBytes: Int
    var pictures: Int
    var bytes: Int
    var limit: Int?
    var hits: Int
    var misses: Int
    var byDocument: [Document]

    struct Document: Decodable {
      var title: String?
      var tiles: Int
      var bytes: Int
    }
  }

  private static let window = ["render", fixture("book"), "--page", "3", "--viewport", "500x900"]

  @Test func `a cached viewport starts no worker`() throws {
    let sandbox = try CommandSandbox()
    // A worker that writes down that it was started.
    let worker = try sandbox.file(
      "worker",
      "#!/bin/sh\necho start >> '\(sandbox.folder.path("starts"))'\nexec '\(TestPaths.worker.path)' \"$@\"\n"
    )
    #expect(try sandbox.shell("chmod +x worker").code == 0)
    let cold = try sandbox.recto(Self.window, environment: ["RECTO_WORKER": worker])
    #expect(cold.code == 0)
    let rendered: RenderOutput = try cold.decoded()
    #expect(rendered.tiles.allSatisfy { $0.source == "rendered" })
    #expect(FileManager.default.fileExists(atPath: sandbox.folder.path("starts")))
    try FileManager.default.removeItem(atPath: sandbox.folder.path("starts"))
    let warm = try sandbox.recto(
      Self.window + ["-o", "out", "--image", "window.png"],
      environment: ["RECTO_WORKER": worker]
    )
    #expect(warm.code == 0)
    let cached: RenderOutput = try warm.decoded()
    #expect(cached.tiles.count == rendered.tiles.count)
    #expect(cached.tiles.allSatisfy { $0.source == "disk" })
    #expect(!FileManager.default.fileExists(atPath: sandbox.folder.path("starts")))
    for (kept, copied) in zip(rendered.tiles, cached.tiles) {
      let one = try Data(contentsOf: URL(filePath: try #require(kept.file)))
      let other = try Data(
        contentsOf: URL(filePath: sandbox.folder.path(try #require(copied.file)))
      )
      #expect(one == other)
    }
  }

  @Test func `--no-cache neither reads nor writes the cache`() throws {
    let sandbox = try CommandSandbox()
    for _ in 0..<2 {
      for command in [
        Self.window + ["-o", "out"], ["layout", fixture("book")], ["info", fixture("book")],
        ["thumbs", fixture("book"), "-o", "out"],
      ] {
        #expect(try sandbox.recto(command + ["--no-cache"]).code == 0)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.cache.url.path).isEmpty)
    #expect(try sandbox.recto(Self.window).code == 0)
    let output: RenderOutput = try sandbox.recto(Self.window + ["--no-cache", "-o", "out"])
      .decoded()
    #expect(output.tiles.allSatisfy { $0.source == "rendered" })
  }

  @Test func `a damaged tile is rendered again`() throws {
    let sandbox = try CommandSandbox()
    let first: RenderOutput = try sandbox.recto(Self.window).decoded()
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
      let again: RenderOutput = try sandbox.recto(Self.window).decoded()
      #expect(
        again.tiles.enumerated().allSatisfy { index, tile in
          tile.source == (index == victim ? "rendered" : "disk")
        }
      )
      #expect(try Data(contentsOf: files[victim]) == whole[victim])
    }
  }

  @Test func `a recorded layout needs neither the PDF nor a worker`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "a.pdf")
    let questions = [
      ["--offset", "0"], ["--offset", "1500"], ["--offset", "99999"], ["--page", "3"],
      ["--page", "3", "--sizes", "exact"],
      ["--page", "2+0.5", "--sizes", "exact", "--mode", "grid"],
      ["--all"],
    ].map { ["layout", "a.pdf"] + $0 }
    #expect(try sandbox.recto("layout", "a.pdf", "--all").code == 0)
    let expected = try questions.map { try sandbox.recto($0).text }
    let reads = try FileReads(of: sandbox.folder.path("a.pdf"))
    for (question, answer) in zip(questions, expected) {
      let again = try sandbox.recto(question, environment: ["RECTO_WORKER": "/bin/false"])
      #expect(again.code == 0, "\(again.errors)")
      #expect(again.text == answer)
    }
    #expect(!reads.happened)
    // Without the record, the file is needed.
    #expect(try sandbox.recto(["layout", "a.pdf", "--no-cache"]).code == 0)
    #expect(reads.happened)
  }

  @Test func `a file edited with its old modification time is a different document`() throws {
    let sandbox = try CommandSandbox()
    let path = try sandbox.file("a.pdf", HostileFiles.page(width: 300, height: 400))
    _ = try sandbox.file("b.pdf", HostileFiles.page(width: 400, height: 300))
    let window = ["render", "a.pdf", "--viewport", "500x500"]
    for size in [
      RenderOutput.Extent(width: 300, height: 400), RenderOutput.Extent(width: 400, height: 300),
    ] {
      let output: RenderOutput = try sandbox.recto(window).decoded()
      #expect(output.pages.map(\.size) == [size])
      #expect(output.tiles.allSatisfy { $0.source == "rendered" })
      let again: RenderOutput = try sandbox.recto(window).decoded()
      #expect(again.tiles.allSatisfy { $0.source == "disk" })
      // The same inode, size and time of modification.
      let edit = "touch -r a.pdf time && dd if=b.pdf of=a.pdf conv=notrunc && touch -r time a.pdf"
      #expect(try sandbox.shell(edit).code == 0)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("400 300"))
  }

  @Test func `an edit right after a viewport was drawn never shows old pixels`() throws {
    let sandbox = try CommandSandbox()
    _ = try sandbox.file("a", HostileFiles.page(width: 300, height: 400))
    _ = try sandbox.file("b", HostileFiles.page(width: 400, height: 300))
    // The same inode and size; the time of modification is the same second. Drawn as soon as written.
    for round in 0..<12 {
      let isWide = round % 2 == 1
      let edit = "dd if=\(isWide ? "b" : "a") of=c.pdf conv=notrunc status=none"
      let window = "\"$recto\" layout c.pdf --viewport 500x500"
      let result = try sandbox.shell("\(edit) && touch -d '2026-01-01 00:00:00' c.pdf && \(window)")
      let output: LayoutSizes = try result.decoded()
      #expect(output.spreads[0].pages[0].size.width == (isWide ? 400 : 300), "round \(round)")
    }
  }

  private struct LayoutSizes: Decodable {
    struct Spread: Decodable { var pages: [Page] }
    struct Page: Decodable { var size: RenderOutput.Extent }
    var spreads: [Spread]
  }

  @Test func `a document that is identified by its content is found after it was copied`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "a.pdf")
    try sandbox.copy("book", to: "b.pdf")
    func window(_ name: String, _ identity: String) throws -> Set<String> {
      let output: RenderOutput = try sandbox.recto(
        ["render", name, "--page", "3", "--viewport", "500x900", "--identity", identity]
      ).decoded()
      return Set(output.tiles.map(\.source))
    }
    #expect(try window("a.pdf", "file") == ["rendered"])
    #expect(try window("b.pdf", "file") == ["rendered"])
    #expect(try window("a.pdf", "content") == ["rendered"])
    #expect(try window("b.pdf", "content") == ["disk"])
    // Another cache, into which this one was copied, as on another machine.
    #expect(
      try sandbox.shell("cp -r \"$XDG_CACHE_HOME/recto\" copy; rm -r copy/v2/contents").code == 0
    )
    #expect(try sandbox.shell("mkdir other; mv copy other/recto").code == 0)
    let other = try sandbox.recto(
      ["render", "b.pdf", "--page", "3", "--viewport", "500x900", "--identity", "content"],
      environment: ["XDG_CACHE_HOME": sandbox.folder.path("other")]
    )
    let output: RenderOutput = try other.decoded()
    #expect(output.tiles.allSatisfy { $0.source == "disk" })
    #expect(try sandbox.recto("cache", "clear", "a.pdf").code == 0)
    #expect(try window("b.pdf", "content") == ["rendered"])
  }

  @Test func `a small limit is kept, and a size of 0 keeps nothing`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto(Self.window + ["--cache-size", "0", "-o", "out"]).code == 0)
    #expect(sandbox.cache.files.isEmpty)
    #expect(try sandbox.recto(Self.window + ["--cache-size", "0"]).code == 73)
    #expect(try sandbox.recto(Self.window).code == 0)
    #expect(try sandbox.recto("cache", "trim", "--cache-size", "16K").code == 0)
    let contents: Contents = try sandbox.recto("cache", "info").decoded()
    #expect(contents.bytes <= 16384)
    for (name, value) in [("RECTO_CACHE_SIZE", "5x"), ("RECTO_CACHE_AGE", "-1")] {
      let result = try sandbox.recto(["cache", "info"], environment: [name: value])
      #expect(result.code == 64)
      #expect(result.errors.hasPrefix("recto: \(name): must be a number of "))
      #expect(result.errors.contains(", is \(value)"))
    }
  }

  @Test func `verify reports and removes damaged entries`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto("cache", "verify").code == 0)
    #expect(try sandbox.recto(Self.window).code == 0)
    #expect(try sandbox.recto("cache", "verify").code == 0)
    let damaged = sandbox.cache.url.appending(path: sandbox.cachedTiles[0])
    try Data("no picture".utf8).write(to: damaged)
    let result = try sandbox.recto("cache", "verify")
    #expect(result.code == 1)
    #expect(result.text.contains(damaged.lastPathComponent))
    #expect(!FileManager.default.fileExists(atPath: damaged.path))
    #expect(try sandbox.recto("cache", "verify").code == 0)
  }

  @Test func `damaged records are rebuilt`() throws {
    let sandbox = try CommandSandbox()
    let expected = try sandbox.recto("layout", fixture("book"), "--all").text
    for file in sandbox.cache.files where !file.contains("/pictures/") && !file.hasSuffix(".TAG") {
      let url = sandbox.cache.url.appending(path: file)
      var data = try Data(contentsOf: url)
      data[data.count / 3] ^= 0x40
      try data.write(to: url)
    }
    let again = try sandbox.recto("layout", fixture("book"), "--all")
    #expect(again.code == 0)
    #expect(again.text == expected)
  }

  @Test func `a failed page leaves no tile in the cache`() throws {
    let sandbox = try CommandSandbox()
    let window = ["--page", "2", "--viewport", "300x300", "--timeout", "2"]
    for name in ["endless-forms", "page-empty"] {
      let result = try sandbox.recto(["render", fixture(name), "--pages", "2"] + window)
      #expect(result.code == 1, "\(name) \(result.errors)")
      #expect(sandbox.cachedTiles.isEmpty)
    }
  }

  @Test func `a changed file is a different document`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "a.pdf")
    let first: RenderOutput = try sandbox.recto("render", "a.pdf").decoded()
    try FileManager.default.removeItem(atPath: sandbox.folder.path("a.pdf"))
    try sandbox.copy("crop", to: "a.pdf")
    let second: RenderOutput = try sandbox.recto("render", "a.pdf").decoded()
    #expect(first.document.pages == second.document.pages)
    #expect(second.tiles.allSatisfy { $0.source == "rendered" })
    #expect(second.pages[1].size == RenderOutput.Extent(width: 400, height: 300))
  }

  @Test func `a cache that cannot be written costs one message`() throws {
    let sandbox = try CommandSandbox()
    let file = try sandbox.file("file", "")
    for command in [
      Self.window + ["-o", "tiles"], ["layout", fixture("book")],
      ["thumbs", fixture("book"), "-o", "out"],
    ] {
      let result = try sandbox.recto(command, environment: ["XDG_CACHE_HOME": "\(file)/cache"])
      #expect(result.code == 0)
      #expect(result.messages.count == 1, "\(result.errors)")
      #expect(result.errors.contains("cache"))
    }
  }

  @Test(.disabled(if: isRoot, "root may write everywhere"))
  func `a read-only cache costs one message`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.shell("chmod 555 \"$XDG_CACHE_HOME\"").code == 0)
    let result = try sandbox.recto(Self.window + ["-o", "tiles"])
    let nowhere = try sandbox.recto(Self.window)
    #expect(try sandbox.shell("chmod 755 \"$XDG_CACHE_HOME\"").code == 0)
    #expect(result.code == 0)
    #expect(result.messages.count == 1)
    #expect(nowhere.code == 73)
    #expect(nowhere.messages.count == 1)
  }

  @Test func `cache path, info and clear report and remove the contents`() throws {
    let sandbox = try CommandSandbox()
    let root = sandbox.cache.url.resolvingSymlinksInPath().appending(path: "recto").path
    #expect(try sandbox.recto("cache", "path").text == "\(sandbox.cache.url.path)/recto\n")
    let empty: Contents = try sandbox.recto("cache", "info").decoded()
    #expect(empty.tiles == 0 && empty.documents == 0)
    #expect(try sandbox.recto("cache", "clear").code == 0)
    let output: RenderOutput = try sandbox.recto(Self.window).decoded()
    let full: Contents = try sandbox.recto("cache", "info").decoded()
    #expect(full.path == "\(sandbox.cache.url.path)/recto")
    #expect(full.tiles == output.tiles.count)
    #expect(full.pictures == Set(output.tiles.map(\.file)).count)
    #expect(full.tileBytes == output.tiles.map(\.bytes).reduce(0, +))
    #expect(full.byDocument.map(\.title) == ["The Turning of the Page"])
    #expect(full.byDocument.map(\.tiles) == [full.tiles])
    #expect(full.hits == 0 && full.misses == full.tiles)
    #expect(full.limit == 2 << 30)
    let again: Contents = try sandbox.recto(["cache", "info", "--cache-size", "1.5K"]).decoded()
    #expect(again.limit == 1536)
    #expect(full.documents == 1)
    #expect(full.documentBytes > 0)
    let tag = try String(contentsOfFile: "\(root)/CACHEDIR.TAG", encoding: .utf8)
    #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    try Data().write(to: URL(filePath: "\(root)/other-program"))
    #expect(try sandbox.recto("cache", "clear").code == 0)
    #expect(sandbox.cache.files == ["recto/other-program"])
  }

  // MARK: Whose the cache is

  static let changes = [
    ("", "g+w"), ("", "o+w"), ("v2", "o+w"), ("v2/pictures", "g+w"), ("v2/documents", "o+w"),
  ]

  /// Runs commands with a cache that is not to be trusted and checks that none uses it.
  private func expectUnused(_ sandbox: CommandSandbox, because reason: String) throws {
    let before = sandbox.cache.files
    let thumbs = ["thumbs", fixture("book"), fixture("rotate"), "-o", "out"]
    for command in [Self.window + ["-o", "tiles"], thumbs] {
      let result = try sandbox.recto(command)
      #expect(result.code == 0)
      #expect(result.messages.count == 1, "\(command) \(result.errors)")
      #expect(result.errors.contains("cache not used: \(reason)"))
      #expect(!result.text.contains("\"source\":\"disk\""))
    }
    let nowhere = try sandbox.recto(Self.window)
    #expect(nowhere.code == 73)
    #expect(nowhere.output.isEmpty)
    #expect(nowhere.messages.count == 1)
    #expect(nowhere.errors.contains("cache not used: \(reason)"))
    #expect(sandbox.cache.files == before)
    // It can be named and counted, but not cleared.
    #expect(try sandbox.recto("cache", "path").errors.isEmpty)
    let info = try sandbox.recto("cache", "info")
    #expect(info.code == 0)
    #expect(info.messages.count == 1)
    let clear = try sandbox.recto("cache", "clear")
    #expect(clear.code == 74)
    #expect(clear.messages.count == 1)
    #expect(clear.errors.contains(reason))
    #expect(sandbox.cache.files == before)
  }

  @Test(arguments: changes)
  func `a cache that others may write to is not used`(folder: String, change: String) throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto(Self.window).code == 0)
    #expect(try sandbox.shell("chmod \(change) \"$XDG_CACHE_HOME/recto/\(folder)\"").code == 0)
    try expectUnused(sandbox, because: "other users may write to it")
  }

  @Test(.enabled(if: isRoot, "only root gives files away"), arguments: ["", "v2", "v2/pictures"])
  func `a cache of another user is not used`(folder: String) throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto(Self.window).code == 0)
    #expect(try sandbox.shell("chown 12345 \"$XDG_CACHE_HOME/recto/\(folder)\"").code == 0)
    try expectUnused(sandbox, because: "it belongs to another user")
  }

  @Test func `a tile directory that others can write to is not used`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto(Self.window).code == 0)
    #expect(try sandbox.shell("chmod o+w \"$XDG_CACHE_HOME\"/recto/v2/pictures/*").code == 0)
    let again = try sandbox.recto(Self.window + ["-o", "out"])
    #expect(again.code == 0)
    let output: RenderOutput = try again.decoded()
    #expect(output.tiles.allSatisfy { $0.source == "rendered" })
    #expect(again.messages.count == 1)
    let nowhere = try sandbox.recto(Self.window)
    #expect(nowhere.code == 73)
    #expect(nowhere.messages.count == 1)
  }

  @Test func `a symbolic link to the cache is followed`() throws {
    let sandbox = try CommandSandbox()
    #expect(
      try sandbox.shell("mkdir -m 700 real; ln -s \"$PWD/real\" \"$XDG_CACHE_HOME/recto\"").code
        == 0
    )
    #expect(try sandbox.recto(Self.window).errors.isEmpty)
    let output: RenderOutput = try sandbox.recto(Self.window).decoded()
    #expect(output.tiles.allSatisfy { $0.source == "disk" })
    #expect(try sandbox.shell("chmod 770 real").code == 0)
    try expectUnused(sandbox, because: "other users may write to it")
    #expect(try sandbox.shell("chmod 700 real; mv real/v2 moved; ln -s ../moved real/v2").code == 0)
    try expectUnused(sandbox, because: "it is not a directory")
  }

  // MARK: Beside others

  @Test func `the cache can be cleared while other processes write to it`() throws {
    let sandbox = try CommandSandbox()
    // All start at one gate and work at the same time, each a bounded number of times.
    let result = try sandbox.shell(
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
    #expect(try sandbox.recto("cache", "clear").code == 0)
    #expect(sandbox.cache.files.allSatisfy { $0 == "recto/CACHEDIR.TAG" })
    #expect(try sandbox.shell("ls -A \"$XDG_CACHE_HOME/recto\" | grep -v TAG").text.isEmpty)
  }

  @Test func `files moved aside by a killed process are removed by the next clear`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto(Self.window).code == 0)
    #expect(
      try sandbox.shell("cd \"$XDG_CACHE_HOME/recto\" && cp -r v2 .recto-tmp-0").code == 0
    )
    #expect(try sandbox.recto("cache", "clear").code == 0)
    #expect(sandbox.cache.files.isEmpty)
  }

  @Test func `cached files are accessible to the owner only`() throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto(Self.window).code == 0)
    #expect(try sandbox.shell("find \"$XDG_CACHE_HOME/recto\" -perm /077").text.isEmpty)
  }
}
