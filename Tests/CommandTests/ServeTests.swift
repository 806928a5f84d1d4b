import Foundation
import Glibc
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// A viewer's engine as its clients see it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServeTests {
  private static let viewport = ["width": 600.0, "height": 800.0]

  private func manyPages() throws -> (CommandSandbox, ServeClient) {
    let sandbox = try CommandSandbox()
    try ManyPages.write(2000, to: sandbox.folder.path("many.pdf"))
    return (sandbox, try ServeClient(sandbox))
  }

  /// Takes events until every tile of the window is there.
  ///
  /// - Returns: The window as it is then, and the events of its tiles.
  private func complete(
    _ client: ServeClient,
    _ scene: ServeClient.Line
  ) throws -> (scene: ServeClient.Line, tiles: [ServedTile: ServeClient.Line]) {
    var scene = scene
    var tiles: [ServedTile: ServeClient.Line] = [:]
    while !scene.wantedTiles.isSubset(of: tiles.keys) {
      let event = try #require(try client.event())
      if let tile = event.servedTile {
        tiles[tile] = event
      } else if event["event"] as? String == "geometry" {
        // One that was written before the reply shows an older viewport.
        if (event.number("geometry") ?? 0) > (scene.number("geometry") ?? 0) { scene = event }
      } else {
        #expect(event["event"] as? String == "idle")
      }
    }
    return (scene, tiles)
  }

  // MARK: Tiles

  @Test func `every tile of the viewport is sent once before idle`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book"), "--scale", "2"])
    let opened = try #require(try client.event())
    #expect(opened["reply"] as? String == "open")
    #expect(opened.number("document") == 1)
    let wanted = opened.wantedTiles
    #expect(!wanted.isEmpty)
    let events = try client.eventsUntilIdle()
    let tiles = events.compactMap(\.servedTile)
    #expect(Set(tiles) == wanted)
    #expect(tiles.count == wanted.count)
    for event in events where event.servedTile != nil {
      let bytes = try Data(contentsOf: URL(filePath: try #require(event["file"] as? String)))
      #expect(Double(bytes.count) == event.number("bytes"))
      let picture = try picture(try #require(event["file"] as? String))
      #expect(Double(picture.size.width) == event.number("pixels", "width"))
      #expect(Double(picture.size.height) == event.number("pixels", "height"))
    }
    // The same window again brings nothing anew.
    _ = try client.done("view")
    #expect(try client.eventsUntilIdle().allSatisfy { $0.servedTile == nil })
    let (rest, code) = try client.end()
    #expect(code == 0)
    #expect(rest.allSatisfy { $0["event"] as? String == "idle" })
  }

  @Test func `an overscan adds pages and tiles to a scene, which the viewport shows later`() throws
  {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book"), "--viewport", "600x400"])
    let alone = try #require(try client.event())
    #expect(Set(try client.eventsUntilIdle().compactMap(\.servedTile)) == alone.wantedTiles)
    let scene = try client.done("view", ["overscan": ["bottom": 900]])
    #expect(scene.wantedTiles.isStrictSuperset(of: alone.wantedTiles))
    let added = Set(try client.eventsUntilIdle().compactMap(\.servedTile))
    #expect(added == scene.wantedTiles.subtracting(alone.wantedTiles))
    #expect(scene["viewport"] as? [String: Double] == alone["viewport"] as? [String: Double])
    // It stays; the tiles that come into the viewport are there already.
    let moved = try client.done("view", ["offset": ["y": 300]])
    let seen = try client.done("view", ["overscan": [String: Any]()])
    #expect(seen.wantedTiles.isSubset(of: scene.wantedTiles))
    #expect(moved.wantedTiles.isSuperset(of: seen.wantedTiles))
    // Where spreads rest, it has no effect.
    _ = try client.done("layout", ["layout": ["mode": "paged", "fit": "page"]])
    let resting = try client.done("view")
    let same = try client.done("view", ["overscan": ["right": 5000]])
    #expect(same.wantedTiles == resting.wantedTiles)
    #expect(try client.end().code == 0)
  }

  @Test func `scrolling through 2,000 pages shows what render shows`() throws {
    let (sandbox, client) = try manyPages()
    var scene = try client.done("open", ["path": "many.pdf", "viewport": Self.viewport])
    for step in 0..<40 {
      let y = (scene.number("content", "height") ?? 0) * Double(step) / 40
      scene = try client.done(
        "view",
        [
          "offset": ["x": 0, "y": y], "geometry": scene.number("geometry") ?? 0,
          "velocity": ["x": 0, "y": 20_000],
        ]
      )
      let tiles: [ServedTile: ServeClient.Line]
      (scene, tiles) = try complete(client, scene)
      guard step % 8 == 5 else { continue }
      // Another process, asked for the same place, names the same files.
      let page = Int(scene.number("anchor", "page") ?? 0)
      let fraction = scene.number("anchor", "fraction") ?? 0
      let rendered: RenderOutput = try sandbox.recto(
        "render",
        "many.pdf",
        "--page",
        "\(page)",
        "--at-page-fraction",
        "\(min(1, max(0, fraction)))",
        "--viewport",
        "600x800"
      ).decoded()
      let shown = Set(tiles.values.compactMap { $0["file"] as? String })
      #expect(shown.isSuperset(of: rendered.tiles.compactMap(\.file)))
    }
    let statistics = try client.done("stats")
    #expect(statistics.number("tiles", "failed") == 0)
    #expect(try client.end().code == 0)
  }

  @Test func `without a cache tiles are sent as data`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book"), "--no-cache"])
    _ = try #require(try client.event())
    let events = try client.eventsUntilIdle().filter { $0.servedTile != nil }
    #expect(!events.isEmpty)
    for event in events {
      let bytes = try #require(Data(base64Encoded: event["data"] as? String ?? ""))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(Double(bytes.count) == event.number("bytes"))
    }
    #expect(sandbox.cache.files.isEmpty)
  }

  @Test func `a page that cannot be drawn is one error event, and the other pages are drawn`()
    throws
  {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(
      sandbox,
      [fixture("endless-forms"), "--timeout", "1", "--viewport", "300x3000"]
    )
    let opened = try #require(try client.event())
    let events = try client.eventsUntilIdle()
    let failed = events.filter { $0["event"] as? String == "error" }
    #expect(failed.map { $0.number("page") } == [2])
    #expect((failed.first?["error"] as? ServeClient.Line)?["code"] as? String == "time-limit")
    #expect(
      Set(events.compactMap(\.servedTile)) == opened.wantedTiles.filter { $0.page != 2 }
    )
    #expect(try client.end().code == 0)
  }

  // MARK: Geometry

  @Test func `newly measured sizes do not move the visible content`() throws {
    let (sandbox, client) = try manyPages()
    defer { withExtendedLifetime(sandbox) {} }
    var scene = try client.done("open", ["path": "many.pdf", "viewport": Self.viewport])
    scene = try client.done("view", ["anchor": ["page": 1500, "fraction": 0.25]])
    #expect(scene.number("current") == 1500)
    var height = try #require(scene.number("content", "height"))
    for event in try client.eventsUntilIdle() where event["event"] as? String == "geometry" {
      guard try #require(event.number("geometry")) > scene.number("geometry") ?? 0 else { continue }
      let change = event["invalidation"] as? ServeClient.Line ?? [:]
      let growth = try #require(change.number("contentSizeAdjustment", "height"))
      let shift = try #require(change.number("offsetAdjustment", "y"))
      height += growth
      #expect(abs(height - (event.number("content", "height") ?? 0)) < 0.001)
      let moved = (event.number("viewport", "y") ?? 0) - (scene.number("viewport", "y") ?? 0)
      #expect(abs(moved - shift) < 0.001)
      #expect(event.number("anchor", "page") == 1500)
      #expect(abs((event.number("anchor", "fraction") ?? 0) - 0.25) < 1e-6)
      scene = event
    }
    // Four sizes in turn, a gap in front of each and one behind the last.
    #expect(abs(height - (500 * (841.89 + 792 + 595.276 + 595.276) + 2001 * 10)) < 0.01)
    #expect((scene["content"] as? ServeClient.Line)?["exact"] as? Bool == true)
  }

  @Test func `an offset from an older geometry is converted`() throws {
    let (sandbox, client) = try manyPages()
    defer { withExtendedLifetime(sandbox) {} }
    let first = try client.done("open", ["path": "many.pdf", "viewport": Self.viewport])
    // Page 1,001 where every page is as high as the first.
    let old = try client.done("view", ["anchor": ["page": 1001, "fraction": 0.5]])
    let y = try #require(old.number("viewport", "y"))
    _ = try client.eventsUntilIdle()
    let now = try client.done(
      "view",
      ["offset": ["x": 0, "y": y], "geometry": try #require(old.number("geometry"))]
    )
    #expect(now.number("anchor", "page") == 1001)
    #expect(abs((now.number("anchor", "fraction") ?? 0) - 0.5) < 1e-6)
    #expect(now.number("viewport", "y") != y)
    let unknown = try client.ask("view", ["offset": ["x": 0, "y": y], "geometry": 1_000_000])
    #expect((unknown["error"] as? ServeClient.Line)?["code"] as? String == "usage")
    #expect(first.number("geometry") != now.number("geometry"))
  }

  @Test func `zooming keeps its center in place`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox)
    _ = try client.done(
      "open",
      ["path": fixture("mixed-sizes"), "viewport": ["width": 300, "height": 300]]
    )
    _ = try client.eventsUntilIdle()
    var scene = try client.done("view", ["offset": ["x": 20, "y": 700]])
    let about = ["x": 120.0, "y": 45.0]
    func pageThere(_ scene: ServeClient.Line) throws -> ServeClient.Line {
      let point = [
        "x": (scene.number("viewport", "x") ?? 0) + 120,
        "y": (scene.number("viewport", "y") ?? 0) + 45,
      ]
      return try client.done("page", ["at": point])
    }
    let before = try pageThere(scene)
    scene = try client.done("zoom", ["factor": 2.5, "about": about])
    #expect(scene.number("zoom") == 2.5)
    let after = try pageThere(scene)
    #expect(before.number("page", "number") == after.number("page", "number"))
    for axis in ["x", "y"] {
      let first = try #require(before.number("page", "point", axis))
      #expect(abs(first - (after.number("page", "point", axis) ?? -1)) < 1e-4)
    }
    let refused = try client.ask("zoom", ["zoom": -1])
    #expect((refused["error"] as? ServeClient.Line)?["code"] as? String == "usage")
    #expect(try client.done("view").number("zoom") == 2.5)
  }

  @Test func `zoom in a cell applies to one page, and scrolling pans it`() throws {
    let client = try ServeClient(try CommandSandbox())
    _ = try client.done(
      "open",
      [
        "path": fixture("book"), "viewport": Self.viewport, "layout": ["mode": "paged"],
        "anchor": ["page": 5],
      ]
    )
    let zoomed = try client.done("zoom", ["factor": 3, "about": ["x": 300.0, "y": 400.0]])
    #expect(zoomed.number("zoom") == 3)
    #expect(zoomed.number("current") == 5)
    #expect(zoomed.number("viewport", "y") == 4.0 * 810, "at rest")
    let moved = try client.done("view", ["by": ["x": 0.0, "y": 100.0]])
    #expect(moved.number("viewport", "y") == 4.0 * 810, "panned, not scrolled")
    let before = try #require(zoomed.scenePages.first?.number("frame", "y"))
    let after = try #require(moved.scenePages.first?.number("frame", "y"))
    #expect(abs(after - before + 100) < 1e-3)
    #expect(try client.done("view", ["anchor": ["page": 6]]).number("zoom") == 1)
  }

  @Test func `a destination is found in a crop box with a shifted origin`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(
      sandbox,
      [fixture("crop-shifted"), "--viewport", "50x50", "--margin", "0"]
    )
    let opened = try #require(try client.event())
    let page = try #require(opened.scenePages.first)
    let info = try sandbox.recto("info", fixture("crop-shifted"), "--json").json()
    #expect(!info.isEmpty)
    // The box as another program reads it: "Page    1 CropBox: x1 y1 x2 y2".
    let boxes = try Program.runInPath(
      "pdfinfo",
      ["-box", "-f", "1", "-l", "1", fixture("crop-shifted")]
    )
    let line = try #require(
      boxes.text.split(separator: "\n").first { $0.contains("CropBox") }
    )
    let box = line.split(separator: " ").suffix(4).compactMap { Double($0) }
    try #require(box.count == 4)
    let scene = try client.done(
      "destination",
      ["page": 1, "type": "XYZ", "left": box[0] + 20, "top": box[3] - 30]
    )
    #expect(abs((scene.number("viewport", "x") ?? 0) - 20) < 1e-6)
    #expect(abs((scene.number("viewport", "y") ?? 0) - 30) < 1e-6)
    #expect(page.number("frame", "x") == 0)
    let fitted = try client.done("destination", ["page": 1, "type": "FitH", "top": box[3]])
    let width = try #require(fitted.scenePages.first?.number("frame", "width"))
    #expect(abs(width - 50) < 1e-6)
  }

  @Test func `options of the layout change and go back to their defaults`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book"), "--gap", "33"])
    _ = try #require(try client.event())
    var reply = try client.done(
      "layout",
      ["layout": ["spread": "book", "fit": "page", "rtl": true, "margin": [1, 2]]]
    )
    var options = reply["layout"] as? ServeClient.Line ?? [:]
    #expect(options["spread"] as? String == "book")
    #expect(options["rtl"] as? Bool == true)
    #expect(options["gap"] as? Double == 33)
    #expect(options["margin"] as? [Double] == [1, 2, 1, 2])
    reply = try client.done("layout", ["layout": ["spread": NSNull(), "gap": NSNull()]])
    options = reply["layout"] as? ServeClient.Line ?? [:]
    #expect(options["spread"] as? String == "single")
    #expect(options["gap"] as? Double == 10)
    #expect(options["fit"] as? String == "page")
    _ = try client.done("zoom", ["zoom": 3])
    #expect(try client.done("layout", ["layout": ["gap": 5]]).number("zoom") == 3)
    #expect(try client.done("layout", ["layout": ["zoom": 2]]).number("zoom") == 2)
    for wrong: ServeClient.Line in [
      ["gapp": 1], ["mode": "sideways"], ["zoom": "two"], ["spread": ["a": 1]], ["pages": "98-99"],
    ] {
      let refused = try client.ask("layout", ["layout": wrong])
      #expect((refused["error"] as? ServeClient.Line)?["code"] as? String == "usage", "\(wrong)")
    }
    #expect(try client.done("view")["error"] == nil)
  }

  @Test func `a file that only poppler can read starts with estimated sizes`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox)
    let opened = try client.done(
      "open",
      ["path": fixture("encrypted"), "password": "secret"]
    )
    // The first page is measured, the others are not: poppler would have to go and look.
    #expect((opened["content"] as? ServeClient.Line)?["exact"] as? Bool == false)
    let events = try client.eventsUntilIdle()
    #expect(!events.compactMap(\.servedTile).isEmpty)
    let now = try client.done("view")
    #expect((now["content"] as? ServeClient.Line)?["exact"] as? Bool == true)
  }

  // MARK: Documents

  @Test func `documents are identified by their number`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox)
    #expect(try client.done("open", ["path": fixture("book")]).number("document") == 1)
    #expect(try client.done("open", ["path": fixture("rotate")]).number("document") == 2)
    let missing = try client.ask("open", ["path": "nothing.pdf"])
    #expect((missing["error"] as? ServeClient.Line)?["code"] as? String == "unreadable")
    let vague = try client.ask("view")
    #expect((vague["error"] as? ServeClient.Line)?["code"] as? String == "usage")
    #expect(try client.done("view", ["document": 2]).number("document") == 2)
    let tiles = try client.eventsUntilIdle().compactMap { $0.servedTile == nil ? nil : $0 }
    #expect(Set(tiles.compactMap { $0.number("document") }) == [1, 2])
    _ = try client.done("close", ["document": 1])
    #expect(try client.done("stats")["documents"] as? [Int] == [2])
    #expect(try client.done("view").number("document") == 2)
    _ = try client.done("close")
    #expect(
      poll {
        ProcessTable.workers(startedBy: client.processIdentifier).allSatisfy(ProcessTable.isGone)
      }
    )
    #expect(try client.end().code == 0)
  }

  @Test func `requests before the end of input are all answered`() throws {
    let sandbox = try CommandSandbox()
    let line = #"{"op":"open","path":"\#(fixture("book"))","id":7}"#
    let result = try sandbox.recto(["serve", "--stdio"], input: Data(line.utf8))
    #expect(result.code == 0)
    let lines = try result.jsonLines()
    #expect(lines.first?["event"] as? String == "hello")
    let opened = try #require(lines.dropFirst().first)
    #expect(opened.number("id") == 7)
    #expect(Set(lines.compactMap(\.servedTile)) == opened.wantedTiles)
    #expect(lines.last?["event"] as? String == "idle")
  }

  @Test func `killing serve ends its workers`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(
      sandbox,
      [fixture("endless-forms"), "--viewport", "300x3000"]
    )
    var workers: [pid_t] = []
    let isBusy = poll {
      workers = ProcessTable.children(of: client.processIdentifier)
      return workers.contains { (ProcessTable.processorSeconds(of: $0) ?? 0) >= 0.1 }
    }
    #expect(isBusy)
    kill(client.processIdentifier, SIGKILL)
    #expect(poll { workers.allSatisfy(ProcessTable.isGone) })
    #expect(!sandbox.cache.files.contains { $0.contains(".recto-tmp-") })
  }

  // MARK: Lines

  @Test func `a malformed line gets an error, and the session continues`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book")])
    _ = try client.eventsUntilIdle()
    let lines = [
      "x", "[]", "{}", "{\"op\":7}", "{\"op\":\"fly\"}", "{\"op\":\"view\",\"offset\":3}",
      "{\"op\":\"view\",\"offset\":{\"x\":\"a\"}}", "{\"op\":\"view\",\"ofset\":{\"x\":1}}",
      "{\"op\":\"view\",\"anchor\":{}}", "{\"op\":\"view\",\"anchor\":{\"page\":0}}",
      "{\"op\":\"view\",\"anchor\":{\"page\":1.5}}", "{\"op\":\"view\",\"anchor\":{\"page\":99}}",
      "{\"op\":\"view\",\"scale\":0}", "{\"op\":\"view\",\"scale\":1e400}",
      "{\"op\":\"view\",\"zoom\":1e300}",
      "{\"op\":\"view\",\"viewport\":{\"width\":-1,\"height\":5}}",
      "{\"op\":\"view\",\"document\":12}", "{\"op\":\"open\"}", "{\"op\":\"zoom\"}",
      "{\"op\":\"destination\",\"page\":99,\"type\":\"Fit\"}",
      "{\"op\":\"destination\",\"page\":1,\"type\":\"Fly\"}", "{\"op\":\"view\"} {\"op\":\"view\"}",
      "{\"op\":\"view\"", "{\"op\":\"view\",}", "{\"op\":\"view\",\"op\":\"view\"}", "\u{0}",
      String(repeating: "[", count: 100_000), String(repeating: "x", count: 3_000_000),
      "{\"id\":\"" + String(repeating: "y", count: 2_000_000) + "\"}", "{\"op\":\"view\u{1}\"}",
    ]
    for line in lines {
      try client.send(line)
      var reply = try #require(try client.event())
      while reply["event"] as? String == "idle" { reply = try #require(try client.event()) }
      let error = reply["error"] as? ServeClient.Line
      #expect(error?["code"] as? String == "usage", "\(line.prefix(80)): \(reply)")
      let message = error?["message"] as? String
      #expect(message?.isEmpty == false)
    }
    #expect(try client.done("view")["error"] == nil)
    #expect(try client.end().code == 0)
  }

  @Test func `the id of a request is returned unchanged`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox)
    let texts = [
      #""plain""#, #""""#, #""a\"b\\c\/d\b\f\n\r\t""#, #""é ü 日本 𝄞""#,
      #""\u00e9\u65e5\ud834\udd1e""#,
      #""\u0000\u001f\u007f""#, "0", "-1", "1.5", "1e3", "-0.25E-2", "123456789012",
      "9007199254740993", "-123456789012345678901234567890", "1.10", "1e999", "null", "true",
      "[1]", "[]", "{}", #"{"a": [null, {"b" : 1e-7}]}"#,
      "\"" + String(repeating: "y", count: 1022) + "\"",
    ]
    #expect(try #require(try client.text()).contains("hello"))
    for text in texts {
      try client.send("{\"op\":\"stats\",\"id\": \(text) }")
      let reply = try #require(try client.text())
      #expect(reply.hasPrefix("{\"reply\":\"stats\",\"id\":\(text),"), "\(text)")
    }
    // Also where the request cannot be read.
    for request in [#"{"id":[7],"op":"fly"}"#, #"{"id":[7],"op":"stats",}"#, #"{"id":[7]"#] {
      try client.send(request)
      let reply = try #require(try client.text())
      #expect(reply.contains(#","id":[7],"error":{"code":"usage""#), "\(request): \(reply)")
    }
    try client.send("{\"op\":\"stats\",\"id\":\"" + String(repeating: "y", count: 1023) + "\"}")
    #expect(
      try client.text()
        == #"{"reply":"stats","error":{"code":"usage","message":"id: longer than 1024 bytes"}}"#
    )
    #expect(try client.end().code == 0)
  }

  @Test func `a document that is renamed or linked while open stays usable`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "a.pdf")
    let client = try ServeClient(sandbox, ["--no-cache"])
    _ = try client.done("open", ["path": "a.pdf", "viewport": Self.viewport])
    _ = try client.eventsUntilIdle()
    #expect(try sandbox.shell("mv a.pdf b.pdf && ln b.pdf c.pdf && chmod 400 b.pdf").code == 0)
    _ = try client.done("view", ["anchor": ["page": 4], "scale": 1.5])
    let events = try client.eventsUntilIdle()
    #expect(events.contains { $0["event"] as? String == "tile" })
    #expect(!events.contains { $0["event"] as? String == "error" })
    #expect(try client.end().code == 0)
  }

  @Test func `a string with a zero byte is refused, not truncated`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "a.pdf")
    let client = try ServeClient(sandbox)
    for members: ServeClient.Line in [
      ["path": "a.pdf\u{0}evil"], ["path": "a.pdf", "password": "a\u{0}b"],
      ["path": "a.pdf", "layout": ["pages": "1\u{0}2"]],
      ["path": "a.pdf", "layout": ["margin": ["1", "2\u{0}"]]],
    ] {
      let error = try #require(try client.ask("open", members)["error"] as? ServeClient.Line)
      #expect(error["code"] as? String == "usage")
      #expect((error["message"] as? String)?.hasSuffix("must not contain U+0000") == true)
    }
    #expect(try client.done("open", ["path": "a.pdf"])["pages"] as? Int == 4)
    #expect(try client.end().code == 0)
  }
}
