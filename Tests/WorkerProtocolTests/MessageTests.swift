import DocumentModel
import RectoBase
import RectoGeometry
import Testing

private let raster = PageRaster(
  pageIndex: 14_999,
  scale: 2.6666666666666665,
  rotation: .quarter,
  userUnit: 2,
  size: PixelSize(width: 1632, height: 2112)
)

private let fitted = PageRaster(
  pageIndex: 0,
  scale: 1,
  rotation: .none,
  userUnit: 1,
  size: PixelSize(width: 595, height: 842),
  isFitted: true
)

private let requests: [WorkerRequest] =
  [
    .open(password: nil, subset: nil), .open(password: "pä\u{0}ss", subset: nil),
    .open(password: nil, subset: nil, text: .poppler),
    .open(password: nil, subset: nil, rasterizer: .splash),
    .open(
      password: nil,
      subset: DocumentSubset(
        pages: [
          DocumentSubset.Page(
            index: 14_999,
            cropBox: Rect(x: 1, y: -2, width: 3, height: 4),
            rotation: .half,
            hasCairoFaults: true
          ),
          DocumentSubset.Page(index: 3, cropBox: .zero, rotation: .none),
        ],
        pieces: [.bytes([1, 2, 3]), .file(4..<70), .inflated(70..<90, count: 7_000)]
      )
    ),
    .measure(0..<0), .measure(5..<16_000),
    .draw(PageDrawing(raster, .parts([]), purpose: .tiles)),
    .draw(PageDrawing(fitted, .parts([]), purpose: .tiles)),
    .draw(
      PageDrawing(
        raster,
        .parts([
          PixelRect(x: 0, y: 512, width: 512, height: 512),
          PixelRect(x: 1, y: 2, width: 3, height: 4),
        ])
      )
    ),
    .beginSheet(PixelSize(width: 300, height: 200)),
    .drawOnSheet(.picture([0x61, 0xFF], PixelRect(x: 0, y: 0, width: 300, height: 200))),
    .drawOnSheet(.cross(PixelRect(x: 299, y: 199, width: 1, height: 1))),
    .drawOnSheet(.label("日本語", fontSize: 12.5, PixelRect(x: 1, y: 2, width: 3, height: 4))),
    .encodeSheet(PixelSize(width: 300, height: 200), styles[0]),
    .describe, .links(15_000), .outline, .destination("chäpter \u{0}"),
    .properties, .draw(PageDrawing(fitted, .reduced([]))),
    .draw(PageDrawing(fitted, .reduced([]), purpose: .thumbnail)),
    .draw(
      PageDrawing(
        raster,
        .reduced([
          ReducedPart(PixelSize(width: 816, height: 1056)),
          ReducedPart(
            size: PixelSize(width: 408, height: 528),
            part: PixelRect(x: 256, y: 512, width: 152, height: 16)
          ),
        ]),
        style: styles[0]
      )
    ),
    .draw(PageDrawing(raster, .sheets(sheets), style: .opaque(.pdf))),
    .draw(PageDrawing(raster, .sheets([]), style: .opaque(.svg))),
  ] + styles.map { .draw(PageDrawing(raster, .parts([]), style: $0)) }

private let sheets = [
  VectorSheet(
    size: Size(width: 595.276, height: 841.89),
    pages: [
      VectorSheet.Page(raster, frame: Rect(x: -1.5, y: 2, width: 3, height: 4)),
      VectorSheet.Page(
        fitted,
        frame: Rect(x: 5, y: 6, width: 7, height: 8),
        clip: Rect(x: 5.25, y: 6, width: 1, height: 2)
      ),
    ],
    background: 0xE8_E8E8
  ), VectorSheet(size: Size(width: 1, height: 2), pages: [], resolution: 72),
]

private let styles = [
  try? PictureStyle(.jpeg, quality: 1), try? PictureStyle(.webp, isGray: true, isTransparent: true),
  try? PictureStyle(.png, isTransparent: true), try? PictureStyle(.tiff, isBilevel: true),
  try? PictureStyle(.pdf, isTransparent: true),
].compactMap(\.self)

private let info = PageInfo(
  cropBox: Rect(x: -3, y: 20.5, width: 595.276, height: 841.89),
  rotation: .half,
  userUnit: 1,
  size: Size(width: 595.276, height: 841.89),
  label: "xii"
)

