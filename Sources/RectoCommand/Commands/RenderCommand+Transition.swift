internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

extension RenderCommand {
  /// Draws a frame of the transition from another layout as one picture.
  ///
  /// - Parameters:
  ///   - transition: The transition to draw a frame of.
  /// - Returns: Whether all of its pages could be drawn.
  /// - Throws: A failure if the picture cannot be composed or written.
  func run(
    _ transition: Transition,
    _ context: LayoutContext,
    _ image: PictureOutput,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    let progress = window.progress ?? 0
    let pages = await context.documentLayout.tiles(
      of: transition,
      at: progress,
      scale: window.scale,
      tileSide: output.tile
    )
    for page in pages {
      if case .failure(let error) = page.tiles, error.code == .pageMismatch {
        throw context.failure(error)
      }
    }
    let picture = try picture(of: pages, transition.viewport(at: progress), context, image.style)
    try image.write(picture, sparing: context.document.identity.node)
    if !image.isStandardOutput {
      try StandardStreams.write(json(transition, progress: progress, context))
    }
    var succeeded = true
    for page in pages {
      switch page.tiles {
      case .failure(let error):
        succeeded = false
        messages.print(error, path: context.path, page: page.page.page)
      case .success(let tiles):
        messages.warn(incomplete: tiles.warnings, path: context.path, page: page.page.page)
      }
    }
    return succeeded
  }

  /// The JSON of a frame.
  ///
  /// - Returns: The text in UTF-8.
  private func json(
    _ transition: Transition,
    progress: Double,
    _ context: LayoutContext
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.member("format", 1)
      object.document(context.path, context.info, context.document.shown)
      object.layout(context.configuration, sizes: window.sizesWanted.rawValue)
      object.content(context.documentLayout.layout)
      object.window(transition.end)
      object.member("pixelScale", window.scale)
      object.transition(transition, progress: progress) { start in
        start.layout(transition.start.layout.configuration, sizes: nil)
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// Composes a frame as one picture.
  ///
  /// - Parameters:
  ///   - pages: The pages in drawing order, with their tiles.
  ///   - viewport: The size of the picture in layout units.
  /// - Throws: A failure if the picture is too large or a tile is damaged.
  private func picture(
    of pages: [MovingPageTiles],
    _ viewport: Size,
    _ context: LayoutContext,
    _ style: PictureStyle
  ) throws(Failure) -> [UInt8] {
    do {
      var picture = try WindowPicture(
        of: Rect(origin: .zero, size: viewport),
        scale: window.scale,
        background: output.background,
        hasShadow: output.shadow
      )
      try picture.add(pages)
      return try picture.file(style)
    } catch {
      throw context.failure(error)
    }
  }
}
