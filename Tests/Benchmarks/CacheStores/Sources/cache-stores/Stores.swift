import CChecks
import Foundation
import GRDB
import Glibc

/// A tile: its page, its number in the page, and the key that is made of both.
struct Name {
  var page: Int
  var tile: Int
  var key: Bytes
  /// The key of the page's table or file.
  var pageKey: Bytes

  init(page: Int, tile: Int) {
    self.page = page
    self.tile = tile
    pageKey = digest(Bytes("page \(page)".utf8))
    key = digest(Bytes("page \(page) tile \(tile)".utf8))
  }
}

/// Keeps tiles; those of a page are stored and looked up together.
protocol Store {
  init(_ root: String)
  func store(_ tiles: [(Name, Bytes)])
  func find(_ names: [Name]) -> [Bytes?]
  /// Removes the tiles of pages.
  func remove(_ pages: [[Name]])
}

/// One file for each tile, named by its key. Checked by a checksum over its bytes, as PNG chunks are.
struct FilePerTile: Store {
  let root: String
  var isSynced: Bool { false }
  init(_ root: String) {
    self.root = root
    makeShards(root)
  }
  func path(_ name: Name) -> String { "\(shard(root, name.key))/\(hexadecimal(name.key)).png" }
  func store(_ tiles: [(Name, Bytes)]) {
    for (name, bytes) in tiles { publish(bytes, path(name), shard(root, name.key)) }
  }
  func find(_ names: [Name]) -> [Bytes?] {
    names.map { name in contents(path(name)).flatMap { crc($0) != 0 ? $0 : nil } }
  }
  func remove(_ pages: [[Name]]) { for name in pages.joined() { unlink(path(name)) } }
}

/// As above, with `fdatasync` before a file gets its name.
struct SyncedFilePerTile: Store {
  let files: FilePerTile
  init(_ root: String) { files = FilePerTile(root) }
  func store(_ tiles: [(Name, Bytes)]) {
    for (name, bytes) in tiles {
      publish(bytes, files.path(name), shard(files.root, name.key), isSynced: true)
    }
  }
  func find(_ names: [Name]) -> [Bytes?] { files.find(names) }
  func remove(_ pages: [[Name]]) { files.remove(pages) }
}

/// One file for each distinct picture.
struct Pictures {
  let root: String
  func path(_ digest: Bytes) -> String { "\(shard(root, digest))/\(hexadecimal(digest)).png" }
  func store(_ bytes: Bytes) -> Bytes {
    let name = digest(bytes)
    let path = path(name)
    if !exists(path) { publish(bytes, path, shard(root, name)) }
    return name
  }
}

