public import DocumentModel
public import PageLayout
public import RectoGeometry
public import RectoTiles

/// A tile of a page in a window.
public struct WindowTile: Hashable, Sendable {
  /// Column and row in the page.
  public var index: TileIndex
  /// Its pixels, counted from the page's top left.
  public var pixels: PixelRect
  /// Its frame in the content, in layout units; clipped to the page's frame.
  public var frame: Rect
  /// The PNG.
  public var picture: Tile
}

/// The visible tiles of one page.
public struct PageTiles: Hashable, Sendable {
  /// The page at its scale.
  public var raster: PageRaster
  /// The side of a tile in device pixels.
  public var tileSide: Int
  /// The tiles, row after row; together they cover the visible part of the page.
  public var tiles: [WindowTile]
  /// The engine's warnings.
  public var warnings: Warnings
}

extension WindowTile: BriefValue {
  /// Where it is, and its picture.
  public var description: String {
    "column \(index.column), row \(index.row), \(pixels.width) × \(pixels.height) pixels, \(picture)"
  }
}

extension PageTiles: BriefValue {
  /// The page, how many tiles, and their bytes.
  public var description: String {
    "page \(raster.pageIndex.number), \(tiles.count) tiles, "
      + "\(tiles.reduce(0) { $0 + $1.picture.bytes.count }) bytes"
  }
}

extension DocumentLayout {
  /// The most tiles that a window may show. The tiles of a page are drawn by one request, and all
  /// are looked up and kept by this process, which has no time and memory limits like those of a
  /// worker.
  public static let largestTileCount = TileWindow.largestTileCount

  /// The tiles that cover the visible part of each page in `window`, or the error of a page that
  /// cannot be drawn.
  ///
  /// - Parameters:
  ///   - spreads: The spreads in the window, from ``spreads(in:)``.
  ///   - window: In layout units.
  ///   - scale: Device pixels per layout unit.
  ///   - tileSide: In device pixels.
  ///   - progress: Called with the number of tiles that are done so far, page by page.
  /// - Returns: One result for each page of `spreads`, in order.
  public func tiles(
    of spreads: [LaidOutSpread],
    in window: Rect,
    scale: Double,
    tileSide: Int,
    progress: (Int) -> Void = { _ in }
  ) async -> [Result<PageTiles, DocumentError>] {
    let pages = placed(spreads.flatMap(\.pages), in: window, scale: scale, tileSide: tileSide)
    let shown = TileWindow(pages: [], viewport: window, scale: scale, tileSide: tileSide)
    return await tiles(of: pages.map { (page: $0, window: shown) }, progress: progress)
  }

  /// How much ``tiles(of:in:scale:tileSide:progress:)`` draws if nothing is cached.
  ///
  /// - Parameters:
  ///   - spreads: The spreads in the window, from ``spreads(in:)``.
  ///   - window: In layout units.
  ///   - scale: Device pixels per layout unit.
  ///   - tileSide: In device pixels.
  /// - Returns: The number of tiles of the pages that can be drawn, and their pixels.
  /// - Complexity: O(*k*) in the number of tiles, which is limited by ``largestTileCount``.
  public func tileExtent(
    of spreads: [LaidOutSpread],
    in window: Rect,
    scale: Double,
    tileSide: Int
  ) -> (tiles: Int, pixels: Int) {
    let shown = TileWindow(pages: [], viewport: window, scale: scale, tileSide: tileSide)
    let pages = placed(spreads.flatMap(\.pages), in: window, scale: scale, tileSide: tileSide)
    let parts = pages.compactMap { try? $0.get() }
      .flatMap { shown.tiles(of: $0, in: window) }.map(\.part)
    return (parts.count, parts.reduce(0) { $0 + $1.width * $1.height })
  }

