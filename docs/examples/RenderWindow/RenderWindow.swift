import RectoKit

@main struct RenderWindow {
  static func main() async throws {
    let document = try Document("book.pdf")
    let pages = try await document.withOneReader {
      let info = try await document.info()
      var layout = try DocumentLayout(
        document,
        configuration: LayoutConfiguration(),
        pages: PageSequence(pageCount: info.pageCount),
        viewport: Size(width: 1280, height: 800)
      )
      let window = try await layout.window(at: .offset(Point(x: 0, y: 1500)), sizes: .exact)
      let spreads = try await layout.spreads(in: window)
      return await layout.tiles(of: spreads, in: window, scale: 2, tileSide: 512)
    }
    for page in pages {
      let drawn = try page.get()
      print("page \(drawn.raster.pageIndex.number): \(drawn.tiles.count) tiles")
    }
  }
}
