internal import DocumentModel
internal import RectoGeometry
internal import RectoTiles

/// The address of a tile: all that its pixels depend on.
///
/// `/tiles/DOCUMENT/VERSION/PAGE/SCALEx/WIDTHxHEIGHT/ROTATION/SIDE/COLUMN_ROW.png`
struct TileAddress: Hashable {
  var document: String
  var version: String
  var page: PageIndex
  var scale: Double
  var size: PixelSize
  var rotation: Rotation
  var side: Int
  var tile: TileIndex

  /// The address of a tile of a document.
  init(document: String, version: String, key: TileKey) {
    self.document = document
    self.version = version
    page = key.raster.pageIndex
    scale = key.raster.scale
    size = key.raster.size
    rotation = key.raster.rotation
    side = key.side
    tile = key.tile
  }

  var path: String {
    "/tiles/\(document)/\(version)/\(page.number)/\(scale)x/\(size.width)x\(size.height)"
      + "/\(rotation.degrees)/\(side)/\(tile.column)_\(tile.row).png"
  }

  /// Reads an address; nil if it is invalid. Each tile has only one address.
  init?(_ path: some StringProtocol) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 10, parts[1] == "tiles", parts[9].hasSuffix(".png"),
      let number = Int(parts[4]), let page = PageIndex(number: number), parts[5].hasSuffix("x"),
      let scale = Double(parts[5].dropLast()), scale > 0, scale.isFinite,
      let size = Self.pair(parts[6], "x"), size.0 >= 1, size.1 >= 1,
      size.0 <= PageRaster.largestSide, size.1 <= PageRaster.largestSide,
      let degrees = Int(parts[7]), let rotation = Rotation(degrees: degrees),
      let side = Int(parts[8]), Self.sides.contains(side),
      let tile = Self.pair(parts[9].dropLast(4), "_"), tile.0 >= 0, tile.1 >= 0
    else { return nil }
    let grid = TileGrid(page: PixelSize(width: size.0, height: size.1), tileSide: side)
    guard tile.0 < grid.columns, tile.1 < grid.rows else { return nil }
    document = String(parts[2])
    version = String(parts[3])
    self.page = page
    self.scale = scale
    self.size = grid.page
    self.rotation = rotation
    self.side = side
    self.tile = TileIndex(column: tile.0, row: tile.1)
    guard self.path == path else { return nil }
  }

  /// Sides of tiles, as for `--tile`.
  private static let sides = 16...8192

  private static func pair(_ text: some StringProtocol, _ separator: Character) -> (Int, Int)? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), let second = Int(parts[1]) else {
      return nil
    }
    return (first, second)
  }
}
