import DocumentModel
import RectoBase
import RectoGeometry
import RectoTiles
import SystemPackage

private let side = 512

/// The key of tile number `number` of a drawing of one document.
private func key(_ drawing: CacheKey, _ number: Int) -> CachedTileKey {
  let raster = PageRaster(
    pageIndex: PageIndex(number / 20),
    scale: 2,
    rotation: .none,
    userUnit: 1,
    size: PixelSize(width: 2048, height: 2560)
  )
  let part = PixelRect(x: number % 4 * side, y: number % 20 / 4 * side, width: side, height: side)
  return CachedTileKey(document: drawing, drawing: drawing, raster: raster, part: part)
}

/// Benchmarks of the tile cache, whose files lie in `folder` until the caller removes it.
func cacheBenchmarks(in folder: String) throws -> [Benchmark] {
  let cache = TileCache(CacheDirectory(root: FilePath(folder)))
  let file = FileIdentity(
    device: 1,
    inode: 2,
    size: 54_415_017,
    modifiedSeconds: 1_700_000_000,
    modifiedNanoseconds: 0,
    changedSeconds: 1_700_000_000,
    changedNanoseconds: 0
  )
  let drawing = CacheKey.drawing(
    of: .document(file, password: nil),
    program: .program(file),
    engine: "poppler cairo"
  )
  let keys = (0..<200).map { key(drawing, $0) }
  let tile = try tileOfText()
  for key in keys { try cache.store([(key, tile)]) }
  return [
    Benchmark("the cache key of a tile is made", operations: 200) {
      {
        for number in 0..<200 { consume(key(drawing, number)) }
      }
    },
    Benchmark("a tile is found in the cache, read and checked", operations: 200) {
      {
        for key in keys { consume(cache.tiles([key])) }
      }
    },
    Benchmark("a tile is not in the cache", operations: 200) {
      let missing = (1000..<1200).map { key(drawing, $0) }
      return {
        for key in missing { consume(cache.tiles([key])) }
      }
    },
    Benchmark("a tile is written into the cache", operations: 50) {
      // One that is there already is not written again.
      var count = 0
      return {
        for key in keys.prefix(50) {
          count += 1
          try cache.store([(key, tile + withUnsafeBytes(of: count, Array.init))])
        }
      }
    },
  ]
}
