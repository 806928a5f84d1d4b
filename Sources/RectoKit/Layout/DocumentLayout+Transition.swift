public import DocumentModel
public import PageLayout
public import RectoGeometry
internal import RectoTiles

/// A page of a transition with the tiles that cover its visible part.
public struct MovingPageTiles: Sendable {
  /// The page where it is.
  public var page: MovingPage
  /// Its tiles, or why there are none. They show the page rotated by the whole quarter turns of its
  /// angle; `MovingPage.box` is their frame before the remaining rotation.
  public var tiles: Result<PageTiles, DocumentError>
}

extension DocumentLayout {
  /// The transition to a window of this layout from another layout with the same visible content.
  /// All pages that the two windows need are measured.
  ///
  /// - Parameters:
  ///   - configuration: The layout it comes from.
  ///   - sequence: The order of pages there.
  ///   - position: Where the window is at the end.
  ///   - sizes: Which pages are measured.
  ///   - spreadView: As for ``viewpoint(at:sizes:viewing:)``.
  /// - Returns: The transition, which ends in this layout.
  /// - Throws: `LayoutError` for an invalid configuration; a `DocumentError` as
  ///   ``viewpoint(at:sizes:viewing:)`` and ``spreads(in:)`` throw it.
  public mutating func transition(
    from configuration: LayoutConfiguration,
    pages sequence: PageSequence,
    to position: Position,
    sizes: Sizes,
    viewing spreadView: (zoom: Double?, pan: Point?) = (nil, nil)
  ) async throws -> Transition {
    var rounds = MeasuringRounds()
    while true {
      let end = try await viewpoint(at: position, sizes: sizes, viewing: spreadView)
      let start = end.carried(
        to: try layout.reconfigured(configuration).reordered(sequence)
      )
      for viewpoint in [start, end] {
        if let refusal = viewpoint.layout.refusal(of: viewpoint.window) { throw refusal }
      }
      var missing =
        sizes == .exact
        ? start.layout.unmeasuredPages(neededFor: start.window)
        : start.layout.unmeasuredPages(inside: start.window)
      var transition: Transition?
      if missing.isEmpty {
        let found = Transition(from: start, to: end, keeping: end.place?.anchor)
        missing = found.motions.map(\.page).filter { !isSettled($0) }.map { Range(only: $0) }
        transition = found
      }
      if let transition, missing.isEmpty { return transition }
      try await measure(rounds.next(missing, of: sequence))
    }
  }

  /// The tiles of the pages of a transition at a moment, in drawing order.
  ///
  /// - Parameters:
  ///   - transition: One whose pages are measured.
  ///   - progress: From 0 to 1.
  ///   - scale: Device pixels per layout unit.
  ///   - tileSide: In device pixels.
  /// - Returns: The pages with their tiles, the last ones on top.
  public func tiles(
    of transition: Transition,
    at progress: Double,
    scale: Double,
    tileSide: Int
  ) async -> [MovingPageTiles] {
    let viewport = Rect(origin: .zero, size: transition.viewport(at: progress))
    let pages = transition.pages(at: progress)
    var allowance = TileAllowance()
    let drawings = pages.map { page in
      let area = page.seen(through: viewport)
      let window = TileWindow(pages: [], viewport: area, scale: scale, tileSide: tileSide)
      let drawing = Result { () throws(DocumentError) in
        try allowance.taking(try placed(page, scale: scale), in: window)
      }
      return (page: drawing, window: window)
    }
    return zip(pages, await tiles(of: drawings)).map { MovingPageTiles(page: $0, tiles: $1) }
  }

  /// A page of a transition for a ``TileWindow``, before the remaining rotation.
  private func placed(
    _ page: MovingPage,
    scale: Double
  ) throws(DocumentError) -> TileWindow.Page {
    let info = try measuredInfo(of: page.page)
    let size = info.size.rotated(by: page.quarterTurns)
    let raster = try PageRaster(
      page: page.page,
      info: info,
      scale: page.box.width / size.width * scale,
      rotation: page.quarterTurns
    )
    let pixels = page.box.snapped(scale: scale).size
    return TileWindow.Page(raster: raster.filling(pixels, of: info), frame: page.box)
  }
}

extension MovingPage {
  /// The quarter turns of its angle, which tiles include.
  var quarterTurns: Rotation { Rotation(degrees: Int((angle / 90).rounded(.down)) * 90) ?? .none }

  /// The remaining clockwise degrees of its angle, less than 90.
  var remainingAngle: Double { angle - (angle / 90).rounded(.down) * 90 }

  /// The frame of its tiles before the remaining rotation, which is about the center.
  public var box: Rect {
    guard remainingAngle != 0 else { return frame }
    return Rect(around: frame.center, size: size.rotated(by: quarterTurns))
  }

  /// The bounds of the part visible in a viewport, before the remaining rotation.
  fileprivate func seen(through viewport: Rect) -> Rect {
    let angle = remainingAngle
    guard angle != 0 else { return clip.map { viewport.intersection($0) ?? .zero } ?? viewport }
    let middle = frame.center + (viewport.center - frame.center).turned(byDegrees: -angle)
    return Rect(around: middle, size: viewport.size.boundingBox(turnedByDegrees: angle))
  }
}
