public import RectoGeometry

/// The position of a tile in its page: column and row, from 0 at the top left.
public struct TileIndex: Hashable, Sendable {
  /// Counts rightwards.
  public var column: Int
  /// Counts downwards.
  public var row: Int

  /// An index from its two numbers.
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A page cut into squares of pixels; the last column and row are cut off at the page's edge.
public struct TileGrid: Hashable, Sendable {
  /// The whole page in pixels.
  public let page: PixelSize
  /// The side of a tile in pixels.
  public let tileSide: Int

  /// A grid; `tileSide` below 1 counts as 1.
  public init(page: PixelSize, tileSide: Int) {
    self.page = page
    self.tileSide = max(1, tileSide)
  }

  /// The number of columns.
  public var columns: Int { Self.count(page.width, tileSide) }
  /// The number of rows.
  public var rows: Int { Self.count(page.height, tileSide) }

  /// The pixels of a tile, counted from the page's top left.
  public func rect(of tile: TileIndex) -> PixelRect {
    let x = tile.column * tileSide
    let y = tile.row * tileSide
    return PixelRect(
      x: x,
      y: y,
      width: min(tileSide, page.width - x),
      height: min(tileSide, page.height - y)
    )
  }

  /// The tiles that share a pixel with `rect`, row after row.
  ///
  /// - Complexity: O(*k*) in the number of tiles returned.
  public func tiles(touching rect: PixelRect) -> [TileIndex] {
    guard let (columns, rows) = span(of: rect) else { return [] }
    return rows.flatMap { row in columns.map { TileIndex(column: $0, row: row) } }
  }

  /// How many tiles share a pixel with `rect`; `Int.max` on overflow.
  public func count(touching rect: PixelRect) -> Int {
    guard let (columns, rows) = span(of: rect) else { return 0 }
    let (count, overflow) = columns.count.multipliedReportingOverflow(by: rows.count)
    return overflow ? .max : count
  }

  private func span(of rect: PixelRect) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    let whole = PixelRect(x: 0, y: 0, width: page.width, height: page.height)
    guard let part = rect.intersection(whole) else { return nil }
    return (
      (part.x / tileSide)...((part.maxX - 1) / tileSide),
      (part.y / tileSide)...((part.maxY - 1) / tileSide)
    )
  }

  private static func count(_ extent: Int, _ side: Int) -> Int {
    extent <= 0 ? 0 : (extent - 1) / side + 1
  }
}
