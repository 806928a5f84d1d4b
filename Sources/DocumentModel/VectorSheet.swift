public import RectoGeometry

/// A sheet of a vector file: pages, each at its place.
public struct VectorSheet: Hashable, Sendable {
  /// A page at its place.
  public struct Page: Hashable, Sendable {
    /// The page, and its scale where it is not drawn as shapes: pages that only Splash draws are pictures.
    public var raster: PageRaster
    /// The place that the page fills, after the rotation of ``raster``: in points from the top left of the sheet.
    public var frame: Rect
    /// The part of the sheet to which the page is clipped.
    public var clip: Rect

    /// A page from its parts.
    ///
    /// - Parameters:
    ///   - raster: The page, and its scale where it is a picture.
    ///   - frame: The place that it fills, in points from the top left of the sheet.
    ///   - clip: The part of the sheet to which it is clipped; nil for its frame.
    public init(_ raster: PageRaster, frame: Rect, clip: Rect? = nil) {
      self.raster = raster
      self.frame = frame
      self.clip = clip ?? frame
    }
  }

  /// In points; both sides above 0.
  public var size: Size
  /// The pages in drawing order.
  public var pages: [Page]
  /// The color where no page is, 0xRRGGBB; nil for none.
  public var background: UInt32?
  /// Pixels per inch of content that the format cannot hold as shapes, such as some groups with transparency.
  public var resolution: Double

  /// Pixels per inch unless something else is asked for.
  public static let usualResolution = 300.0

  /// A sheet from its parts.
  ///
  /// - Parameters:
  ///   - size: In points; both sides above 0.
  ///   - pages: The pages in drawing order.
  ///   - background: The color where no page is, 0xRRGGBB; nil for none.
  ///   - resolution: Pixels per inch of content that the format cannot hold as shapes; above 0.
  public init(
    size: Size,
    pages: [Page],
    background: UInt32? = nil,
    resolution: Double = usualResolution
  ) {
    self.size = size
    self.pages = pages
    self.background = background
    self.resolution = resolution
  }

  /// The size in whole points, rounded up.
  public var wholeSize: PixelSize {
    PixelSize(
      width: PageRaster.pixels(size.width) ?? .max,
      height: PageRaster.pixels(size.height) ?? .max
    )
  }

  /// The most pixels per inch.
  public static let largestResolution = 2400.0
  /// The most bytes of a file.
  public static let largestFile = 256 << 20

  /// Checks that sheets can be drawn into a file of a format.
  ///
  /// - Throws: `usage` for several sheets in a format with one, and for places that are no numbers; `pageSize` for a
  ///   sheet without area or one that is too large.
  public static func check(
    _ sheets: [VectorSheet],
    _ format: PictureFormat
  ) throws(DocumentError) {
    guard format.isVector, !sheets.isEmpty, sheets.count == 1 || format.hasPages else {
      throw DocumentError(.usage, during: "draw", "\(sheets.count) pages in a \(format.rawValue)")
    }
    for sheet in sheets {
      guard sheet.size.isProper else {
        throw DocumentError(.pageSize, during: "draw", "the page has no area")
      }
      guard (1...largestResolution).contains(sheet.resolution) else {
        throw DocumentError(.usage, during: "draw", "\(sheet.resolution) pixels per inch")
      }
      try format.requireSize(sheet.wholeSize)
      for page in sheet.pages {
        guard page.frame.isDrawable, page.clip.isDrawable, page.frame.size.isProper else {
          throw DocumentError(.usage, during: "draw", "a page without a place")
        }
      }
    }
  }
}

extension Rect {
  /// Whether cairo's coordinates can hold it.
  fileprivate var isDrawable: Bool {
    [minX, minY, width, height].allSatisfy {
      $0.isFinite && abs($0) <= Double(PageRaster.largestSide)
    }
  }
}
