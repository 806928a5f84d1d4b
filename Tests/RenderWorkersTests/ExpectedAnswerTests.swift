import DocumentModel
import PNGCoding
import RectoGeometry
import RectoPictures
import Testing

@testable import RenderWorkers

/// Which replies answer which request.
@Suite struct ExpectedAnswerTests {
  private static let raster = PageRaster(
    pageIndex: 0,
    scale: 1,
    rotation: .none,
    userUnit: 1,
    size: PixelSize(width: 64, height: 48)
  )
  private static let parts = [
    PixelRect(x: 0, y: 0, width: 32, height: 48), PixelRect(x: 32, y: 0, width: 16, height: 24),
  ]
  private static let draw = WorkerRequest.draw(PageDrawing(raster, .parts(parts), purpose: .tiles))
  private static let engine = WorkerReply.engine("poppler 1")
  private static let opened = WorkerReply.opened(DocumentInfo(pageCount: 3))
  private static let done = WorkerReply.done(Warnings())
  private static let missing = WorkerReply.PageMeasurement.failure(
    DocumentError(.pageMissing, during: "find", "not there")
  )

  private static func tile(_ size: PixelSize) throws -> WorkerReply {
    var encoder = try PNGEncoder()
    let pixels = [UInt32](repeating: 0xFFFF_FFFF, count: size.width * size.height)
    let bytes = try pixels.withUnsafeBytes { bytes throws(PNGError) in
      try encoder.tile(bytes.bytes, stride: 4 * size.width, size: size)
    }
    return .picture(bytes)
  }

  @Test func `a picture in another style than the one asked for is a fault`() throws {
    let size = PixelSize(width: 32, height: 48)
    let part = PixelRect(x: 0, y: 0, width: 32, height: 48)
    let styles = [
      PictureStyle.tile, try PictureStyle(.jpeg), try PictureStyle(.jpeg, isGray: true),
      try PictureStyle(.webp), try PictureStyle(.png, isTransparent: true),
    ]
    var encoder = try PictureEncoder()
    let pixels = (0..<(32 * 48)).map { UInt32($0) * 77_777 % 0xFF_FFFF | 0xFF00_0000 }
    for asked in styles {
      let request = WorkerRequest.draw(PageDrawing(Self.raster, .parts([part]), style: asked))
      for sent in styles {
        let file = try encoder.encode(pixels.span.bytes, stride: 128, size: size, style: sent)
        #expect(fault(request, [.picture(file), Self.done]) == (asked == sent ? nil : .fault))
      }
    }
  }

  @Test func `a vector file is answered by a piece for each sheet, with its beginning and end`()
    throws
  {
    func request(_ format: PictureFormat, sheets: Int) -> WorkerRequest {
      let sheet = VectorSheet(size: Size(width: 9, height: 9), pages: [])
      return .draw(
        PageDrawing(
          Self.raster,
          .sheets(Array(repeating: sheet, count: sheets)),
          style: .opaque(format)
        )
      )
    }
    func piece(_ text: String) -> WorkerReply { .sheet(Array(text.utf8), Warnings()) }
    let (begin, end) = (piece("%PDF-1.5\n"), piece("%%EOF\n"))
    #expect(try isComplete(request(.pdf, sheets: 2), [begin, end, Self.done]))
    #expect(try isComplete(request(.pdf, sheets: 1), [piece("%PDF-1.5\n%%EOF\n"), Self.done]))
    #expect(try isComplete(request(.pdf, sheets: 3), [begin, piece(""), end, Self.done]))
    #expect(try isComplete(request(.svg, sheets: 1), [piece("<?xml ?></svg>\n"), Self.done]))
    for replies in [
      [begin, begin], [end], [begin, Self.done], [begin, end, end], [piece("<?xml ")],
      [.picture(Array("%PDF-1.5\n".utf8))],
    ] {
      #expect(fault(request(.pdf, sheets: 2), replies) == .fault)
    }
    #expect(fault(Self.draw, [begin]) == .fault)
  }

