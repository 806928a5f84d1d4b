import Foundation
import Testing

/// A program that listens on a port of the loopback, which is the first line that it prints.
package final class LoopbackServer {
  private let process: ChildProcess
  private let folder: TemporaryFolder
  private let log: URL
  /// `http://127.0.0.1:PORT`.
  package let root: String

  /// Starts a program, and waits until it listens.
  ///
  /// - Parameter command: The name of the program and its arguments.
  package init(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    log = folder.url.appending(path: "log")
    process = try ChildProcess(URL(filePath: "/usr/bin/env"), command, output: .file(log))
    let deadline = TestDeadline(after: 60)
    var port: Int?
    while port == nil {
      try #require(!deadline.hasPassed, "the server does not start")
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      if text.contains("\n") { port = text.split(separator: "\n").first.flatMap { Int($0) } }
    }
    root = "http://127.0.0.1:\(port ?? 0)"
  }

  deinit { process.send(SIGKILL) }

  /// The lines after the first one, so far.
  package var lines: [String] {
    let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map(String.init)
  }
}