/// Pictures by content, and a table of rows for each page.
struct Tables: Store {
  let root: String
  let pictures: Pictures
  static let rowLength = 48
  init(_ root: String) {
    self.root = "\(root)/tables"
    makeFolder(root)
    makeShards(self.root)
    pictures = Pictures(root: "\(root)/pictures")
    makeShards(pictures.root)
  }
  func path(_ name: Name) -> String { "\(shard(root, name.pageKey))/\(hexadecimal(name.pageKey))" }
  func store(_ tiles: [(Name, Bytes)]) {
    var rows: Bytes = []
    for (name, bytes) in tiles {
      var row = name.key + pictures.store(bytes) + word(bytes.count) + word(Int(crc(bytes)))
      row += word(0)
      rows += row + word(Int(crc(row)))
    }
    let file = check(open(path(tiles[0].0), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
    _ = check(write(file, rows, rows.count))
    close(file)
  }
  func find(_ names: [Name]) -> [Bytes?] {
    guard let table = contents(path(names[0])) else { return names.map { _ in nil } }
    return names.map { name in
      for start in stride(from: 0, to: table.count, by: Self.rowLength)
      where table[start..<(start + 16)] == name.key[...] {
        let row = Bytes(table[start..<(start + Self.rowLength)])
        guard number(row[44...]) == Int(crc(Bytes(row[..<44]))),
          let bytes = contents(pictures.path(Bytes(row[16..<32]))),
          bytes.count == number(row[32..<36]), Int(crc(bytes)) == number(row[36..<40])
        else { return nil }
        return bytes
      }
      return nil
    }
  }
  /// Removes pictures one after the other, as the oldest are removed, even if other tiles share them.
  func remove(_ pages: [[Name]]) {
    for page in pages {
      guard let table = contents(path(page[0])) else { continue }
      for start in stride(from: 0, to: table.count, by: Self.rowLength) {
        unlink(pictures.path(Bytes(table[(start + 16)..<(start + 32)])))
      }
      unlink(path(page[0]))
    }
  }
}

/// Pictures by content, and a symbolic link for each tile, whose target is the row.
struct Links: Store {
  let root: String
  let pictures: Pictures
  init(_ root: String) {
    self.root = "\(root)/tiles"
    makeFolder(root)
    makeShards(self.root)
    pictures = Pictures(root: "\(root)/pictures")
    makeShards(pictures.root)
  }
  func path(_ name: Name) -> String { "\(shard(root, name.key))/\(hexadecimal(name.key))" }
  func store(_ tiles: [(Name, Bytes)]) {
    for (name, bytes) in tiles {
      let picture = pictures.store(bytes)
      let sum = crc(name.key + word(Int(crc(bytes))))
      symlink("\(hexadecimal(picture))-\(bytes.count)-\(String(sum, radix: 16))", path(name))
    }
  }
  func find(_ names: [Name]) -> [Bytes?] {
    names.map { name in
      var target = [CChar](repeating: 0, count: 80)
      guard readlink(path(name), &target, 79) > 40 else { return nil }
      let digits = target.prefix(32).map { UInt8(bitPattern: $0) }
      let folder = String(decoding: digits.prefix(2), as: UTF8.self)
      let file = String(decoding: digits, as: UTF8.self)
      guard let bytes = contents("\(pictures.root)/\(folder)/\(file).png") else { return nil }
      return crc(name.key + word(Int(crc(bytes)))) != 0 ? bytes : nil
    }
  }
  func remove(_ pages: [[Name]]) {
    for name in pages.joined() {
      var target = [CChar](repeating: 0, count: 80)
      guard readlink(path(name), &target, 79) > 40 else { continue }
      let file = String(decoding: target.prefix(32).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      unlink("\(pictures.root)/\(file.prefix(2))/\(file).png")
      unlink(path(name))
    }
  }
}

/// All tiles of a page in one file; rows with offsets in another.
struct Packs: Store {
  let root: String
  init(_ root: String) {
    self.root = root
    makeShards(root)
  }
  func path(_ name: Name) -> String { "\(shard(root, name.pageKey))/\(hexadecimal(name.pageKey))" }
  func store(_ tiles: [(Name, Bytes)]) {
    let path = path(tiles[0].0)
    let pack = check(open(path + ".pack", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
    var status = stat()
    fstat(pack, &status)
    var offset = Int(status.st_size)
    var rows: Bytes = []
    var all: Bytes = []
    for (name, bytes) in tiles {
      let row = name.key + word(offset) + word(bytes.count) + word(Int(crc(bytes)))
      rows += row + word(Int(crc(row)))
      offset += bytes.count
      all += bytes
    }
    _ = check(write(pack, all, all.count))
    close(pack)
    let table = check(open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
    _ = check(write(table, rows, rows.count))
    close(table)
  }
  func find(_ names: [Name]) -> [Bytes?] {
    guard let table = contents(path(names[0])) else { return names.map { _ in nil } }
    let pack = open(path(names[0]) + ".pack", O_RDONLY | O_CLOEXEC)
    defer { close(pack) }
    return names.map { name in
      for start in stride(from: 0, to: table.count, by: 32)
      where table[start..<(start + 16)] == name.key[...] {
        let row = Bytes(table[start..<(start + 32)])
        guard number(row[28...]) == Int(crc(Bytes(row[..<28]))) else { return nil }
        let length = number(row[20..<24])
        let bytes = Bytes(unsafeUninitializedCapacity: length) { buffer, count in
          count = max(0, pread(pack, buffer.baseAddress, length, number(row[16..<20])))
        }
        return Int(crc(bytes)) == number(row[24..<28]) ? bytes : nil
      }
      return nil
    }
  }
  func remove(_ pages: [[Name]]) {
    for page in pages {
      unlink(path(page[0]))
      unlink(path(page[0]) + ".pack")
    }
  }
}

/// SQLite through GRDB: keys and digests in one table, distinct pictures in another.
struct Database: Store {
  let pool: DatabasePool
  init(_ root: String) {
    makeFolder(root)
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    do {
      pool = try DatabasePool(path: "\(root)/tiles.sqlite", configuration: configuration)
      try pool.write { db in
        try db.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS picture(digest BLOB PRIMARY KEY, bytes BLOB, used INTEGER) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS tile(key BLOB PRIMARY KEY, digest BLOB, crc INTEGER) WITHOUT ROWID;
            """
        )
      }
    } catch { fatalError("\(error)") }
  }
  func store(_ tiles: [(Name, Bytes)]) {
    do {
      try pool.write { db in
        for (name, bytes) in tiles {
          let picture = digest(bytes)
          try db.cachedStatement(sql: "INSERT OR IGNORE INTO picture VALUES (?, ?, 0)")
            .execute(arguments: [Data(picture), Data(bytes)])
          try db.cachedStatement(sql: "INSERT OR REPLACE INTO tile VALUES (?, ?, ?)")
            .execute(arguments: [Data(name.key), Data(picture), Int(crc(bytes))])
        }
      }
    } catch { fatalError("\(error)") }
  }
  func find(_ names: [Name]) -> [Bytes?] {
    do {
      return try pool.read { db in
        let statement = try db.cachedStatement(
          sql: "SELECT bytes, crc FROM tile JOIN picture USING (digest) WHERE key = ?"
        )
        return try names.map { name in
          guard let row = try Row.fetchOne(statement, arguments: [Data(name.key)]) else {
            return nil
          }
          let bytes = Bytes(row[0] as Data)
          return Int(crc(bytes)) == row[1] as Int ? bytes : nil
        }
      }
    } catch { fatalError("\(error)") }
  }
  func remove(_ pages: [[Name]]) {
    do {
      for page in pages {
        try pool.write { db in
          for name in page {
            try db.execute(
              sql: "DELETE FROM picture WHERE digest = (SELECT digest FROM tile WHERE key = ?)",
              arguments: [Data(name.key)]
            )
            try db.execute(sql: "DELETE FROM tile WHERE key = ?", arguments: [Data(name.key)])
          }
        }
      }
    } catch { fatalError("\(error)") }
  }
}
