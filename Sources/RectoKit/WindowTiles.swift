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
  public var picture: Tile
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
  /// The most tiles of one page that a window may show. They are drawn by one request, and looked
  /// up and kept by this process, to whose time and memory no limit of a worker applies.
  public static let largestTileCount = 1 << 16

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
    let placed = try placed(page, scale: scale)
    let raster = placed.raster
    let tileWindow = TileWindow(
      pages: [placed],
      viewport: window,
      scale: scale,
      tileSide: tileSide
    )
    let count = tileWindow.tileCount(of: placed, in: window)
    guard count <= Self.largestTileCount else {
      throw DocumentError(
        .pageSize,
        during: "draw",
        "the window shows \(count) tiles of the page; the limit is \(Self.largestTileCount)"
      )
    }
    let keys = tileWindow.tiles(of: placed, in: window)
    guard !keys.isEmpty else {
      return PageTiles(raster: raster, tiles: [], complaints: Complaints())
    }
    let pictures = try await document.pictures(of: raster, parts: keys.map(\.part))
    let tiles = zip(keys, pictures.pictures).map { key, picture in
      WindowTile(
        index: key.tile,
        pixels: key.part,
        frame: key.frame(in: page.frame, scale: scale),
        picture: picture
      )
    }
    return PageTiles(raster: raster, tiles: tiles, complaints: pictures.complaints)
  }

  /// A laid-out page as a ``TileWindow`` holds it.
  ///
  /// - Parameter scale: device pixels per layout unit.
  /// - Throws: why the page could not be measured; `pageSize` when it is too large at this scale;
  ///   `fault` when it was not measured.
  public func placed(
    _ page: LaidOutPage,
    scale: Double
  ) throws(DocumentError) -> TileWindow.Page {
    guard isSettled(page.page), let facts = try pages[page.page]?.get() else {
      throw DocumentError(.fault, during: "draw", "the page has not been measured")
    }
    let raster = try PageRaster(
      page: page.page,
      facts: facts,
      scale: page.scale * scale,
      rotation: layout.configuration.rotation
    )
    return TileWindow.Page(raster: raster, frame: page.frame, clip: page.clip)
  }
}
