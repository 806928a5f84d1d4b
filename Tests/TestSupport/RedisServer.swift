import Foundation
import Testing

/// A Redis server on a socket in a folder.
package final class RedisServer {
  /// Whether there are a server and the program that speaks with it.
  package static let isInstalled =
    (try? Program.runInPath("redis-server", ["--version"]).code) == 0
    && FileManager.default.isExecutableFile(atPath: TestPaths.sharedCache.path)

  /// What commands have to know to use a shared cache.
  package static let environment = ["RECTO_SHARED_CACHE_PROGRAM": TestPaths.sharedCache.path]

  /// The server.
  package let process: ChildProcess
  /// Where its socket is.
  package let socket: String
  private let folder: TemporaryFolder

  /// Starts a server, and waits until it answers.
  ///
  /// - Parameters:
  ///   - options: More options of `redis-server`.
  ///   - folder: A folder in which servers come and go; nil for one of its own.
  package init(_ options: [String] = [], in folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    socket = folder.path("redis")
    process = try ChildProcess(
      URL(filePath: "/usr/bin/env"),
      ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no"]
        + options,
      folder: folder.url,
      output: .null
    )
    let deadline = TestDeadline(after: 60)
    while !Self.answers.contains(try String(ask("PING").prefix(6))) {
      try #require(!deadline.hasPassed, "the server does not answer")
    }
  }

  /// Of a server that is ready, also without its password.
  private static let answers: Set = ["PONG", "NOAUTH"]

  deinit {
    process.send(SIGCONT)
    process.send(SIGKILL)
  }

  /// The URL for `--shared-cache`.
  package var url: String { "unix://\(socket)" }

  /// What the server answers to a command.
  @discardableResult
  package func ask(_ command: String...) throws -> String {
    let result = try Program.runInPath("redis-cli", ["-s", socket] + command)
    return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
