import DocumentModel
import Foundation
import Glibc
import RectoBase
import RectoGeometry
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// What is stored is found as it was, or not at all.
@Suite struct TileCacheTests {
  private let fixture: CacheFixture

  init() throws { fixture = try CacheFixture() }

  private func store(_ number: Int, document: Int = 0, picture: Int? = nil) throws {
    let key = fixture.key(number, document: document)
    try TileCache(fixture.cache()).store([(key, fixture.picture(picture ?? number))])
  }

  /// What another process finds.
  private func found(_ number: Int, document: Int = 0) -> [UInt8]? {
    fixture.tile(number, document: document, in: fixture.cache())
  }

  @Test func `what was stored is found again, at the path of a file with its bytes`() throws {
    let cache = TileCache(fixture.cache())
    #expect(found(1) == nil)
    let keys = [fixture.key(1), fixture.key(2), fixture.key(40)]
    let pictures = [1, 2, 40].map { fixture.picture($0) }
    let paths = try cache.store(zip(keys, pictures).map { ($0, $1) })
    let tiles = cache.tiles(keys)
    #expect(tiles.map { $0?.bytes } == pictures)
    #expect(tiles.map { $0?.path } == paths)
    for (path, picture) in zip(paths, pictures) {
      #expect(try Data(contentsOf: URL(filePath: path.string)) == Data(picture))
      #expect(path.extension == "png")
    }
  }

  @Test func `a picture is named by its SHA-256`() throws {
    try store(1)
    let file = try fixture.file("/pictures/")
    let sum = try Program.run(URL(filePath: "/usr/bin/sha256sum"), [file.path]).text
    #expect(sum.prefix(32) == file.deletingPathExtension().lastPathComponent)
  }

  @Test func `tiles that look the same share a file, whatever document they are of`() throws {
    for number in 0..<20 { try store(number, document: number % 2, picture: 7) }
    #expect(fixture.folder.files.count { $0.contains("/pictures/") } == 1)
    for number in 0..<20 { #expect(found(number, document: number % 2) == fixture.picture(7)) }
    let contents = fixture.cache().contents()
    #expect(contents.tiles == 20 && contents.pictures == 1 && contents.tileBytes == 3000)
    #expect(contents.byDocument.map(\.tiles) == [10, 10])
  }

  @Test func `the small pages of a document share a table`() throws {
    for number in 0..<32 { try store(number) }
    #expect(fixture.folder.files.count { $0.contains("/tables/") } == 2)
    for number in 0..<32 { #expect(found(number) == fixture.picture(number)) }
  }

  @Test func `the same tile stored again adds nothing`() throws {
    try store(1)
    let table = try Data(contentsOf: fixture.file("/tables/"))
    try store(1)
    #expect(try Data(contentsOf: fixture.file("/tables/")) == table)
    try store(1, picture: 2)
    #expect(found(1) == fixture.picture(2), "the last one counts")
  }

  @Test func `a picture with any damage is a miss, is removed and comes back`() throws {
    try store(1)
    let path = try fixture.file("/pictures/")
    let whole = Data(fixture.picture(1))
    var damages: [Data] = [0, 1, 1500, 2999].map { whole.prefix($0) }
    damages.append(whole + [0])
    for position in stride(from: 0, to: whole.count, by: 97) {
      var changed = whole
      changed[position] ^= 0x10
      damages.append(changed)
    }
    damages.append(Data(fixture.picture(2)))
    for damage in damages {
      try damage.write(to: path)
      #expect(found(1) == nil)
      #expect(!FileManager.default.fileExists(atPath: path.path))
      try store(1)
      #expect(found(1) == fixture.picture(1))
    }
  }

  @Test func `a table with any byte changed serves what was stored, or nothing`() throws {
    try store(1)
    try store(2)
    let path = try fixture.file("/tables/")
    let whole = try Data(contentsOf: path)
    for position in whole.indices {
      var changed = whole
      changed[position] ^= 0x40
      try changed.write(to: path)
      let tiles = [found(1), found(2)]
      #expect(tiles[0] == nil || tiles[0] == fixture.picture(1))
      #expect(tiles[1] == nil || tiles[1] == fixture.picture(2))
      #expect(position < 64 || tiles.contains(nil), "byte \(position)")
    }
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: path)
      for number in [1, 2] {
        let tile = found(number)
        #expect(tile == nil || tile == fixture.picture(number))
      }
      // What is stored behind a row that is cut off is found.
      try store(3)
      #expect(found(3) == fixture.picture(3), "\(length) bytes")
    }
  }

  @Test func `tables and pictures of other documents are not taken for their own`() throws {
    try store(1, document: 0)
    try store(1, document: 1, picture: 2)
    for folder in ["/tables/", "/pictures/"] {
      let files = fixture.folder.files.filter { $0.contains(folder) }
        .map { fixture.folder.url.appending(path: $0) }
      let contents = try files.map { try Data(contentsOf: $0) }
      try contents[1].write(to: files[0])
      try contents[0].write(to: files[1])
      #expect(found(1, document: 0) == nil)
      #expect(found(1, document: 1) == nil)
      try store(1, document: 0)
      try store(1, document: 1, picture: 2)
      #expect(found(1, document: 0) == fixture.picture(1))
      #expect(found(1, document: 1) == fixture.picture(2))
    }
  }

