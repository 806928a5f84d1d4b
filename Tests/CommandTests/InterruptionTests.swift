import Foundation
import Glibc
import TestSupport
import Testing

/// What is left when the command is stopped in the middle.
@Suite(.serialized, .timeLimit(.minutes(2))) struct InterruptionTests {
  static let endless = [
    "render", fixture("endless-forms"), "--page", "2", "--viewport", "300x300", "-o", "out",
    "--image", "window.png",
  ]

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends an endless page and leaves nothing`(signal: Int32) throws {
    let desk = try Desk()
    let command = try RunningCommand(desk, Self.endless)
    let workers = try command.waitForWorkers(busyFor: 0.1)
    #expect(command.end(with: signal) == 128 + signal)
    #expect(poll { workers.allSatisfy(ProcessTable.isGone) })
    #expect(desk.folder.files.isEmpty)
    #expect(desk.cachedTiles.isEmpty)
    #expect(!desk.cache.files.contains { $0.contains(".recto-tmp-") })
    #expect(command.messages.isEmpty)
  }

  @Test func `killing the command takes its workers along`() throws {
    let desk = try Desk()
    let command = try RunningCommand(desk, Self.endless)
    let workers = try command.waitForWorkers(busyFor: 0.1)
    #expect(command.end(with: SIGKILL) == 128 + SIGKILL)
    #expect(poll { workers.allSatisfy(ProcessTable.isGone) })
    #expect(desk.folder.files.isEmpty)
    #expect(desk.cachedTiles.isEmpty)
    #expect(!desk.cache.files.contains { $0.contains(".recto-tmp-") })
  }

  @Test func `killing the command while it writes tears no file`() throws {
    for _ in 0..<3 {
      let desk = try Desk()
      for name in ["a", "b", "c", "d", "e", "f"] { try desk.copy("book", to: "in/\(name).pdf") }
      let command = try RunningCommand(
        desk,
        ["thumbs", "in", "-o", "out", "--pages", "all", "--size", "700"]
      )
      command.waitForOutput()
      #expect(command.end(with: SIGKILL) == 128 + SIGKILL)
      #expect(try expectWholePictures(in: desk.folder) > 0)
      try expectWholePictures(in: desk.cache)
      // What was being written had no name yet.
      #expect(!(desk.folder.files + desk.cache.files).contains { $0.contains(".recto-tmp-") })
      // The next one finds nothing to stumble over.
      let next = try desk.recto("thumbs", "in/a.pdf", "-o", "out", "--pages", "all")
      #expect(next.code == 0)
    }
  }

  @Test func `killing a worker costs its page at most`() throws {
    let desk = try Desk()
    let command = try RunningCommand(desk, Self.endless)
    for worker in try command.waitForWorkers(busyFor: 0.1) { kill(worker, SIGKILL) }
    // The page is tried again or given up; either way nothing hangs and Ctrl-C still works.
    let code = command.end(with: SIGINT)
    #expect(code == 130 || code == 1)
    #expect(desk.cachedTiles.isEmpty)
  }
}
