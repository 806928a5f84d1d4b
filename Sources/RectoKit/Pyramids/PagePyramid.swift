internal import DocumentModel

/// How a page is split into many small files, for zooming viewers.
///
/// Files, names and sizes are those of `vips dzsave`.
public struct PagePyramid: Hashable, Sendable {
  /// The names of the files, and the kind of descriptor.
  public enum TileLayout: Hashable, Sendable {
    /// Deep Zoom: `NAME.dzi`, and tiles in `NAME_files/LEVEL/COLUMN_ROW.EXT`. Tiles overlap by this many pixels on each
    /// side.
    case deepZoom(overlap: Int)
    /// Level 0 of the IIIF Image API 3: `NAME/info.json`, and tiles in
    /// `NAME/REGION/SIZE/0/default.EXT`. The identifier is the base, a slash and the name.
    case iiif(base: String)
  }

  /// The names of the files.
  public let layout: TileLayout
  /// The side of tiles in pixels, without their overlap.
  public let tileSize: Int

  /// The sides that tiles can have, in pixels.
  public static let tileSizes = 16...8192

  /// A pyramid in Deep Zoom.
  ///
  /// - Parameters:
  ///   - tileSize: The side of tiles in pixels, without their overlap; clamped to ``tileSizes``.
  ///   - overlap: Pixels that tiles share with each neighbor, from 0; less than `tileSize`.
  /// - Returns: The pyramid.
  public static func deepZoom(tileSize: Int = 254, overlap: Int = 1) -> PagePyramid {
    let tileSize = held(tileSize)
    return PagePyramid(
      layout: .deepZoom(overlap: min(max(0, overlap), tileSize - 1)),
      tileSize: tileSize
    )
  }

  /// A pyramid for the IIIF Image API.
  ///
  /// - Parameters:
  ///   - base: The base URI of the pages' identifiers.
  ///   - tileSize: The side of tiles in pixels; clamped to ``tileSizes``.
  /// - Returns: The pyramid.
  public static func iiif(base: String, tileSize: Int = 512) -> PagePyramid {
    PagePyramid(layout: .iiif(base: base), tileSize: held(tileSize))
  }

  /// The extension of descriptors with their own name.
  static let fileExtension = "dzi"

  /// The most bytes that are added to the name of a page.
  static let longestSuffix = tilesSuffix.utf8.count

  /// The suffix of a page's name in the name of its tile directory.
  static let tilesSuffix = "_files"

  /// The most pixels of a page, which is drawn as a whole.
  static let mostPixels = 100_000_000

  private static func held(_ side: Int) -> Int {
    min(max(side, tileSizes.lowerBound), tileSizes.upperBound)
  }

  private init(layout: TileLayout, tileSize: Int) {
    self.layout = layout
    self.tileSize = tileSize
  }
}
