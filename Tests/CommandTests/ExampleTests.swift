import Foundation
import TestSupport
import Testing

/// The example programs that documents show.
@Suite(.timeLimit(.minutes(1))) struct ExampleTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: TestPaths.root.appending(path: path), encoding: .utf8)
  }

  @Test func `the program in the README is the example`() throws {
    let program = "Examples/RenderWindow/RenderWindow.swift"
    let readme = try Self.text("README.md")
    let parts = readme.components(separatedBy: "<!-- example: \(program) -->\n```swift\n")
    try #require(parts.count == 2)
    let shown = parts[1].components(separatedBy: "```\n")[0]
    #expect(shown == (try Self.text(program)))
  }

  @Test func `the program in the README prints the tiles of each visible page`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "book.pdf")
    let result = try Program.run(
      TestPaths.products.appending(path: "render-window"),
      [],
      environment: sandbox.environment,
      folder: sandbox.folder.url
    )
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    #expect(result.text.wholeMatch(of: /(page [0-9]+: [0-9]+ tiles\n){2}/) != nil)
    #expect(!sandbox.cachedTiles.isEmpty)
  }
}
