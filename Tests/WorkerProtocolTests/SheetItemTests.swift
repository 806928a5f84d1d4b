import DocumentModel
import RectoBase
import RectoGeometry
import Testing

/// What a worker is told to draw on a contact sheet.
@Suite struct SheetItemTests {
  @Test(
    "a frame has pixels, and is not beyond the sides of any sheet",
    arguments: [
      PixelRect(x: 0, y: 0, width: 0, height: 1), PixelRect(x: -1, y: 0, width: 1, height: 1),
      PixelRect(x: 0, y: 1, width: 1, height: 40_000),
      PixelRect(x: 40_000, y: 0, width: 1, height: 1),
      PixelRect(x: .max, y: 0, width: .max, height: 1),
    ]
  )
  func frames(frame: PixelRect) {
    for item in [SheetItem.picture([], frame), .cross(frame), .label("", fontSize: 10, frame)] {
      let payload = WorkerRequest.drawOnSheet(item).payload
      #expect(throws: ByteCodingError.unknown) { try WorkerRequest(payload: payload[...]) }
    }
  }

  @Test("a font has a height", arguments: [0, -1, 1001, .nan, .infinity])
  func fonts(size: Double) {
    let frame = PixelRect(x: 0, y: 0, width: 1, height: 1)
    let payload = WorkerRequest.drawOnSheet(.label("a", fontSize: size, frame)).payload
    #expect(throws: ByteCodingError.unknown) { try WorkerRequest(payload: payload[...]) }
  }

  @Test(
    "a sheet beyond the limits is refused",
    arguments: [
      PixelSize(width: 0, height: 10), PixelSize(width: 40_000, height: 10),
      PixelSize(width: 20_000, height: 20_000),
    ]
  )
  func size(size: PixelSize) {
    for request in [WorkerRequest.beginSheet(size), .encodeSheet(size, .tile)] {
      #expect(throws: ByteCodingError.tooLong) { try WorkerRequest(payload: request.payload[...]) }
    }
  }
}
