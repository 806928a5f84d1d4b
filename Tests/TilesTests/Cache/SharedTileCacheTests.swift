import Foundation
import PNGCoding
import RectoGeometry
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import RectoTiles

/// Tiles in a store that anything may have been put into.
@Suite struct SharedTileCacheTests {
  /// A store in memory.
  private final class Store: SharedStore {
    let values = Mutex<[CacheKey: [UInt8]]>([:])
    let failure: String?

    init(failure: String? = nil) { self.failure = failure }

    func get(_ keys: [CacheKey], limits: [Int]) async -> [[UInt8]?] {
      zip(keys, limits).map { key, limit in
        values.withLock { $0[key] }.flatMap { $0.count <= limit ? $0 : nil }
      }
    }

    func put(_ key: CacheKey, _ value: [UInt8]) { values.withLock { $0[key] = value } }
    func finish() async {}
  }

  private let store = Store()
  private let cache: SharedTileCache
  private let keys: [CachedTileKey]
  private let picture: [UInt8]

  init() throws {
    cache = SharedTileCache(store)
    let fixture = try CacheFixture()
    keys = (0..<4).map { fixture.key($0) }
    picture = try Self.tile(side: 64)
  }

  /// A gray square as a worker draws it.
  private static func tile(side: Int) throws -> [UInt8] {
    var encoder = try PNGEncoder()
    let pixels = [UInt32](repeating: 0xFF80_8080, count: side * side)
    let size = PixelSize(width: side, height: side)
    return try encoder.tile(pixels.span.bytes, stride: 4 * side, size: size)
  }

  @Test func `a tile that was put is found by its key alone`() async {
    cache.put([(keys[0], picture), (keys[2], picture)])
    #expect(await cache.tiles(keys) == [picture, nil, picture, nil])
    #expect(cache.takeFailure() == nil)
  }

  @Test func `a value with any changed byte is a miss`() async {
    cache.put([(keys[0], picture)])
    let value = store.values.withLock { $0[keys[0].tile] } ?? []
    #expect(value.count == 64 + picture.count)
    for index in value.indices {
      var changed = value
      changed[index] ^= 1 << UInt8(index % 8)
      store.put(keys[0].tile, changed)
      #expect(await cache.tiles([keys[0]]) == [nil], "byte \(index)")
    }
    for length in 0..<value.count {
      store.put(keys[0].tile, Array(value[..<length]))
      #expect(await cache.tiles([keys[0]]) == [nil], "\(length) bytes")
    }
    store.put(keys[0].tile, value + [0])
    #expect(await cache.tiles([keys[0]]) == [nil])
    store.put(keys[0].tile, value)
    #expect(await cache.tiles([keys[0]]) == [picture])
  }

  @Test func `a whole value of another tile is a miss`() async {
    cache.put([(keys[1], picture)])
    let value = store.values.withLock { $0[keys[1].tile] } ?? []
    store.put(keys[0].tile, value)
    #expect(await cache.tiles([keys[0], keys[1]]) == [nil, picture])
  }

  @Test func `a picture of another size under a right row is a miss`() async throws {
    for other in [try Self.tile(side: 65), Array("no picture".utf8)] {
      store.put(keys[0].tile, TileEnvelope.value(other, of: keys[0]))
      #expect(await cache.tiles([keys[0]]) == [nil])
    }
  }

  @Test func `what went wrong is said once`() async {
    store.put(keys[0].tile, Array(repeating: 1, count: 100))
    store.put(keys[1].tile, Array(repeating: 1, count: 100))
    _ = await cache.tiles(keys)
    #expect(cache.takeFailure() == "2 entries are damaged")
    _ = await cache.tiles(keys)
    #expect(cache.takeFailure() == nil)
    let failing = SharedTileCache(Store(failure: "away"))
    #expect(failing.takeFailure() == "away")
    #expect(failing.takeFailure() == nil)
  }

  @Test func `fonts have one key whatever their order, and another for each name and length`()
    throws
  {
    let folder = try TemporaryFolder()
    let directory = FilePath(folder.url.path)
    func key() -> CacheKey { .fonts(in: [directory], settings: []) }
    func write(_ name: String, _ length: Int) throws {
      let file = folder.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(count: length).write(to: file)
    }
    var seen: Set = [key(), .fonts(in: [directory], settings: ["x"])]
    #expect(seen.count == 2)
    for (name, length) in [("b.ttf", 3), ("a.ttf", 3), ("a.ttf", 4), ("x/a.ttf", 4)] {
      try write(name, length)
      #expect(seen.insert(key()).inserted, "\(name)")
    }
    let before = key()
    try FileManager.default.removeItem(at: folder.url.appending(path: "b.ttf"))
    #expect(key() != before)
    try write("b.ttf", 3)
    #expect(key() == before)
  }
}
