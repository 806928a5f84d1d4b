public import DocumentModel
public import RectoBase
internal import RectoGeometry
internal import RectoTiles
public import SystemPackage

/// A directory into which tiles are written: `p000297/2x/0_3.png` is column 0, row 3 of page 297 at
/// two pixels a point.
public struct TileFolder: Sendable {
  /// The directory; created when tiles are written.
  public let root: FilePath
  private let input: FileNode
  /// The pixel sizes of the pages written, by folder.
  private var sizes: [FilePath: PixelSize] = [:]

  /// A directory for the tiles of one document.
  ///
  /// - Parameters:
  ///   - root: The path of the directory; it is created when the first tile is written.
  ///   - input: The document, which is not overwritten (``Document/identity``).
  public init(_ root: FilePath, sparing input: FileNode) {
    self.root = root
    self.input = input
  }

  /// Writes the tiles of pages, and returns the path of each tile by page; none for a page that
  /// failed.
  ///
  /// - Parameter pages: As ``DocumentLayout/tiles(of:in:scale:tileSide:progress:)`` returns them.
  /// - Returns: The paths, one array for each page.
  /// - Throws: The error of the file or directory that cannot be written. Tiles that were already
  ///   written are kept.
  public mutating func write(
    _ pages: [Result<PageTiles, DocumentError>]
  ) throws(FileError) -> [[FilePath]] {
    try Files.createDirectory(root)
    var paths: [[FilePath]] = []
    for page in pages {
      if case .success(let tiles) = page {
        paths.append(try write(tiles))
      } else {
        paths.append([])
      }
    }
    return paths
  }

  /// Writes the tiles of one page, and returns their paths.
  ///
  /// - Throws: The error of the file or directory that cannot be written.
  private mutating func write(_ page: PageTiles) throws(FileError) -> [FilePath] {
    guard !page.tiles.isEmpty else { return [] }
    let folder = folder(for: page.raster)
    try Files.createDirectory(folder)
    var paths: [FilePath] = []
    for tile in page.tiles {
      let path = folder.appending("\(tile.index.column)_\(tile.index.row).png")
      try Files.writeOutput(tile.picture.bytes, to: path, sparing: [input])
      paths.append(path)
    }
    return paths
  }

  /// The folder for the tiles of a page at its scale and rotation.
  private mutating func folder(for raster: PageRaster) -> FilePath {
    let turn = raster.rotation == .none ? "" : "-r\(raster.rotation.degrees)"
    let name = "\(raster.scaleName)\(turn)"
    var folder = root.appending("p\(raster.pageIndex.number(digits: 6))").appending(name)
    let size = raster.size
    // A page that is shown twice may have a pixel more in one place.
    if let other = sizes[folder], other != size {
      folder = folder.removingLastComponent().appending("\(name)-\(size.width)x\(size.height)")
    }
    sizes[folder] = size
    return folder
  }
}

extension PageRaster {
  /// The scale as a name: the shortest decimal that reads back as exactly this number.
  fileprivate var scaleName: String {
    scale == scale.rounded() && scale < 1e6 ? "\(Int(scale))x" : "\(scale)x"
  }
}
