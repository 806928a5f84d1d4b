internal import DocumentModel
internal import PageLayout
public import RectoGeometry
internal import RectoTiles

extension DocumentLayout {
  /// Draws the tiles of the next viewports into the cache, each one viewport further along the axis, up to the end of
  /// the content.
  ///
  /// Pages that fail are skipped. The document needs a cache; otherwise the tiles are lost.
  ///
  /// - Parameters:
  ///   - count: The number of viewports.
  ///   - window: The window to continue from, in layout units.
  ///   - scale: Device pixels per layout unit.
  ///   - tileSide: In device pixels.
  ///   - slots: The number of pages drawn at the same time; as many as the document has workers.
  public mutating func prefetch(
    _ count: Int,
    after window: Rect,
    scale: Double,
    tileSide: Int,
    slots: Int
  ) async {
    guard count > 0 else { return }
    // No memory cache: only the files written to the disk cache are used after this.
    let queue = RenderQueue(RenderQueue.Settings(slots: slots, memoryBytes: 0))
    let source = await queue.add(document)
    await withTaskGroup(of: Void.self) { group in
      var requested = 0
      var last = window
      for _ in 0..<count {
        guard let next = await self.window(after: last) else { break }
        let tiles = try? await tileKeys(in: next, scale: scale, tileSide: tileSide)
        for tile in tiles ?? [] {
          if requested >= Self.tilesRequestedAtOnce { await group.next() }
          requested += 1
          group.addTask { _ = try? await queue.tile(tile, of: source, urgency: .prefetch) }
        }
        last = next
      }
    }
    await queue.shutdown()
  }

  /// Tiles requested at a time: enough that no worker waits for the next page to be measured.
  private static let tilesRequestedAtOnce = 256

  /// The window one viewport further on; nil at the end of the content.
  private mutating func window(after last: Rect) async -> Rect? {
    var offset = last.origin
    switch layout.configuration.axis {
    case .vertical: offset.y += last.height
    case .horizontal: offset.x += layout.configuration.isRightToLeft ? -last.width : last.width
    }
    let next = try? await window(at: .offset(offset), sizes: .estimated)
    return next?.origin == last.origin ? nil : next
  }

  /// The tiles that a window shows of pages that can be drawn, page by page.
  ///
  /// - Throws: The error of a document that cannot be opened; `usage` for a window with too many pages.
  private mutating func tileKeys(
    in window: Rect,
    scale: Double,
    tileSide: Int
  ) async throws(DocumentError) -> [TileKey] {
    let pages = try await spreads(in: window).flatMap(\.pages)
    let shown = TileWindow(
      pages: placed(pages, in: window, scale: scale, tileSide: tileSide)
        .compactMap { try? $0.get() },
      viewport: window,
      scale: scale,
      tileSide: tileSide
    )
    return shown.pages.flatMap { shown.tiles(of: $0, in: window) }
  }
}
