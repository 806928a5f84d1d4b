import RectoKit

/// A viewer without a window: prints what it would place and draw to show a page of `book.pdf`.
@main struct ViewerCore {
  private let viewer: Viewer
  private let queue = RenderQueue()
  private let source: SourceID

  static func main() async throws {
    let core = try await ViewerCore(Document("book.pdf"))
    var move = ViewerMove()
    move.place = .page(5, fraction: 0)
    await core.present(try await core.viewer.show(move))
    await core.draw()
    try await core.measure()
    await core.queue.shutdown()
  }

  init(_ document: Document) async throws {
    viewer = try await Viewer(
      document,
      configuration: LayoutConfiguration(),
      pages: PageSequence(pageCount: try await document.info().pageCount),
      viewport: Size(width: 1280, height: 800),
      scale: 2,
      tileSide: 512
    )
    source = await queue.add(document)
  }

  /// Places pages, and asks for their tiles: those in the window first, then those the reader may see next.
  private func present(_ scene: ViewerScene) async {
    for page in scene.spreads.flatMap(\.pages) {
      print("page \(page.page.number) at \(page.frame.minY - scene.window.minY)")
    }
    await queue.focus(source, on: scene.tileWindow())
  }

  /// Takes tiles as they are drawn, until no more are wanted. An app does this for as long as it runs.
  private func draw() async {
    for await event in queue.events {
      switch event {
      case .tile(_, let key, let tile):
        print(
          "tile of page \(key.raster.pageIndex.number) at \(key.part): \(tile.bytes.count) bytes"
        )
      case .failed(_, let raster, let error):
        print("page \(raster.pageIndex.number): \(error)")
      case .idle:
        return
      }
    }
  }

  /// Measures the other pages, the nearest first. The pages in the window stay where they are.
  private func measure() async throws {
    while true {
      switch try await viewer.measureMore() {
      case .moved(_, let scene): await present(scene)
      case .confirmed: continue
      case .finished: return
      }
    }
  }
}
