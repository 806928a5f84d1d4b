// Measures what a display list saves: DisplayListProbe FILE PAGE [PERCENT [TILE-SIDE]]
//
// Tiles spread over the page are drawn three ways: played back from a recording made before, drawn
// by `poppler_page_render` straight into the tile, and, for what a recording costs once, recorded.
// Prints medians in ms; 100 % is 96 dots per inch.

import DocumentModel
import Glibc
import PDFEngine
import RectoGeometry

/// Milliseconds that a body takes.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  return try clock.measure(body) / .milliseconds(1)
}

extension [Double] {
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

/// A number of tiles, at even distances over the page.
func tiles(_ size: PixelSize, side: Int, each: Int) -> [PixelRect] {
  var tiles: [PixelRect] = []
  for row in 0..<each {
    for column in 0..<each {
      let x = max(0, (size.width - side) * (2 * column + 1) / (2 * each))
      let y = max(0, (size.height - side) * (2 * row + 1) / (2 * each))
      let width = min(side, size.width)
      tiles.append(PixelRect(x: x, y: y, width: width, height: min(side, size.height)))
    }
  }
  return tiles
}

func run(_ arguments: [String]) throws -> Int32 {
  guard arguments.count >= 3, let index = Int(arguments[2]).flatMap(PageIndex.init(number:)) else {
    return 64
  }
  let percent = arguments.count > 3 ? Double(arguments[3]) ?? 1600 : 1600
  let side = arguments.count > 4 ? Int(arguments[4]) ?? 512 : 512
  let descriptor = open(arguments[1], O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return 66 }
  defer { close(descriptor) }
  let document = try PDFDocument(descriptor: descriptor)
  let page = try document.page(at: index)
  let raster = try PageRaster(
    page: page.index,
    info: page.info(),
    scale: percent / 100 * 96 / 72,
    rotation: .none
  )
  let tiles = tiles(raster.size, side: side, each: 5)
  // Fonts and poppler's own view of the page are there for all that follows.
  _ = try page.bitmap(of: tiles[0], raster: raster)
  // The cells that the tiles lie in, as a worker records them.
  let cells = Set(tiles.map { DisplayList.rect(around: $0, of: raster) })
  var lists: [DisplayList] = []
  let recording = try cells.map { cell in
    try milliseconds { lists.append(try DisplayList(page, raster: raster, rect: cell)) }
  }
  let direct = try tiles.map { tile in
    try milliseconds { _ = try page.bitmap(of: tile, raster: raster) }
  }
  let played = try tiles.map { tile in
    guard let list = lists.first(where: { $0.rect.contains(tile) }) else { return Double.nan }
    return try milliseconds { _ = try list.bitmap(of: tile) }
  }
  func rounded(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
  print(
    "page \(index.number) at \(Int(percent)) %: \(raster.size.width)×\(raster.size.height) px,"
      + " \(tiles.count) tiles of \(side) px;"
      + " recording \(rounded(recording.median)) ms for each of \(cells.count) cells,"
      + " \(lists.reduce(0) { $0 + $1.bytes } / 1000) kB in all;"
      + " poppler_page_render \(rounded(direct.median)) ms;"
      + " list \(rounded(played.median)) ms (best \(rounded(played.min() ?? 0)),"
      + " worst \(rounded(played.max() ?? 0)));"
      + " list / poppler \(rounded(played.median / direct.median))"
  )
  return 0
}

do {
  exit(try run(CommandLine.arguments))
} catch {
  print("DisplayListProbe: \(error)")
  exit(70)
}
