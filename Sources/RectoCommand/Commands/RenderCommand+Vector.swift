internal import DocumentModel
internal import PageLayout
internal import RectoGeometry
internal import RectoKit

extension RenderCommand {
  /// Draws the viewport, or that of each spread, as a vector file, in which a layout unit is a point.
  ///
  /// - Throws: A failure if a page cannot be drawn: there is no file with only some of them.
  func file(
    of spreads: [LaidOutSpread],
    in rect: Rect,
    _ context: inout LayoutContext,
    _ style: PictureStyle,
    _ messages: MessagePrinter
  ) async throws(Failure) -> [UInt8] {
    let drawn: (file: [UInt8], warnings: [Warnings])
    do throws(DocumentError) {
      let sheets =
        output.allSpreads
        ? try await allSheets(&context) : [try sheet(of: spreads, in: rect, context)]
      drawn = try await context.document.vectorFile(sheets, style: style)
    } catch {
      throw context.failure(error)
    }
    for warnings in drawn.warnings { messages.warn(warnings, path: context.path) }
    return drawn.file
  }

  /// A sheet for each spread, with the viewport at the spread.
  private func allSheets(
    _ context: inout LayoutContext
  ) async throws(DocumentError) -> [VectorSheet] {
    let count = context.documentLayout.layout.spreadCount
    guard count <= PageExport.mostPages else {
      throw DocumentError(
        .usage,
        during: "",
        "--all-spreads: \(count) spreads; a file has at most \(PageExport.mostPages) pages"
      )
    }
    var sheets: [VectorSheet] = []
    for index in 0..<count {
      let layout = context.documentLayout.layout
      guard let offset = layout.offset(atSpreadPosition: Double(index)) else { continue }
      let viewpoint = try await context.documentLayout.viewpoint(
        at: .offset(offset),
        sizes: window.sizesWanted
      )
      let spreads = try await context.documentLayout.spreads(in: viewpoint.window)
      sheets.append(try sheet(of: spreads, in: viewpoint.window, context))
    }
    return sheets
  }

  private func sheet(
    of spreads: [LaidOutSpread],
    in rect: Rect,
    _ context: LayoutContext
  ) throws(DocumentError) -> VectorSheet {
    try context.documentLayout.sheet(
      of: spreads,
      in: rect,
      background: output.background,
      resolution: max(VectorSheet.usualResolution, 72 * window.scale)
    )
  }
}
