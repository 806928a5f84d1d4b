import RectoGeometry
import RectoTiles
import Testing

@Suite struct TileGridTests {
  @Test func `tiles join to the page exactly`() {
    for (width, height) in [(1, 1), (15, 16), (16, 33), (17, 1), (100, 33), (100, 16)] {
      let grid = TileGrid(page: PixelSize(width: width, height: height), tileSide: 16)
      var covered = [Int](repeating: 0, count: width * height)
      for row in 0..<grid.rows {
        for column in 0..<grid.columns {
          let rect = grid.rect(of: TileIndex(column: column, row: row))
          #expect(!rect.isEmpty)
          for y in rect.y..<rect.maxY {
            for x in rect.x..<rect.maxX { covered[y * width + x] += 1 }
          }
        }
      }
      #expect(covered.allSatisfy { $0 == 1 }, "\(width)×\(height)")
    }
  }

  @Test func `the tiles that touch a rectangle are those that share a pixel with it`() {
    let grid = TileGrid(page: PixelSize(width: 70, height: 50), tileSide: 16)
    let everyTile = (0..<grid.rows).flatMap { row in
      (0..<grid.columns).map { TileIndex(column: $0, row: row) }
    }
    for x in stride(from: -20, to: 90, by: 7) {
      for y in stride(from: -20, to: 70, by: 5) {
        for side in [0, 1, 16, 40] {
          let rect = PixelRect(x: x, y: y, width: side, height: side)
          let expected = everyTile.filter { grid.rect(of: $0).intersection(rect) != nil }
          #expect(grid.tiles(touching: rect) == expected)
          #expect(grid.count(touching: rect) == expected.count)
        }
      }
    }
  }

  @Test func `a page without pixels has no tiles`() {
    let grid = TileGrid(page: PixelSize(width: 0, height: 10), tileSide: 512)
    #expect(grid.columns == 0)
    #expect(grid.tiles(touching: PixelRect(x: 0, y: 0, width: 5, height: 5)).isEmpty)
    #expect(grid.count(touching: PixelRect(x: 0, y: 0, width: 5, height: 5)) == 0)
  }
}