  /// The tiles of pages, each in its own window.
  ///
  /// - Parameters:
  ///   - pages: The pages and their visible parts.
  ///   - progress: Called with the number of tiles that are done so far, page by page.
  /// - Returns: One result for each page, in order.
  func tiles(
    of pages: [(page: Result<TileWindow.Page, DocumentError>, window: TileWindow)],
    progress: (Int) -> Void = { _ in }
  ) async -> [Result<PageTiles, DocumentError>] {
    await withTaskGroup(of: (Int, Result<PageTiles, DocumentError>).self) { group in
      var results = [Result<PageTiles, DocumentError>?](repeating: nil, count: pages.count)
      var tileCount = 0
      func take(_ index: Int, _ result: Result<PageTiles, DocumentError>) {
        results[index] = result
        guard case .success(let page) = result else { return }
        tileCount += page.tiles.count
        progress(tileCount)
      }
      for (index, (page, window)) in pages.enumerated() {
        if index >= Self.pagesDrawnAtOnce, let (done, result) = await group.next() {
          take(done, result)
        }
        group.addTask {
          do throws(DocumentError) {
            return (index, .success(try await self.tiles(of: try page.get(), in: window)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      for await (index, result) in group { take(index, result) }
      return results.compactMap(\.self)
    }
  }

  /// Pages requested at a time: enough that no worker waits, few enough that results in memory stay small.
  private static let pagesDrawnAtOnce = 256

  private func tiles(
    of page: TileWindow.Page,
    in window: TileWindow
  ) async throws(DocumentError) -> PageTiles {
    let raster = page.raster
    let keys = window.tiles(of: page, in: window.viewport)
    guard !keys.isEmpty else {
      return PageTiles(
        raster: raster,
        tileSide: window.tileSide,
        tiles: [],
        warnings: Warnings()
      )
    }
    let pictures = try await document.pictures(of: raster, parts: keys.map(\.part))
    let tiles = zip(keys, pictures.pictures).map { key, picture in
      WindowTile(
        index: key.tile,
        pixels: key.part,
        frame: key.frame(in: page.frame, scale: window.scale),
        picture: picture
      )
    }
    return PageTiles(
      raster: raster,
      tileSide: window.tileSide,
      tiles: tiles,
      warnings: pictures.warnings
    )
  }

  /// Laid-out pages for a `TileWindow`, or why they cannot be drawn.
  ///
  /// Together they have at most ``largestTileCount`` tiles: a page that would exceed it fails with
  /// `pageSize`.
  /// - Parameters:
  ///   - pages: Those that `window` shows.
  ///   - window: In layout units.
  ///   - scale: Device pixels per layout unit.
  ///   - tileSide: In device pixels.
  /// - Returns: One result for each of `pages`, in order; errors as for ``placed(_:scale:)``.
  /// - Complexity: O(*n*), however many tiles there are.
  public func placed(
    _ pages: [LaidOutPage],
    in window: Rect,
    scale: Double,
    tileSide: Int
  ) -> [Result<TileWindow.Page, DocumentError>] {
    let shown = TileWindow(pages: [], viewport: window, scale: scale, tileSide: tileSide)
    var allowance = TileAllowance()
    return pages.map { page in
      Result { () throws(DocumentError) in
        try allowance.taking(try placed(page, scale: scale), in: shown)
      }
    }
  }

  /// A laid-out page for a `TileWindow`.
  ///
  /// - Parameters:
  ///   - page: A page of this layout.
  ///   - scale: Device pixels per layout unit.
  /// - Returns: The page at its scale, with its frame and clip.
  /// - Throws: Why the page could not be measured; `pageSize` when it is too large at this scale;
  ///   `fault` when it was not measured.
  public func placed(
    _ page: LaidOutPage,
    scale: Double
  ) throws(DocumentError) -> TileWindow.Page {
    let info = try measuredInfo(of: page.page)
    let raster = try PageRaster(
      page: page.page,
      info: info,
      scale: page.scale * scale,
      rotation: layout.configuration.rotation
    )
    let pixels = filled(page.frame.snapped(scale: scale).size, by: raster)
    return TileWindow.Page(
      raster: raster.filling(pixels, of: info),
      frame: page.frame,
      clip: page.clip
    )
  }

  /// The info of a page.
  ///
  /// - Throws: Why the page could not be measured; `fault` when it was not measured.
  func measuredInfo(of page: PageIndex) throws(DocumentError) -> PageInfo {
    guard isSettled(page), let info = try pages[page]?.get() else {
      throw DocumentError(.fault, during: "draw", "the page has not been measured")
    }
    return info
  }

  /// The pixels that the raster of a page must fill, so that no paper shows at an edge of its
  /// frame.
  ///
  /// Across the axis they are those of the frame, whose position depends only on the pages of its
  /// spread. Along the axis it depends on all previous pages, which may be estimated: there the
  /// raster is always rounded up, and its last row is not shown if the frame is rounded down. So a
  /// page has the same raster whichever other pages are measured, and at any window offset.
  private func filled(_ frame: PixelSize, by raster: PageRaster) -> PixelSize {
    switch layout.configuration.axis {
    case .vertical:
      PixelSize(width: frame.width, height: max(frame.height, raster.size.height))
    case .horizontal:
      PixelSize(width: max(frame.width, raster.size.width), height: frame.height)
    }
  }
}

/// Counts the tiles that the pages of a window may still have, ``DocumentLayout/largestTileCount`` in all.
struct TileAllowance {
  private var listed = 0

  /// The page, with its tiles in a window taken from the allowance.
  ///
  /// - Throws: `pageSize` if the page has more than are left.
  mutating func taking(
    _ page: TileWindow.Page,
    in window: TileWindow
  ) throws(DocumentError) -> TileWindow.Page {
    let count = window.tileCount(of: page, in: window.viewport)
    let limit = DocumentLayout.largestTileCount
    guard count <= limit - listed else {
      let others = listed == 0 ? "" : " and \(listed) of pages before it"
      throw DocumentError(
        .pageSize,
        during: "draw",
        "the window shows \(count) tiles of the page\(others); the limit is \(limit)"
      )
    }
    listed += count
    return page
  }
}
