package import Foundation
internal import Glibc

/// Paths that tests use.
package enum TestPaths {
  /// The package's folder.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of test documents.
  package static let fixtures = root.appending(path: "Fixtures")

  /// A fixture by its name without ending.
  package static func fixture(_ name: String) -> URL {
    fixtures.appending(path: "\(name).pdf")
  }

  /// The folder with the programs just built: beside the test program.
  package static let products = {
    // Tests look into the processes that they start, which only root can do otherwise.
    if geteuid() != 0 { setenv("RECTO_WORKER_VISIBLE", "1", 1) }
    return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }()

  /// The command.
  package static let recto = products.appending(path: "recto")

  /// The worker.
  package static let worker = products.appending(path: "recto-worker")

  /// The server.
  package static let server = products.appending(path: "recto-http")

  /// The program that speaks with servers of documents.
  package static let fetcher = products.appending(path: "recto-fetch")

  /// The program that speaks with shared caches.
  package static let sharedCache = products.appending(path: "recto-shared-cache")
}

/// A folder that is removed with its last owner.
package final class TemporaryFolder: Sendable {
  /// The folder.
  package let url: URL

  /// Makes a new folder.
  ///
  /// - Throws: An error if the folder cannot be created.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "recto-test-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A path in the folder.
  package func path(_ name: String) -> String { url.appending(path: name).path }

  /// All files below the folder, as paths relative to it, sorted.
  package var files: [String] {
    guard
      let walk = FileManager.default.enumerator(
        at: url,
        includingPropertiesForKeys: [.isRegularFileKey]
      )
    else { return [] }
    let prefix = url.resolvingSymlinksInPath().path + "/"
    return walk.compactMap { $0 as? URL }
      .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true }
      .map { String($0.resolvingSymlinksInPath().path.dropFirst(prefix.count)) }.sorted()
  }
}
