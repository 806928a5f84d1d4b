import Foundation
import TestSupport
import Testing

/// A Redis server on a socket in a folder of its own.
final class RedisServer {
  /// Whether there are a server and the program that speaks with it.
  static let isInstalled =
    (try? Program.runInPath("redis-server", ["--version"]).code) == 0
    && FileManager.default.isExecutableFile(atPath: TestPaths.sharedCache.path)

  /// What commands have to know to use a shared cache.
  static let environment = ["RECTO_SHARED_CACHE_PROGRAM": TestPaths.sharedCache.path]

  /// The server.
  let process: ChildProcess
  private let folder: TemporaryFolder

  /// Starts a server, and waits until it answers.
  init() throws {
    folder = try TemporaryFolder()
    process = try ChildProcess(
      URL(filePath: "/usr/bin/env"),
      [
        "redis-server", "--port", "0", "--unixsocket", folder.path("redis"), "--save", "",
        "--appendonly", "no",
      ],
      folder: folder.url,
      output: .null
    )
    let deadline = TestDeadline(after: 60)
    while try ask("PING") != "PONG" {
      try #require(!deadline.hasPassed, "the server does not answer")
    }
  }

  deinit {
    process.send(SIGCONT)
    process.send(SIGKILL)
  }

  /// The URL for `--shared-cache`.
  var url: String { "unix://\(folder.path("redis"))" }

  /// What the server answers to a command.
  @discardableResult
  func ask(_ command: String...) throws -> String {
    let result = try Program.runInPath("redis-cli", ["-s", folder.path("redis")] + command)
    return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
