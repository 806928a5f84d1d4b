package import Foundation

/// The documents that tests compare with poppler: all PDF files below `RECTO_CORPUS`, or the fixtures
/// when that is not set.
package enum Corpus {
  /// The folder that `RECTO_CORPUS` names; nil when it is not set.
  package static let named = ProcessInfo.processInfo.environment["RECTO_CORPUS"]
    .map { URL(filePath: $0) }

  /// Why a test is skipped that has nothing to add for the fixtures.
  package static let isNotNamed = "RECTO_CORPUS is not set, and other tests compare the fixtures"

  /// All documents, by path. Of the fixtures not those in folders, which were made for one test.
  package static let files: [URL] =
    if let named {
      files(below: named)
    } else {
      files(below: TestPaths.fixtures, options: .skipsSubdirectoryDescendants)
    }

  /// The PDF files in a folder, by path.
  package static func files(
    below folder: URL,
    options: FileManager.DirectoryEnumerationOptions = []
  ) -> [URL] {
    let all = FileManager.default.enumerator(
      at: folder,
      includingPropertiesForKeys: nil,
      options: options
    )
    return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "pdf" }
      .sorted { $0.path < $1.path }
  }

  /// The number of documents or pages that a test has to have seen at least.
  ///
  /// - Parameters:
  ///   - namedCount: The number in a large corpus.
  ///   - fixtures: The number in the fixtures.
  /// - Returns: The number for the documents that are tested.
  package static func atLeast(named namedCount: Int, fixtures: Int) -> Int {
    named == nil ? fixtures : namedCount
  }
}
