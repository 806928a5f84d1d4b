public import DocumentModel
public import Geometry
internal import PNGCoding
public import PageNumbers
internal import PictureFiles
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
  /// The picture of a page that is drawn for itself: nothing else of it is expected to be wanted. It says
  /// what its resolution is, if its format can. The cache is not used.
  ///
  /// - Parameters:
  ///   - index: The page.
  ///   - info: The page as measured.
  ///   - geometry: The part of the page, and its size.
  ///   - style: The format of the picture, and what is kept of the pixels.
  /// - Returns: The picture.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be drawn; `usage`
  ///   if the part is outside the page.
  public func picture(
    of index: PageIndex,
    _ info: PageInfo,
    geometry: PictureGeometry,
    style: PictureStyle = .tile
  ) async throws(DocumentError) -> PagePicture {
    let (raster, part) = try geometry.picture(of: index, info)
    let drawn = try await draw(raster, parts: [part], style: style, isOneOff: true)
    guard let picture = drawn.pictures.first else {
      throw DocumentError(.fault, during: "draw", "no picture")
    }
    let pixelsPerInch = raster.scale * 72
    return PagePicture(
      bytes: Self.described(picture.bytes, pixelsPerInch, style),
      size: part.size,
      pixelsPerInch: pixelsPerInch,
      source: picture.source,
      warnings: drawn.warnings
    )
  }

  /// The pictures of a page at several sizes, from one drawing; see ``picture(of:_:geometry:style:)``.
  ///
  /// - Parameters:
  ///   - index: The page.
  ///   - info: The page as measured.
  ///   - geometry: The part of the page, and its largest size.
  ///   - sizes: The other sizes, none of which is larger than the one in front of it.
  ///   - style: The format of the pictures, and what is kept of the pixels.
  ///   - allowsEmbedded: Whether the picture that is embedded for the page (/Thumb) takes the place of the
  ///     drawing if it is large enough.
  /// - Returns: The picture of the largest size and of each other size, in order.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be drawn; `usage`
  ///   if the part is outside the page, or a size is larger than the one in front of it.
  public func pictures(
    of index: PageIndex,
    _ info: PageInfo,
    geometry: PictureGeometry,
    reducedTo sizes: [PictureSize],
    style: PictureStyle = .tile,
    allowsEmbedded: Bool = false
  ) async throws(DocumentError) -> [PagePicture] {
    var rasters: [PageRaster] = []
    var parts: [ReducedPart] = []
    for size in [geometry.size] + sizes {
      var geometry = geometry
      geometry.size = size
      let (raster, part) = try geometry.picture(of: index, info)
      rasters.append(raster)
      parts.append(ReducedPart(size: raster.size, part: part))
    }
    let drawn = try await reduce(
      rasters[0],
      to: parts,
      style: style,
      allowsEmbedded: allowsEmbedded
    )
    return zip(zip(rasters, parts), drawn.pictures).map { made, picture in
      let pixelsPerInch = made.0.scale * 72
      return PagePicture(
        bytes: Self.described(picture.bytes, pixelsPerInch, style),
        size: made.1.part.size,
        pixelsPerInch: pixelsPerInch,
        source: picture.source,
        warnings: drawn.warnings
      )
    }
  }

  /// A picture with its resolution and color space; without, where the format has no number for the resolution.
  private static func described(
    _ file: [UInt8],
    _ pixelsPerInch: Double,
    _ style: PictureStyle
  ) -> [UInt8] {
    do throws(PNGError) {
      return try PictureDescription(pixelsPerInch: pixelsPerInch).added(to: file, style)
    } catch {
      return file
    }
  }
}
