public import DocumentModel
public import PageLayout
public import RectoGeometry
public import RectoTiles

/// A consistent snapshot of a viewer's view.
public struct ViewerScene: Sendable {
  /// The document in its layout.
  public let documentLayout: DocumentLayout
  /// The layout and the window, with the reader's place.
  public let viewpoint: Viewpoint
  /// Device pixels per layout unit.
  public let scale: Double
  /// The side of a tile in device pixels.
  public let tileSide: Int
  /// How fast the window moves, in layout units per second.
  public let velocity: Point
  /// Counts the changes of geometry: offsets of two scenes can be compared only if this is equal.
  public let geometry: Int
  /// How far a page is turned from the spread at the window to the next one, 0 to 1; nil if none is.
  /// Only in paged mode.
  public let turnProgress: Double?
  /// The part of the content whose tiles are drawn: the window with its overscan, and while a page is
  /// being turned also the next spread, up to its end.
  public let drawnArea: Rect
  /// The spreads that touch ``drawnArea``; none when there is a ``refusal``.
  public let spreads: [LaidOutSpread]
  /// Why there are no spreads: with new sizes the window shows more pages than
  /// ``DocumentLayout/largestPageCount``.
  public let refusal: DocumentError?

  /// The visible part of the content, in layout units.
  public var window: Rect { viewpoint.window }

  /// The current page, or the last one while none is visible; nil when no page is shown.
  public var current: PageIndex? { viewpoint.current }

  /// The page turn of ``turnProgress``; nil if no page is being turned.
  public var turn: PageTurn? {
    guard turnProgress != nil else { return nil }
    return viewpoint.restingSpread.flatMap(documentLayout.layout.pageTurn(from:))
  }

  /// The pages of ``spreads`` as drawn here, or why they cannot be drawn, in order; nil for pages of unknown size.
  public func drawings() -> [Result<TileWindow.Page, DocumentError>?] {
    let pages = spreads.flatMap(\.pages)
    let placed = documentLayout.placed(pages, in: drawnArea, scale: scale, tileSide: tileSide)
    return zip(pages, placed).map { page, drawing in
      documentLayout.isSettled(page.page) ? drawing : nil
    }
  }

  /// The tiles that cover the part of a page in ``drawnArea``; the page is one of ``drawings()``.
  public func tiles(of page: TileWindow.Page) -> [TileKey] {
    TileWindow(pages: [page], viewport: drawnArea, scale: scale, tileSide: tileSide)
      .tiles(of: page, in: drawnArea)
  }
}

extension ViewerScene {
  /// The scene for the render queue: visible pages, and pages that may be next.
  ///
  /// - Parameter reachesOut: Whether to include pages outside the window.
  /// - Returns: The window for `RenderQueue`.
  public func tileWindow(reachesOut: Bool = true) -> TileWindow {
    TileWindow(
      // Pages that are not measured, or cannot be drawn, have no tiles.
      pages: drawings().compactMap { try? $0?.get() },
      neighbors: reachesOut ? neighbors : [],
      viewport: drawnArea,
      scale: scale,
      tileSide: tileSide,
      velocity: velocity,
      core: window
    )
  }

  /// The pages of the surrounding windows that this one does not show, if they are few enough for one window.
  private var neighbors: [TileWindow.Page] {
    var known = Set(spreads.flatMap(\.pages).map(\.position))
    var pages: [TileWindow.Page] = []
    var room = DocumentLayout.largestPageCount
    for window in windowsAround {
      room -= documentLayout.layout.positions(touching: window).count
      guard room >= 0 else { break }
      for page in documentLayout.layout.spreads(visibleIn: window).flatMap(\.pages)
      where known.insert(page.position).inserted {
        if let placed = try? documentLayout.placed(page, scale: scale) { pages.append(placed) }
      }
    }
    return pages
  }

  /// The windows a reader may reach next: ahead within a second of scrolling, and one back.
  private var windowsAround: [Rect] {
    let layout = documentLayout.layout
    let isVertical = layout.configuration.axis == .vertical
    let extent = isVertical ? window.height : window.width
    let speed = isVertical ? velocity.y : velocity.x
    guard extent > 0 else { return [] }
    let ahead = min(max(1, (abs(speed) / extent).rounded(.up)), Self.furthest)
    let forward = speed < 0 ? -1.0 : 1.0
    let steps = stride(from: 1, through: ahead, by: 1).map { forward * $0 } + [-forward]
    return steps.compactMap { step in
      var offset: Point?
      if layout.restsAtSpreads {
        offset = layout.spreadPosition(at: window.origin).flatMap {
          layout.offset(atSpreadPosition: ($0 + step).rounded())
        }
      } else {
        offset = Point(
          x: window.minX + (isVertical ? 0 : step * extent),
          y: window.minY + (isVertical ? step * extent : 0)
        )
      }
      return offset.map(layout.window(at:))
    }
  }

  /// The most windows to look ahead; usually a queue's byte budget is reached earlier.
  private static let furthest = 8.0
}
