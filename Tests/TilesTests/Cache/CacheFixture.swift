import DocumentModel
import Foundation
import RectoBase
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RectoTiles

/// A cache in a folder of its own, and tiles to put into it.
struct CacheFixture {
  let folder: TemporaryFolder
  let size = PixelSize(width: 64, height: 64)

  init() throws { folder = try TemporaryFolder() }

  /// The cache as another process sees it: with nothing that was learned about it.
  func cache(limit: Int? = nil, age: Int? = nil) -> CacheDirectory {
    CacheDirectory(root: FilePath(folder.path("cache")), limits: CacheLimits(size: limit, age: age))
  }

  /// The key of a document.
  func document(_ number: Int = 0) -> CacheKey {
    let file = FileIdentity(
      device: 1,
      inode: number,
      size: 3,
      modifiedSeconds: 4,
      modifiedNanoseconds: 5,
      changedSeconds: 6,
      changedNanoseconds: 7
    )
    return .document(file, password: nil)
  }

  /// The name of a tile of a document: each number is a page of its own.
  func key(_ number: Int, document: Int = 0, width: Int = 64) -> CachedTileKey {
    let raster = PageRaster(
      pageIndex: PageIndex(number),
      scale: 2,
      rotation: .none,
      userUnit: 1,
      size: size
    )
    return CachedTileKey(
      document: self.document(document),
      drawing: .drawing(of: self.document(document), program: nil, engine: "x"),
      raster: raster,
      part: PixelRect(x: 0, y: 0, width: width, height: 64)
    )
  }

  /// Bytes that only the picture of a number has.
  func picture(_ number: Int, count: Int = 3000) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(number))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The bytes of a tile in a cache.
  func tile(_ number: Int, document: Int = 0, in cache: CacheDirectory) -> [UInt8]? {
    TileCache(cache).tiles([key(number, document: document)])[0]?.bytes
  }

  /// The only file whose path contains a text.
  func file(_ text: String) throws -> URL {
    let files = folder.files.filter { $0.contains(text) }
    try #require(files.count == 1, "\(files)")
    return folder.url.appending(path: files[0])
  }

  /// Makes a file look as if its last use had been some seconds earlier.
  func age(_ file: URL, by seconds: Double) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    let used = try #require(attributes[.modificationDate] as? Date)
    try FileManager.default.setAttributes(
      [.modificationDate: used.addingTimeInterval(-seconds)],
      ofItemAtPath: file.path
    )
  }
}

extension CacheDirectory {
  /// The bytes of all entries, in whole blocks, as the counters have them.
  func countedBytes() throws -> Int {
    try usage.shards(at: currentTime()).reduce(0) { $0 + $1.bytes }
  }
}
