internal import DocumentModel
internal import PageLayout
internal import RectoGeometry
internal import RectoKit

extension RenderCommand {
  /// Draws the viewport as a vector file, in which a layout unit is a point.
  ///
  /// - Throws: A failure if a page cannot be drawn: there is no file with only some of them.
  func file(
    of spreads: [LaidOutSpread],
    in rect: Rect,
    _ context: LayoutContext,
    _ style: PictureStyle,
    _ messages: MessagePrinter
  ) async throws(Failure) -> [UInt8] {
    let drawn: (file: [UInt8], warnings: [Warnings])
    do throws(DocumentError) {
      let sheet = try context.documentLayout.sheet(
        of: spreads,
        in: rect,
        background: output.background,
        resolution: max(VectorSheet.usualResolution, 72 * window.scale)
      )
      drawn = try await context.document.vectorFile([sheet], style: style)
    } catch {
      throw context.failure(error)
    }
    for warnings in drawn.warnings { messages.warn(warnings, path: context.path) }
    return drawn.file
  }
}
