public import DocumentModel
public import PageLayout
public import RectoGeometry

extension PictureGeometry {
  /// A page by itself on a sheet of a vector file.
  ///
  /// A resolution is that of content that is not shapes, and the sheet has the size of the part in points. With another
  /// size the sheet is as many points large as a picture would be pixels.
  ///
  /// - Parameter info: The page as measured.
  /// - Throws: `pageSize` for a page without area; `usage` if no part of ``crop`` is on the page.
  func sheet(of index: PageIndex, _ info: PageInfo) throws(DocumentError) -> VectorSheet {
    let page = info.size.rotated(by: rotation)
    guard page.isProper else {
      throw DocumentError(.pageSize, during: "", "the page has no area")
    }
    let area = try area(of: page)
    var factor = 1.0
    var resolution = VectorSheet.usualResolution
    if case .resolution(let pixelsPerInch) = size {
      resolution = min(max(pixelsPerInch, 1), VectorSheet.largestResolution)
    } else {
      factor = size.scale(for: area.size)
    }
    let sheet = area.size * factor
    let frame = Rect(
      x: -area.minX * factor,
      y: -area.minY * factor,
      width: page.width * factor,
      height: page.height * factor
    )
    var placed = try VectorSheet.Page(
      index,
      info,
      rotation: rotation,
      frame: frame,
      resolution: resolution
    )
    placed.clip = Rect(origin: .zero, size: sheet)
    return VectorSheet(size: sheet, pages: [placed], resolution: resolution)
  }
}

extension VectorSheet.Page {
  /// A page that fills a frame.
  ///
  /// - Parameters:
  ///   - info: The page as measured; it has an area.
  ///   - frame: The place that it fills, in points from the top left of the sheet.
  ///   - resolution: Pixels per inch of the sheet if the page is a picture; fewer for a large page.
  /// - Throws: `pageSize` if the page is too large for a picture.
  init(
    _ index: PageIndex,
    _ info: PageInfo,
    rotation: Rotation,
    frame: Rect,
    resolution: Double
  ) throws(DocumentError) {
    let page = info.size.rotated(by: rotation)
    let scale = min(
      resolution / 72 * frame.width / page.width,
      Self.longestSide / max(page.width, page.height),
      (Self.largestArea / (page.width * page.height)).squareRoot()
    )
    self.init(
      try PageRaster(page: index, info: info, scale: scale, rotation: rotation),
      frame: frame
    )
  }

  /// The most pixels of a page that is a picture: below the limits of the engine, because sides are rounded up.
  private static let longestSide = 30_000.0
  private static let largestArea = 90_000_000.0
}

extension DocumentLayout {
  /// A window on a sheet of a vector file: a layout unit is a point. Pages are clipped to the window.
  ///
  /// - Parameters:
  ///   - spreads: From ``spreads(in:)``.
  ///   - window: In layout units.
  ///   - background: The color where no page is.
  ///   - resolution: Pixels per inch of content that is not shapes.
  /// - Throws: Why a page could not be measured, with its number; `pageSize` for one without area.
  public func sheet(
    of spreads: [LaidOutSpread],
    in window: Rect,
    background: Color?,
    resolution: Double
  ) throws(DocumentError) -> VectorSheet {
    let resolution = min(max(resolution, 1), VectorSheet.largestResolution)
    var placed: [VectorSheet.Page] = []
    for page in spreads.flatMap(\.pages) {
      guard let visible = page.visible(in: window) else { continue }
      do throws(DocumentError) {
        var sheet = try VectorSheet.Page(
          page.page,
          try measuredInfo(of: page.page),
          rotation: page.rotation,
          frame: page.frame.moved(from: window.origin),
          resolution: resolution
        )
        sheet.clip = visible.moved(from: window.origin)
        placed.append(sheet)
      } catch {
        throw DocumentError(error.code, during: "draw page \(page.page.number)", error.detail)
      }
    }
    return VectorSheet(
      size: window.size,
      pages: placed,
      background: background?.rgb,
      resolution: resolution
    )
  }
}

extension Rect {
  fileprivate func moved(from origin: Point) -> Rect {
    Rect(x: minX - origin.x, y: minY - origin.y, width: width, height: height)
  }
}
