package import Foundation

/// `scripts/dev/remote/server`: a server of documents that misbehaves as the first part of a path says.
package final class DocumentServer {
  /// What commands have to know to use it.
  package static let environment = [
    "RECTO_FETCH": TestPaths.fetcher.path, "http_proxy": "", "all_proxy": "",
  ]

  private let server: LoopbackServer

  /// Starts a server of a folder, and waits until it listens.
  package init(_ documents: URL = TestPaths.fixtures) throws {
    let program = TestPaths.root.appending(path: "scripts/dev/remote/server")
    server = try LoopbackServer(["python3", program.path, documents.path])
  }

  /// `http://127.0.0.1:PORT`.
  package var root: String { server.root }

  /// A line for each request so far: time, path, range, and whether it had a secret.
  package var requests: [String] { server.lines }
}
