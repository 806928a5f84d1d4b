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

private let file = FileIdentity(
  device: 1,
  inode: 2,
  size: 3,
  modifiedSeconds: 4,
  modifiedNanoseconds: 5,
  changedSeconds: 6,
  changedNanoseconds: 7
)
private let raster = PageRaster(
  pageIndex: 1,
  scale: 2,
  rotation: .none,
  userUnit: 1,
  size: PixelSize(width: 20, height: 30)
)
private let part = PixelRect(x: 0, y: 0, width: 16, height: 16)

@Suite struct CacheKeyTests {
  @Test func `everything that changes a pixel changes the key`() {
    var keys: Set<CacheKey> = []
    var count = 0
    func add(_ key: CacheKey) {
      count += 1
      keys.insert(key)
    }
    func tile(
      _ document: CacheKey,
      _ raster: PageRaster,
      _ part: PixelRect,
      _ engine: String = "poppler 1",
      _ program: CacheKey? = nil
    ) {
      add(
        CacheKey.tile(
          of: .drawing(of: document, program: program, engine: engine),
          raster: raster,
          part: part
        )
      )
    }
    let document = CacheKey.document(file, password: nil)
    tile(document, raster, part)
    tile(document, raster, part, "poppler 2")
    tile(document, raster, part, "poppler 1", .program(file))
    for change: WritableKeyPath<FileIdentity, Int> in [
      \.device, \.inode, \.size, \.modifiedSeconds, \.modifiedNanoseconds, \.changedSeconds,
      \.changedNanoseconds,
    ] {
      var other = file
      other[keyPath: change] += 1
      tile(CacheKey.document(other, password: nil), raster, part)
    }
    for password in ["", "a", "b"] { tile(.document(file, password: password), raster, part) }
    var other = raster
    other.pageIndex = 2
    tile(document, other, part)
    other = raster
    other.scale = 2.0000000000000004
    tile(document, other, part)
    other = raster
    other.rotation = .half
    tile(document, other, part)
    other = raster
    other.userUnit = 2
    tile(document, other, part)
    other = raster
    other.size.height = 31
    tile(document, other, part)
    other = raster
    other.isFitted = true
    tile(document, other, part)
    for change: WritableKeyPath<PixelRect, Int> in [\.x, \.y, \.width, \.height] {
      var other = part
      other[keyPath: change] += 1
      tile(document, raster, other)
    }
    #expect(keys.count == count)
  }

  @Test func `a file that is renamed or linked still holds its bytes, an edited one does not`() {
    for part: WritableKeyPath<FileIdentity, Int> in [\.changedSeconds, \.changedNanoseconds] {
      var other = file
      other[keyPath: part] += 1
      #expect(!other.holdsBytes(of: file))
      #expect(other.holdsBytes(of: file, isRenamed: true))
      for attribute: WritableKeyPath<FileIdentity, Int> in [
        \.attributes.links, \.attributes.mode, \.attributes.owner, \.attributes.group,
      ] {
        var other = other
        other[keyPath: attribute] += 1
        #expect(other.holdsBytes(of: file))
      }
    }
    for part: WritableKeyPath<FileIdentity, Int> in [
      \.device, \.inode, \.size, \.modifiedSeconds, \.modifiedNanoseconds,
    ] {
      var other = file
      other[keyPath: part] += 1
      #expect(!other.holdsBytes(of: file))
      other.attributes.links += 1
      #expect(!other.holdsBytes(of: file, isRenamed: true))
    }
  }

  @Test func `a password cannot be read from a key`() {
    let key = CacheKey.document(file, password: "correct horse")
    #expect(!key.hexadecimal.contains("horse"))
    #expect(key.hexadecimal.count == 32)
  }
}

@Suite struct EngineRecordTests {
  private let folder: TemporaryFolder
  private let directory: CacheDirectory

  init() throws {
    folder = try TemporaryFolder()
    directory = CacheDirectory(root: FilePath(folder.path("cache")))
  }

  @Test func `what a program draws with is known of that program alone`() throws {
    let record = EngineRecord(.program(file), in: directory)
    #expect(record.engine == nil)
    try record.store("poppler 1 cairo 2")
    #expect(record.engine == "poppler 1 cairo 2")
    var other = file
    other.inode += 1
    #expect(EngineRecord(.program(other), in: directory).engine == nil)
  }

