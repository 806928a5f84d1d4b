public import DocumentModel
public import Geometry
public import PageNumbers
public import Tiles

/// The picture of a page, or of a part of one.
public struct PagePicture: Hashable, Sendable {
  /// The bytes of the file.
  public var bytes: [UInt8]
  /// Its size.
  public var size: PixelSize
  /// Pixels per inch of the page.
  public var pixelsPerInch: Double
  /// Whether it was drawn or found in the cache.
  public var source: Tile.Source
  /// What the engine warned about while it drew.
  public var warnings: Warnings
}

extension Document {
  /// The picture of a page that is drawn for itself: nothing else of it is expected to be wanted.
  ///
  /// - Parameters:
  ///   - index: The page.
  ///   - info: The page as measured.
  ///   - geometry: The part of the page, and its size.
  ///   - style: The format of the picture, and what is kept of the pixels.
  ///   - isKept: Whether the cache is used.
  /// - Returns: The picture.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be drawn; `usage`
  ///   if the part is outside the page.
  public func picture(
    of index: PageIndex,
    _ info: PageInfo,
    geometry: PictureGeometry,
    style: PictureStyle = .tile,
    isKept: Bool = false
  ) async throws(DocumentError) -> PagePicture {
    let (raster, part) = try geometry.picture(of: index, info)
    let drawn = try await pictures(
      of: raster,
      parts: [part],
      style: style,
      isOneOff: true,
      isKept: isKept
    )
    guard let picture = drawn.pictures.first else {
      throw DocumentError(.fault, during: "draw", "no picture")
    }
    return PagePicture(
      bytes: picture.bytes,
      size: part.size,
      pixelsPerInch: raster.scale * 72,
      source: picture.source,
      warnings: drawn.warnings
    )
  }
}
