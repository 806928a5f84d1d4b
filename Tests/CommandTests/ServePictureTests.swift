import Foundation
import TestSupport
import Testing

/// How pictures reach a client, and pages that are being turned.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServePictureTests {
  /// The tiles of a session by name, as PNG.
  private func tiles(_ arguments: [String]) throws -> [ServedTile: Data] {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book"), "--viewport", "400x500"] + arguments)
    var tiles: [ServedTile: Data] = [:]
    for event in try client.eventsUntilIdle() {
      guard let tile = event.servedTile else { continue }
      tiles[tile] = try picture(event)
    }
    #expect(try client.end().code == 0)
    return tiles
  }

  /// The picture of an event, which must come in exactly one way.
  private func picture(_ event: ServeClient.Line) throws -> Data {
    var all: [Data] = []
    if let path = event["file"] as? String { all.append(try Data(contentsOf: URL(filePath: path))) }
    if let text = event["data"] as? String { all.append(try #require(Data(base64Encoded: text))) }
    if let bytes = event["picture"] as? Data { all.append(bytes) }
    #expect(all.count == 1)
    #expect(event.number("bytes") == Double(all[0].count))
    return all[0]
  }

  @Test func `every transport brings the same pictures, with and without a cache`() throws {
    let files = try tiles([])
    #expect(!files.isEmpty)
    for transport in ["file", "base64", "bytes"] {
      #expect(try tiles(["--pictures", transport]) == files, "\(transport)")
      #expect(try tiles(["--pictures", transport, "--no-cache"]) == files, "\(transport)")
    }
  }

  @Test func `settings change the transport from their reply on`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book"), "--tile", "64"])
    #expect(try client.done("settings")["pictures"] as? String == "file")
    var way = "file"
    for (next, page) in [("bytes", 3), ("base64", 6), ("file", 9), ("bytes", 12)] {
      try client.send(#"{"op":"view","anchor":{"page":\#(page)}}"#)
      try client.send(#"{"op":"settings","pictures":"\#(next)","id":5}"#)
      var sent = 0
      while let line = try client.event() {
        if line["event"] as? String == "tile" {
          let member = ["file": "file", "base64": "data", "bytes": "picture"][way]
          #expect(line[member ?? ""] != nil, "\(way)")
          sent += 1
        }
        if line["reply"] as? String == "settings" {
          #expect(line["pictures"] as? String == next)
          way = next
        }
        if way == next, line["event"] as? String == "idle" { break }
      }
      #expect(sent > 0)
    }
    #expect(client.hello?["pictures"] as? String == "file")
    #expect(try client.end().code == 0)
  }

  @Test func `a client chooses the side of tiles of a document, which stays when it is reloaded`()
    throws
  {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, ["--tile", "64"])
    let path = fixture("book")
    #expect(try client.done("open", ["path": path]).number("tileSize") == 64)
    let opened = try client.done("open", ["path": path, "tile": 128])
    #expect(opened.number("tileSize") == 128)
    #expect(try client.done("reload", ["document": 2]).number("tileSize") == 128)
    #expect(try client.end().code == 0)
  }

  // MARK: Between two spreads

  @Test func `a page that is being turned is described as by layout, with both spreads drawn`()
    throws
  {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(
      sandbox,
      [
        fixture("book"), "--mode", "paged", "--spread", "book", "--viewport", "400x300", "--scale",
        "2", "--tile", "128",
      ]
    )
    _ = try client.eventsUntilIdle()
    let scene = try client.done("view", ["spread": 2, "progress": 0.4])
    #expect(scene.scenePages.map { $0.number("number") } == [4, 5, 6, 7])
    let page = try #require(scene.scenePages.first?.number("number"))
    let printed = try #require(
      try sandbox.recto(
        "layout",
        fixture("book"),
        "--mode",
        "paged",
        "--spread",
        "book",
        "--viewport",
        "400x300",
        "--page",
        "\(Int(page))",
        "--progress",
        "0.4"
      ).json() as ServeClient.Line?
    )
    let turn = try #require(scene["turn"] as? NSDictionary)
    #expect(turn == printed["turn"] as? NSDictionary)
    #expect(Set(try client.eventsUntilIdle().compactMap(\.servedTile)) == scene.wantedTiles)
    #expect(Set(scene.wantedTiles.map(\.page)) == [4, 5, 6, 7])
    // The present spread is the default, and every other move ends the turn.
    let more = try client.done("view", ["progress": 0.75])
    #expect(more.number("turn", "progress") == 0.75)
    #expect(more.number("viewport", "y") == scene.number("viewport", "y"))
    #expect(try client.eventsUntilIdle().allSatisfy { $0.servedTile == nil })
    #expect(try client.done("view", ["scale": 1]).number("turn", "progress") == 0.75)
    let settled = try client.done("view", ["spread": 3])
    #expect(settled["turn"] == nil)
    #expect(settled.scenePages.map { $0.number("number") } == [6, 7])
    // There is none behind the last one; a spread that is not there is an error.
    let last = try client.done("view", ["spread": 6, "progress": 0.5])
    #expect(last.scenePages.map { $0.number("number") } == [12])
    let error = try client.ask("view", ["spread": 7])["error"] as? ServeClient.Line
    #expect(error?["message"] as? String == "spread 7: the layout has 7 spreads, from 0")
    #expect(try client.end().code == 0)
  }

  @Test(arguments: ["carousel", "continuous"]) func `progress moves the viewport in other modes`(
    mode: String
  ) throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(
      sandbox,
      [fixture("mixed-sizes"), "--mode", mode, "--viewport", "400x300"]
    )
    _ = try client.eventsUntilIdle()
    let axis = "y"
    func offset(_ members: ServeClient.Line) throws -> Double {
      let scene = try client.done("view", members)
      #expect(scene["turn"] == nil)
      return try #require(scene.number("viewport", axis))
    }
    let start = try offset(["spread": 2])
    let end = try offset(["spread": 3])
    #expect(end > start)
    #expect(abs(try offset(["spread": 2, "progress": 0.25]) - (start + (end - start) / 4)) < 1e-3)
    #expect(abs(try offset(["progress": 0.5]) - (start + end) / 2) < 1e-3)
    #expect(abs(try offset(["progress": 1]) - end) < 1e-3)
    #expect(try client.end().code == 0)
  }
}
