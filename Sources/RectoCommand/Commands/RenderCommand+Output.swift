internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// What `recto render` prints: the JSON, and pages that failed.
extension RenderCommand {
  /// The JSON of a rendered viewport.
  ///
  /// - Parameters:
  ///   - turn: The page turn of `--progress`.
  ///   - files: The paths of the tiles by page, if they were written to a directory.
  /// - Returns: The text in UTF-8.
  func json(
    _ context: LayoutContext,
    _ viewpoint: Viewpoint,
    _ rendered: Rendered,
    _ turn: PageTurn?,
    _ files: [[FilePath]]?
  ) -> [UInt8] {
    let rect = viewpoint.window
    var writer = JSONWriter()
    var index = 0
    writer.object { object in
      object.member("format", 1)
      object.document(context.path, context.info, context.document.shown)
      object.layout(context.configuration, sizes: window.sizesWanted.rawValue)
      object.content(context.documentLayout.layout)
      object.window(viewpoint)
      object.turn(turn, progress: window.progress)
      object.member("pixelScale", window.scale)
      object.member("tileSize", output.tile)
      object.array("spreads") { array in
        for spread in rendered.spreads {
          array.spread(spread, of: context.documentLayout, window: rect) { writer, page in
            if case .success = rendered.tiles[index] {
              writer.pagePixels(page, scale: window.scale)
            }
            writer.tiles(rendered.tiles[index], files: files?[index])
            index += 1
          }
        }
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// Reports pages that failed and pages with warnings.
  ///
  /// - Returns: Whether no page failed.
  func report(_ rendered: Rendered, _ context: LayoutContext, _ messages: MessagePrinter)
    -> Bool
  {
    var succeeded = true
    for (page, result) in rendered.pages {
      switch result {
      case .failure(let error):
        succeeded = false
        messages.print(error, path: context.path, page: page.page)
      case .success(let tiles) where keepsTilesInCache && tiles.warnings.incomplete != nil:
        succeeded = false
        messages.print(Failure(incomplete: tiles.warnings, path: context.path, page: page.page))
      case .success(let tiles):
        messages.warn(tiles.warnings, path: context.path, page: page.page)
      }
    }
    return succeeded
  }
}

extension Failure {
  /// The failure of an incomplete page with the cache as its only destination: it does not store
  /// incomplete tiles.
  fileprivate init(incomplete warnings: Warnings, path: FilePath, page: PageIndex) {
    let reason = warnings.incomplete ?? ""
    self.init(
      exitCode: .someFailed,
      code: "incomplete",
      path: path,
      page: page,
      message: "incomplete: \(reason); its tiles are not cached and need --output or --image"
    )
  }
}

extension JSONWriter {
  /// The tiles of a page, or the error.
  fileprivate mutating func tiles(
    _ result: Result<PageTiles, DocumentError>,
    files: [FilePath]?
  ) {
    switch result {
    case .failure(let error): self.error(error)
    case .success(let page):
      array("tiles") { array in
        for (index, tile) in page.tiles.enumerated() {
          array.object { object in
            object.member("column", tile.index.column)
            object.member("row", tile.index.row)
            object.rect("frame", tile.frame)
            object.rect("pixels", tile.pixels)
            if let file = files?[index] ?? tile.picture.cached { object.path(file, as: "file") }
            object.member("bytes", tile.picture.bytes.count)
            object.member("source", tile.picture.source.rawValue)
          }
        }
      }
      member("incomplete", page.warnings.incomplete)
      member(page.warnings)
      member(page.warnings.repairs)
    }
  }
}
