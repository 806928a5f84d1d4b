import DocumentModel
import Foundation
import Glibc
import RectoBase
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// A cache in which something was put, or was left behind, that is not its own.
@Suite struct CacheDamageTests {
  private let fixture: CacheFixture
  /// A directory that is none of the cache's, with what it holds.
  private let outside: URL
  private let precious = Data(repeating: 7, count: 640)

  init() throws {
    fixture = try CacheFixture()
    outside = fixture.folder.url.appending(path: "outside")
    try FileManager.default.createDirectory(
      at: outside.appending(path: "below"),
      withIntermediateDirectories: true
    )
    for name in ["precious", "below/precious"] {
      try precious.write(to: outside.appending(path: name))
    }
  }

  private func store(_ number: Int, limit: Int? = nil) throws {
    try TileCache(fixture.cache(limit: limit)).store([
      (fixture.key(number), fixture.picture(number))
    ])
  }

  private func found(_ number: Int) -> [UInt8]? { fixture.tile(number, in: fixture.cache()) }

  /// Whether nothing outside was added, removed or changed.
  private func isOutsideWhole() throws -> Bool {
    let names = try FileManager.default.subpathsOfDirectory(atPath: outside.path)
    return try names.sorted() == ["below", "below/precious", "precious"]
      && ["precious", "below/precious"].allSatisfy {
        try Data(contentsOf: outside.appending(path: $0)) == precious
      }
  }

  /// Puts a link to the directory outside in the place of a folder.
  private func link(_ path: String) throws {
    let manager = FileManager.default
    let url = fixture.folder.url.appending(path: path)
    try? manager.removeItem(at: url)
    try manager.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try manager.createSymbolicLink(at: url, withDestinationURL: outside)
  }

  @Test(arguments: ["v1/tiles", "v2/pictures", "v2/tables", "v2/documents"])
  func `links in the place of shards are replaced, and nothing behind them is touched`(
    kind: String
  ) throws {
    try store(1)
    let record = DocumentRecord(fixture.document(), in: fixture.cache())
    try record.store(DocumentInfo(pageCount: 3))
    for shard in 0..<256 {
      try link("cache/\(kind)/\(String(format: "%02x", shard))")
    }
    #expect(chmod(fixture.folder.path("cache"), 0o700) == 0)
    let cache = fixture.cache()
    try TileCache(cache).store([(fixture.key(2), fixture.picture(2))])
    try DocumentRecord(fixture.document(), in: cache).store(DocumentInfo(pageCount: 4))
    #expect(found(2) == fixture.picture(2))
    #expect(DocumentRecord(fixture.document(), in: fixture.cache()).info()?.pageCount == 4)
    let verified = try fixture.cache().verify()
    #expect(kind == "v1/tiles" || verified.damaged.count > 250)
    _ = try fixture.cache(limit: 0).trim()
    #expect(try isOutsideWhole())
  }

  @Test func `a link in the place of a record is neither read nor written nor emptied`() throws {
    try DocumentRecord(fixture.document(), in: fixture.cache()).store(DocumentInfo(pageCount: 3))
    let path = "cache/v2/documents/\(try #require(recordName()))"
    let manager = FileManager.default
    try manager.moveItem(
      at: fixture.folder.url.appending(path: path),
      to: fixture.folder.url.appending(path: "moved")
    )
    try manager.createSymbolicLink(
      atPath: fixture.folder.path(path),
      withDestinationPath: fixture.folder.path("moved")
    )
    #expect(DocumentRecord(fixture.document(), in: fixture.cache()).info() == nil)
    try link(path)
    try DocumentRecord(fixture.document(), in: fixture.cache()).discard()
    try link(path)
    try DocumentRecord(fixture.document(), in: fixture.cache()).store(DocumentInfo(pageCount: 5))
    #expect(DocumentRecord(fixture.document(), in: fixture.cache()).info()?.pageCount == 5)
    #expect(try isOutsideWhole())
  }

  /// The shard and the name of the only record.
  private func recordName() -> String? {
    let file = fixture.folder.files.first { $0.hasSuffix("/facts") }
    return file?.split(separator: "/").dropLast().suffix(2).joined(separator: "/")
  }

  @Test func `files that have another name outside are not changed`() throws {
    try store(1)
    for text in ["/tables/", "v2/usage"] {
      let file = try fixture.file(text)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.linkItem(at: outside.appending(path: "precious"), to: file)
    }
    let time =
      try FileManager.default.attributesOfItem(
        atPath: outside.appending(path: "precious").path
      )[.modificationDate] as? Date
    try store(2)
    #expect(found(2) == fixture.picture(2))
    #expect(try isOutsideWhole())
    let now =
      try FileManager.default.attributesOfItem(
        atPath: outside.appending(path: "precious").path
      )[.modificationDate] as? Date
    #expect(time == now)
  }

  @Test func `a damaged picture of the right length is replaced when it is stored again`() throws {
    try store(1)
    let file = try fixture.file("/pictures/")
    var bytes = fixture.picture(1)
    bytes[1000] ^= 1
    try Data(bytes).write(to: file)
    try FileManager.default.removeItem(at: fixture.file("/tables/"))
    try store(1)
    #expect(try Data(contentsOf: file) == Data(fixture.picture(1)))
  }