  @Test func `a record that names no engine is none`() throws {
    let record = EngineRecord(.program(file), in: directory)
    try record.store("poppler")
    let name = try #require(folder.files.first { $0.contains("/engines/") })
    let names = [
      "", "\n", "poppler", "\u{1B}]0;x\u{7}\n", "a\nb\n", "\u{9B}\n", "pöppler\n",
      String(repeating: "e", count: 129) + "\n", String(repeating: "e", count: 1_000_000) + "\n",
    ]
    for text in names {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
      #expect(record.engine == nil)
    }
    for text in ["", "\u{1B}]0;x\u{7}", "a\nb", "pöppler", String(repeating: "e", count: 129)] {
      try record.store(text)
      #expect(record.engine == nil)
    }
    try record.store(String(repeating: "e", count: 128))
    #expect(record.engine?.count == 128)
  }
}

/// A tile of a document.
private func tileKey(_ document: CacheKey) -> CachedTileKey {
  CachedTileKey(
    document: document,
    drawing: document,
    raster: raster,
    part: part
  )
}

@Suite struct CacheSharingTests {
  private final class Failures: Sendable {
    let all = Mutex<[FileError]>([])
  }

  @Test func `those who write and those who clear all succeed`() throws {
    let folder = try TemporaryFolder()
    let directory = CacheDirectory(root: FilePath(folder.path("cache")))
    let failures = Failures()
    @Sendable func attempt(_ body: () throws(FileError) -> Void) {
      do throws(FileError) {
        try body()
      } catch {
        failures.all.withLock { $0.append(error) }
      }
    }
    // Three writers, each with entries of its own in folders of all, and two who clear.
    DispatchQueue.concurrentPerform(iterations: 5) { worker in
      for round in 0..<50 {
        guard worker < 3 else {
          attempt(directory.clear)
          continue
        }
        let key = CacheKey.document(file, password: "\(worker) \(round)")
        attempt { () throws(FileError) in
          try TileCache(directory).store([(tileKey(key), [1])])
          try DocumentRecord(key, in: directory).store(DocumentInfo(pageCount: round))
        }
      }
    }
    #expect(failures.all.withLock { $0 } == [])
    try directory.clear()
    #expect(folder.files.allSatisfy { $0 == "cache/CACHEDIR.TAG" })
  }

  @Test func `an entry is neither read nor written where others may write`() throws {
    let folder = try TemporaryFolder()
    let directory = CacheDirectory(root: FilePath(folder.path("cache")))
    // Made here and not by the cache, which looks at a directory once.
    try Files.createDirectory(
      FilePath(folder.path("cache/v2/pictures")),
      permissions: Files.privateDirectory
    )
    #expect(chmod(folder.path("cache/v2"), 0o777) == 0)
    let key = CacheKey.document(file, password: nil)
    let error = #expect(throws: FileError.self) {
      try TileCache(directory).store([(tileKey(key), [1])])
    }
    #expect(error?.refusal == .writableByOthers)
    #expect(error?.path == directory.current)
    #expect(throws: FileError.self) { try directory.check() }
    #expect(throws: FileError.self) { try directory.clear() }
    #expect(folder.files.isEmpty)
  }
}

@Suite struct DocumentRecordTests {
  private let folder: TemporaryFolder
  private let record: DocumentRecord

  init() throws {
    folder = try TemporaryFolder()
    record = DocumentRecord(
      .document(file, password: nil),
      in: CacheDirectory(root: FilePath(folder.path("cache")))
    )
  }

  private func pages(of record: DocumentRecord, around index: PageIndex) -> [PageIndex: PageInfo] {
    Dictionary(uniqueKeysWithValues: record.pages(around: index))
  }

  private func page(_ index: PageIndex) -> PageInfo {
    PageInfo(
      cropBox: Rect(x: -1, y: 7, width: Double(index.value), height: 2),
      rotation: .half,
      userUnit: 1.5,
      size: Size(width: Double(index.value) * 1.5, height: 3),
      label: "p\(index.value)"
    )
  }

