import Foundation
import Glibc

/// Compares ways to keep tiles: `cache-stores FOLDER [PAGES]`.
@main struct Main {
  static let tilesOfPage = 20
  static let blank = Bytes((0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  /// Bytes that look like a tile of a page of text: three of ten are blank paper.
  static func picture(_ page: Int, _ tile: Int) -> Bytes {
    var state = UInt64(page &* 131 &+ tile) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    _ = next()
    guard next() % 10 >= 3 else { return blank }
    let length = 2000 + Int(next() % 30_000)
    return Bytes(unsafeUninitializedCapacity: length) { buffer, count in
      for index in 0..<length {
        if index & 7 == 0 { _ = next() }
        buffer[index] = UInt8(truncatingIfNeeded: state >> UInt64(index & 7 * 8))
      }
      count = length
    }
  }

  static func disk(_ root: String) -> (files: Int, blocks: Int) {
    var files = 0
    var blocks = 0
    guard let walk = FileManager.default.enumerator(atPath: root) else { return (0, 0) }
    for case let name as String in walk {
      var status = stat()
      guard lstat("\(root)/\(name)", &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        continue
      }
      files += 1
      blocks += Int(status.st_blocks) * 512
    }
    return (files, blocks)
  }

  static func measure(_ title: String, _ kind: any Store.Type, _ root: String, _ pages: Int) {
    let path = "\(root)/\(title.filter { $0.isLetter })"
    makeFolder(path)
    let store = kind.init(path)
    let names = (0..<pages).map { page in (0..<tilesOfPage).map { Name(page: page, tile: $0) } }
    var batches: [Int] = []
    for page in names {
      let tiles = page.map { ($0, picture($0.page, $0.tile)) }
      // As the queue stores them. The journal of the file system holds up some batches: the median counts.
      for first in stride(from: 0, to: tiles.count, by: 4) {
        let batch = Array(tiles[first..<first + 4])
        let start = now()
        store.store(batch)
        batches.append(now() - start)
      }
    }
    batches.sort()
    let writing = batches[batches.count / 2]
    let (files, blocks) = disk(path)
    var random = SystemRandomNumberGenerator()
    var times: [Int] = []
    for _ in 0..<20_000 {
      let name = names[Int.random(in: 0..<pages, using: &random)][
        Int.random(in: 0..<tilesOfPage, using: &random)
      ]
      let start = now()
      let found = store.find([name])
      times.append(now() - start)
      precondition(found[0] != nil)
    }
    times.sort()
    var windows = 0
    for _ in 0..<2000 {
      let page = names[Int.random(in: 0..<pages, using: &random)]
      let start = now()
      precondition(store.find(Array(page[4..<12])).allSatisfy { $0 != nil })
      windows += now() - start
    }
    let old = Array(names.prefix(pages / 10))
    let start = now()
    store.remove(old)
    let removing = now() - start
    func micro(_ value: Int, _ count: Int) -> String {
      String(format: "%.1f", Double(value) / Double(count) / 1000)
    }
    print(
      "| \(title) | \(micro(writing, 4)) | \(micro(times.reduce(0, +), times.count)) | "
        + "\(micro(times[times.count * 99 / 100], 1)) | \(micro(windows, 16_000)) | \(files) | "
        + "\(blocks >> 20) MiB | \(micro(removing, old.count * tilesOfPage)) |"
    )
    fflush(nil)
  }

  static func main() {
    guard CommandLine.arguments.count > 1 else { exit(64) }
    let root = CommandLine.arguments[1]
    let pages = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 500 : 500
    makeFolder(root)
    print(
      "| store | write, µs a tile | hit, µs | hit, 99th percentile | hit of eight, µs a tile | files | on disk | remove, µs a tile |"
    )
    print("|---|---|---|---|---|---|---|---|")
    measure("a file for each tile", FilePerTile.self, root, pages)
    measure("a file for each tile, fdatasync", SyncedFilePerTile.self, root, pages)
    measure("pictures and tables", Tables.self, root, pages)
    measure("pictures and links", Links.self, root, pages)
    measure("a pack for each page", Packs.self, root, pages)
    measure("SQLite", Database.self, root, pages)
  }
}
