internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoTiles
internal import SystemPackage

extension Document {
  /// The pictures of a pyramid, from one drawing of the page.
  ///
  /// - Parameters:
  ///   - style: The format and quality of the tiles.
  /// - Returns: A picture for each tile, with what poppler warned about.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be drawn.
  func pictures(
    of plan: PyramidPlan,
    _ raster: PageRaster,
    style: PictureStyle
  ) async throws(DocumentError) -> PagePictures {
    let parts = plan.tiles.map(\.part)
    let pictures = try await draw(PageDrawing(raster, .reduced(parts), style: style))
    guard pictures.pictures.count == plan.tiles.count else {
      throw DocumentError(.fault, during: "draw", "another number of tiles")
    }
    return pictures
  }
}

extension PictureFolder {
  /// Writes a pyramid. Its descriptor is removed first and written last, so that an incomplete pyramid has none.
  ///
  /// Tiles of an earlier pyramid are replaced one by one; tiles that the new one does not have are kept.
  ///
  /// - Returns: The path of the descriptor, the number of bytes of all files, and that of tiles.
  /// - Throws: The error of the file or directory that cannot be written.
  func write(
    _ plan: PyramidPlan,
    _ pictures: [Tile]
  ) throws(FileError) -> (descriptor: FilePath, byteCount: Int, tileCount: Int) {
    let descriptor = path(of: plan.descriptorPath)
    if Files.node(of: descriptor) != nil { try remove(descriptor) }
    var byteCount = 0
    var tileCount = 0
    for (tile, picture) in zip(plan.tiles, pictures) {
      for file in tile.files {
        _ = try write(picture.bytes, as: plan.folder.appending(file.components))
        byteCount += picture.bytes.count
        tileCount += 1
      }
    }
    let text = Array(plan.descriptor.utf8)
    _ = try write(text, as: plan.descriptorPath)
    return (descriptor, byteCount + text.count, tileCount)
  }
}
