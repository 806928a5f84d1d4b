import Foundation
import RectoTiles
import TestSupport
import Testing

/// Parts of documents on servers in the cache.
@Suite struct PartCacheTests {
  private let fixture: CacheFixture
  private let version = PartCache.Revision(tag: "\"1\"", size: PartCache.partLength + 3000)

  init() throws { fixture = try CacheFixture() }

  private func parts(_ address: String = "https://example.org/a.pdf") -> PartCache {
    PartCache(address: address, in: fixture.cache())
  }

  /// The files of parts.
  private var files: [URL] {
    fixture.folder.files.filter { $0.contains("/parts/") }.map {
      fixture.folder.url.appending(path: $0)
    }
  }

  @Test func `a part is found by its address, version and place only`() throws {
    let (first, last) = (fixture.picture(1, count: PartCache.partLength), fixture.picture(2))
    #expect(parts().version == nil)
    try parts().store([(0, first), (1, last)], of: version)
    #expect(parts().version == version)
    #expect(parts().part(0, of: version).map(Array.init) == first)
    #expect(parts().part(1, of: version).map(Array.init) == last)
    #expect(parts().part(2, of: version) == nil)
    #expect(parts("https://example.org/b.pdf").version == nil)
    #expect(parts("https://example.org/b.pdf").part(0, of: version) == nil)
    let others = [("\"2\"", version.size), (version.tag, version.size + 1)]
    for (tag, size) in others {
      #expect(parts().part(0, of: .init(tag: tag, size: size)) == nil)
    }
    // The part of another length is not that of this version.
    try parts().store([(1, Array(last.dropLast()))], of: version)
    #expect(parts().part(1, of: version) == nil)
  }

  @Test func `a damaged part is none, and verify removes it`() throws {
    try parts().store([(1, fixture.picture(2))], of: version)
    #expect(try fixture.cache().verify().damaged.isEmpty)
    for file in files {
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: file)
    }
    #expect(parts().part(1, of: version) == nil)
    #expect(parts().version == nil)
    #expect(try fixture.cache().verify().damaged.count == 2)
    #expect(files.isEmpty)
  }

  @Test func `parts count against the limit of the cache`() throws {
    let cache = PartCache(address: "https://example.org/a.pdf", in: fixture.cache(limit: 1 << 20))
    let version = PartCache.Revision(tag: "\"1\"", size: 1 << 30)
    let part = fixture.picture(1, count: PartCache.partLength)
    for index in 0..<40 { try cache.store([(index, part)], of: version) }
    #expect(fixture.cache().contents().partBytes > 0)
    #expect(cache.most == 1 << 18)
  }
}