  @Test("Links, an outline and a destination answer their own requests only")
  func links() {
    let replies: [WorkerReply] = [
      .links([]), .outline(DocumentOutline()), .destination(nil), Self.opened, Self.done,
    ]
    let requests: [WorkerRequest] = [.links(3), .outline, .destination("x")]
    for (index, request) in requests.enumerated() {
      for (other, reply) in replies.enumerated() {
        #expect(fault(request, [reply]) == (index == other ? nil : .fault))
      }
      #expect(fault(request, [replies[index], replies[index]]) == .fault)
    }
  }

  /// How a conversation ends: nil when the replies are the answer, or a part of it.
  private func fault(_ request: WorkerRequest, _ replies: [WorkerReply]) -> DocumentError.Code? {
    var expected = ExpectedAnswer(to: request)
    do throws(DocumentError) {
      for reply in replies {
        // What may come is never longer than what is let in.
        #expect(reply.payload.count <= expected.largestPayload)
        try expected.take(reply)
      }
      return nil
    } catch {
      return error.code
    }
  }

  private func isComplete(_ request: WorkerRequest, _ replies: [WorkerReply]) throws -> Bool {
    var expected = ExpectedAnswer(to: request)
    for reply in replies { try expected.take(reply) }
    return expected.isComplete
  }

  @Test("Reduced parts are answered by one picture of the size of each, in order")
  func reduced() throws {
    let request = WorkerRequest.draw(
      PageDrawing(
        Self.raster,
        .reduced([
          ReducedPart(PixelSize(width: 32, height: 24)),
          ReducedPart(
            size: PixelSize(width: 32, height: 24),
            part: PixelRect(x: 16, y: 0, width: 16, height: 24)
          ),
          ReducedPart(PixelSize(width: 4, height: 3)),
        ])
      )
    )
    let pictures = try [(32, 24), (16, 24), (4, 3)].map {
      try Self.tile(PixelSize(width: $0, height: $1))
    }
    #expect(try isComplete(request, pictures + [Self.done]))
    #expect(try !isComplete(request, pictures))
    #expect(fault(request, pictures.dropLast() + [Self.done]) == .fault)
    #expect(fault(request, pictures.reversed() + [Self.done]) == .fault)
    #expect(fault(request, pictures + [pictures[2]]) == .fault)
    #expect(fault(request, [try Self.tile(PixelSize(width: 64, height: 48))]) == .fault)
  }

