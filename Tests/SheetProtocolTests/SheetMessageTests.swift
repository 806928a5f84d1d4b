import DocumentModel
import RectoBase
import RectoGeometry
import Testing

/// What the command and `recto-sheet` say to each other.
@Suite struct SheetMessageTests {
  private func request() throws -> SheetRequest {
    SheetRequest(
      size: PixelSize(width: 300, height: 200),
      style: try PictureStyle(.jpeg, quality: 70),
      fontSize: 12.5,
      pictures: [
        SheetRequest.Picture(
          file: [0x61, 0xFF, 0x2E],
          frame: PixelRect(x: 0, y: 0, width: 300, height: 200)
        )
      ],
      missing: [PixelRect(x: 299, y: 199, width: 1, height: 1)],
      labels: [
        SheetRequest.Label(text: "日本語", frame: PixelRect(x: 1, y: 2, width: 3, height: 4))
      ]
    )
  }

  @Test("a request comes back as it was")
  func requests() throws {
    let request = try request()
    #expect(try SheetRequest(payload: request.payload[...]) == request)
  }

  @Test("a reply comes back as it was")
  func replies() throws {
    let unreadable = [SheetReply.Unreadable(index: 1, reason: "torn")]
    for reply in [SheetReply.sheet([1, 2, 3], unreadable: unreadable), .failed("no memory")] {
      #expect(try SheetReply(payload: reply.payload[...], pictureCount: 2) == reply)
    }
  }

  @Test("a message that is cut off or too long is refused")
  func torn() throws {
    let payload = try request().payload
    for count in payload.indices {
      #expect(throws: ByteCodingError.self) { try SheetRequest(payload: payload[..<count]) }
    }
    #expect(throws: ByteCodingError.surplus) { try SheetRequest(payload: payload + [0]) }
    let reply = SheetReply.sheet([1, 2, 3], unreadable: []).payload
    for count in reply.indices {
      #expect(throws: ByteCodingError.self) {
        try SheetReply(payload: reply[..<count], pictureCount: 0)
      }
    }
  }

  @Test(
    "a frame has to be inside the sheet, and has pixels",
    arguments: [
      PixelRect(x: 0, y: 0, width: 0, height: 1), PixelRect(x: -1, y: 0, width: 1, height: 1),
      PixelRect(x: 0, y: 1, width: 1, height: 200), PixelRect(x: 300, y: 0, width: 1, height: 1),
      PixelRect(x: .max, y: 0, width: .max, height: 1),
    ]
  )
  func frames(frame: PixelRect) throws {
    var request = try request()
    request.missing = [frame]
    #expect(throws: ByteCodingError.self) { try SheetRequest(payload: request.payload[...]) }
  }

  @Test(
    "a sheet beyond the limits is refused",
    arguments: [
      PixelSize(width: 0, height: 10), PixelSize(width: 40_000, height: 10),
      PixelSize(width: 20_000, height: 20_000),
    ]
  )
  func size(size: PixelSize) throws {
    var request = try request()
    request.size = size
    #expect(throws: ByteCodingError.tooLong) { try SheetRequest(payload: request.payload[...]) }
  }

  @Test("an unreadable picture is one of the request")
  func index() {
    for index in [-1, 2, .max] {
      let reply = SheetReply.sheet([1], unreadable: [.init(index: index, reason: "")])
      #expect(throws: ByteCodingError.unknown) {
        try SheetReply(payload: reply.payload[...], pictureCount: 2)
      }
    }
  }
}
