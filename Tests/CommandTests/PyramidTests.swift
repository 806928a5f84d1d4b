import Foundation
import PNGCoding
import RectoGeometry
import TestSupport
import Testing

/// Pages as Deep Zoom and IIIF pyramids. `scripts/dev/pyramids` compares them with those of vips.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PyramidTests {
  private struct Line: Decodable {
    var page: Int
    var file: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var tiles: Int?
    var error: RenderOutput.Failure?
  }

  /// How often a side has to be halved, rounded up, to be one.
  private func levels(_ side: Int) -> Int {
    var (side, count) = (side, 0)
    while side > 1 { (side, count) = ((side + 1) / 2, count + 1) }
    return count
  }

  /// The picture of the page that a part of another is.
  private func crop(_ whole: PNGPicture, _ part: PixelRect) -> [UInt32] {
    (part.y..<part.maxY).flatMap { row in
      whole.pixels[row * whole.size.width + part.x..<row * whole.size.width + part.maxX]
    }
  }

  @Test(
    "tiles of the largest level are the page, and every level has its tiles",
    arguments: [(254, 1), (256, 0), (100, 7)]
  )
  func deepZoom(tileSize: Int, overlap: Int) throws {
    let sandbox = try CommandSandbox()
    let size = ["--tile-size", "\(tileSize)", "--overlap", "\(overlap)"]
    let result = try sandbox.recto(
      ["pages", fixture("mixed-sizes"), "2-3", "--dzi", "--json", "-o", "out/{page}.dzi"] + size
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(try sandbox.recto("pages", fixture("mixed-sizes"), "2-3", "-o", "{page}.png").code == 0)
    for line in try result.decodedLines(Line.self) {
      let whole = try picture(sandbox.folder.path("\(line.page).png"))
      #expect(whole.size == PixelSize(width: line.width ?? 0, height: line.height ?? 0))
      let top = levels(max(whole.size.width, whole.size.height))
      var names: Set<String> = ["out/\(line.page).dzi"]
      for level in 0...top {
        let width = (whole.size.width + (1 << (top - level)) - 1) >> (top - level)
        let height = (whole.size.height + (1 << (top - level)) - 1) >> (top - level)
        for row in 0..<(height + tileSize - 1) / tileSize {
          for column in 0..<(width + tileSize - 1) / tileSize {
            let name = "out/\(line.page)_files/\(level)/\(column)_\(row).png"
            names.insert(name)
            let tile = try picture(sandbox.folder.path(name))
            let x = max(0, column * tileSize - overlap)
            let y = max(0, row * tileSize - overlap)
            let part = PixelRect(
              x: x,
              y: y,
              width: min(width, (column + 1) * tileSize + overlap) - x,
              height: min(height, (row + 1) * tileSize + overlap) - y
            )
            #expect(tile.size == part.size, "\(name)")
            if level == top { #expect(tile.pixels == crop(whole, part), "\(name)") }
          }
        }
      }
      #expect(names == Set(sandbox.folder.files.filter { $0.hasPrefix("out/\(line.page)") }))
      #expect(line.tiles == names.count - 1)
      let text = try String(contentsOfFile: sandbox.folder.path(line.file ?? ""), encoding: .utf8)
      for attribute in [
        "Format=\"png\"", "Overlap=\"\(overlap)\"", "TileSize=\"\(tileSize)\"",
        "Width=\"\(whole.size.width)\"", "Height=\"\(whole.size.height)\"",
      ] { #expect(text.contains(attribute), "\(attribute)") }
    }
  }

  private struct ImageInfo: Decodable {
    struct Tiles: Decodable {
      var width: Int
      var scaleFactors: [Int]
    }
    struct Size: Decodable, Equatable {
      var width: Int
      var height: Int
    }

    var id: String
    var type: String
    var profile: String
    var width: Int
    var height: Int
    var sizes: [Size]
    var tiles: [Tiles]
    var preferredFormats: [String]?
  }

  @Test("an image service has every tile that its description names")
  func imageService() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("book", to: "a book.pdf")
    let result = try sandbox.recto(
      ["pages", "a book.pdf", "2", "--iiif", "--iiif-id", "https://example.org/i/", "--json"]
        + ["--format", "png", "--tile-size", "256", "-o", "out/{stem}/{page}"]
    )
    #expect(result.code == 0, "\(result.errors)")
    let folder = "out/a book/02"
    let data = try Data(contentsOf: URL(filePath: sandbox.folder.path("\(folder)/info.json")))
    let info = try JSONDecoder().decode(ImageInfo.self, from: data)
    #expect(info.id == "https://example.org/i/a%20book/02")
    #expect(info.type == "ImageService3")
    #expect(info.profile == "level0")
    #expect(info.preferredFormats == ["png"])
    let tiles = try #require(info.tiles.first)
    #expect(tiles.scaleFactors == [1, 2, 4, 8])
    for factor in tiles.scaleFactors {
      let side = tiles.width * factor
      for y in stride(from: 0, to: info.height, by: side) {
        for x in stride(from: 0, to: info.width, by: side) {
          let (width, height) = (min(side, info.width - x), min(side, info.height - y))
          let size = PixelSize(
            width: (width + factor - 1) / factor,
            height: (height + factor - 1) / factor
          )
          let name = "\(x),\(y),\(width),\(height)/\(size.width),\(size.height)/0/default.png"
          #expect(try picture(sandbox.folder.path("\(folder)/\(name)")).size == size, "\(name)")
        }
      }
    }
    for size in info.sizes {
      let name = "full/\(size.width),\(size.height)/0/default.png"
      let whole = try picture(sandbox.folder.path("\(folder)/\(name)"))
      #expect(whole.size == PixelSize(width: size.width, height: size.height))
    }
  }

  @Test("a page that is smaller than a tile is one tile, by all its names")
  func smallPage() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      [
        "pages", fixture("rotate"), "1", "--iiif", "--iiif-id", "x", "--size", "90x", "-o",
        "{page}",
      ]
    )
    #expect(result.code == 0, "\(result.errors)")
    let names = sandbox.folder.files.filter { !$0.hasSuffix("info.json") }
    #expect(names.count == 3)
    #expect(names.contains("1/full/max/0/default.jpg"))
  }

  @Test("there is no descriptor of a pyramid that is not complete")
  func incomplete() throws {
    let sandbox = try CommandSandbox()
    let arguments = ["pages", fixture("book"), "2", "--dzi", "-o", "{page}.dzi"]
    #expect(try sandbox.recto(arguments).code == 0)
    let level = URL(filePath: sandbox.folder.path("02_files/3"))
    try FileManager.default.removeItem(at: level)
    _ = try sandbox.file("02_files/3", "not a directory")
    let result = try sandbox.recto(arguments)
    #expect(result.code == 73)
    #expect(result.messages.count == 1)
    #expect(!sandbox.folder.files.contains("02.dzi"))
    try FileManager.default.removeItem(at: level)
    #expect(try sandbox.recto(arguments).code == 0)
    #expect(sandbox.folder.files.contains("02.dzi"))
  }

  @Test("a page that is too large is an error with the limit, and the others are written")
  func tooLarge() throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(
      "pages",
      fixture("book"),
      "2",
      "--dzi",
      "--dpi",
      "3000",
      "-o",
      "{page}.dzi"
    )
    #expect(result.code == 65)
    #expect(result.errors.contains("the limit is 100000000"), "\(result.errors)")
    #expect(sandbox.folder.files.isEmpty)
  }

  @Test(
    "options of pyramids that cannot be are refused",
    arguments: [
      (["--dzi", "--iiif", "--iiif-id", "x"], "--dzi cannot be used with --iiif"),
      (["--iiif"], "--iiif needs --iiif-id"),
      (["--iiif-id", "x"], "--iiif-id needs --iiif"),
      (["--overlap", "2"], "--overlap needs --dzi"),
      (["--tile-size", "256"], "--tile-size needs --dzi or --iiif"),
      (["--dzi", "--tile-size", "16", "--overlap", "16"], "--overlap must be less than"),
      (["--dzi", "--crop", "0,0,9,9"], "--dzi cannot be used with --crop"),
      (["--dzi", "-o", "-"], "--dzi cannot be used with --output -"),
      (["--dzi", "-o", "one.dzi"], "12 pages would be written to one file"),
    ]
  )
  func options(arguments: [String], message: String) throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(["pages", fixture("book")] + arguments)
    #expect(result.code == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(sandbox.folder.files.isEmpty)
  }
}
