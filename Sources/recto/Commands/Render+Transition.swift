internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageLayout
internal import RectoKit
internal import SystemPackage

extension Render {
  /// Draws the window on its way from another layout, as one picture.
  ///
  /// - Returns: Whether all of its pages could be drawn.
  func run(
    _ transition: Transition,
    _ session: ViewSession,
    _ image: PictureOutput,
    _ messages: Messages
  ) async throws(Failure) -> Bool {
    let progress = window.progress ?? 0
    let pages = await session.view.tiles(
      of: transition,
      at: progress,
      scale: window.scale,
      tileSide: output.tile
    )
    for page in pages {
      if case .failure(let error) = page.tiles, error.code == .pageMismatch {
        throw session.failure(error)
      }
    }
    let picture = try picture(of: pages, transition.viewport(at: progress), session)
    try image.write(picture, sparing: session.document.identity.node)
    if !image.isStandardOutput {
      var writer = JSONWriter()
      writer.object { object in
        object.member("format", 1)
        object.document(session.path, session.facts)
        object.layout(session.configuration, sizes: window.sizesWanted.rawValue)
        object.content(session.view.layout)
        object.window(transition.end.window, of: session.view.layout)
        object.member("pixelScale", window.scale)
        object.transition(transition, progress: progress) { start in
          start.layout(transition.start.layout.configuration, sizes: nil)
        }
      }
      writer.newline()
      try StandardStreams.write(writer.bytes)
    }
    var succeeded = true
    for page in pages {
      guard case .failure(let error) = page.tiles else { continue }
      succeeded = false
      messages.print(error, path: session.path, page: page.page.page + 1)
    }
    return succeeded
  }

  private func picture(
    of pages: [MovingPageTiles],
    _ viewport: Size,
    _ session: ViewSession
  ) throws(Failure) -> [UInt8] {
    do {
      var picture = try WindowPicture(
        of: Rect(origin: .zero, size: viewport),
        scale: window.scale,
        background: output.background,
        hasShadow: output.shadow
      )
      picture.addShadow(of: pages.map(\.page).filter { $0.opacity == 1 })
      for page in pages { try picture.add(page.page, tiles: try? page.tiles.get()) }
      return try picture.png()
    } catch {
      throw session.failure(error)
    }
  }
}
