import DocumentModel
import RectoGeometry
import Testing

@testable import RectoTiles

@Suite struct TileOrderTests {
  private func keys(_ urgency: TileUrgency, _ tiles: [PlannedTile]) -> [TileKey] {
    tiles.filter { $0.urgency == urgency }.map(\.key)
  }

  private func frame(_ key: TileKey) -> Rect {
    key.frame(in: QueueFixture.page(key.raster.pageIndex).frame, scale: 1)
  }

  static let windows = [
    QueueFixture.window(at: 100, reach: 3),
    QueueFixture.window(at: 128, reach: 3, velocity: 100),
    QueueFixture.window(at: 640, reach: 3, velocity: -250),
    QueueFixture.window(at: 0, height: 200, reach: 9, velocity: 1e9),
    QueueFixture.window(at: 3, height: 5, reach: 1, velocity: -.infinity),
    QueueFixture.window(at: 77, height: 300, velocity: .nan),
  ]

  @Test(arguments: windows) func `classes follow each other and list no tile twice`(
    window: TileWindow
  ) {
    let tiles = TileOrder().tiles(for: window)
    #expect(Set(tiles.map(\.key)).count == tiles.count)
    for (one, next) in zip(tiles, tiles.dropFirst()) { #expect(one.urgency >= next.urgency) }
  }

  @Test(arguments: windows) func `visible are all tiles that share an area with the viewport`(
    window: TileWindow
  ) {
    let expected = (0..<40).flatMap { page in
      (0..<16).map { QueueFixture.key(page, $0 % 4, $0 / 4) }
    }.filter { frame($0).intersects(window.viewport) }
    let visible = keys(.visible, TileOrder().tiles(for: window))
    #expect(Set(visible) == Set(expected))
  }

  @Test
  func
    `tiles of the core come before the other visible ones, which come by their distance from it`()
  {
    var window = QueueFixture.window(at: 640, height: 400, reach: 3)
    let core = Rect(x: window.viewport.minX, y: 900, width: window.viewport.width, height: 100)
    window.core = core
    let visible = keys(.visible, TileOrder().tiles(for: window))
    let gaps = visible.map { key in
      let seen = frame(key).intersection(window.viewport) ?? frame(key)
      return max(0, core.minY - seen.maxY, seen.minY - core.maxY)
    }
    #expect(gaps.first == 0 && gaps.last != 0)
    #expect(gaps == gaps.sorted())
    window.core = nil
    #expect(Set(keys(.visible, TileOrder().tiles(for: window))) == Set(visible))
  }

  @Test(arguments: windows) func `visible tiles come from the center out`(window: TileWindow) {
    let center = window.viewport.center
    let distances = keys(.visible, TileOrder().tiles(for: window)).map { key in
      let seen = frame(key).intersection(window.viewport)?.center ?? .zero
      return (seen.x - center.x) * (seen.x - center.x) + (seen.y - center.y) * (seen.y - center.y)
    }
    #expect(!distances.isEmpty)
    for (one, next) in zip(distances, distances.dropFirst()) { #expect(one <= next + 1e-9) }
  }

  @Test func `margin are the tiles of visible pages around the viewport, nearest first`() {
    // Rows 0…3 of page 2 lie at 128, 144, 160, 176; the viewport shows rows 1 and 2.
    let window = QueueFixture.window(at: 146, height: 20, reach: 2)
    let margin = keys(.margin, TileOrder().tiles(for: window))
    #expect(Set(margin.map(\.tile.row)) == [0, 3])
    #expect(margin.allSatisfy { $0.raster.pageIndex == 2 })
    // Row 0 ends 2 above the viewport, row 3 begins 10 below it.
    #expect(margin.map(\.tile.row) == [0, 0, 0, 0, 3, 3, 3, 3])
  }

  @Test func `prefetch goes where the viewport goes, soonest first`() {
    let down = keys(
      .prefetch,
      TileOrder().tiles(for: QueueFixture.window(at: 640, reach: 5, velocity: 128))
    )
    #expect(down.map(\.raster.pageIndex).allSatisfy { $0 > 10 })
    #expect(down.map { frame($0).minY } == down.map { frame($0).minY }.sorted())
    #expect(down.count == 2 * 16)
    let up = keys(
      .prefetch,
      TileOrder().tiles(for: QueueFixture.window(at: 640, reach: 5, velocity: -64))
    )
    #expect(up.map { frame($0).minY } == up.map { frame($0).minY }.sorted(by: >))
    #expect(up.count == 16)
  }

  @Test func `prefetch reaches farther the faster it goes, up to a limit`() {
    let counts = [0, 32, 64, 128, 256, 1e9, .infinity].map { velocity in
      keys(
        .prefetch,
        TileOrder().tiles(for: QueueFixture.window(at: 640, reach: 20, velocity: velocity))
      )
      .count
    }
    #expect(counts == [0, 8, 16, 32, 64, 128, 128])
  }

  @Test func `idle work lies on both sides, nearest first`() {
    let idle = keys(.idle, TileOrder().tiles(for: QueueFixture.window(at: 640, reach: 5)))
    #expect(Set(idle.map(\.raster.pageIndex)) == [9, 11])
    let distances = idle.map { max(640 - frame($0).maxY, frame($0).minY - 704) }
    #expect(distances == distances.sorted())
  }

  @Test func `what a clip hides is not visible`() {
    var window = QueueFixture.window(at: 0)
    window.pages[0].clip = Rect(x: 0, y: 0, width: 16, height: 64)
    let visible = keys(.visible, TileOrder().tiles(for: window))
    #expect(Set(visible.map(\.tile.column)) == [0])
    #expect(visible.count == 4)
  }

  @Test func `the list is cut off at its end, behind what is most urgent`() {
    let window = QueueFixture.window(at: 640, reach: 5, velocity: 128)
    let all = TileOrder().tiles(for: window)
    #expect(TileOrder(maximumCount: 17).tiles(for: window) == Array(all.prefix(17)))
    #expect(TileOrder(maximumCount: -1).tiles(for: window).isEmpty)
  }

  @Test func `a page with too many tiles is left out`() {
    var window = QueueFixture.window(at: 64, reach: 1)
    let usual = TileOrder().tiles(for: window)
    var vast = QueueFixture.page(7)
    vast.raster.size = PixelSize(width: 1 << 30, height: 1 << 30)
    vast.frame = Rect(x: 0, y: 0, width: 1e9, height: 1e9)
    window.neighbors.append(vast)
    window.viewport.size.width = 1e6
    #expect(TileOrder().tiles(for: window).map(\.key.raster.pageIndex).allSatisfy { $0 < 7 })
    #expect(Set(TileOrder().tiles(for: window)) == Set(usual))
  }

  @Test func `windows without sense want nothing and trap nowhere`() {
    for value in [Double.nan, .infinity, -.infinity, 0, -1, 1e300] {
      var window = QueueFixture.window(at: 64, reach: 2, velocity: value)
      _ = TileOrder().tiles(for: window)
      window.scale = value
      _ = TileOrder().tiles(for: window)
      window = QueueFixture.window(at: 64)
      window.viewport = Rect(x: value, y: value, width: value, height: value)
      _ = TileOrder().tiles(for: window)
      window.tileSide = 0
      _ = TileOrder().tiles(for: window)
    }
  }
}
