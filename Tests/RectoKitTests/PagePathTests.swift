import Foundation
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RectoKit

/// The names of files with the labels of pages.
@Suite struct PagePathTests {
  private static let templates = [
    "{label}.png", "out/{label}", "{stem}-{label}-{page:06}.{ext}", "{label}/{label}-{label}.png",
    "long-{label}/{page}", "{label}\(String(repeating: "x", count: 200)).png",
  ]

  private static func paths(_ template: String, room: Int = 0) throws -> PagePaths {
    PagePaths(
      try FileTemplate(FilePath(template)),
      document: "in/book.pdf",
      fileExtension: "png",
      pageCount: 38,
      room: room
    )
  }

  private static func names(_ path: FilePath) -> [String] { path.components.map(\.string) }

  @Test(arguments: templates)
  func `a name has at most 255 bytes, as much of the label as fits, and whole characters`(
    template: String
  ) throws {
    let paths = try Self.paths(template)
    var random = SeededGenerator(44)
    for letters in ["a", "é", "北", "👩‍👩‍👧‍👦", "e\u{301}", "a北é👩‍👩‍👧‍👦"] {
      for _ in 0..<40 {
        let count = Int.random(in: 1...300, using: &random)
        let label = String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
        let found = paths.path(of: 6, label: label)
        #expect(Self.names(found).allSatisfy { $0.utf8.count <= 255 })
        // The longest beginning of the label with which each name is short enough.
        let expected = (1...count).lazy.reversed().map { count in
          Self.names(try? Self.plain(template, String(label.prefix(count))))
        }
        .first { $0.allSatisfy { $0.utf8.count <= 255 } }
        #expect(Self.names(found) == expected ?? Self.names(try? Self.plain(template, "7")))
      }
    }
  }

  /// The path that a template makes of a label as it is.
  private static func plain(_ template: String, _ label: String) throws -> FilePath {
    FilePath(
      template.replacing("{label}", with: label).replacing("{page}", with: "07")
        .replacing("{page:06}", with: "000007").replacing("{stem}", with: "book")
        .replacing("{ext}", with: "png")
    )
  }

  private static func names(_ path: FilePath?) -> [String] { path.map(names) ?? [] }

  @Test func `what is added to a name has room`() throws {
    let path = try Self.paths("{label}.dzi", room: 6)
      .path(of: 0, label: String(repeating: "l", count: 300))
    #expect(path.lastComponent?.string.utf8.count == 249)
  }

  @Test func `a label of one long character is replaced by the page number`() throws {
    let label = "e" + String(repeating: "\u{301}", count: 200)
    #expect(try Self.paths("{label}.png").path(of: 6, label: label) == "7.png")
  }

  @Test(arguments: [
    ("a/b", "a_b"), ("..", "_."), ("../x/", "_._x_"), ("a\0b", "a_b"), ("", "7"), ("-1", "-1"),
    ("a.b", "a.b"),
  ])
  func `a label is part of one name`(label: String, name: String) throws {
    #expect(try Self.paths("out/{label}").path(of: 6, label: label) == FilePath("out/\(name)"))
  }
}
