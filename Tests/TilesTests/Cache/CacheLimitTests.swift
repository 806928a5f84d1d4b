import DocumentModel
import Foundation
import Glibc
import RectoBase
import RectoGeometry
import RectoTiles
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A cache stays within its limits, and its counters tell what is there.
@Suite struct CacheLimitTests {
  private let fixture: CacheFixture

  init() throws { fixture = try CacheFixture() }

  /// Makes everything in the cache look as if its last use had been some seconds earlier.
  private func age(_ text: String = "/", by seconds: Double) throws {
    for name in fixture.folder.files where name.contains("/v2/") && name.contains(text) {
      try fixture.age(fixture.folder.url.appending(path: name), by: seconds)
    }
  }

  /// Bytes in whole blocks of all entries.
  private func bytes() -> Int {
    let entries = fixture.folder.files.filter { $0.contains("/v2/") && !$0.hasSuffix("/usage") }
    return entries.reduce(0) { total, name in
      var status = stat()
      guard lstat(fixture.folder.path(name), &status) == 0 else { return total }
      return total + (Int(status.st_size) + 4095) / 4096 * 4096
    }
  }

  @Test func `what is counted is what is there, after every kind of change`() throws {
    var generator = SeededGenerator(seed: 15)
    for step in 0..<160 {
      let number = Int.random(in: 0..<60, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: _ = fixture.tile(number, in: fixture.cache())
      case 1:
        let record = DocumentRecord(fixture.document(number), in: fixture.cache())
        try record.store(DocumentInfo(pageCount: step))
      case 2:
        _ = try fixture.cache(limit: Int.random(in: 50_000...200_000, using: &generator)).trim()
      case 3: try fixture.cache().clear([fixture.document(number % 3)])
      default:
        try TileCache(fixture.cache()).store([
          (
            fixture.key(number, document: number % 3),
            fixture.picture(number, count: number * 200)
          )
        ])
      }
      if step % 20 == 0 {
        // With nothing to remove, the counters are those that the changes left.
        #expect(try fixture.cache().countedBytes() == bytes(), "step \(step)")
      }
    }
    #expect(fixture.cache().contents().bytes == bytes())
  }