  @Test func `what was found a moment ago is not removed for what is stored next`() throws {
    try store(1)
    let file = try fixture.file("/pictures/")
    try fixture.age(file, by: 60)
    #expect(found(1) != nil)
    _ = try fixture.cache().verify()
    for number in 20..<30 { try store(number, limit: 8192) }
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `an entry that cannot be removed stops neither cleaning nor storing`() throws {
    for number in 0..<30 { try store(number) }
    // Directories whose path is too long for the system.
    let shard = try #require(fixture.folder.files.first { $0.contains("/pictures/") })
    let folder = URL(filePath: fixture.folder.path(shard)).deletingLastPathComponent()
    let shell = """
      cd '\(folder.path)'; name=$(printf 'x%.0s' $(seq 200))
      for level in $(seq 30); do mkdir $name; cd $name; done
      """
    let made = try Program.runInPath("bash", ["-c", shell])
    #expect(made.code == 0)
    for name in fixture.folder.files where name.contains("/v2/") && !name.contains("xxx") {
      try fixture.age(fixture.folder.url.appending(path: name), by: 3600)
    }
    _ = try fixture.cache().verify()
    for number in 30..<40 { try store(number, limit: 60_000) }
    #expect(try fixture.cache().countedBytes() < 100_000)
    #expect(throws: FileError.self) { try fixture.cache(limit: 0).trim() }
    #expect(found(35) == nil)
    // The test folder is removed by calls that know no such paths.
    #expect(try Program.runInPath("rm", ["-rf", folder.path]).code == 0)
  }

  @Test func `what a killed process had moved aside is removed, by and by or by trim`() throws {
    try store(1)
    let aside = ["cache/.recto-tmp-1", "cache/.recto-tmp-2"]
    for name in aside {
      for shard in 0..<256 {
        let folder = fixture.folder.url.appending(
          path: "\(name)/pictures/\(String(format: "%02x", shard))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: folder.appending(path: "left.png"))
      }
    }
    #expect(chmod(fixture.folder.path("cache"), 0o700) == 0)
    func left() -> Int { fixture.folder.files.count { $0.hasSuffix("left.png") } }
    for number in 2..<30 { try store(number) }
    #expect(left() < 512 && left() > 0)
    _ = try fixture.cache().trim()
    #expect(left() == 0)
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.path(aside[0])))
    #expect(found(1) == fixture.picture(1))
  }

  @Test func `verify finds damaged records, cut tables and what is foreign`() throws {
    try store(1)
    let cache = fixture.cache()
    let file = FileIdentity(try Stat(FilePath(outside.path), followTargetSymlink: true))
    try ContentRecord(file, in: cache).store(fixture.document(1))
    try EngineRecord(fixture.document(2), in: cache).store("poppler 1.2.3, cairo 4.5.6, recto 1")
    #expect(EngineRecord(fixture.document(2), in: cache).engine != nil)
    #expect(try fixture.cache().verify().damaged.isEmpty)
    let content = try fixture.file("/contents/")
    try Data("garbage".utf8).write(to: content)
    let engine = try fixture.file("/engines/")
    let text = try String(contentsOf: engine, encoding: .utf8)
    try Data(text.replacing("1.2.3", with: "3.2.3").utf8).write(to: engine)
    #expect(EngineRecord(fixture.document(2), in: fixture.cache()).engine == nil)
    let table = try fixture.file("/tables/")
    try Data(contentsOf: table).dropLast().write(to: table)
    for name in ["v2/junk", "v2/pictures/zz", "v2/tables/00x"] {
      try Data([1]).write(to: fixture.folder.url.appending(path: "cache/\(name)"))
    }
    let verified = try fixture.cache().verify()
    #expect(verified.damaged.count == 6, "\(verified.damaged)")
    #expect(verified.failure == nil)
    #expect(try fixture.cache().verify().damaged.isEmpty)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")))
  func `sizes and times at the ends of their range are counted`() throws {
    let folder = "/dev/shm/recto-test-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let cache = CacheDirectory(root: FilePath(folder))
    try TileCache(cache).store([(fixture.key(1), fixture.picture(1))])
    let digits = String(repeating: "a", count: 31)
    for kind in ["contents", "pictures", "tables"] {
      let shard = "\(folder)/v2/\(kind)/aa"
      try FileManager.default.createDirectory(
        atPath: shard,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      for last in ["b", "c"] {
        let name = "\(shard)/\(digits)\(last)\(kind == "pictures" ? ".png" : "")"
        #expect(FileManager.default.createFile(atPath: name, contents: nil))
        #expect(truncate(name, Int.max) == 0)
        var times = [timespec(tv_sec: Int.min, tv_nsec: 0), timespec(tv_sec: Int.min, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, name, &times, 0) == 0)
      }
    }
    let contents = CacheDirectory(root: FilePath(folder)).contents()
    #expect(contents.failure == nil && contents.pictures == 3)
    #expect(TileCache(cache).tiles([fixture.key(1)])[0]?.bytes == fixture.picture(1))
    let picture = "\(folder)/v2/pictures/\(try pictureName(fixture.picture(1)))"
    var times = [timespec(tv_sec: Int.min, tv_nsec: 0), timespec(tv_sec: Int.min, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, picture, &times, 0) == 0)
    #expect(TileCache(cache).tiles([fixture.key(1)])[0]?.bytes == fixture.picture(1))
    #expect(try CacheDirectory(root: FilePath(folder)).trim() >= 6 << 40)
    #expect(TileCache(cache).tiles([fixture.key(1)])[0]?.bytes == fixture.picture(1))
  }

  /// The shard and the name of a picture's file.
  private func pictureName(_ bytes: [UInt8]) throws -> String {
    let file = fixture.folder.path("picture")
    try Data(bytes).write(to: URL(filePath: file))
    let sum = try Program.runInPath("sha256sum", [file]).text
    return "\(sum.prefix(2))/\(sum.prefix(32)).png"
  }
}