  @Test func `pages are learned one by one and found again`() throws {
    let indices: [PageIndex] = [0, 5, 255, 256, 100_000, 999_999]
    for index in indices { try record.store([(index, page(index))]) }
    for index in indices { #expect(pages(of: record, around: index)[index] == page(index)) }
    #expect(pages(of: record, around: 3).count == 3)
    #expect(pages(of: record, around: 700).isEmpty)
  }

  @Test func `info of the document are found again`() throws {
    #expect(record.info() == nil)
    let info = DocumentInfo(pageCount: 9, title: "T", isRightToLeft: true, pageLayout: .oneColumn)
    try record.store(info)
    #expect(record.info() == info)
  }

  @Test func `a record with any byte changed is ignored and replaced`() throws {
    try record.store([(1, page(1))])
    let name = try #require(folder.files.first { $0.contains("pages") })
    let path = folder.url.appending(path: name)
    let whole = try Data(contentsOf: path)
    for position in whole.indices {
      var changed = whole
      changed[position] ^= 1
      try changed.write(to: path)
      #expect(pages(of: record, around: 1).isEmpty, "byte \(position)")
    }
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: path)
      #expect(pages(of: record, around: 1).isEmpty, "\(length) bytes")
    }
    try record.store([(2, page(2))])
    #expect(pages(of: record, around: 1) == [2: page(2)])
  }

  @Test func `a record of another document or other pages is ignored`() throws {
    try record.store([(1, page(1)), (300, page(300))])
    let other = DocumentRecord(
      .document(file, password: "other"),
      in: CacheDirectory(root: FilePath(folder.path("cache")))
    )
    try other.store([(2, page(2))])
    let names = folder.files.filter { $0.hasSuffix("pages-0") }
    #expect(names.count == 2)
    let paths = names.map { folder.url.appending(path: $0) }
    let contents = try paths.map { try Data(contentsOf: $0) }
    try contents[1].write(to: paths[0])
    try contents[0].write(to: paths[1])
    #expect(pages(of: record, around: 1).isEmpty)
    #expect(pages(of: other, around: 1).isEmpty)
    let later = try #require(folder.files.first { $0.hasSuffix("pages-1") })
    let first = folder.url.appending(path: later).deletingLastPathComponent()
    try Data(contentsOf: folder.url.appending(path: later))
      .write(to: first.appending(path: "pages-0"))
    #expect(pages(of: record, around: 1).isEmpty)
  }

  @Test func `many pages at once lie in files of a bounded size`() throws {
    try record.store(Range(pageCount: 1000).map { ($0, page($0)) })
    #expect(folder.files.filter { $0.contains("pages-") }.count == 4)
    #expect(pages(of: record, around: 999)[999] == page(999))
  }

  @Test func `a full file of the longest labels is read, and a longer one is cut off`() throws {
    var info = page(1)
    info.label = String(repeating: "l", count: PageInfo.labelLimit)
    try record.store(Range(pageCount: 256).map { ($0, info) })
    #expect(pages(of: record, around: 0).count == 256)
    info.label?.append("l")
    try record.store([(256, info)])
    #expect(pages(of: record, around: 256)[256]?.label?.utf8.count == PageInfo.labelLimit)
  }

  @Test func `a record of numbers that no page has is ignored`() throws {
    let changes: [(inout PageInfo) -> Void] = [
      { $0.size.width = .nan }, { $0.size.height = .infinity }, { $0.size.width = -1 },
      { $0.cropBox = Rect(x: .nan, y: 0, width: 1, height: 1) },
      { $0.cropBox = Rect(x: 0, y: 0, width: 1, height: -.infinity) },
      { $0.userUnit = .nan }, { $0.userUnit = .infinity }, { $0.userUnit = 0 },
      { $0.userUnit = -1 },
    ]
    for change in changes {
      try record.store([(1, page(1))])
      #expect(!pages(of: record, around: 1).isEmpty)
      var forged = page(1)
      change(&forged)
      try record.store([(1, forged)])
      #expect(pages(of: record, around: 1).isEmpty, "\(forged)")
    }
  }
}
