import Foundation

/// What all coders made of all documents.
struct Report: Encodable {
  /// Time and bytes per page.
  struct Page: Encodable {
    var milliseconds: Double
    var bytes: Double

    /// Both, and how they compare with the table's first row.
    func cell(against base: Page) -> String {
      String(
        format: "%.1f ms (%.1f×) %.0f KB (%.2f)",
        milliseconds,
        base.milliseconds / milliseconds,
        bytes / 1000,
        bytes / base.bytes
      )
    }
  }

  /// Microseconds a tile.
  struct Reading: Encodable {
    var check: Double
    var decode: Double
  }

  /// One coder's pages, in the order of the documents.
  struct Method: Encodable {
    var name: String
    var pages: [Page]
  }

  var documents: [String]
  var methods: [Method] = []
  var reading: [Reading] = []

  init(documents: [String]) {
    self.documents = documents
  }

  /// A table in Markdown.
  func table() -> String {
    var lines = [
      "| ms and KB per page | \(documents.joined(separator: " | ")) |",
      "|---|\(String(repeating: "---|", count: documents.count))",
    ]
    for method in methods {
      let cells = zip(method.pages, methods[0].pages).map { $0.cell(against: $1) }
      lines.append("| \(method.name) | \(cells.joined(separator: " | ")) |")
    }
    let cells = reading.map { String(format: "%.1f and %.0f µs", $0.check, $0.decode) }
    lines.append("| check and decode a tile | \(cells.joined(separator: " | ")) |")
    return lines.joined(separator: "\n")
  }

  /// All figures.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
