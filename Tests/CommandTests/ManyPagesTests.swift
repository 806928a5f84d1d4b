import Foundation
import Geometry
import PNGCoding
import TestSupport
import Testing

/// A document of 2,000 pages in four sizes that follow each other in turn.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ManyPagesTests {
  private static let heights = [841.89, 792, 595.276, 595.276]

  /// Where page `index` starts with the usual gaps and margins.
  private static func top(_ index: Int) -> Double {
    10 + (0..<index).reduce(0) { $0 + heights[$1 % 4] + 10 }
  }

  private func desk() throws -> Desk {
    let desk = try Desk()
    try ManyPages.write(2000, to: desk.folder.path("many.pdf"))
    return desk
  }

  @Test func `a window in the middle has the exact pages`() throws {
    let desk = try desk()
    let offset = Self.top(1001) + 100
    let result = try desk.recto(
      "layout",
      "many.pdf",
      "--offset",
      String(offset),
      "--viewport",
      "700x800"
    )
    #expect(result.code == 0)
    let answer: Answer = try result.decoded()
    #expect(answer.viewport.y == offset)
    #expect(answer.pages.map(\.number) == [1002, 1003])
    #expect(answer.spreads.map(\.index) == [1001, 1002])
    for page in answer.pages {
      #expect(page.exact)
      #expect(abs(page.frame.y - Self.top(page.index)) < 0.001)
      #expect(page.size.height == Self.heights[page.index % 4])
    }
    #expect(!answer.content.exact)
  }

  @Test func `a page in the middle is drawn without measuring those before it`() throws {
    let desk = try desk()
    let render = ["render", "many.pdf", "--page", "1234", "--viewport", "700x500"]
    let cold: Answer = try desk.recto(render).decoded()
    #expect(cold.current == 1234)
    #expect(cold.layout.sizes == "estimated")
    #expect(cold.tiles.allSatisfy { $0.source == "rendered" })
    for tile in cold.tiles { try #expect(!picture(try #require(tile.file)).pixels.isEmpty) }
    let warm: Answer = try desk.recto(render).decoded()
    #expect(warm.tiles.count == cold.tiles.count)
    #expect(warm.tiles.allSatisfy { $0.source == "disk" })
    // The exact place shows the same pixels.
    let exact: Answer = try desk.recto(render + ["--sizes", "exact"]).decoded()
    #expect(exact.tiles.compactMap(\.file) == cold.tiles.compactMap(\.file))
    #expect(abs(exact.viewport.y - Self.top(1233)) < 0.001)
  }

  @Test func `all pages add up to the content`() throws {
    let desk = try desk()
    let answer: Answer = try desk.recto("layout", "many.pdf", "--all").decoded()
    #expect(answer.pages.map(\.index) == Array(0..<2000))
    #expect(answer.content.exact)
    #expect(abs(answer.content.height - Self.top(2000)) < 0.001)
  }
}
