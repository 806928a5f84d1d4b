public import DocumentModel
public import Geometry
public import PageLayout
public import TileRender

/// What a viewer shows at one moment: a value, all of whose parts belong together.
public struct ViewerScene: Sendable {
  /// The document in its layout.
  public let view: DocumentView
  /// The visible part of the content, in layout units.
  public let window: Rect
  /// Device pixels per layout unit.
  public let scale: Double
  /// The side of a tile in device pixels.
  public let tileSide: Int
  /// How fast the window moves, in layout units per second.
  public let velocity: Point
  /// Counts the changes of geometry: offsets of two scenes compare only when this is equal.
  public let geometry: Int
  /// Index of the page the window is about; nil when nothing is seen.
  public let current: Int?
  /// The spreads that touch the window.
  public let spreads: [LaidOutSpread]

  /// The page as it is drawn here, or why it cannot be; nil as long as its size is not known.
  public func drawing(of page: LaidOutPage) -> Result<TileWindow.Page, DocumentError>? {
    guard view.isSettled(page.page) else { return nil }
    return Result { () throws(DocumentError) in try view.placed(page, scale: scale) }
  }

  /// The tiles that cover what the window shows of a page.
  public func tiles(of page: TileWindow.Page) -> [TileKey] {
    TileWindow(pages: [page], viewport: window, scale: scale, tileSide: tileSide)
      .tiles(of: page, in: window)
  }
}

extension ViewerScene {
  /// The scene as the render queue wants it: what is shown, and what may come next.
  ///
  /// - Parameter reachesOut: whether pages outside the window are worth drawing.
  public func tileWindow(reachesOut: Bool = true) -> TileWindow {
    var placed: Set<Int> = []
    func pages(in spreads: [LaidOutSpread]) -> [TileWindow.Page] {
      spreads.flatMap(\.pages).compactMap { page in
        // What has not been measured, or cannot be drawn, has no tiles.
        guard placed.insert(page.position).inserted else { return nil }
        return try? view.placed(page, scale: scale)
      }
    }
    let shown = pages(in: spreads)
    let neighbours =
      reachesOut ? pages(in: windowsAround.flatMap(view.layout.spreads(visibleIn:))) : []
    return TileWindow(
      pages: shown,
      neighbours: neighbours,
      viewport: window,
      scale: scale,
      tileSide: tileSide,
      velocity: velocity
    )
  }

  /// The windows a reader comes to next: ahead as far as a second of scrolling reaches, and one back.
  private var windowsAround: [Rect] {
    let layout = view.layout
    let isVertical = layout.configuration.axis == .vertical
    let extent = isVertical ? window.height : window.width
    let speed = isVertical ? velocity.y : velocity.x
    guard extent > 0 else { return [] }
    let ahead = min(max(1, (abs(speed) / extent).rounded(.up)), Self.furthest)
    let forward = speed < 0 ? -1.0 : 1.0
    let steps = stride(from: 1, through: ahead, by: 1).map { forward * $0 } + [-forward]
    return steps.compactMap { step in
      let offset: Point?
      switch layout.configuration.mode {
      case .paged, .carousel:
        offset = layout.spreadPosition(at: window.origin).flatMap {
          layout.offset(atSpreadPosition: ($0 + step).rounded())
        }
      case .continuous, .grid:
        offset = Point(
          x: window.minX + (isVertical ? 0 : step * extent),
          y: window.minY + (isVertical ? step * extent : 0)
        )
      }
      return offset.map(layout.window(at:))
    }
  }

  /// The most windows to look ahead; a queue's byte budget ends earlier as a rule.
  private static let furthest = 8.0
}
