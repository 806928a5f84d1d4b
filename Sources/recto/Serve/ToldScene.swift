internal import DocumentModel
internal import RectoKit
internal import Tiles

/// What a client was told last: the newest scene, and which of its tiles.
///
/// A queue takes back events that a newer focus does not show, but one may have left it just before.
/// This is the last look before an event is written. It follows the queue's rule, a tile is told once
/// as long as it stays visible, so what is left out here is either told already or told again by the
/// queue when it comes into view anew.
struct ToldScene {
  private var visible: Set<TileKey> = []
  private var rasters: Set<PageRaster> = []
  private var told: Set<TileKey> = []

  /// The scene is told now.
  mutating func show(_ scene: ViewerScene) {
    let pages = scene.drawings().compactMap { try? $0?.get() }
    visible = Set(pages.flatMap(scene.tiles(of:)))
    rasters = Set(visible.map(\.raster))
    told.formIntersection(visible)
  }

  /// Whether to tell of a tile: the scene shows it, and it was not told since it came into view. It
  /// counts as told then.
  mutating func takes(_ tile: TileKey) -> Bool {
    visible.contains(tile) && told.insert(tile).inserted
  }

  /// Whether the scene shows a page that could not be drawn.
  func shows(_ raster: PageRaster) -> Bool { rasters.contains(raster) }
}
