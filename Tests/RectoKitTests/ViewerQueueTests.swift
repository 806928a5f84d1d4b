import DocumentModel
import PageLayout
import RectoGeometry
import RectoKit
import RectoTiles
import RenderWorkers
import TestSupport
import Testing

/// The tiles of a viewer, drawn by a queue with the real worker.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ViewerQueueTests {
  /// A viewer whose document a queue draws.
  private struct Shown {
    let viewer: Viewer
    let queue = RenderQueue(RenderQueue.Settings(slots: 2))
    let source: SourceID

    init(_ fixture: String, limits: WorkerLimits = WorkerLimits()) async throws {
      viewer = try await OpenedFixture.viewer(
        try OpenedFixture.document(fixture, limits: limits)
      )
      source = await queue.add(viewer.document)
    }

    /// Events up to the next `idle`.
    func events() async -> [QueueEvent] {
      var events: [QueueEvent] = []
      for await event in queue.events {
        if event == .idle { break }
        events.append(event)
      }
      return events
    }
  }

  private func tiles(_ events: [QueueEvent]) -> [TileKey] {
    events.compactMap { if case .tile(_, let key, _) = $0 { key } else { nil } }
  }

  private func moved(to page: PageIndex) -> ViewerMove {
    var move = ViewerMove()
    move.place = .page(page, fraction: 0.3)
    return move
  }

  @Test func `each visible tile is an event once, with the pixels of the document`() async throws {
    let shown = try await Shown("mixed-sizes")
    let scene = try await shown.viewer.show(moved(to: 2))
    await shown.queue.focus(shown.source, on: scene.tileWindow())
    let events = await shown.events()
    #expect(Set(tiles(events)) == scene.tiles)
    #expect(tiles(events).count == scene.tiles.count)
    #expect(scene.tiles.count > 4)
    for case .tile(_, let key, let tile) in events {
      let drawn = try await shown.viewer.document.pictures(of: key.raster, parts: [key.part])
      #expect(tile.bytes == drawn.pictures.first?.bytes)
    }
    await shown.queue.shutdown()
  }

  @Test func `a replaced focus sends no tile of the one before`() async throws {
    let shown = try await Shown("book")
    let pages: [PageIndex] = [0, 9, 3, 7, 1, 11, 5]
    var last = await shown.viewer.scene
    for page in pages {
      last = try await shown.viewer.show(moved(to: page))
      await shown.queue.focus(shown.source, on: last.tileWindow())
    }
    // No event was fetched before: those of older focuses have left the queue.
    let events = await shown.events()
    #expect(Set(tiles(events)) == last.tiles)
    // Back where nothing has changed: each tile is sent again from memory or drawn.
    let first = try await shown.viewer.show(moved(to: pages[0]))
    await shown.queue.focus(shown.source, on: first.tileWindow())
    #expect(Set(tiles(await shown.events())) == first.tiles)
    await shown.queue.shutdown()
  }

  @Test func `a page that fails is an event once, and the others are drawn`() async throws {
    // The second of three pages does not end.
    let shown = try await Shown("endless-forms", limits: WorkerLimits(draw: 0.5))
    var move = ViewerMove()
    move.viewport = Size(width: 700, height: 3000)
    let scene = try await shown.viewer.show(move)
    #expect(scene.pages.map(\.page) == [0, 1, 2])
    await shown.queue.focus(shown.source, on: scene.tileWindow())
    let events = await shown.events()
    let failed = events.compactMap { event -> PageIndex? in
      guard case .failed(_, let raster, let error) = event else { return nil }
      #expect(error.code == .timeLimit)
      return raster.pageIndex
    }
    #expect(failed == [1])
    #expect(Set(tiles(events)) == scene.tiles.filter { $0.raster.pageIndex != 1 })
    await shown.queue.shutdown()
  }

  @Test func `a page without an area has an error in place of tiles`() async throws {
    // The second and the fourth page.
    let shown = try await Shown("page-empty")
    var move = ViewerMove()
    move.viewport = Size(width: 700, height: 3000)
    _ = try await shown.viewer.show(move)
    try await shown.viewer.measureAll()
    let scene = await shown.viewer.scene
    let errors = scene.drawings().map { drawing -> DocumentError.Code? in
      if case .failure(let error) = drawing { error.code } else { nil }
    }
    #expect(errors == [nil, .pageSize, nil, .pageSize, nil])
    #expect(Set(scene.tiles.map(\.raster.pageIndex)) == [0, 2, 4])
    await shown.queue.focus(shown.source, on: scene.tileWindow())
    #expect(Set(tiles(await shown.events())) == scene.tiles)
    await shown.queue.shutdown()
  }
}
