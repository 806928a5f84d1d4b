import Foundation
import TestSupport
import Testing

/// Only tiles that a view shows are sent, however fast views follow each other.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LateTileTests {
  /// What a client counts that it must not get.
  private struct Count: Equatable {
    var stale = 0
    var duplicates = 0
  }

  /// Takes lines until so many replies to `view` and then `idle` have come.
  private func follow(
    _ client: ServeClient,
    from opened: ServeClient.Line,
    replies: Int
  ) throws -> Count {
    var count = Count()
    var wanted = opened.wantedTiles
    var sent: Set<ServedTile> = []
    var left = replies
    while let line = try client.event() {
      if let tile = line.servedTile {
        if !wanted.contains(tile) { count.stale += 1 }
        if !sent.insert(tile).inserted { count.duplicates += 1 }
      } else if line["spreads"] != nil {
        wanted = line.wantedTiles
        sent.formIntersection(wanted)
        if line["reply"] as? String == "view" { left -= 1 }
      } else if left == 0, line["event"] as? String == "idle" {
        #expect(sent == wanted)
        return count
      }
    }
    throw ServeClientError("the engine ended")
  }

  @Test(arguments: 0..<8) func `sixty quick view requests send no tile late and none twice`(
    run: Int
  )
    throws
  {
    let sandbox = try CommandSandbox()
    try ManyPages.write(60, to: sandbox.folder.path("many.pdf"))
    let client = try ServeClient(sandbox, ["--viewport", "400x500", "--tile", "128"])
    let opened = try client.done("open", ["path": "many.pdf"])
    // Back and forth between a few places, so that most tiles come from memory at once.
    for step in 0..<60 {
      let y = [0, 900, 300, 4000, 120 * step][(step * (run + 1)) % 5]
      try client.send(#"{"op":"view","offset":{"x":0,"y":\#(y)}}"#)
    }
    let count = try follow(client, from: opened, replies: 60)
    #expect(count == Count())
    #expect(try client.end().code == 0)
  }
}
