public import Geometry

/// One page at one scale: what is interpreted once and cut into tiles.
///
/// The grid of pixels starts at the displayed page's top left and does not depend on where the
/// page sits in a layout, so windows that show the same page at the same scale share its tiles.
public struct PageRaster: Hashable, Sendable {
  /// Index of the page, from 0.
  public var pageIndex: Int
  /// Device pixels per displayed point.
  public var scale: Double
  /// The view's rotation, on top of the page's own.
  public var rotation: Rotation
  /// The page's /UserUnit; the engine multiplies by it because poppler does not.
  public var userUnit: Double
  /// The whole page in pixels: extent times scale, rounded up.
  public var size: PixelSize

  /// A raster from its parts.
  public init(
    pageIndex: Int,
    scale: Double,
    rotation: Rotation,
    userUnit: Double,
    size: PixelSize
  ) {
    self.pageIndex = pageIndex
    self.scale = scale
    self.rotation = rotation
    self.userUnit = userUnit
    self.size = size
  }

  /// The longest side a raster may have, in pixels: cairo's coordinates are 24.8 fixed-point
  /// numbers, and half their range is left to what a page draws beyond its edges.
  public static let largestSide = 1 << 22

  /// The raster of a measured page.
  ///
  /// - Parameters:
  ///   - index: index of the page, from 0.
  ///   - facts: the page as measured.
  ///   - scale: device pixels per displayed point, > 0.
  ///   - rotation: the view's rotation.
  /// - Throws: ``DocumentError`` (`pageSize`) when the page has no area or more than
  ///   ``largestSide`` pixels a side.
  public init(
    page index: Int,
    facts: PageFacts,
    scale: Double,
    rotation: Rotation
  ) throws(DocumentError) {
    let size = facts.size.rotated(by: rotation)
    guard size.isProper else {
      throw DocumentError(.pageSize, during: "", "the page has no area")
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
      userUnit: facts.userUnit,
      size: PixelSize(width: width, height: height)
    )
  }

  /// An extent in whole pixels, rounded up as pdftocairo does. The slack takes up what is only
  /// rounding: 612 points at 96 dpi are 816 pixels, not 817.
  private static func pixels(_ extent: Double) -> Int? {
    guard extent <= Double(largestSide) else { return nil }
    return max(1, Int((extent - 1e-6 * max(1, extent)).rounded(.up)))
  }
}