private let links: [PageLink] = {
  let area = Rect(x: -1, y: 2.5, width: 0, height: 1e9)
  let fits: [LinkDestination.Fit] = [
    .point(x: nil, y: nil, zoom: nil), .page, .width(y: 1), .height(x: nil), .area(area), .content,
    .contentWidth(y: nil), .contentHeight(x: -1),
  ]
  let targets: [LinkTarget] =
    fits.map { .destination(LinkDestination(page: 3, fit: $0)) } + [
      .missing(name: nil), .missing(name: "x"), .file("a.pdf", page: 1, name: "n"),
      .file("", page: nil, name: nil), .uri("https://example.org/"), .launch("b"),
      .named("NextPage"), .other(""),
    ]
  return targets.enumerated().map { PageLink(areas: Array(repeating: area, count: $0), target: $1) }
}()

private let outline: DocumentOutline = {
  func item(_ title: String, _ children: [OutlineItem] = []) -> OutlineItem {
    OutlineItem(title: title, target: nil, isOpen: !children.isEmpty, children: children)
  }
  var deep = item("deep")
  for level in 0..<60 { deep = item("\(level)", [deep, item("b")]) }
  return DocumentOutline(
    items: [item(""), item("a", [item("ä", [item("c")]), item("d")]), deep],
    incomplete: "more than 64 levels"
  )
}()

private let properties: DocumentProperties = {
  var properties = DocumentProperties()
  properties.author = "A"
  properties.producer = "ä"
  properties.created = DocumentDate(pdf: "D:20240229235958-09'30'")
  properties.version = PDFVersion(major: 1, minor: 7)
  properties.isEncrypted = true
  properties.permissions = [.print, .extract]
  properties.isLinearized = true
  properties.isTagged = false
  properties.form = .xfa
  return properties
}()

private let replies: [WorkerReply] = [
  .properties(DocumentProperties()), .properties(properties),
  .engine("poppler 1 cairo 2"), .engine(""),
  .opened(
    DocumentInfo(pageCount: 3, title: "Ein Titel", isRightToLeft: true, pageLayout: .twoPageRight)
  ),
  .opened(DocumentInfo(pageCount: 0)),
  .measured(
    first: 7,
    [
      .success(info),
      .failure(DocumentError(.pageMissing, during: "find page 9", "not there")),
      .success(
        PageInfo(
          cropBox: Rect(x: -1e38, y: 0, width: 1e38, height: .infinity),
          rotation: nil,
          userUnit: 1,
          size: Size(width: 1e38, height: .infinity),
          label: nil
        )
      ),
    ]
  ),
  .links([]), .links(links), .outline(DocumentOutline()), .outline(outline), .destination(nil),
  .destination(LinkDestination(page: 14_999, fit: .point(x: 1, y: nil, zoom: 2), name: "ä")),
  .picture([]), .picture(Array(0...255)), .sheet([], Warnings()),
  .sheet([1, 2], Warnings(count: 3, first: "ä", incomplete: "b", rasterizer: .splash)),
  .done(Warnings()), .done(Warnings(), isEmbedded: true),
  .done(Warnings(incomplete: "invalid matrix")),
  .done(Warnings(count: 34_627, first: "Syntax Error")), .done(Warnings(rasterizer: .splash)),
  .failed(DocumentError(.init(rawValue: "of-tomorrow"), during: "draw", "why\nnot")),
]

@Suite struct MessageTests {
  @Test(arguments: requests)
  func `a request survives the pipe`(_ request: WorkerRequest) throws {
    #expect(try WorkerRequest(payload: request.payload[...]) == request)
  }

  @Test(arguments: replies)
  func `a reply survives the pipe`(_ reply: WorkerReply) throws {
    #expect(try WorkerReply(payload: reply.payload[...]) == reply)
  }

  @Test func `a text that is not UTF-8 is refused`() throws {
    let engine = String(repeating: "[", count: WorkerReply.largestEngine)
    var payload = WorkerReply.engine(engine).payload
    #expect(try WorkerReply(payload: payload[...]).payload == payload)
    // Replaced, it would make the name longer than a name may be.
    payload[payload.count - 10] = 0xDB
    #expect(throws: ByteCodingError.unknown) { try WorkerReply(payload: payload[...]) }
  }

