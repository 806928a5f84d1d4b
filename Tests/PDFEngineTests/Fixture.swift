import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import TestSupport

/// A fixture and what `expected.json` says of it.
struct Fixture: Sendable {
  struct Page: Sendable, Decodable {
    var width: Double
    var height: Double
    var userUnit: Double
    var error: String?

    private enum Keys: String, CodingKey { case width, height, userUnit, error }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      width = try values.decode(Double.self, forKey: .width)
      height = try values.decode(Double.self, forKey: .height)
      userUnit = try values.decodeIfPresent(Double.self, forKey: .userUnit) ?? 1
      error = try values.decodeIfPresent(String.self, forKey: .error)
    }
  }

  private struct ExpectedInfo: Decodable {
    var pages: [Page]
    var password: String?
    var error: String?
  }

  var name: String
  var url: URL
  var password: String?
  /// Why it cannot be opened without the password, or at all.
  var error: String?
  var pages: [Page]

  /// All fixtures, by name.
  static var all: [Fixture] {
    get throws {
      let file = TestPaths.root.appending(path: "Fixtures/expected.json")
      let info = try JSONDecoder().decode([String: ExpectedInfo].self, from: Data(contentsOf: file))
      return info.sorted { $0.key < $1.key }.map { name, info in
        Fixture(
          name: name,
          url: TestPaths.root.appending(path: "Fixtures/\(name)"),
          password: info.password,
          error: info.error,
          pages: info.pages
        )
      }
    }
  }

  /// The pages that can be drawn.
  var drawable: [PageIndex] {
    Range(pageCount: pages.count).filter { pages[$0.value].error == nil }
  }

  /// Opens the fixture in this process, where a page that is known to kill it is left alone.
  func withDocument(
    text: TextPlacement = .precise,
    _ body: (PDFDocument) throws -> Void
  ) throws {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    try body(try PDFDocument(descriptor: handle.fileDescriptor, password: password, text: text))
  }
}
