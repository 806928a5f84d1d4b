import Foundation
import TestSupport
import Testing

/// Large documents, made when they are needed.
enum ManyPages {
  static func write(_ count: Int, to path: String) throws {
    let result = try Program.run(
      TestPaths.root.appending(path: "scripts/dev/many-pages"),
      [String(count), path]
    )
    try #require(result.code == 0, "\(result.errors)")
  }
}