  /// Puts something else in the place of a file.
  private static let replacements: [(name: String, replace: @Sendable (URL, URL) throws -> Void)] =
    [
      ("link", { try FileManager.default.createSymbolicLink(at: $0, withDestinationURL: $1) }),
      (
        "link to a directory",
        {
          try FileManager.default.createSymbolicLink(
            at: $0,
            withDestinationURL: $1.deletingLastPathComponent()
          )
        }
      ),
      ("FIFO", { path, _ in try #require(mkfifo(path.path, 0o600) == 0) }),
      (
        "directory",
        { path, _ in
          let inside = path.appending(path: "inside")
          try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
        }
      ),
      (
        "sparse file",
        { path, _ in
          try Data().write(to: path)
          try FileHandle(forWritingTo: path).truncate(atOffset: 500_000_000)
        }
      ),
      ("foreign file", { path, _ in try Data("something else".utf8).write(to: path) }),
    ]

  @Test(arguments: replacements.indices, ["/pictures/", "/tables/", "/usage"])
  func `something else in place of a file is a miss and is replaced`(
    replacement: Int,
    place: String
  ) throws {
    let outside = fixture.folder.url.appending(path: "outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    let precious = outside.appending(path: "precious")
    try Data("precious".utf8).write(to: precious)
    try store(1)
    let path = try fixture.file(place)
    try FileManager.default.removeItem(at: path)
    try Self.replacements[replacement].replace(path, precious)
    if place != "/usage" { #expect(found(1) == nil) }
    try store(1)
    try store(2)
    #expect(found(1) == fixture.picture(1))
    #expect(found(2) == fixture.picture(2))
    #expect(try fixture.cache(limit: 0).trim() > 0)
    #expect(try Data(contentsOf: precious) == Data("precious".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["precious"])
  }

  @Test func `a table that has grown too long keeps its newest half`() throws {
    let cache = TileCache(fixture.cache())
    let count = (1 << 20) / 64
    let picture = fixture.picture(1, count: 10)
    for start in stride(from: 0, to: count + 4096, by: 4096) {
      try cache.store((start..<(start + 4096)).map { (fixture.key(1, width: $0 + 1), picture) })
    }
    let table = try Data(contentsOf: fixture.file("/tables/"))
    #expect(table.count <= 1 << 20)
    let first = cache.tiles([fixture.key(1, width: 1)])
    #expect(first[0] == nil)
    let last = cache.tiles([fixture.key(1, width: count)])
    #expect(last[0]?.bytes == picture)
  }

  @Test func `the cache is the owner's alone and says that it is one`() throws {
    try store(1)
    for name in fixture.folder.files where !name.hasSuffix("precious") {
      let path = fixture.folder.path(name)
      #expect(
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600
      )
    }
    let tag = try String(contentsOfFile: fixture.folder.path("cache/CACHEDIR.TAG"), encoding: .utf8)
    #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
  }

  @Test func `clearing removes what is ours and nothing else`() throws {
    try store(1)
    try Data("mine".utf8).write(to: fixture.folder.url.appending(path: "cache/notes.txt"))
    try fixture.cache().clear()
    #expect(fixture.folder.files == ["cache/notes.txt"])
    let contents = fixture.cache().contents()
    #expect(contents.tiles == 0 && contents.bytes == 0 && contents.byDocument == [])
    try fixture.cache().clear()
  }

  @Test func `clearing a document leaves what others have, and pictures that both have`() throws {
    for document in 0..<2 {
      try store(1, document: document, picture: 1)
      try store(2, document: document, picture: 2 + document)
      let record = DocumentRecord(fixture.document(document), in: fixture.cache())
      try record.store(DocumentInfo(pageCount: 3))
    }
    let secret = DocumentRecord(
      fixture.document(7),
      of: fixture.document(0),
      in: fixture.cache()
    )
    try secret.store(DocumentInfo(pageCount: 5))
    try fixture.cache().clear([fixture.document(0)])
    #expect(found(1) == nil && found(2) == nil)
    #expect(found(1, document: 1) == fixture.picture(1))
    #expect(found(2, document: 1) == fixture.picture(3))
    let contents = fixture.cache().contents()
    #expect(contents.documents == 1 && contents.pictures == 2)
    #expect(DocumentRecord(fixture.document(1), in: fixture.cache()).info()?.pageCount == 3)
  }

  @Test func `entries of the first format go as the second one is used`() throws {
    for shard in 0..<256 {
      for kind in ["tiles", "documents"] {
        let name = "cache/v1/\(kind)/\(String(format: "%02x", shard))"
        let folder = fixture.folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: folder.appending(path: "old"))
      }
    }
    #expect(chmod(fixture.folder.path("cache"), 0o700) == 0)
    try store(1)
    let left = fixture.folder.files.count { $0.contains("/v1/") }
    #expect(left < 512 && left > 256)
    _ = try fixture.cache().trim()
    #expect(!fixture.folder.files.contains { $0.contains("/v1/") })
    #expect(found(1) == fixture.picture(1))
  }
}
