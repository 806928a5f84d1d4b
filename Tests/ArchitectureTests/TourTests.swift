import Foundation
import TestSupport
import Testing

/// The way of a tile in `docs/TOUR.md`, compared with the sources.
@Suite struct TourTests {
  @Test func `each link of the tour leads to a file with the declaration that it names`() throws {
    let tour = try String(
      contentsOf: TestPaths.root.appending(path: "docs/TOUR.md"),
      encoding: .utf8
    )
    let links = tour.matches(of: /\[`([\w.]+)`\]\(\.\.\/([^)]+)\)/)
    #expect(links.count >= 20)
    for link in links {
      let path = String(link.2)
      let source = try String(contentsOf: TestPaths.root.appending(path: path), encoding: .utf8)
      let name = try #require(link.1.split(separator: ".").last)
      let declaration = try Regex(
        #"\b(?:func|struct|class|actor|enum|protocol) "#
          + NSRegularExpression.escapedPattern(for: String(name)) + #"\b"#
      )
      #expect(source.contains(declaration), "\(link.1) in \(path)")
    }
  }

  @Test func `the tour has twelve steps`() throws {
    let tour = try String(
      contentsOf: TestPaths.root.appending(path: "docs/TOUR.md"),
      encoding: .utf8
    )
    let steps = tour.matches(of: /(?m)^(\d+)\. \*\*/).compactMap { Int($0.1) }
    #expect(steps == Array(1...12))
  }
}
