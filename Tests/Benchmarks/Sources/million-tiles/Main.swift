import DocumentModel
import Glibc
import RectoBase
import RectoGeometry
import RectoTiles
import SystemPackage

/// Stores tiles in a cache, or looks for them at random: `million-tiles store|find FOLDER TILES`.
///
/// `find` reads for ten seconds and prints percentiles of the time of a hit in microseconds. Tiles that
/// another process has removed meanwhile are misses, and counted apart.
@main struct Main {
  private static let tilesOfPage = 20
  private static let side = 512
  private static let length = 600
  private static let seconds = 10

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[3]), count > 0 else {
      print("usage: million-tiles store|find FOLDER TILES")
      exit(64)
    }
    let limits = CacheLimits(size: nil, age: nil)
    let start = now()
    let directory = CacheDirectory(root: FilePath(arguments[2]), limits: limits)
    let cache = TileCache(directory)
    switch arguments[1] {
    case "store": try store(count, in: cache)
    default: find(count, in: cache, since: start)
    }
  }

  private static func store(_ count: Int, in cache: TileCache) throws {
    let start = now()
    for first in stride(from: 0, to: count, by: tilesOfPage) {
      try cache.store((first..<min(count, first + tilesOfPage)).map { (key($0), picture($0)) })
    }
    print("stored \(count) tiles, µs a tile: \(Double(now() - start) / 1000 / Double(count))")
  }

  private static func find(_ count: Int, in cache: TileCache, since start: Int) {
    var random = SystemRandomNumberGenerator()
    var hits: [Int] = []
    var misses: [Int] = []
    let first = cache.tiles([key(Int.random(in: 0..<count, using: &random))])
    print("opened, and looked for a tile, µs: \((now() - start) / 1000), found: \(first[0] != nil)")
    let end = now() + seconds * 1_000_000_000
    while now() < end {
      let number = Int.random(in: 0..<count, using: &random)
      let key = key(number)
      let start = now()
      let found = cache.tiles([key])[0]
      let time = now() - start
      guard let found else {
        misses.append(time)
        continue
      }
      hits.append(time)
      guard found.bytes == picture(number) else {
        print("tile \(number) is wrong")
        exit(1)
      }
    }
    report("hits", hits)
    report("misses", misses)
  }

  private static func report(_ name: String, _ times: [Int]) {
    let sorted = times.sorted()
    func percentile(_ part: Double) -> Double {
      sorted.isEmpty ? 0 : Double(sorted[Int(Double(sorted.count - 1) * part)]) / 1000
    }
    print(
      "\(name): \(sorted.count); µs: median \(percentile(0.5)), 99 % \(percentile(0.99)),",
      "99.9 % \(percentile(0.999)), largest \(percentile(1))"
    )
  }

  /// The key of a tile of one document.
  private static func key(_ number: Int) -> CachedTileKey {
    let raster = PageRaster(
      pageIndex: PageIndex(number / tilesOfPage),
      scale: 2,
      rotation: .none,
      userUnit: 1,
      size: PixelSize(width: 2048, height: 2560)
    )
    let part = PixelRect(
      x: number % 4 * side,
      y: number % tilesOfPage / 4 * side,
      width: side,
      height: side
    )
    return CachedTileKey(document: document, drawing: drawing, raster: raster, part: part)
  }

  private static let file = FileIdentity(
    device: 1,
    inode: 2,
    size: 3,
    modifiedSeconds: 4,
    modifiedNanoseconds: 5,
    changedSeconds: 6,
    changedNanoseconds: 7
  )
  private static let document = CacheKey.document(file, password: nil)
  private static let drawing = CacheKey.drawing(of: document, program: nil, engine: "none")

  /// Bytes that no other tile has.
  private static func picture(_ number: Int) -> [UInt8] {
    var state = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
    return (0..<length).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
