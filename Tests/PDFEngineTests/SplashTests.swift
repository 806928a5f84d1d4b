import DocumentModel
import Foundation
import PDFEngine
import PNGCoding
import RectoGeometry
import RectoTiles
import TestSupport
import Testing

/// Pages drawn with Splash.
extension PopplerTests {
  /// Runs `body` with a session that draws pages of a fixture with Splash.
  private func withSplash(
    _ file: URL,
    password: String? = nil,
    _ body: (DrawingSession) throws -> Void
  ) throws {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    try body(
      try DrawingSession(
        descriptor: handle.fileDescriptor,
        password: password,
        subset: nil,
        rasterizer: .splash
      )
    )
  }

  /// Parts of a page.
  private func pictures(
    _ session: DrawingSession,
    _ raster: PageRaster,
    _ parts: [PixelRect],
    style: PictureStyle = .tile,
    isOneOff: Bool = true
  ) throws -> [Picture] {
    var files: [[UInt8]] = []
    _ = try session.draw(
      PageDrawing(raster, .parts(parts), style: style, purpose: isOneOff ? .picture : .tiles)
    ) {
      files.append($0)
    }
    return try files.map { try #require(Picture(png: $0)) }
  }

  private func info(_ session: DrawingSession, _ page: PageIndex) throws -> PageInfo {
    var info: PageInfo?
    session.measure(page..<page.advanced(by: 1), batchSize: 1) { info = try? $1.first?.get() }
    return try #require(info)
  }

  @Test func `a part is drawn though the cell around it is larger than a picture may be`() throws {
    var pdf = PDFFile()
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    pdf.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 1 330]/Contents 4 0 R>>")
    pdf.add("<</Length 16>>", stream: Data("0 0 1 330 re f  ".utf8))
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "long.pdf")
    try pdf.finished().write(to: file)
    try withSplash(file) { session in
      let raster = try PageRaster(
        page: 0,
        info: info(session, 0),
        scale: 100,
        rotation: .none
      )
      #expect(raster.size.height > Bitmap.largestSide)
      let part = PixelRect(x: 0, y: 0, width: 4, height: 31_000)
      let picture = try pictures(session, raster, [part])[0]
      #expect(picture.size == part.size)
    }
  }

  @Test func `every page by Splash is what pdftoppm draws`() throws {
    var compared = 0
    for (name, indices) in Self.cutPages + [("encrypted.pdf", [0]), ("endless-shading.pdf", [1])] {
      let file = TestPaths.root.appending(path: "Fixtures/\(name)")
      let password = name == "encrypted.pdf" ? "secret" : nil
      try withSplash(file, password: password) { session in
        for index in indices {
          let raster = try PageRaster(
            page: index,
            info: info(session, index),
            scale: 96.0 / 72,
            rotation: .none
          )
          let peer = try Program.runInPath(
            "pdftoppm",
            ["-png", "-cropbox", "-r", "96", "-f", "\(index.number)", "-l", "\(index.number)"]
              + (password.map { ["-upw", $0] } ?? []) + [file.path]
          )
          let expected = try #require(Picture(png: Array(peer.output)), "\(name)")
          let drawn = try pictures(session, raster, [raster.whole])[0]
          // Pages are clipped to their crop box here, which may end within the outermost pixels, and so are groups.
          let difference = try #require(
            Difference(drawn, expected, rim: 1),
            "\(name) \(drawn.size)"
          )
          #expect(difference.share < 0.0003, "\(name), page \(index.number): \(difference)")
          compared += 1
        }
      }
    }
    #expect(compared > 20)
  }

  @Test func `tiles by Splash put together are the page, at any scale and view rotation`() throws {
    for (name, indices) in Self.cutPages {
      try withSplash(TestPaths.root.appending(path: "Fixtures/\(name)")) { session in
        for index in indices {
          let info = try info(session, index)
          for scale in [0.5, 1.37] {
            for rotation in Rotation.allCases {
              let natural = try PageRaster(
                page: index,
                info: info,
                scale: scale,
                rotation: rotation
              )
              let larger = PixelSize(
                width: natural.size.width + 1,
                height: natural.size.height - 1
              )
              for raster in [natural, natural.filling(larger, of: info)] {
                let whole = try pictures(session, raster, [raster.whole])[0]
                let grid = TileGrid(page: raster.size, tileSide: 160)
                let rects = grid.tiles(touching: raster.whole).map(grid.rect(of:))
                var joined = Picture(
                  size: whole.size,
                  pixels: .init(repeating: 0, count: whole.pixels.count)
                )
                for (place, rect) in rects.enumerated() {
                  let tile = try pictures(session, raster, [rect], isOneOff: place % 2 == 0)
                  joined.paste(tile[0], at: rect)
                }
                #expect(joined == whole, "\(name) at \(scale), \(rotation)")
              }
            }
          }
        }
      }
    }
  }

  @Test func `a view turned by Splash is the upright one turned`() throws {
    try withSplash(TestPaths.fixture("crop")) { session in
      let info = try info(session, 1)
      let raster = { (rotation: Rotation) throws in
        try PageRaster(page: 1, info: info, scale: 1, rotation: rotation)
      }
      let upright = try raster(.none)
      let picture = try pictures(session, upright, [upright.whole])[0]
      for rotation in Rotation.allCases.dropFirst() {
        let turned = try raster(rotation)
        let own = try pictures(session, turned, [turned.whole])[0]
        let expected = picture.turned(by: rotation)
        #expect(own.size == expected.size)
        let distances = zip(own.coarse(8), expected.coarse(8)).map { abs($0 - $1) }
        #expect(distances.allSatisfy { $0 < 8 }, "\(rotation): \(distances.max() ?? 0)")
      }
    }
  }

  @Test func `a page by Splash without paper is the page when it is put on paper`() throws {
    let style = try PictureStyle(.png, isTransparent: true)
    for index: PageIndex in [0, 1] {
      try withSplash(TestPaths.fixture("transparency")) { session in
        let raster = try PageRaster(
          page: index,
          info: info(session, index),
          scale: 1,
          rotation: .none
        )
        let page = try pictures(session, raster, [raster.whole])[0]
        let bare = try pictures(session, raster, [raster.whole], style: style)[0]
        #expect(bare.pixels.contains { $0 >> 24 == 0 })
        let onPaper = bare.pixels.map { pixel -> UInt32 in
          let light = 255 - pixel >> 24
          return 0xFF00_0000 | pixel & 0xFF_FFFF &+ light &* 0x01_0101
        }
        let difference = Difference(page, Picture(size: bare.size, pixels: onPaper))
        #expect(try #require(difference).isNone, "page \(index.number)")
      }
    }
  }
}
