internal import DocumentModel
internal import PageLayout
internal import RectoGeometry
internal import RectoKit

extension LayoutContext {
  /// The page turn of `--progress`, after measuring the next spread.
  ///
  /// - Parameters:
  ///   - progress: The option; nil for no page turn.
  /// - Returns: Nil if nothing is turned: in other modes, and at the last spread.
  /// - Throws: A failure if the next spread cannot be laid out.
  mutating func turn(_ rect: Rect, progress: Double?) async throws(Failure) -> PageTurn? {
    let layout = documentLayout.layout
    guard progress != nil, layout.configuration.mode == .paged,
      let index = Viewpoint(layout, at: rect.origin).restingSpread,
      let next = layout.offset(restingAt: index + 1)
    else { return nil }
    do throws(DocumentError) {
      _ = try await documentLayout.spreads(in: layout.window(at: next))
    } catch {
      throw failure(error)
    }
    return documentLayout.layout.pageTurn(from: index)
  }
}

extension RenderCommand {
  /// The page turn that `--image` shows, and the next spread.
  struct TurningPage {
    var turn: PageTurn
    var progress: Double
    /// The window moved to the next spread.
    var window: Rect
    /// The pages of the window there.
    var next: Rendered
  }

  /// Draws the next spread of a page turn.
  ///
  /// - Returns: Nil without a turn or `--image`, or before the turn begins.
  /// - Throws: A failure if the next spread cannot be laid out.
  func turningPage(
    _ turn: PageTurn?,
    _ context: inout LayoutContext,
    _ rect: Rect
  ) async throws(Failure) -> TurningPage? {
    guard let turn, output.image != nil, let progress = window.progress, progress > 0 else {
      return nil
    }
    let window = rect.offsetBy(x: turn.step.x, y: turn.step.y)
    do throws(DocumentError) {
      let spreads = try await context.documentLayout.spreads(in: window)
      let tiles = await context.documentLayout.tiles(
        of: spreads,
        in: window,
        scale: self.window.scale,
        tileSide: output.tile
      )
      let next = Rendered(spreads: spreads, tiles: tiles)
      return TurningPage(turn: turn, progress: progress, window: window, next: next)
    } catch {
      throw context.failure(error)
    }
  }
}
