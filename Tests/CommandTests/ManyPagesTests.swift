import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// A document of 2,000 pages in four sizes that follow each other in turn.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ManyPagesTests {
  private static let heights = [841.89, 792, 595.276, 595.276]

  /// Where page `index` starts with the usual gaps and margins.
  private static func top(_ index: Int) -> Double {
    10 + (0..<index).reduce(0) { $0 + heights[$1 % 4] + 10 }
  }

  private func sandbox() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    try ManyPages.write(2000, to: sandbox.folder.path("many.pdf"))
    return sandbox
  }

  @Test func `a viewport in the middle has exact pages`() throws {
    let sandbox = try sandbox()
    let offset = Self.top(1001) + 100
    let result = try sandbox.recto(
      "layout",
      "many.pdf",
      "--offset",
      String(offset),
      "--viewport",
      "700x800"
    )
    #expect(result.code == 0)
    let output: RenderOutput = try result.decoded()
    #expect(output.viewport.y == offset)
    #expect(output.pages.map(\.number) == [1002, 1003])
    #expect(output.spreads.map(\.index) == [1001, 1002])
    for page in output.pages {
      #expect(page.exact)
      #expect(abs(page.frame.y - Self.top(page.index)) < 0.001)
      #expect(page.size.height == Self.heights[page.index % 4])
    }
    #expect(!output.content.exact)
  }

  @Test func `a page in the middle is drawn without measuring those before it`() throws {
    let sandbox = try sandbox()
    let render = ["render", "many.pdf", "--page", "1234", "--viewport", "700x500"]
    let cold: RenderOutput = try sandbox.recto(render).decoded()
    #expect(cold.current == 1234)
    #expect(cold.layout.sizes == "estimated")
    #expect(cold.tiles.allSatisfy { $0.source == "rendered" })
    for tile in cold.tiles { try #expect(!picture(try #require(tile.file)).pixels.isEmpty) }
    let warm: RenderOutput = try sandbox.recto(render).decoded()
    #expect(warm.tiles.count == cold.tiles.count)
    #expect(warm.tiles.allSatisfy { $0.source == "disk" })
    // The exact place shows the same pixels.
    let exact: RenderOutput = try sandbox.recto(render + ["--sizes", "exact"]).decoded()
    #expect(exact.tiles.compactMap(\.file) == cold.tiles.compactMap(\.file))
    #expect(abs(exact.viewport.y - Self.top(1233)) < 0.001)
  }

  @Test func `the sizes of all pages add up to the content size`() throws {
    let sandbox = try sandbox()
    let output: RenderOutput = try sandbox.recto("layout", "many.pdf", "--all").decoded()
    #expect(output.pages.map(\.index) == Array(0..<2000))
    #expect(output.content.exact)
    #expect(abs(output.content.height - Self.top(2000)) < 0.001)
  }
}