  @Test func `texts are cut off where they are written, between characters`() throws {
    let long = String(repeating: "ä", count: 100_000)
    let error = DocumentError(.init(rawValue: long), during: long, long)
    let page = PageInfo(
      cropBox: .zero,
      rotation: nil,
      userUnit: 1,
      size: .zero,
      label: "x" + long
    )
    var texts = DocumentProperties()
    for text in DocumentProperties.texts { texts[keyPath: text] = long }
    let replies: [(WorkerReply, Int)] = [
      (.properties(texts), WorkerReply.largestProperties),
      (.opened(DocumentInfo(pageCount: 1, title: long)), WorkerReply.largestOpened),
      (
        .measured(first: 0, [.success(page), .failure(error)]),
        WorkerReply.largestMeasured(pages: 2)
      ),
      (.failed(error), WorkerReply.largestEnd),
      (.done(Warnings(count: 1, first: long, incomplete: long)), WorkerReply.largestEnd),
    ]
    for (reply, limit) in replies {
      let payload = reply.payload
      #expect(payload.count <= limit)
      #expect(try WorkerReply(payload: payload[...]).payload == payload)
    }
    guard
      case .measured(_, let pages) = try WorkerReply(payload: replies[2].0.payload[...]),
      case .success(let read) = pages[0]
    else {
      Issue.record("another reply was read")
      return
    }
    // One byte and whole characters of two: the last byte of the limit stays free.
    #expect(read.label?.utf8.count == TextLimit.label - 1)
    #expect(read.label?.allSatisfy { $0 == "x" || $0 == "ä" } == true)
  }

  @Test func `a text that is longer than it may be is refused`() throws {
    var payload = WorkerReply.engine("e").payload
    let name = Array(repeating: UInt8(ascii: "e"), count: WorkerReply.largestEngine + 1)
    payload.removeLast(9)
    var writer = ByteWriter()
    writer.write(name)
    #expect(throws: ByteCodingError.tooLong) {
      try WorkerReply(payload: (payload + writer.bytes)[...])
    }
    #expect(throws: Never.self) {
      var writer = ByteWriter()
      writer.write(Array(name.dropLast()))
      _ = try WorkerReply(payload: (payload + writer.bytes)[...])
    }
  }

  @Test func `no reply measures more pages than a batch holds`() {
    let page = WorkerReply.PageMeasurement.failure(DocumentError(.pageMissing, during: "", ""))
    let batch = Array(repeating: page, count: WorkerReply.largestBatch + 1)
    let whole = WorkerReply.measured(first: 0, Array(batch.dropLast()))
    #expect(throws: Never.self) { try WorkerReply(payload: whole.payload[...]) }
    #expect(throws: ByteCodingError.tooLong) {
      try WorkerReply(payload: WorkerReply.measured(first: 0, batch).payload[...])
    }
  }

  @Test func `a message cut short or gone on too long is refused and never traps`() {
    for payload in requests.map(\.payload) {
      for length in 0..<payload.count {
        #expect(throws: ByteCodingError.self) { try WorkerRequest(payload: payload[..<length]) }
      }
      #expect(throws: ByteCodingError.self) { try WorkerRequest(payload: (payload + [0])[...]) }
    }
    for payload in replies.map(\.payload) {
      for length in 0..<payload.count {
        #expect(throws: ByteCodingError.self) { try WorkerReply(payload: payload[..<length]) }
      }
      #expect(throws: ByteCodingError.self) { try WorkerReply(payload: (payload + [0])[...]) }
    }
  }

  @Test("Outlines and links that cannot be are refused")
  func falseOutlines() throws {
    func refused(_ reply: WorkerReply) -> Bool {
      (try? WorkerReply(payload: reply.payload[...])) == nil
    }
    var deep = OutlineItem(title: "", target: nil, isOpen: false, children: [])
    for _ in 0..<64 { deep = OutlineItem(title: "", target: nil, isOpen: false, children: [deep]) }
    #expect(refused(.outline(DocumentOutline(items: [deep]))))
    let item = OutlineItem(title: "", target: nil, isOpen: false, children: [])
    #expect(refused(.outline(DocumentOutline(items: Array(repeating: item, count: 100_001)))))
    // An item below none.
    #expect((try? WorkerReply(payload: [11, 0, 1])) == nil)
    let places: [LinkDestination] = [
      LinkDestination(page: -1, fit: .page), LinkDestination(page: PageIndex(1 << 40), fit: .page),
      LinkDestination(page: 0, fit: .width(y: .nan)),
      LinkDestination(page: 0, fit: .area(Rect(x: 0, y: 0, width: -1, height: 1))),
      LinkDestination(page: 0, fit: .area(Rect(x: 0, y: 0, width: .infinity, height: 1))),
    ]
    for place in places { #expect(refused(.destination(place)), "\(place)") }
    let link = PageLink(areas: [], target: .uri("x"))
    #expect(refused(.links(Array(repeating: link, count: 10_001))))
    #expect(refused(.links([PageLink(areas: [], target: .file("x", page: 0, name: nil))])))
  }

  @Test func `info that no page has are refused`() {
    let changes: [(inout PageInfo) -> Void] = [
      { $0.size.width = .nan }, { $0.size.height = .infinity }, { $0.size.width = -1 },
      { $0.cropBox = Rect(x: .infinity, y: 0, width: 1, height: 1) }, { $0.userUnit = .nan },
      { $0.userUnit = 0 },
    ]
    for change in changes {
      var forged = info
      change(&forged)
      let reply = WorkerReply.measured(first: 0, [.success(forged)])
      #expect(throws: ByteCodingError.unknown) { try WorkerReply(payload: reply.payload[...]) }
    }
  }

  @Test func `what a file says is brought into what info can be`() {
    let endless = PageInfo(
      cropBox: Rect(x: -.infinity, y: 0, width: .infinity, height: 3),
      rotation: .half,
      userUnit: .nan,
      size: Size(width: .infinity, height: 3),
      label: String(repeating: "é", count: 1000)
    )
    #expect(endless.cropBox == .zero)
    #expect(endless.size == .zero)
    #expect(endless.userUnit == 1)
    #expect(endless.label == String(repeating: "é", count: PageInfo.labelLimit / 2))
    let odd = PageInfo(
      cropBox: .zero,
      rotation: nil,
      userUnit: 1,
      size: .zero,
      label: "x" + String(repeating: "é", count: 1000)
    )
    #expect(odd.label?.utf8.count == PageInfo.labelLimit - 1)
    #expect(
      DocumentInfo(pageCount: 1, title: String(repeating: "t", count: 1 << 20)).title?.count == 1
        << 14
    )
  }

  @Test func `a message with any byte changed is read or refused but never traps`() {
    for payload in replies.map(\.payload) {
      for position in payload.indices {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
          var changed = payload
          changed[position] = value
          _ = try? WorkerReply(payload: changed[...])
        }
      }
    }
  }
}

