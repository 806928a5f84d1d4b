public import DocumentModel
public import RectoGeometry

/// Names a tile within its document.
public struct TileKey: Hashable, Sendable {
  /// The page at its scale.
  public var raster: PageRaster
  /// Column and row in the page.
  public var tile: TileIndex
  /// The side of the page's tiles in pixels; at least 1.
  public var side: Int

  /// A key from its parts.
  ///
  /// - Parameters:
  ///   - raster: The page at its scale.
  ///   - tile: Column and row in the page.
  ///   - side: The side of the page's tiles in pixels; less than 1 counts as 1.
  public init(raster: PageRaster, tile: TileIndex, side: Int) {
    self.raster = raster
    self.tile = tile
    self.side = max(1, side)
  }

  /// The tile's pixels, counted from the page's top left.
  public var part: PixelRect { TileGrid(page: raster.size, tileSide: side).rect(of: tile) }

  /// The tile's frame in the content.
  ///
  /// Its left and top edges are whole pixels away from those of the page, so they snap to the same pixels as in the
  /// page's snapped frame. The last column and row end with the page, less than a pixel from the end of their pixels.
  ///
  /// - Parameters:
  ///   - page: The page's frame in layout units.
  ///   - scale: Device pixels per layout unit.
  /// - Returns: The frame in layout units.
  public func frame(in page: Rect, scale: Double) -> Rect {
    let part = part
    var left = page.minX + Double(part.x) / scale
    var top = page.minY + Double(part.y) / scale
    var right = min(page.maxX, page.minX + Double(part.maxX) / scale)
    var bottom = min(page.maxY, page.minY + Double(part.maxY) / scale)
    if raster.isFitted {
      // Rounding errors must not move a last pixel beyond the end of the page.
      left = min(left, page.maxX)
      top = min(top, page.maxY)
      if part.maxX == raster.size.width { right = page.maxX }
      if part.maxY == raster.size.height { bottom = page.maxY }
    }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
