import Foundation
import TestSupport
import Testing

/// `scripts/dev/remote/server`: a server of documents that misbehaves as the first part of a path says.
final class DocumentServer {
  /// What commands have to know to use it.
  static let environment = [
    "RECTO_FETCH": TestPaths.fetcher.path, "http_proxy": "", "all_proxy": "",
  ]

  private let process: ChildProcess
  private let log: URL
  private let folder = try? TemporaryFolder()
  /// `http://127.0.0.1:PORT`.
  let root: String

  /// Starts a server of a folder, and waits until it listens.
  init(_ documents: URL = TestPaths.fixtures) throws {
    let folder = try #require(folder)
    log = folder.url.appending(path: "log")
    process = try ChildProcess(
      URL(filePath: "/usr/bin/env"),
      [
        "python3", TestPaths.root.appending(path: "scripts/dev/remote/server").path, documents.path,
      ],
      output: .file(log)
    )
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

  /// A line for each request so far: time, path, range, and whether it had a secret.
  var requests: [String] {
    let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map(String.init)
  }
}
