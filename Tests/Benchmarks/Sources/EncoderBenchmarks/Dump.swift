import Foundation

/// The pixels of a page as `scripts/dev/dump-pages` writes them: `NAME-PAGE-WIDTHxHEIGHT.bgra`.
struct Dump {
  /// The document's name, under which pages are added up.
  var document: String
  var file: String
  var width: Int
  var height: Int
  /// 32-bit words 0xAARRGGBB, row after row.
  var pixels: [UInt8]

  /// A page from a file; nil when the name or the length is not as described.
  init?(_ url: URL) throws {
    file = url.deletingPathExtension().lastPathComponent
    let parts = file.split(separator: "-")
    guard parts.count >= 3, let size = parts.last?.split(separator: "x"), size.count == 2,
      let width = Int(size[0]), let height = Int(size[1])
    else { return nil }
    document = String(parts[0])
    self.width = width
    self.height = height
    pixels = [UInt8](try Data(contentsOf: url))
    guard pixels.count == width * height * 4 else { return nil }
  }

  /// The tiles of the page: columns and rows of `side` pixels, cut off at the edges.
  func tiles(side: Int) -> [Tile] {
    Swift.stride(from: 0, to: height, by: side).flatMap { y in
      Swift.stride(from: 0, to: width, by: side).map { x in
        Tile(x: x, y: y, width: min(side, width - x), height: min(side, height - y))
      }
    }
  }

  /// A rectangle of the page.
  struct Tile {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// Bytes from one row to the next.
  var stride: Int { width * 4 }

  /// The bytes from a tile's first pixel to its last.
  func range(of tile: Tile) -> Range<Int> {
    let start = tile.y * stride + tile.x * 4
    return start..<(start + (tile.height - 1) * stride + tile.width * 4)
  }
}
