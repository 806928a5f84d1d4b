internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageNumbers
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// A directory into which tiles are placed: `p000297/2x/0_3.png` is column 0, row 3 of page 297 at
/// two pixels a point.
struct TileFolder {
  let root: FilePath
  private let input: FileNode
  /// The pixel sizes of the pages written, by folder.
  private var sizes: [FilePath: PixelSize] = [:]

  /// - Parameter input: the document, which must not be written over.
  init(_ root: FilePath, sparing input: FileNode) {
    self.root = root
    self.input = input
  }

  /// Writes the tiles of pages.
  ///
  /// - Returns: The path of each tile, by page; none for a page that failed.
  /// - Throws: A failure if a file or directory cannot be written.
  mutating func save(_ pages: [Result<PageTiles, DocumentError>]) throws(Failure) -> [[FilePath]] {
    var paths: [[FilePath]] = []
    do {
      try Files.createDirectory(root)
      for page in pages {
        guard case .success(let tiles) = page else {
          paths.append([])
          continue
        }
        paths.append(try save(tiles))
      }
    } catch {
      throw Failure(output: error)
    }
    return paths
  }

  /// Writes the tiles of one page, and returns their paths.
  ///
  /// - Throws: The error of the file or directory that cannot be written.
  private mutating func save(_ page: PageTiles) throws(FileError) -> [FilePath] {
    guard !page.tiles.isEmpty else { return [] }
    let number = String(page.raster.pageIndex.number)
    let padding = String(repeating: "0", count: max(0, 6 - number.count))
    let turn = page.raster.rotation == .none ? "" : "-r\(page.raster.rotation.degrees)"
    let name = "\(page.raster.scaleName)\(turn)"
    var folder = root.appending("p\(padding)\(number)").appending(name)
    let size = page.raster.size
    // A page shown in two places may have a pixel more in one of them.
    if let other = sizes[folder], other != size {
      folder = folder.removingLastComponent().appending("\(name)-\(size.width)x\(size.height)")
    }
    sizes[folder] = size
    try Files.createDirectory(folder)
    var paths: [FilePath] = []
    for tile in page.tiles {
      let path = folder.appending("\(tile.index.column)_\(tile.index.row).png")
      try Files.writeOutput(tile.picture.bytes, to: path, sparing: [input])
      paths.append(path)
    }
    return paths
  }
}

extension PageRaster {
  /// The scale as a name: the shortest decimal that reads back as exactly this number.
  fileprivate var scaleName: String {
    scale == scale.rounded() && scale < 1e6 ? "\(Int(scale))x" : "\(scale)x"
  }
}
