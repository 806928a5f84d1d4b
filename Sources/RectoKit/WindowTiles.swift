public import DocumentModel
public import Geometry
public import PageLayout
public import TileRender

/// A tile of a page as it lies in a window.
public struct WindowTile: Hashable, Sendable {
  /// Column and row in the page.
  public var index: TileIndex
  /// Its pixels, counted from the page's top left.
  public var pixels: PixelRect
  /// Its place in the content, in layout units; cut off at the page's frame.
  public var frame: Rect
  /// The PNG.
  public var picture: PagePicture
}

/// The visible tiles of one page.
public struct PageTiles: Hashable, Sendable {
  /// The page at its scale.
  public var raster: PageRaster
  /// The tiles, row after row; together they cover the visible part of the page.
  public var tiles: [WindowTile]
  /// What the engine complained about while it drew.
  public var complaints: Complaints
}

extension DocumentView {
  /// The tiles that cover what `window` shows of each page; an error in place of the tiles of a
  /// page that cannot be drawn.
  ///
  /// - Parameters:
  ///   - spreads: the spreads in the window, from ``spreads(in:)``.
  ///   - window: in layout units.
  ///   - scale: device pixels per layout unit.
  ///   - tileSide: in device pixels.
  /// - Returns: one result for each page of `spreads`, in order.
  public func tiles(
    of spreads: [LaidOutSpread],
    in window: Rect,
    scale: Double,
    tileSide: Int
  ) async -> [Result<PageTiles, DocumentError>] {
    let pages = spreads.flatMap(\.pages)
    return await withTaskGroup(of: (Int, Result<PageTiles, DocumentError>).self) { group in
      for (place, page) in pages.enumerated() {
        group.addTask {
          do throws(DocumentError) {
            let tiles = try await self.tiles(
              of: page,
              in: window,
              scale: scale,
              tileSide: tileSide
            )
            return (place, .success(tiles))
          } catch {
            return (place, .failure(error))
          }
        }
      }
      var results = [Result<PageTiles, DocumentError>?](repeating: nil, count: pages.count)
      for await (place, result) in group { results[place] = result }
      return results.compactMap(\.self)
    }
  }

  private func tiles(
    of page: LaidOutPage,
    in window: Rect,
    scale: Double,
    tileSide: Int
  ) async throws(DocumentError) -> PageTiles {
    if let failure = failures[page.page] { throw failure }
    guard let facts = facts[page.page] else {
      throw DocumentError(.fault, during: "draw", "the page has not been measured")
    }
    let raster = try PageRaster(
      page: page.page,
      facts: facts,
      scale: page.scale * scale,
      rotation: layout.configuration.rotation
    )
    let grid = TileGrid(page: raster.size, tileSide: tileSide)
    guard let visible = page.visible(in: window) else {
      return PageTiles(raster: raster, tiles: [], complaints: Complaints())
    }
    let indices = grid.tiles(touching: visible.pixels(from: page.frame.origin, scale: scale))
    let pictures = try await document.pictures(of: raster, parts: indices.map(grid.rect(of:)))
    let tiles = zip(indices, pictures.pictures).map { index, picture in
      let pixels = grid.rect(of: index)
      return WindowTile(
        index: index,
        pixels: pixels,
        frame: pixels.frame(in: page.frame, scale: scale),
        picture: picture
      )
    }
    return PageTiles(raster: raster, tiles: tiles, complaints: pictures.complaints)
  }
}

extension Rect {
  /// The pixels that the rectangle touches, counted from `origin`.
  fileprivate func pixels(from origin: Point, scale: Double) -> PixelRect {
    let left = ((minX - origin.x) * scale).rounded(.down)
    let top = ((minY - origin.y) * scale).rounded(.down)
    let right = ((maxX - origin.x) * scale).rounded(.up)
    let bottom = ((maxY - origin.y) * scale).rounded(.up)
    // A raster is at most 2^22 pixels a side and this part lies inside it.
    return PixelRect(
      x: Int(left),
      y: Int(top),
      width: Int(right - left),
      height: Int(bottom - top)
    )
  }
}

extension PixelRect {
  /// Where these pixels of a page lie in the content. A page ends within its last pixel; the frame
  /// ends with the page.
  fileprivate func frame(in page: Rect, scale: Double) -> Rect {
    let left = page.minX + Double(x) / scale
    let top = page.minY + Double(y) / scale
    return Rect(
      x: left,
      y: top,
      width: min(page.maxX, page.minX + Double(maxX) / scale) - left,
      height: min(page.maxY, page.minY + Double(maxY) / scale) - top
    )
  }
}
