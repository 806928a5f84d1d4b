public import DocumentModel
public import RectoGeometry

/// How large the picture of a page is.
public enum PictureSize: Hashable, Sendable {
  /// Pixels per inch of the page, as displayed: 72 is one pixel a point.
  case resolution(Double)
  /// The length of the longer side in pixels.
  case longestSide(Int)
  /// The largest picture with the page's aspect ratio that fits this size in pixels; nil for no limit.
  case box(width: Int?, height: Int?)

  /// Pixels per point for an area of a page.
  ///
  /// - Parameter area: In points, as displayed; both sides above 0.
  /// - Returns: The scale; 1 for a box without a limit.
  func scale(for area: Size) -> Double {
    switch self {
    case .resolution(let pixelsPerInch): return pixelsPerInch / 72
    case .longestSide(let side): return Double(side) / max(area.width, area.height)
    case .box(let width, let height):
      let scales = [
        width.map { Double($0) / area.width }, height.map { Double($0) / area.height },
      ]
      return scales.compactMap(\.self).min() ?? 1
    }
  }
}

/// Which part of a page a picture shows, and at which size.
public struct PictureGeometry: Hashable, Sendable {
  /// The size of the picture; with ``crop``, of the part.
  public var size: PictureSize
  /// Clockwise, on top of the page's own rotation.
  public var rotation: Rotation
  /// The part of the page in points from the top left of the page as displayed, rotated by
  /// ``rotation``; nil for the whole page. Parts outside the page are left out.
  public var crop: Rect?

  /// A geometry from its parts.
  ///
  /// - Parameters:
  ///   - size: The size of the picture.
  ///   - rotation: Clockwise, on top of the page's own rotation.
  ///   - crop: The part of the page in points from the top left; nil for the whole page.
  public init(size: PictureSize, rotation: Rotation = .none, crop: Rect? = nil) {
    self.size = size
    self.rotation = rotation
    self.crop = crop
  }

  /// The page at the scale of its picture, and the visible part of it.
  ///
  /// - Returns: The whole page at its scale, and the picture in pixels from the page's top left.
  /// - Throws: `pageSize` for a page without area or with too many pixels a side; `usage` if no part
  ///   of ``crop`` is on the page.
  func picture(
    of index: PageIndex,
    _ info: PageInfo
  ) throws(DocumentError) -> (raster: PageRaster, part: PixelRect) {
    let page = info.size.rotated(by: rotation)
    guard crop != nil, page.isProper else {
      // An empty page has no scale; creating the raster reports the error.
      let scale = page.isProper ? size.scale(for: page) : 1
      let raster = try PageRaster(page: index, info: info, scale: scale, rotation: rotation)
      return (raster, raster.whole)
    }
    let area = try area(of: page)
    let scale = size.scale(for: area.size)
    let raster = try PageRaster(page: index, info: info, scale: scale, rotation: rotation)
    return (raster, Self.pixels(of: area, in: raster))
  }

  /// The shown part of a page, in points from its top left.
  ///
  /// - Parameter page: The size of the page as displayed.
  /// - Throws: `usage` if no part of ``crop`` is on the page.
  func area(of page: Size) throws(DocumentError) -> Rect {
    let whole = Rect(origin: .zero, size: page)
    guard let crop else { return whole }
    guard let area = crop.intersection(whole), area.size.isProper else {
      throw DocumentError(
        .usage,
        during: "",
        "the part is outside the page, which is \(page.width.hundredths) × "
          + "\(page.height.hundredths) points"
      )
    }
    return area
  }

  /// The size of the picture of a page. A side with a fraction of a pixel is rounded up.
  ///
  /// - Parameter info: The page as measured.
  /// - Returns: The size in pixels.
  /// - Throws: `pageSize` for a page without area or with too many pixels a side; `usage` if no part
  ///   of ``crop`` is on the page.
  public func pixelSize(of info: PageInfo) throws(DocumentError) -> PixelSize {
    try picture(of: 0, info).part.size
  }

  /// The pixels of a part: as many as the part alone would have at this scale, clipped to the page.
  private static func pixels(of area: Rect, in raster: PageRaster) -> PixelRect {
    let whole = raster.size
    let width = min(PageRaster.pixels(area.width * raster.scale) ?? whole.width, whole.width)
    let height = min(PageRaster.pixels(area.height * raster.scale) ?? whole.height, whole.height)
    let corner = area.snapped(scale: raster.scale)
    return PixelRect(
      x: min(corner.x, whole.width - width),
      y: min(corner.y, whole.height - height),
      width: width,
      height: height
    )
  }
}

extension Double {
  /// The number rounded to hundredths, without a fraction where that is 0.
  fileprivate var hundredths: String {
    let rounded = (self * 100).rounded() / 100
    return rounded == rounded.rounded() && rounded < 1e15 ? String(Int(rounded)) : "\(rounded)"
  }
}
