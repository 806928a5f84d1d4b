internal import DocumentModel
internal import Geometry
internal import PageLayout
internal import RectoKit

extension RenderCommand {
  /// The page that `--image` shows being turned, with the next spread; nil where nothing is turned.
  struct TurningPage {
    var turn: PageTurn
    /// The window moved to the next spread.
    var window: Rect
    /// What the window shows there.
    var next: Rendered
  }

  /// Draws the spread that a turning page uncovers.
  ///
  /// - Parameters:
  ///   - context: The document and its layout.
  ///   - rect: The viewport, in content coordinates.
  /// - Returns: Nil without `--image`, a paged layout and `--progress`, or at its ends.
  /// - Throws: A failure if the next spread cannot be laid out.
  func turningPage(
    _ context: inout LayoutContext,
    _ rect: Rect
  ) async throws(Failure) -> TurningPage? {
    let layout = context.documentLayout.layout
    guard output.image != nil, layout.configuration.mode == .paged,
      let progress = window.progress, progress > 0,
      let position = layout.spreadPosition(at: rect.origin)
    else { return nil }
    // The next spread has to be measured: the page on its side of the spine is the back of the sheet.
    guard let start = layout.offset(restingAt: Int(position)),
      let end = layout.offset(restingAt: Int(position) + 1)
    else { return nil }
    let window = Rect(
      origin: Point(x: rect.minX + end.x - start.x, y: rect.minY + end.y - start.y),
      size: rect.size
    )
    do {
      let spreads = try await context.documentLayout.spreads(in: window)
      let turn = PageTurn(
        from: Int(position),
        progress: progress,
        in: context.documentLayout.layout
      )
      guard let turn else { return nil }
      let tiles = await context.documentLayout.tiles(
        of: spreads,
        in: window,
        scale: self.window.scale,
        tileSide: output.tile
      )
      return TurningPage(
        turn: turn,
        window: window,
        next: Rendered(spreads: spreads, tiles: tiles)
      )
    } catch {
      throw context.failure(error)
    }
  }
}
