public import DocumentModel
internal import PNGCoding
public import RectoGeometry
internal import RectoPictures
public import RectoTiles

/// The picture of a page, or of a part of one.
public struct PagePicture: Hashable, Sendable {
  /// The bytes of the file.
  public var bytes: [UInt8]
  /// Its size in pixels; for SVG and PDF in points, rounded up.
  public var size: PixelSize
  /// Pixels per inch of the page.
  public var pixelsPerInch: Double
  /// Whether it was drawn or found in the cache.
  public var source: Tile.Source
  /// The engine's warnings.
  public var warnings: Warnings
}

extension PagePicture: BriefValue {
  /// A description without the bytes.
  public var description: String {
    "\(size.width) × \(size.height) pixels, \(bytes.count) bytes, \(source.rawValue)"
  }
}

extension Document {
  /// Draws a single picture of a page, when nothing else of it will be needed. It includes its resolution if the format
  /// supports that. Does not use the cache.
  ///
  /// - Parameters:
  ///   - index: The page.
  ///   - geometry: The part of the page, and its size.
  ///   - style: The format and quality of the picture.
  /// - Returns: The picture.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be measured or drawn; `usage`
  ///   if the part is outside the page, or the size is not above 0.
  public func picture(
    of index: PageIndex,
    geometry: PictureGeometry,
    style: PictureStyle = .tile
  ) async throws(DocumentError) -> PagePicture {
    let pictures = try await pictures(of: index, geometry: geometry, reducedTo: [], style: style)
    guard let picture = pictures.first else {
      throw DocumentError(.fault, during: "draw", "no picture")
    }
    return picture
  }

  /// The pictures of a page at several sizes, from one drawing; see ``picture(of:geometry:style:)``.
  ///
  /// - Parameters:
  ///   - index: The page.
  ///   - geometry: The part of the page, and its largest size.
  ///   - sizes: The other sizes, none larger than the previous one.
  ///   - style: The format and quality of the pictures.
  ///   - allowsEmbedded: Whether the thumbnail embedded for the page (/Thumb) is used if it is large enough.
  /// - Returns: The picture of the largest size and of each other size, in order.
  /// - Throws: `DocumentError` when the document cannot be opened or the page cannot be measured or drawn; `usage`
  ///   if the part is outside the page, or a size is not above 0 or larger than the previous one.
  public func pictures(
    of index: PageIndex,
    geometry: PictureGeometry,
    reducedTo sizes: [PictureSize],
    style: PictureStyle = .tile,
    allowsEmbedded: Bool = false
  ) async throws(DocumentError) -> [PagePicture] {
    try await withOneReader { () throws(DocumentError) in
      let info = try await page(at: index)
      let plan = try PicturePlan(
        of: index,
        info,
        geometry: geometry,
        reducedTo: sizes,
        style: style
      )
      return plan.pictures(try await draw(plan.drawing(allowsEmbedded: allowsEmbedded)))
    }
  }
}

/// The drawing of a page, and the metadata of its pictures.
struct PicturePlan: Sendable {
  /// The page at its largest scale.
  let raster: PageRaster
  /// The part of each size, the largest first.
  let parts: [ReducedPart]
  /// Pixels per inch of the page, for each size.
  private let pixelsPerInch: [Double]
  private let style: PictureStyle
  /// The page on a sheet, for a vector file.
  private let sheet: VectorSheet?

  /// A plan for a page.
  ///
  /// - Parameters:
  ///   - geometry: The part of the page, and its largest size.
  ///   - sizes: The other sizes, none larger than the previous one.
  /// - Throws: `pageSize` for a page without area or one that is too large; `usage` if the part is outside
  ///   the page.
  init(
    of index: PageIndex,
    _ info: PageInfo,
    geometry: PictureGeometry,
    reducedTo sizes: [PictureSize] = [],
    style: PictureStyle
  ) throws(DocumentError) {
    self.style = style
    guard !style.format.isVector else {
      guard sizes.isEmpty else {
        throw DocumentError(.usage, during: "", "\(style.format.rawValue) has one size of a page")
      }
      let sheet = try geometry.sheet(of: index, info)
      (self.sheet, raster) = (sheet, sheet.pages[0].raster)
      parts = [ReducedPart(sheet.wholeSize)]
      pixelsPerInch = [72]
      return
    }
    sheet = nil
    var rasters: [PageRaster] = []
    var parts: [ReducedPart] = []
    for size in [geometry.size] + sizes {
      var geometry = geometry
      geometry.size = size
      let (raster, part) = try geometry.picture(of: index, info)
      rasters.append(raster)
      parts.append(ReducedPart(size: raster.size, part: part))
    }
    raster = rasters[0]
    self.parts = parts
    pixelsPerInch = rasters.map { $0.scale * 72 }
  }

  /// The drawing of the page by itself.
  func drawing(allowsEmbedded: Bool = false) -> PageDrawing {
    if let sheet { return PageDrawing(raster, .sheets([sheet]), style: style) }
    return PageDrawing(
      raster,
      parts.count == 1 && !allowsEmbedded ? .parts(parts.map(\.part)) : .reduced(parts),
      style: style,
      purpose: allowsEmbedded ? .thumbnail : .picture
    )
  }

  /// The pictures, with their sizes and resolutions.
  func pictures(_ drawn: PagePictures) -> [PagePicture] {
    zip(zip(parts, pixelsPerInch), drawn.pictures).map { made, picture in
      PagePicture(
        bytes: Self.described(picture.bytes, made.1, style),
        size: made.0.part.size,
        pixelsPerInch: made.1,
        source: picture.source,
        warnings: drawn.warnings
      )
    }
  }

  /// A picture with its resolution and color space; without them if the format cannot store the resolution.
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
