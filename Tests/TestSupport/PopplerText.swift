package import Foundation

/// What poppler-glib itself reads of a page, in a process without the worker's functions.
package struct PopplerText: Decodable, Sendable {
  /// The number of the page.
  package var page: Int
  /// With marks of direction.
  package var text: String
  /// Left, top, right and bottom of each character.
  package var boxes: [[Double]]
  /// The rectangles of the hits of each query, in the same way.
  package var found: [[[Double]]]

  /// The options of a search (`PopplerFindFlags`).
  package struct FindFlags: OptionSet, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let caseSensitive = FindFlags(rawValue: 1)
    package static let wholeWords = FindFlags(rawValue: 4)
    package static let ignoreDiacritics = FindFlags(rawValue: 8)
  }

  /// The text without marks of direction that have no box.
  package var scalars: [Unicode.Scalar] {
    let all = Array(text.unicodeScalars)
    guard all.count > boxes.count else { return all }
    return all.filter { !(0x202A...0x202C).contains($0.value) }
  }

  /// The text of all pages of a file; empty if it cannot be opened.
  ///
  /// - Throws: An error if the script cannot be run.
  package static func pages(
    of file: URL,
    finding queries: [(words: String, flags: FindFlags)] = []
  ) throws -> [PopplerText] {
    let script = TestPaths.root.appending(path: "scripts/dev/text/poppler").path
    let arguments = queries.flatMap { [$0.words, "\($0.flags.rawValue)"] }
    let result = try Program.runInPath("python3", [script, file.path] + arguments)
    return try result.text.split(separator: "\n").map {
      try JSONDecoder().decode(PopplerText.self, from: Data($0.utf8))
    }
  }
}