@Suite struct FrameTests {
  @Test func `frames come out as they went in however the bytes are cut`() throws {
    let payloads: [[UInt8]] = [[], [1], Array(repeating: 7, count: 70_000), [2, 3]]
    let stream = payloads.flatMap { Frame.framed($0) }
    for step in [1, 3, 1000, stream.count] where step > 1 || stream.count < 100_000 {
      var reader = FrameReader()
      var seen: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: step) {
        stream[start..<min(start + step, stream.count)].withUnsafeBytes { reader.append($0) }
        while let payload = try reader.next() { seen.append(Array(payload)) }
      }
      #expect(seen == payloads)
    }
  }

  @Test func `a picture that is sent after the rest of its frame is the same frame`() {
    for reply in [WorkerReply.picture([1, 2, 3]), .picture([]), .done(Warnings())] {
      let (start, picture) = reply.parts
      let frame = Frame.framed(start, rest: picture.count) + picture
      #expect(frame == Frame.framed(reply.payload))
    }
  }

  @Test func `a reader that allows less refuses what it would not have refused`() throws {
    let stream = Frame.framed(Array(repeating: 7, count: 100))
    for (limit, isAllowed) in [(100, true), (99, false)] {
      var reader = FrameReader()
      stream.prefix(4).withUnsafeBytes { reader.append($0) }
      // The length alone is enough to refuse it.
      if isAllowed {
        #expect(try reader.next(atMost: limit) == nil)
        stream.dropFirst(4).withUnsafeBytes { reader.append($0) }
        #expect(!reader.isEmpty)
        #expect(try reader.next(atMost: limit)?.count == 100)
        #expect(reader.isEmpty)
      } else {
        #expect(throws: ByteCodingError.tooLong) { try reader.next(atMost: limit) }
      }
    }
  }

  @Test func `a length beyond the limit is refused before anything is kept for it`() {
    var reader = FrameReader()
    let length: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    length.withUnsafeBytes { reader.append($0) }
    #expect(throws: ByteCodingError.tooLong) { try reader.next() }
  }
}
