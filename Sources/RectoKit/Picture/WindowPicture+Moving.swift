public import DocumentModel
internal import PNGCoding
public import PageLayout
internal import RectoGeometry
internal import RectoTiles

extension WindowPicture {
  /// Paints the pages of a transition: the shadows of opaque pages first, then the pages in order. A
  /// page that failed is white paper.
  ///
  /// The picture's window must be that of the transition: its origin at zero.
  /// - Parameter pages: From ``DocumentLayout/tiles(of:at:scale:tileSide:)``.
  /// - Throws: `fault` if a tile is not a PNG written by Recto.
  public mutating func add(_ pages: [MovingPageTiles]) throws(DocumentError) {
    addShadow(of: pages.map(\.page).filter { $0.opacity == 1 })
    for page in pages { try add(page.page, tiles: try? page.tiles.get()) }
  }

  /// Paints a moving page: white paper and its tiles, with its rotation and opacity.
  ///
  /// The picture's window must be that of the transition: its origin at zero.
  /// - Throws: `fault` if a tile is not a PNG written by Recto.
  public mutating func add(_ page: MovingPage, tiles: PageTiles?) throws(DocumentError) {
    if page.remainingAngle == 0, page.opacity == 1 {
      return try add(page.frame, clippedTo: page.clip, tiles: tiles)
    }
    let box = TurnedBox(place(page.box), angle: page.remainingAngle)
    let clip = page.clip.map { place(page.frame.clipped(to: $0)) } ?? box.bounds
    guard let part = box.bounds.intersection(bounds)?.intersection(clip) else { return }
    let source = try Source(tiles, size: box.box.size)
    for y in part.y..<part.maxY {
      for x in part.x..<part.maxX {
        let coverage = box.coverage(ofX: x, y: y) * page.opacity
        guard coverage > 0 else { continue }
        let pixel = source.pixel(at: box.source(ofX: x, y: y))
        pixels[y * size.width + x].blend(pixel, by: coverage)
      }
    }
  }

  /// The available pixels of a page; paper elsewhere.
  private struct Source {
    private var tiles: [(place: PixelRect, picture: PNGPicture)] = []
    private let size: PixelSize
    private let side: Int
    private var byIndex: [TileIndex: Int] = [:]

    init(_ page: PageTiles?, size: PixelSize) throws(DocumentError) {
      self.size = size
      side = page?.tileSide ?? 1
      for tile in page?.tiles ?? [] {
        byIndex[tile.index] = tiles.count
        tiles.append((tile.pixels, try tile.decoded()))
      }
    }

    /// The color at a point, in pixels from the top left, interpolated from the four pixels around
    /// it.
    func pixel(at point: Point) -> UInt32 {
      let (x, y) = (point.x - 0.5, point.y - 0.5)
      let (column, row) = (x.rounded(.down), y.rounded(.down))
      var top = self[Int(column), Int(row)]
      if x == column, y == row { return top }
      top.blend(self[Int(column) + 1, Int(row)], by: x - column)
      var bottom = self[Int(column), Int(row) + 1]
      bottom.blend(self[Int(column) + 1, Int(row) + 1], by: x - column)
      top.blend(bottom, by: y - row)
      return top
    }

    /// A pixel; beyond the edge, the nearest pixel.
    private subscript(_ column: Int, _ row: Int) -> UInt32 {
      let x = min(max(column, 0), size.width - 1)
      let y = min(max(row, 0), size.height - 1)
      let index = TileIndex(column: x / side, row: y / side)
      guard let tile = byIndex[index].map({ tiles[$0] }) else { return 0xFFFF_FFFF }
      let (left, top) = (x - tile.place.x, y - tile.place.y)
      guard left < tile.picture.size.width, top < tile.picture.size.height else {
        return 0xFFFF_FFFF
      }
      return tile.picture.pixels[top * tile.picture.size.width + left]
    }
  }
}

extension UInt32 {
  /// Blends with another opaque 0xAARRGGBB pixel.
  mutating func blend(_ other: UInt32, by share: Double) {
    let part = UInt32((share * 256).rounded())
    func channel(_ shift: UInt32) -> UInt32 {
      let (first, second) = ((self >> shift) & 255, (other >> shift) & 255)
      return ((first * (256 - part) + second * part + 128) >> 8) << shift
    }
    self = 0xFF00_0000 | channel(16) | channel(8) | channel(0)
  }
}
