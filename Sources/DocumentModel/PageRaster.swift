public import RectoGeometry

/// One page at one scale. It is interpreted once and cut into tiles.
///
/// The grid of pixels starts at the displayed page's top left. The position of the page in a layout only decides
/// whether a side is rounded up or down, so windows of a layout share tiles.
public struct PageRaster: Hashable, Sendable {
  /// The page of the document.
  public var pageIndex: PageIndex
  /// Device pixels per displayed point.
  public var scale: Double
  /// The view's rotation, on top of the page's own.
  public var rotation: Rotation
  /// The page's /UserUnit; the engine multiplies by it because poppler does not.
  public var userUnit: Double
  /// The whole page in pixels: extent times scale, rounded up; if ``isFitted``, up or down.
  public var size: PixelSize
  /// Whether the page is stretched to fill ``size``, by separate factors for width and height.
  ///
  /// Otherwise ``scale`` applies to both, as in pdftocairo, and the last column and row are partly paper where the page
  /// does not reach.
  public var isFitted: Bool

  /// A raster from its parts.
  ///
  /// - Parameters:
  ///   - pageIndex: The page of the document.
  ///   - scale: Device pixels per displayed point.
  ///   - rotation: The view's rotation, on top of the page's own.
  ///   - userUnit: The page's /UserUnit.
  ///   - size: The whole page in pixels.
  ///   - isFitted: Whether the page is stretched to fill `size`.
  public init(
    pageIndex: PageIndex,
    scale: Double,
    rotation: Rotation,
    userUnit: Double,
    size: PixelSize,
    isFitted: Bool = false
  ) {
    self.pageIndex = pageIndex
    self.scale = scale
    self.rotation = rotation
    self.userUnit = userUnit
    self.size = size
    self.isFitted = isFitted
  }

  /// Hashes only what differs between the rasters of one view. Rasters are looked up for each tile of a moving window.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pageIndex)
    hasher.combine(scale)
    hasher.combine(size)
  }

  /// The longest side a raster may have, in pixels: cairo's coordinates are 24.8 fixed-point numbers, and half their
  /// range is left for content beyond the page's edges.
  public static let largestSide = 1 << 22

  /// The raster of a measured page.
  ///
  /// - Parameters:
  ///   - index: The page of the document.
  ///   - info: The page as measured.
  ///   - scale: Device pixels per displayed point, > 0.
  ///   - rotation: The view's rotation.
  /// - Throws: ``DocumentError`` (`pageSize`) when the page has no area or more than
  ///   ``largestSide`` pixels a side.
  public init(
    page index: PageIndex,
    info: PageInfo,
    scale: Double,
    rotation: Rotation
  ) throws(DocumentError) {
    let size = info.size.rotated(by: rotation)
    guard size.isProper else {
      throw DocumentError(.pageSize, during: "", "the page has no area")
    }
    guard scale > 0, scale.isFinite else {
      throw DocumentError(.usage, during: "", "a scale of \(scale); it has to be above 0")
    }
    let width = Self.pixels(size.width * scale)
    let height = Self.pixels(size.height * scale)
    guard let width, let height else {
      throw DocumentError(
        .pageSize,
        during: "",
        "the page is too large at this scale; the limit is \(Self.largestSide) pixels a side"
      )
    }
    self.init(
      pageIndex: index,
      scale: scale,
      rotation: rotation,
      userUnit: info.userUnit,
      size: PixelSize(width: width, height: height)
    )
  }

  /// All of the page.
  package var whole: PixelRect { PixelRect(x: 0, y: 0, width: size.width, height: size.height) }

  /// The raster of the same page that fills a size in pixels. This raster must be made from `info`.
  ///
  /// It is not stretched if it already has that size, and never by more than a pixel a side.
  ///
  /// - Parameters:
  ///   - pixels: The size to fill; a side below one pixel counts as one.
  ///   - info: The page as measured.
  /// - Returns: A raster of that size, fitted to it; this raster if its size differs by more than a pixel.
  public func filling(_ pixels: PixelSize, of info: PageInfo) -> PageRaster {
    let pixels = PixelSize(width: max(1, pixels.width), height: max(1, pixels.height))
    guard isNear(pixels) else { return self }
    let extent = info.size.rotated(by: rotation) * scale
    let isFull =
      abs(extent.width - Double(pixels.width)) < Self.unseen
      && abs(extent.height - Double(pixels.height)) < Self.unseen
    guard !isFull || pixels != size else { return self }
    var raster = self
    raster.size = pixels
    raster.isFitted = true
    return raster
  }

  /// Whether a size differs from that of this raster by at most a pixel a side.
  public func isNear(_ other: PixelSize) -> Bool {
    // Cannot overflow: extents are clamped to their limits.
    abs(other.width - size.width) <= 1 && abs(other.height - size.height) <= 1
  }

  /// A fraction of a pixel too small to be visible: half of cairo's smallest distance.
  private static let unseen = 1.0 / 512

  /// An extent in whole pixels, rounded up as pdftocairo does; nil beyond ``largestSide``. The slack absorbs rounding
  /// errors: 612 points at 96 dpi are 816 pixels, not 817.
  package static func pixels(_ extent: Double) -> Int? {
    guard extent <= Double(largestSide) else { return nil }
    return max(1, Int((extent - 1e-6 * max(1, extent)).rounded(.up)))
  }
}