  @Test("Properties are answered by properties alone")
  func properties() throws {
    let properties = WorkerReply.properties(DocumentProperties())
    #expect(try isComplete(.properties, [properties]))
    #expect(try !isComplete(.properties, []))
    for other in [Self.opened, Self.done] { #expect(fault(.properties, [other]) == .fault) }
    #expect(fault(.properties, [properties, properties]) == .fault)
    #expect(fault(Self.draw, [properties]) == .fault)
  }

  @Test func `an answer is complete with its last reply and not before`() throws {
    let pictures = try Self.parts.map { try Self.tile($0.size) }
    let answers: [(WorkerRequest, [WorkerReply])] = [
      (.open(password: nil, subset: nil), [Self.engine, Self.opened]),
      (.measure(4..<4), [Self.done]),
      (
        .measure(4..<7),
        [
          .measured(first: 4, [Self.missing]),
          .measured(first: 5, [Self.missing, Self.missing]), Self.done,
        ]
      ),
      (Self.draw, pictures + [Self.done]),
    ]
    for (request, replies) in answers {
      for count in replies.indices {
        #expect(try !isComplete(request, Array(replies.prefix(count))))
      }
      #expect(try isComplete(request, replies))
    }
  }

  @Test func `an engine is named once, before the document is open`() {
    let request = WorkerRequest.open(password: nil, subset: nil)
    #expect(fault(request, [Self.opened]) == .fault)
    #expect(fault(request, [Self.engine, Self.engine]) == .fault)
    #expect(fault(request, [Self.engine, Self.opened, Self.engine]) == .fault)
  }

  @Test func `a reply to another request is a fault`() throws {
    let picture = try Self.tile(Self.parts[0].size)
    let measured = WorkerReply.measured(first: 0, [Self.missing])
    for reply in [measured, picture, Self.done] {
      #expect(fault(.open(password: nil, subset: nil), [reply]) == .fault)
    }
    for reply in [Self.opened, picture] { #expect(fault(.measure(0..<2), [reply]) == .fault) }
    for reply in [Self.opened, measured] { #expect(fault(Self.draw, [reply]) == .fault) }
  }

  @Test func `measurements bring news of the pages asked for`() {
    let page = Self.missing
    #expect(fault(.measure(4..<7), [.measured(first: 4, [])]) == .fault)
    #expect(fault(.measure(4..<7), [.measured(first: 3, [page])]) == .fault)
    #expect(fault(.measure(4..<7), [.measured(first: 5, [page])]) == .fault)
    #expect(fault(.measure(4..<7), [.measured(first: 4, [page, page, page, page])]) == .fault)
    let first = WorkerReply.measured(first: 4, [page])
    #expect(fault(.measure(4..<7), [first, first]) == .fault)
    #expect(fault(.measure(4..<7), [first, Self.done]) == .fault)
    #expect(fault(.measure(4..<5), [first, .measured(first: 5, [page])]) == .fault)
    #expect(fault(.measure(4..<5), [first, Self.done]) == nil)
  }

  @Test func `there are as many pictures as parts, each of its size`() throws {
    let pictures = try Self.parts.map { try Self.tile($0.size) }
    #expect(fault(Self.draw, [Self.done]) == .fault)
    #expect(fault(Self.draw, [pictures[0], Self.done]) == .fault)
    #expect(fault(Self.draw, [pictures[1]]) == .fault)
    #expect(fault(Self.draw, pictures + [pictures[1]]) == .fault)
    #expect(fault(Self.draw, [.picture([])]) == .fault)
    #expect(fault(Self.draw, [.picture(Array("<html>".utf8))]) == .fault)
    #expect(fault(Self.draw, pictures + [Self.done]) == nil)
  }

  @Test func `a worker's own error ends any answer, but it cannot take a request back`() {
    for request in [WorkerRequest.open(password: nil, subset: nil), .measure(0..<9), Self.draw] {
      #expect(fault(request, [.failed(DocumentError(.drawing, during: "", ""))]) == .drawing)
      #expect(fault(request, [.failed(DocumentError(.cancelled, during: "", ""))]) == .fault)
    }
  }

  @Test func `an engine has a name of printable ASCII`() {
    let request = WorkerRequest.open(password: nil, subset: nil)
    for name in ["", "\u{1B}]0;x\u{7}", "a\nb", "\u{9B}31m", "pöppler", "a\u{7F}"] {
      #expect(fault(request, [.engine(name)]) == .fault)
    }
  }

  @Test func `what is let in follows what was asked for`() {
    let large = PixelRect(x: 0, y: 0, width: 4096, height: 4096)
    let small = PixelRect(x: 0, y: 0, width: 16, height: 16)
    func limit(_ request: WorkerRequest) -> Int { ExpectedAnswer(to: request).largestPayload }
    func drawing(_ part: PixelRect) -> Int {
      limit(.draw(PageDrawing(Self.raster, .parts([part]))))
    }
    #expect(drawing(small) < 100_000)
    #expect(drawing(large) > 3 * 4096 * 4096 && drawing(large) < 5 * 4096 * 4096)
    #expect(limit(.open(password: nil, subset: nil)) < 100_000)
    #expect(limit(.measure(0..<1)) < 100_000)
    #expect(limit(.measure(0..<1_000_000_000)) < 3_000_000)
    // Nothing that can be asked for makes the sum trap.
    _ = drawing(PixelRect(x: 0, y: 0, width: .max, height: .max))
  }
}
