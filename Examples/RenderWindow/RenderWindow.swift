import DocumentModel
import Geometry
import PageLayout
import RectoKit

@main struct RenderWindow {
  static func main() async throws {
    let document = try Document("book.pdf")
    let facts = try await document.facts()
    var view = try DocumentView(
      document,
      configuration: LayoutConfiguration(),
      pages: PageSequence(pageCount: facts.pageCount),
      viewport: Size(width: 1280, height: 800)
    )
    let window = try await view.window(at: .offset(Point(x: 0, y: 1500)), sizes: .exact)
    let spreads = try await view.spreads(in: window)
    let pages = spreads.flatMap(\.pages)
    let tiles = await view.tiles(of: spreads, in: window, scale: 2, tileSide: 512)
    for (page, result) in zip(pages, tiles) {
      let drawn = try result.get()
      print("page \(page.page + 1): \(drawn.tiles.count) tiles")
    }
  }
}
