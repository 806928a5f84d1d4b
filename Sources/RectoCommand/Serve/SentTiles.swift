internal import DocumentModel
internal import RectoKit
internal import RectoTiles

/// The tiles of the latest scene that was written, and which of them were sent.
///
/// The queue removes events outside a newer focus, but an event may have left it just before. This
/// is the last check before an event is written. As in the queue, a tile is sent once while it
/// stays visible: an event dropped here was sent before, or is sent again when the tile becomes
/// visible again.
struct SentTiles {
  private var visible: Set<TileKey> = []
  private var rasters: Set<PageRaster> = []
  private var sent: Set<TileKey> = []

  /// Records that the scene is written.
  mutating func show(_ scene: ViewerScene) {
    let pages = scene.drawings().compactMap { try? $0?.get() }
    visible = Set(pages.flatMap(scene.tiles(of:)))
    rasters = Set(visible.map(\.raster))
    sent.formIntersection(visible)
  }

  /// Whether to send a tile: the scene shows it, and it was not sent since it became visible. It
  /// counts as sent then.
  mutating func takes(_ tile: TileKey) -> Bool {
    visible.contains(tile) && sent.insert(tile).inserted
  }

  /// Whether the scene shows a page that could not be drawn.
  func shows(_ raster: PageRaster) -> Bool { rasters.contains(raster) }
}
