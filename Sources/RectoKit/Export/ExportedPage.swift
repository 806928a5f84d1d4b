public import DocumentModel
public import RectoGeometry
public import RectoTiles
public import SystemPackage

/// The picture of a page that was written, or the error of one or more consecutive pages.
public struct ExportedPage: Sendable {
  /// The page; a range only for pages that the document does not have, which may be too many for a list.
  public var pages: Range<PageIndex>
  /// The label of the page; nil for pages that could not be measured.
  public var label: String?
  /// The file, or why there is none; the largest file if there are several sizes.
  public var result: Result<PageFile, DocumentError>
  /// The files of the other sizes, the largest first.
  public var smaller: [PageFile] = []

  /// A page from its parts.
  ///
  /// - Parameters:
  ///   - pages: The page, or consecutive pages that failed alike.
  ///   - result: The file, or why there is none.
  package init(
    _ pages: Range<PageIndex>,
    label: String? = nil,
    _ result: Result<PageFile, DocumentError>
  ) {
    self.pages = pages
    self.label = label
    self.result = result
  }
}

/// A picture of a page in a file.
public struct PageFile: Hashable, Sendable {
  /// The path of the file.
  public var file: FilePath
  /// The requested length of the longer side in pixels, if there are several sizes; the picture can be one pixel
  /// shorter. Nil for one size.
  public var longestSide: Int?
  /// The size of the picture.
  public var size: PixelSize
  /// The size of the file in bytes; for a pyramid, of all files.
  public var byteCount: Int
  /// Whether the picture was drawn or found in the cache.
  public var source: Tile.Source
  /// The engine's warnings; empty for pictures from the cache.
  public var warnings: Warnings
  /// The number of tiles of a pyramid, of which ``file`` is the descriptor; nil for a single picture.
  public var tileCount: Int?
  /// The contents, if they are in no file; ``file`` is empty then.
  package var data: [UInt8]?
}

extension PageFile: BriefValue {
  /// The path, the size in pixels, and the bytes.
  public var description: String { "\(file), \(size), \(byteCount) bytes" }
}
