import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import TestSupport
import Testing

/// Paper, and the memory of pictures.
extension PopplerTests {
  /// Colors at all opacities, with nothing at the edges.
  private var veils: String {
    (0..<40).map { step in
      let color = "\(Double(step % 7) / 6) \(Double(step % 5) / 4) \(Double(step % 3) / 2) rg"
      return "/G\(step) gs \(color) \(20 + step * 4) 30 m \(30 + step * 3) 270 l 190 150 l f"
    }.joined(separator: "\n")
  }

  private var opacities: String {
    "/ExtGState<<\((0..<40).map { "/G\($0)<</ca \(Double($0) / 39)>>" }.joined())>>"
  }

  @Test func `a picture in memory of another one is what it is in fresh memory`() throws {
    let size = PixelSize(width: 1234, height: 789)
    do {
      let blank = Picture(try Bitmap(size))
      #expect(blank.pixels.allSatisfy { $0 == 0 })
    }
    try withPage(veils, opacities) { file in
      try withDocument(file, .precise) { document in
        let page = try document.page(at: 0)
        let raster = try PageRaster(page: 0, info: page.info(), scale: 4, rotation: .none)
        func draw() throws -> Picture {
          Picture(try page.bitmap(of: raster.whole, raster: raster, hasPaper: false))
        }
        // Two at a time: one of them has fresh memory.
        let other = try page.bitmap(of: raster.whole, raster: raster, hasPaper: false)
        let fresh = try draw()
        for _ in 0..<3 {
          let again = try draw() == fresh
          #expect(again)
        }
        let isSame = Picture(other) == fresh
        #expect(isSame)
        // A blank one in memory that was drawn in.
        let blank = Picture(try Bitmap(raster.size))
        #expect(blank.pixels.allSatisfy { $0 == 0 })
      }
    }
  }

  @Test func `paper gives each pixel the white that it lacks`() throws {
    try withPage(veils, opacities) { file in
      // In large pages, on the heap, and with rows of an odd number of pixels.
      for scale in [4, 1, 0.335, 0.005] {
        try withDocument(file, .precise) { document in
          let page = try document.page(at: 0)
          let raster = try PageRaster(page: 0, info: page.info(), scale: scale, rotation: .none)
          let bare = Picture(try page.bitmap(of: raster.whole, raster: raster, hasPaper: false))
          let onPaper = Picture(try page.bitmap(of: raster.whole, raster: raster))
          let expected = bare.pixels.map { pixel in
            stride(from: 0, to: 32, by: 8).reduce(UInt32(0)) { word, shift in
              word | min(pixel >> UInt32(shift) & 255 + (255 - pixel >> 24), 255) << UInt32(shift)
            }
          }
          let isSame = onPaper.pixels == expected
          #expect(isSame, "\(scale)")
          #expect(onPaper.pixels.allSatisfy { $0 >> 24 == 255 })
          #expect(scale < 0.1 || Set(bare.pixels.map { $0 >> 24 }).count > 30)
        }
      }
    }
  }

  @Test func `a picture begins transparent, wherever its memory has been`() throws {
    try withPage("0 0 1 rg 0 0 200 300 re f", "") { painted in
      try withPage("", "") { empty in
        for file in [painted, empty, painted, empty] {
          try withDocument(file, .precise) { document in
            let page = try document.page(at: 0)
            let raster = try PageRaster(page: 0, info: page.info(), scale: 4, rotation: .none)
            let bitmap = try page.bitmap(of: raster.whole, raster: raster, hasPaper: false)
            #expect(Set(Picture(bitmap).pixels) == [file == painted ? 0xFF00_00FF : 0])
          }
        }
      }
    }
  }

  @Test func `the memory of a picture goes with it`() throws {
    try withPage("0 0 1 rg 0 0 200 300 re f", "") { file in
      try withDocument(file, .precise) { document in
        let page = try document.page(at: 0)
        let raster = try PageRaster(page: 0, info: page.info(), scale: 12, rotation: .none)
        let before = try addressSpace()
        for _ in 0..<40 { _ = try page.bitmap(of: raster.whole, raster: raster) }
        // 40 pictures have 1.4 GB. Other tests run at the same time.
        #expect(try addressSpace() - before < 700_000_000)
      }
    }
  }

  /// Bytes of address space of this process.
  private func addressSpace() throws -> Int {
    let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(statm.split(separator: " ").first.flatMap { Int($0) }) * 4096
  }
}
