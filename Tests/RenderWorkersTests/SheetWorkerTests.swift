import DocumentModel
import Foundation
import PNGCoding
import RectoGeometry
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

/// Contact sheets that workers draw.
@Suite struct SheetWorkerTests {
  private let size = PixelSize(width: 40, height: 30)
  private let frame = PixelRect(x: 10, y: 5, width: 4, height: 3)

  private func worker() throws -> SheetWorker {
    try SheetWorker(FilePath(TestPaths.worker.path), size)
  }

  /// A PPM of the size of the frame.
  private var pixmap: [UInt8] { Array("P6\n4 3\n255\n".utf8) + (0..<36).map { $0 * 7 } }

  private func pixels(_ worker: SheetWorker) throws -> PNGPicture {
    try PNGDecoder.decode(try worker.file(.tile), maxPixels: 1 << 20)
  }

  @Test("a picture of the size of its frame keeps its pixels")
  func picture() throws {
    let worker = try worker()
    try worker.draw(.picture(pixmap, frame))
    let sheet = try pixels(worker)
    #expect(sheet.size == size)
    for y in 0..<3 {
      for x in 0..<4 {
        let color = (0..<3).reduce(UInt32(0xFF)) { $0 << 8 | UInt32((y * 4 + x) * 3 + $1) * 7 }
        #expect(sheet.pixels[(frame.y + y) * size.width + frame.x + x] == color)
      }
    }
  }

  @Test("bytes that are no picture leave an empty frame, and the sheet can be continued")
  func damaged() throws {
    let worker = try worker()
    for bytes in [[], Array(pixmap.dropLast()), Array("GIF89a".utf8)] {
      #expect { try worker.draw(.picture(bytes, frame)) } throws: {
        ($0 as? DocumentError)?.code == .damaged
      }
    }
    let empty = try pixels(worker)
    #expect(empty.pixels[6 * size.width + 11] == 0xFFF8_F8F8)
    try worker.draw(.cross(frame))
    #expect(try pixels(worker).pixels != empty.pixels)
  }

  @Test("a label is drawn, and only in its frame")
  func label() throws {
    let worker = try worker()
    let blank = try pixels(worker)
    let frame = PixelRect(x: 5, y: 8, width: 30, height: 14)
    try worker.draw(.label("Ж日ابج mile-long line", fontSize: 12, frame))
    let sheet = try pixels(worker)
    #expect(sheet.pixels != blank.pixels)
    for (index, pixel) in sheet.pixels.enumerated() where pixel != blank.pixels[index] {
      let (y, x) = index.quotientAndRemainder(dividingBy: size.width)
      #expect((frame.x..<frame.maxX).contains(x) && (frame.y..<frame.maxY).contains(y))
    }
  }

  @Test(
    "a frame that is not on the sheet is refused",
    arguments: [
      PixelRect(x: 40, y: 0, width: 1, height: 1), PixelRect(x: 0, y: 29, width: 1, height: 2),
    ]
  )
  func outside(frame: PixelRect) throws {
    let worker = try worker()
    for item in [SheetItem.picture(pixmap, frame), .cross(frame), .label("a", fontSize: 9, frame)] {
      #expect { try worker.draw(item) } throws: { ($0 as? DocumentError)?.code == .fault }
    }
  }
}
