import DocumentModel
import RectoGeometry
import RectoTiles

private let a4 = Size(width: 595.276, height: 841.89)

/// A page below the one before, as a continuous layout places them.
private func page(_ index: PageIndex, scale: Double) -> TileWindow.Page {
  let pixels = PixelSize(
    width: Int((a4.width * scale).rounded(.up)),
    height: Int((a4.height * scale).rounded(.up))
  )
  let raster = PageRaster(
    pageIndex: index,
    scale: scale,
    rotation: .none,
    userUnit: 1,
    size: pixels
  )
  let frame = Rect(
    x: 10,
    y: 10 + Double(index.value) * (a4.height + 10),
    width: a4.width,
    height: a4.height
  )
  return TileWindow.Page(raster: raster, frame: frame, clip: nil)
}

/// Two pages in sight, ten on each side, the viewport moving down.
private func window(scale: Double) -> TileWindow {
  TileWindow(
    pages: [page(100, scale: scale), page(101, scale: scale)],
    neighbors: (Range(indices: 90..<100).reversed() + Range(indices: 102..<112)).map {
      page($0, scale: scale)
    },
    viewport: Rect(x: 0, y: 10 + 100.4 * (a4.height + 10), width: 1280, height: 800),
    scale: scale,
    tileSide: 512,
    velocity: Point(x: 0, y: 1600)
  )
}

func queueBenchmarks() -> [Benchmark] {
  [
    Benchmark("the tiles that a moving window wants are put in order", operations: 20) {
      let moving = window(scale: 2)
      let order = TileOrder()
      return {
        for _ in 0..<20 { consume(order.tiles(for: moving)) }
      }
    },
    Benchmark("the tiles of a window at eight pixels a point are put in order", operations: 5) {
      let moving = window(scale: 8)
      let order = TileOrder()
      return {
        for _ in 0..<5 { consume(order.tiles(for: moving)) }
      }
    },
  ]
}
