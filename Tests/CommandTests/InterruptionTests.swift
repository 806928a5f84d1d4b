import Foundation
import Glibc
import TestSupport
import Testing

/// What is left when the command is stopped in the middle.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InterruptionTests {
  static let endless = [
    "render", fixture("endless-forms"), "--page", "2", "--viewport", "300x300", "-o", "out",
    "--image", "window.png",
  ]

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `a signal ends an endless page and leaves nothing`(signal: Int32) throws {
    let sandbox = try CommandSandbox()
    let command = try RunningCommand(sandbox, Self.endless)
    let workers = try command.waitForWorkers(busyFor: 0.1)
    #expect(command.end(with: signal) == 128 + signal)
    #expect(poll { workers.allSatisfy(ProcessTable.isGone) })
    #expect(sandbox.folder.files.isEmpty)
    #expect(sandbox.cachedTiles.isEmpty)
    #expect(!sandbox.cache.files.contains { $0.contains(".recto-tmp-") })
    #expect(command.messages.isEmpty)
  }

  @Test func `a signal ends the command however soon it comes`() throws {
    let sandbox = try CommandSandbox()
    for moment in 0..<150 {
      let client = try ServeClient(sandbox)
      // Not to wait for anything: the moment is what is tried.
      usleep(UInt32(moment * 100))
      // The client's input stays open, so only the signal can end it.
      #expect(client.end(with: SIGTERM) == 128 + SIGTERM, "after \(moment * 100) µs")
    }
  }

  @Test func `a signal that is ignored at the start, as by nohup, stays ignored`() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.shell(
      #"""
      mkfifo requests replies
      (trap '' HUP; exec "$recto" serve --stdio < requests > replies) &
      exec 3>requests 4<replies
      read -r hello <&4
      kill -HUP $!
      echo '{"op":"stats","id":1}' >&3
      read -r reply <&4
      exec 3>&-
      wait $!
      echo "$?" "$reply"
      """#
    )
    #expect(result.text.hasPrefix("0 {"))
    #expect(result.text.contains(#""reply":"stats""#))
  }

  @Test func `what is stopped and goes on has as much time as before, and makes the same pictures`()
    throws
  {
    let sandbox = try CommandSandbox()
    let pages = ["pages", fixture("book"), "--size", "3000", "--no-cache", "--jobs", "1", "-o"]
    #expect(try sandbox.recto(pages + ["expected/"]).code == 0)
    let command = try RunningCommand(sandbox, pages + ["out/", "--timeout", "4"])
    let workers = try command.waitForWorkers(busyFor: 0.1)
    for worker in workers { kill(worker, SIGSTOP) }
    command.send(SIGSTOP)
    // Longer than a page may take.
    _ = poll(seconds: 5) { false }
    command.send(SIGCONT)
    for worker in workers { kill(worker, SIGCONT) }
    #expect(command.wait() == 0, "\(command.messages)")
    let made = sandbox.folder.files.filter { $0.hasPrefix("out/") }
    #expect(!made.isEmpty)
    for name in made {
      let file = sandbox.folder.url.appending(path: name)
      let expected = sandbox.folder.url.appending(path: "expected\(name.dropFirst(3))")
      #expect(try Data(contentsOf: file) == Data(contentsOf: expected), "\(name)")
    }
  }

  @Test func `killing the command ends its workers`() throws {
    let sandbox = try CommandSandbox()
    let command = try RunningCommand(sandbox, Self.endless)
    let workers = try command.waitForWorkers(busyFor: 0.1)
    #expect(command.end(with: SIGKILL) == 128 + SIGKILL)
    #expect(poll { workers.allSatisfy(ProcessTable.isGone) })
    #expect(sandbox.folder.files.isEmpty)
    #expect(sandbox.cachedTiles.isEmpty)
    #expect(!sandbox.cache.files.contains { $0.contains(".recto-tmp-") })
  }

  @Test func `killing the command while it writes leaves no partial file`() throws {
    for _ in 0..<3 {
      let sandbox = try CommandSandbox()
      for name in ["a", "b", "c", "d", "e", "f"] { try sandbox.copy("book", to: "in/\(name).pdf") }
      let command = try RunningCommand(
        sandbox,
        ["thumbs", "in", "-o", "out", "--pages", "all", "--size", "700"]
      )
      try command.waitForOutput()
      #expect(command.end(with: SIGKILL) == 128 + SIGKILL)
      #expect(try expectWholePictures(in: sandbox.folder) > 0)
      try expectWholePictures(in: sandbox.cache)
      // What was being written had no name yet.
      #expect(!(sandbox.folder.files + sandbox.cache.files).contains { $0.contains(".recto-tmp-") })
      // The next one finds nothing to stumble over.
      let next = try sandbox.recto("thumbs", "in/a.pdf", "-o", "out", "--pages", "all")
      #expect(next.code == 0)
    }
  }

  @Test func `killing a worker fails its page at most`() throws {
    let sandbox = try CommandSandbox()
    let command = try RunningCommand(sandbox, Self.endless)
    for worker in try command.waitForWorkers(busyFor: 0.1) { kill(worker, SIGKILL) }
    // The page is tried again or given up; either way nothing hangs and Ctrl-C still works.
    let code = command.end(with: SIGINT)
    #expect(code == 130 || code == 1)
    #expect(sandbox.cachedTiles.isEmpty)
  }
}
