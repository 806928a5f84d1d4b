import Foundation
import TestSupport

/// The Swift files below a folder of the repository, by their paths in it.
func swiftSources(in folder: String) throws -> [(path: String, text: String)] {
  let root = TestPaths.root.appending(path: folder)
  return try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
    .filter { $0.hasSuffix(".swift") }
    .map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) }
}
