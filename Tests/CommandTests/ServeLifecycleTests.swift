import Foundation
import Glibc
import TestSupport
import Testing

/// Documents that are cancelled, change, are opened again, and are many.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServeLifecycleTests {
  private static let small = ["width": 400.0, "height": 500.0]

  private func code(_ reply: ServeClient.Line) -> String? {
    (reply["error"] as? ServeClient.Line)?["code"] as? String
  }

  // MARK: Many documents

  @Test(arguments: [1, 2]) func `many open documents share a few workers`(jobs: Int) throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, ["--jobs", "\(jobs)", "--viewport", "100x100"])
    var most = 0
    for index in 0..<20 {
      try sandbox.copy("book", to: "\(index).pdf")
      _ = try client.done("open", ["path": "\(index).pdf"])
      most = max(most, ProcessTable.workers(startedBy: client.processIdentifier).count)
    }
    #expect(try client.done("stats").number("workers", "processes") ?? 0 <= Double(jobs + 2))
    var events = try client.eventsUntilIdle()
    // On a busy machine there is nothing left to do before the next document is open.
    func served() -> Int {
      Set(events.filter { $0.servedTile != nil }.map { $0.number("document") }).count
    }
    while served() < 20 { events += try client.eventsUntilIdle() }
    #expect(served() == 20)
    most = max(most, ProcessTable.workers(startedBy: client.processIdentifier).count)
    #expect((1...(jobs + 2)).contains(most))
    #expect(!events.contains { $0["event"] as? String == "error" })
    #expect(try client.end().code == 0)
  }

  // MARK: Cancelling

  @Test func `a request that waits is answered at once when it is cancelled`() throws {
    let sandbox = try CommandSandbox()
    // A worker that never has the document open.
    let client = try ServeClient(
      sandbox,
      ["--no-cache", "--timeout", "600", "--page-reader", "poppler"],
      environment: FalseWorkerTests.environment("open-trickles")
    )
    try sandbox.copy("book", to: "a.pdf")
    try client.send(#"{"op":"open","id":1,"path":"a.pdf"}"#)
    try client.send(#"{"op":"view","document":1,"id":2}"#)
    try client.send(#"{"op":"view","document":1,"id":3}"#)
    try client.send(#"{"op":"cancel","id":3}"#)
    #expect(code(try client.reply(to: 3)) == "cancelled")
    // And the one that is being carried out.
    try client.send(#"{"op":"cancel","id":1}"#)
    #expect(code(try client.reply(to: 1)) == "cancelled")
    #expect(code(try client.reply(to: 2)) == "usage")
    try client.send(#"{"op":"stats","id":4}"#)
    #expect(try client.reply(to: 4)["documents"] as? [Int] == [])
    #expect(
      poll {
        ProcessTable.workers(startedBy: client.processIdentifier).allSatisfy(ProcessTable.isGone)
      }
    )
    #expect(try client.end().code == 0)
  }

  @Test(.timeLimit(.minutes(10)))
  func `the engine ends with its client, also while a page is drawn that does not end`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(
      sandbox,
      ["--no-cache", "--timeout", "3600", "--page-reader", "poppler"],
      environment: FalseWorkerTests.environment("open-trickles")
    )
    try sandbox.copy("book", to: "a.pdf")
    try client.send(#"{"op":"open","id":1,"path":"a.pdf"}"#)
    try client.send(#"{"op":"stats","id":2}"#)
    _ = try client.reply(to: 2)
    #expect(client.leave() == 0)
  }

  @Test func `cancelling what was answered, or never asked, does nothing`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book")])
    _ = try client.eventsUntilIdle()
    try client.send(#"{"op":"view","id":1}"#)
    #expect(try client.reply(to: 1)["error"] == nil)
    try client.send(#"{"op":"cancel","id":1}"#)
    try client.send(#"{"op":"cancel","id":"never"}"#)
    try client.send(#"{"op":"view","id":2}"#)
    #expect(try client.reply(to: 2)["error"] == nil)
    let (rest, status) = try client.end()
    #expect(rest.allSatisfy { $0["reply"] == nil })
    #expect(status == 0)
  }

  // MARK: Changes

  /// Puts a fixture in the place of a file.
  private func replace(_ sandbox: CommandSandbox, _ name: String, by fixture: String) throws {
    try sandbox.copy(fixture, to: "new.pdf")
    #expect(rename(sandbox.folder.path("new.pdf"), sandbox.folder.path(name)) == 0)
  }

  @Test func `a file that is replaced is an event, and reload shows the same place of it`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "a.pdf")
    let client = try ServeClient(sandbox, ["--gap", "7"])
    _ = try client.done("open", ["path": "a.pdf", "viewport": Self.small, "scale": 2])
    _ = try client.done("layout", ["layout": ["margin": 3]])
    _ = try client.done("zoom", ["zoom": 0.7])
    let before = try client.done("view", ["anchor": ["page": 3, "fraction": 0.25]])
    _ = try client.eventsUntilIdle()
    try replace(sandbox, "a.pdf", by: "mixed-sizes")
    let changed = try client.next("changed")
    #expect(changed.number("document") == 1)
    #expect(changed["path"] as? String == "a.pdf")
    // What is shown of the old file stays usable.
    #expect(try client.done("view", ["anchor": ["page": 12]]).number("current") == 12)
    #expect(try client.eventsUntilIdle().allSatisfy { $0["event"] as? String != "error" })
    _ = try client.done("view", ["anchor": ["page": 3, "fraction": 0.25]])
    let scene = try client.done("reload")
    #expect(scene["reply"] as? String == "reload")
    #expect(scene.number("pages") == 8)
    #expect(scene.number("anchor", "page") == 3)
    #expect(abs((scene.number("anchor", "fraction") ?? 0) - 0.25) < 1e-6)
    for key in ["zoom", "pixelScale"] { #expect(scene.number(key) == before.number(key)) }
    #expect((scene.number("geometry") ?? 0) > (before.number("geometry") ?? 0))
    let options = try client.done("layout")["layout"] as? ServeClient.Line ?? [:]
    #expect(options["gap"] as? Double == 7)
    #expect(options["margin"] as? [Double] == [3, 3, 3, 3])
    let tiles = try client.eventsUntilIdle().compactMap(\.servedTile)
    #expect(!tiles.isEmpty)
    #expect(try client.end().code == 0)
  }

  @Test func `a file that is written to is one event, however many pages cannot be drawn`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "a.pdf")
    let client = try ServeClient(sandbox, ["--no-cache", "--tile", "64"])
    _ = try client.done("open", ["path": "a.pdf", "viewport": Self.small])
    _ = try client.eventsUntilIdle()
    #expect(try sandbox.shell("cat \(fixture("rotate")) > a.pdf").code == 0)
    _ = try client.next("changed")
    var events: [ServeClient.Line] = []
    for page in 1...12 {
      _ = try client.done("view", ["anchor": ["page": page], "scale": 2])
      events += try client.eventsUntilIdle()
    }
    let errors = events.filter { $0["event"] as? String == "error" }
    #expect(errors.count == 1)
    #expect(errors.allSatisfy { code($0) == "changed" })
    #expect(!events.contains { $0["event"] as? String == "changed" })
    #expect(try client.done("reload").number("pages") == 4)
    #expect(try client.eventsUntilIdle().contains { $0.servedTile != nil })
    #expect(try client.end().code == 0)
  }

  @Test func `a link and its target are both watched`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "target/a.pdf")
    try sandbox.copy("rotate", to: "other.pdf")
    #expect(try sandbox.shell("ln -s target/a.pdf link.pdf").code == 0)
    let client = try ServeClient(sandbox)
    _ = try client.done("open", ["path": "link.pdf", "viewport": Self.small])
    try replace(sandbox, "target/a.pdf", by: "mixed-sizes")
    _ = try client.next("changed")
    #expect(try client.done("reload").number("pages") == 8)
    #expect(try sandbox.shell("ln -s other.pdf new && mv -T new link.pdf").code == 0)
    _ = try client.next("changed")
    #expect(try client.done("reload").number("pages") == 4)
    #expect(try client.end().code == 0)
  }

  @Test func `with --reload a changed file is opened again, and errors leave the old one`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "a.pdf")
    let client = try ServeClient(sandbox, ["--reload"])
    _ = try client.done("open", ["path": "a.pdf", "viewport": Self.small])
    _ = try client.done("view", ["anchor": ["page": 12]])
    _ = try client.eventsUntilIdle()
    try replace(sandbox, "a.pdf", by: "not-a-pdf")
    _ = try client.next("changed")
    let error = try client.next("error")
    #expect(code(error) == "not-pdf")
    #expect(try client.done("view").number("current") == 12)
    _ = try client.eventsUntilIdle()
    try replace(sandbox, "a.pdf", by: "rotate")
    let scene = try client.next("reloaded")
    #expect(scene.number("pages") == 4)
    #expect(scene.number("current") == 4)
    #expect(try client.eventsUntilIdle().contains { $0.servedTile != nil })
    #expect(try client.done("view").number("current") == 4)
    #expect(try client.end().code == 0)
  }

  @Test func `reload of a file that is gone is an error, and the document stays`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "a.pdf")
    let client = try ServeClient(sandbox)
    _ = try client.done("open", ["path": "a.pdf", "viewport": Self.small])
    _ = try client.eventsUntilIdle()
    try FileManager.default.removeItem(atPath: sandbox.folder.path("a.pdf"))
    #expect(code(try client.ask("reload")) == "unreadable")
    #expect(try client.done("view", ["anchor": ["page": 9]]).number("current") == 9)
    #expect(try client.next("tile").number("document") == 1)
    #expect(try client.end().code == 0)
  }
}
