public import RectoGeometry

/// A file format of pictures.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  /// Lossless.
  case png
  /// Lossy, without transparency.
  case jpeg
  /// Lossy.
  case webp
  /// The pixels without compression or transparency: a binary PPM, or PGM if it is gray.
  case ppm
  /// Lossless, without transparency; a file can have several pages.
  case tiff
  /// Shapes and text, whose glyphs are shapes.
  case svg
  /// Shapes and text; a file can have several pages.
  case pdf

  /// The extension of file names, without the dot.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .tiff: "tif"
    default: rawValue
    }
  }

  /// The media type.
  package var mediaType: String {
    switch self {
    case .png, .jpeg, .webp, .tiff: "image/\(rawValue)"
    case .ppm: "image/x-portable-pixmap"
    case .svg: "image/svg+xml"
    case .pdf: "application/pdf"
    }
  }

  /// Whether pictures have shapes and text in points, and not pixels.
  public var isVector: Bool { self == .svg || self == .pdf }

  /// Whether a file can have several pages.
  public var hasPages: Bool { self == .tiff || self == .pdf }

  /// Whether a stream can have several pages: in a format with pages, or as one picture after the other (Netpbm).
  public var canBeStreamed: Bool { hasPages || self == .ppm }

  /// The quality that is used where none is given; nil for a lossless format.
  ///
  /// The scales differ: WebP at 80 is about as good as JPEG at 85.
  public var defaultQuality: Int? {
    switch self {
    case .png, .ppm, .tiff, .svg, .pdf: nil
    case .jpeg: 85
    case .webp: 80
    }
  }

  /// The longest side of a picture in pixels; in points for SVG and PDF.
  public var largestSide: Int {
    switch self {
    case .png, .ppm, .tiff: 0x7FFF_FFFF
    // JPEG_MAX_DIMENSION of libjpeg, below the 65,535 of the format.
    case .jpeg: 65_500
    case .webp: 16_383
    // Cairo's coordinates.
    case .svg, .pdf: PageRaster.largestSide
    }
  }

  /// Whether pictures can be transparent.
  public var canBeTransparent: Bool { self == .png || self == .webp || isVector }

  /// Whether pictures can have only black and white pixels.
  public var canBeBilevel: Bool { self == .png || self == .tiff }
}

extension PictureFormat {
  /// Checks that a picture can have a size.
  ///
  /// - Throws: `pageSize` if a side exceeds ``largestSide``.
  public func requireSize(_ size: PixelSize) throws(DocumentError) {
    guard max(size.width, size.height) > largestSide else { return }
    throw DocumentError(
      .pageSize,
      during: "encode",
      "a picture of \(size.width)×\(size.height) \(isVector ? "points" : "pixels"); the limit of \(rawValue) is "
        + "\(largestSide) a side"
    )
  }
}

/// How parts of a page become pictures: the file format and what is kept of the pixels.
public struct PictureStyle: Hashable, Sendable {
  /// The file format.
  public let format: PictureFormat
  /// From 1, smallest, to 100, best; nil for a lossless format.
  public let quality: Int?
  /// Whether colors become gray.
  public let isGray: Bool
  /// Whether every pixel is black or white; then ``isGray``, too. A TIFF is compressed as CCITT Group 4.
  public let isBilevel: Bool
  /// Whether the page has no background; otherwise it is white, and every pixel opaque.
  public let isTransparent: Bool

  /// Whether a PNG always has 8-bit RGBA pixels. Otherwise, unless it is transparent, it has the smallest pixel format
  /// that fits.
  public let isRGBA: Bool

  /// The qualities of a lossy format.
  public static let qualities = 1...100

  /// How tiles are drawn: PNG, in color, opaque.
  public static let tile = PictureStyle(isRGBA: false)

  /// How desktop thumbnails are drawn: PNG, in color, opaque, RGBA.
  public static let desktopThumbnail = PictureStyle(isRGBA: true)

  /// Pixels that are worked on further: PPM, in color.
  public static let pixels = opaque(.ppm)

  /// An opaque style at the default quality of a format; every format supports it.
  public static func opaque(_ format: PictureFormat, isGray: Bool = false) -> PictureStyle {
    PictureStyle(format, isGray: isGray, isRGBA: false)
  }

  private init(_ format: PictureFormat = .png, isGray: Bool = false, isRGBA: Bool) {
    self.format = format
    quality = format.defaultQuality
    self.isGray = isGray
    isBilevel = false
    isTransparent = false
    self.isRGBA = isRGBA
  }

  /// A style from its parts.
  ///
  /// - Parameters:
  ///   - format: The file format.
  ///   - quality: From 1 to 100; nil for the default of the format. Only for JPEG and WebP.
  ///   - isGray: Whether colors become gray. Not for SVG and PDF.
  ///   - isBilevel: Whether every pixel becomes black or white. Only for PNG and TIFF, and not if it is transparent.
  ///   - isTransparent: Whether the page has no background. Not for JPEG, PPM and TIFF.
  /// - Throws: `PictureStyleError` if the format does not support it.
  public init(
    _ format: PictureFormat,
    quality: Int? = nil,
    isGray: Bool = false,
    isBilevel: Bool = false,
    isTransparent: Bool = false
  ) throws(PictureStyleError) {
    if let quality {
      guard format.defaultQuality != nil else { throw .qualityOfLossless(format) }
      guard Self.qualities.contains(quality) else { throw .quality(quality) }
    }
    guard format.canBeTransparent || !isTransparent else { throw .transparency(format) }
    guard !format.isVector || !isGray else { throw .gray(format) }
    guard !isBilevel || format.canBeBilevel else { throw .bilevel(format) }
    guard !isBilevel || !isTransparent else { throw .transparentBilevel }
    self.format = format
    self.quality = quality ?? format.defaultQuality
    self.isGray = isGray || isBilevel
    self.isBilevel = isBilevel
    self.isTransparent = isTransparent
    isRGBA = format == .png && isTransparent
  }
}

/// Why there is no such ``PictureStyle``.
public enum PictureStyleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A quality outside of ``PictureStyle/qualities``.
  case quality(Int)
  /// A quality for a format that is lossless.
  case qualityOfLossless(PictureFormat)
  /// Transparency in a format without it.
  case transparency(PictureFormat)
  /// Gray in a format whose colors cannot be converted.
  case gray(PictureFormat)
  /// Only black and white in a format that is not made for it.
  case bilevel(PictureFormat)
  /// Only black and white, and transparency.
  case transparentBilevel

  /// One line.
  public var description: String {
    switch self {
    case .quality(let quality):
      "must be between \(PictureStyle.qualities.lowerBound) and "
        + "\(PictureStyle.qualities.upperBound), is \(quality)"
    case .qualityOfLossless(let format): "has no effect on \(format.rawValue), which is lossless"
    case .transparency(let format): "\(format.rawValue) has no transparency"
    case .gray(let format):
      "has no effect on \(format.rawValue), which keeps the colors of the page"
    case .bilevel(let format): "is for png and tiff, not for \(format.rawValue)"
    case .transparentBilevel: "cannot be used with --transparent"
    }
  }
}