  @Test func `a writer keeps the limit, and the most recently used stay`() throws {
    let limit = 75_000
    let cache = fixture.cache(limit: limit)
    // Each write is an hour after the one before, as far as entries tell.
    for number in 0..<30 {
      try age(by: 3600)
      // Lists every shard, so that the counters know how old entries have become.
      _ = try cache.verify()
      try TileCache(cache).store([(fixture.key(number), fixture.picture(number))])
      #expect(bytes() <= limit + 3 * 4096, "\(number)")
    }
    #expect(bytes() > limit * 6 / 10)
    for number in 25..<30 { #expect(fixture.tile(number, in: cache) == fixture.picture(number)) }
    #expect(fixture.tile(0, in: cache) == nil)
  }

  @Test func `what was used in the last seconds stays, up to a burst`() throws {
    let cache = fixture.cache(limit: 10_000)
    for number in 0..<50 {
      try TileCache(cache).store([(fixture.key(number), fixture.picture(number))])
    }
    for number in 0..<50 { #expect(fixture.tile(number, in: cache) != nil) }
    try age(by: 60)
    _ = try cache.verify()
    try TileCache(cache).store([(fixture.key(50), fixture.picture(50))])
    #expect(bytes() <= 10_000 + 3 * 4096)
  }

  @Test func `an entry that was used stays longer than those that were not`() throws {
    for number in 0..<40 {
      try TileCache(fixture.cache()).store([(fixture.key(number), fixture.picture(number))])
    }
    try age(by: 4000)
    #expect(fixture.tile(3, in: fixture.cache()) != nil)
    _ = try fixture.cache(limit: 60_000).trim()
    #expect(bytes() <= 60_000)
    #expect(fixture.tile(3, in: fixture.cache()) == fixture.picture(3))
  }

  @Test func `entries that were not used for the age go, with the next that is stored`() throws {
    for number in 0..<40 {
      try TileCache(fixture.cache()).store([(fixture.key(number), fixture.picture(number))])
    }
    try age(by: 10 * 86_400)
    let cache = fixture.cache(age: 86_400)
    // Counters know since when entries are there, and not that they were made older.
    #expect(try cache.trim() > 0)
    #expect(bytes() == 0)
  }

  @Test func `trim goes down to the limit and no further than an entry`() throws {
    for number in 0..<60 {
      try TileCache(fixture.cache()).store([(fixture.key(number), fixture.picture(number))])
    }
    let before = bytes()
    for limit in [before, before - 1, before / 2, 5000, 0] {
      let removed = try fixture.cache(limit: limit).trim()
      #expect(bytes() <= limit)
      #expect(bytes() > limit - 3 * 4096 || limit == 0)
      #expect(removed >= 0)
      #expect(try fixture.cache().countedBytes() == bytes())
    }
  }

  @Test func `counters that are lost or wrong are corrected`() throws {
    for number in 0..<60 {
      try TileCache(fixture.cache()).store([(fixture.key(number), fixture.picture(number))])
    }
    let usage = try fixture.file("/usage")
    let good = try Data(contentsOf: usage)
    var generator = SeededGenerator(seed: 3)
    for round in 0..<20 {
      var bad = good
      switch round % 4 {
      case 0: bad = bad.prefix(Int.random(in: 0..<bad.count, using: &generator))
      case 1: bad = Data(bad.map { _ in UInt8.random(in: 0...255, using: &generator) })
      case 2: bad[Int.random(in: 0..<bad.count, using: &generator)] ^= 4
      default: bad += bad
      }
      try bad.write(to: usage)
      try TileCache(fixture.cache()).store([(fixture.key(round), fixture.picture(round + 100))])
      _ = try fixture.cache().verify()
      #expect(try fixture.cache().countedBytes() == bytes())
    }
  }

  @Test func `many writers of one cache lose no count`() throws {
    DispatchQueue.concurrentPerform(iterations: 8) { writer in
      let cache = TileCache(fixture.cache())
      for number in 0..<40 {
        let key = fixture.key(writer * 1000 + number)
        // Every tile has a table of its own; two writers never count the same file.
        _ = try? cache.store([(key, fixture.picture(writer * 1000 + number))])
      }
    }
    // What writers had no turn to note is noted with the next change of the shard; never less is counted.
    let counted = try fixture.cache().countedBytes()
    #expect(counted <= bytes() + 8 * 64 * 4096)
    #expect(Double(counted) >= Double(bytes()) * 0.9)
    _ = try fixture.cache().verify()
    #expect(try fixture.cache().countedBytes() == bytes())
  }

  @Test func `readers find the right bytes or none while writers and cleaners work`() throws {
    let wrong = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { worker in
      let cache = fixture.cache(limit: worker == 0 ? 20_000 : 100_000)
      for round in 0..<90 {
        let number = (worker * 31 + round * 7) % 50
        do {
          switch worker {
          case 0: if round % 10 == 0 { _ = try cache.trim() }
          case 1: if round % 30 == 0 { try cache.clear() }
          case 2: if round % 20 == 0 { _ = try cache.verify() }
          default:
            if let tile = fixture.tile(number, in: cache) {
              if tile != fixture.picture(number) { wrong.withLock { $0.append("tile \(number)") } }
            } else {
              try TileCache(cache).store([(fixture.key(number), fixture.picture(number))])
            }
          }
        } catch {
          wrong.withLock { $0.append("\(worker): \(error)") }
        }
      }
    }
    #expect(wrong.withLock { $0 } == [])
    #expect(try fixture.cache().verify().damaged == [])
  }

  @Test func `lookups are counted`() throws {
    try TileCache(fixture.cache()).store([(fixture.key(1), fixture.picture(1))])
    for _ in 0..<3 { #expect(fixture.tile(1, in: fixture.cache()) != nil) }
    for _ in 0..<2 { #expect(fixture.tile(2, in: fixture.cache()) == nil) }
    let lookups = fixture.cache().contents().lookups
    #expect(lookups.hits == 3 && lookups.misses == 2)
    try fixture.cache().clear()
    let cleared = fixture.cache().contents().lookups
    #expect(cleared.hits == 0 && cleared.misses == 0)
  }

  @Test func `verify finds every damaged and every foreign entry, and repairs tables`() throws {
    for number in 0..<3 {
      try TileCache(fixture.cache()).store([(fixture.key(number), fixture.picture(number))])
    }
    let record = DocumentRecord(fixture.document(), in: fixture.cache())
    try record.store(DocumentInfo(pageCount: 3))
    let first = try fixture.cache().verify()
    #expect(first.checked == 5 && first.damaged == [])
    let pictures = fixture.folder.files.filter { $0.contains("/pictures/") }
    for name in [pictures[0], try fixture.file("/tables/").path, try fixture.file("/facts").path] {
      let url = name.hasPrefix("/") ? URL(filePath: name) : fixture.folder.url.appending(path: name)
      var data = try Data(contentsOf: url)
      data[data.count / 2] ^= 1
      try data.write(to: url)
    }
    let foreign = fixture.folder.path(pictures[1]).replacing(".png", with: ".txt")
    try Data("foreign".utf8).write(to: URL(filePath: foreign))
    #expect(try fixture.cache().verify().damaged.count == 4)
    #expect(try fixture.cache().verify().damaged == [])
    let left = (0..<3).compactMap { fixture.tile($0, in: fixture.cache()) }
    #expect(!left.isEmpty && left.count < 3, "good rows of a damaged table stay")
  }
}
