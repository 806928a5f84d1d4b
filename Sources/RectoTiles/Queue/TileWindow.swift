public import DocumentModel
public import RectoGeometry

/// The window of a viewer: the state that a queue works toward.
public struct TileWindow: Hashable, Sendable {
  /// A page and its frame in the content.
  public struct Page: Hashable, Sendable {
    /// The page at its scale.
    public var raster: PageRaster
    /// Where it sits in the content, in layout units.
    public var frame: Rect
    /// The part of the content to which the page is clipped; nil for no clipping.
    public var clip: Rect?

    /// A page from its parts.
    ///
    /// - Parameters:
    ///   - raster: The page at its scale.
    ///   - frame: Where it sits in the content, in layout units.
    ///   - clip: The part of the content to which the page is clipped; nil for no clipping.
    public init(raster: PageRaster, frame: Rect, clip: Rect? = nil) {
      self.raster = raster
      self.frame = frame
      self.clip = clip
    }

    /// The part of the page that is visible in `area`; nil when there is none.
    public func visible(in area: Rect) -> Rect? {
      guard let part = frame.intersection(area) else { return nil }
      return clip.map { part.intersection($0) } ?? part
    }
  }

  /// The most tiles listed for a window, whatever the size and scale of its pages, because they are
  /// looked up and kept in memory.
  public static let largestTileCount = 1 << 16

  /// The pages that the viewport shows.
  public var pages: [Page]
  /// Pages outside the viewport that may be drawn ahead.
  public var neighbors: [Page]
  /// The visible part of the content, in layout units.
  public var viewport: Rect
  /// Device pixels per layout unit.
  public var scale: Double
  /// The side of a tile in device pixels.
  public var tileSide: Int
  /// How fast the viewport moves over the content, in layout units per second.
  public var velocity: Point
  /// The part of the viewport whose tiles come before the other visible ones; nil for all of it.
  public var core: Rect?

  /// A window from its parts.
  ///
  /// - Parameters:
  ///   - pages: The pages that the viewport shows.
  ///   - neighbors: Pages outside the viewport that may be drawn ahead.
  ///   - viewport: The visible part of the content, in layout units.
  ///   - scale: Device pixels per layout unit.
  ///   - tileSide: The side of a tile in device pixels.
  ///   - velocity: How fast the viewport moves over the content, in layout units per second.
  ///   - core: The part of the viewport whose tiles come before the other visible ones; nil for all of
  ///     it.
  public init(
    pages: [Page],
    neighbors: [Page] = [],
    viewport: Rect,
    scale: Double,
    tileSide: Int,
    velocity: Point = .zero,
    core: Rect? = nil
  ) {
    self.pages = pages
    self.neighbors = neighbors
    self.viewport = viewport
    self.scale = scale
    self.tileSide = tileSide
    self.velocity = velocity
    self.core = core
  }

  /// The tiles of `page` that are visible in `area`, row after row.
  ///
  /// - Complexity: O(*k*) in the number of tiles returned.
  public func tiles(of page: Page, in area: Rect) -> [TileKey] {
    guard let visible = page.visible(in: area) else { return [] }
    let grid = TileGrid(page: page.raster.size, tileSide: tileSide)
    return grid.tiles(touching: pixels(of: visible, on: page)).map {
      TileKey(raster: page.raster, tile: $0, side: tileSide)
    }
  }

  /// How many tiles of `page` are visible in `area`.
  ///
  /// - Complexity: O(1).
  public func tileCount(of page: Page, in area: Rect) -> Int {
    guard let visible = page.visible(in: area) else { return 0 }
    return TileGrid(page: page.raster.size, tileSide: tileSide)
      .count(touching: pixels(of: visible, on: page))
  }

  /// The pixels of the page that a part of the content touches. The last pixel also stands for the rest of a page that
  /// was rounded down.
  ///
  /// They include the snapped pixels of the part: rounding moves two edges apart by less than a pixel. Only if the page
  /// begins halfway between two pixels do rounding errors decide the direction, so the snapped pixels are included,
  /// too.
  private func pixels(of part: Rect, on page: Page) -> PixelRect {
    let size = page.raster.size
    let left = Self.pixel((part.minX - page.frame.minX) * scale, .down, limit: size.width - 1)
    let top = Self.pixel((part.minY - page.frame.minY) * scale, .down, limit: size.height - 1)
    let right = Self.pixel((part.maxX - page.frame.minX) * scale, .up, limit: size.width)
    let bottom = Self.pixel((part.maxY - page.frame.minY) * scale, .up, limit: size.height)
    let pixels = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    guard Self.isHalfWay(page.frame.minX * scale) || Self.isHalfWay(page.frame.minY * scale)
    else { return pixels }
    let frame = page.frame.snapped(scale: scale)
    let snapped = part.snapped(scale: scale)
    let x = max(0, min(left, snapped.x - frame.x))
    let y = max(0, min(top, snapped.y - frame.y))
    return PixelRect(
      x: x,
      y: y,
      width: min(size.width, max(right, snapped.maxX - frame.x)) - x,
      height: min(size.height, max(bottom, snapped.maxY - frame.y)) - y
    )
  }

  /// Whether an edge, in pixels, is halfway between two, within rounding errors.
  private static func isHalfWay(_ edge: Double) -> Bool {
    abs(edge - edge.rounded(.down) - 0.5) < 1e-4
  }

  private static func pixel(
    _ value: Double,
    _ rule: FloatingPointRoundingRule,
    limit: Int
  ) -> Int {
    // Written so that NaN becomes 0 instead of trapping in the conversion.
    value > 0 ? Int(min(value.rounded(rule), Double(limit))) : 0
  }
}
