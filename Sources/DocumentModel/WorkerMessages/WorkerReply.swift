package import RectoBase
package import RectoGeometry

/// A worker's answer.
package enum WorkerReply: Hashable, Sendable {
  /// The libraries that draw, with their versions; comes before `opened`, and before the document is looked at.
  case engine(String)
  /// The document is open.
  case opened(DocumentInfo)
  /// Info of consecutive pages from `first` on, at most ``largestBatch``; an error for a page that has none.
  case measured(first: PageIndex, [PageMeasurement])
  /// One part of a page, a file in the style that was requested.
  case picture([UInt8])
  /// The next bytes of a vector file, up to the end of a sheet, and the engine's warnings about the sheet.
  case sheet([UInt8], Warnings)
  /// The request is done. `isEmbedded`: the pictures were made from the thumbnail embedded for the page.
  case done(Warnings, isEmbedded: Bool = false)
  /// The request ends here. The worker is ready for the next one.
  case failed(DocumentError)
  /// The properties of the document.
  case properties(DocumentProperties)
  /// The links of a page, the topmost last.
  case links([PageLink])
  /// The outline of the document.
  case outline(DocumentOutline)
  /// A destination; nil for a name that the document does not have.
  case destination(LinkDestination?)
  /// The description of the worker.
  case description(EngineDescription)

  /// The text of one page, or why there is none.
  case text(Result<PageText, DocumentError>)

  /// The info of a page, or why there are none.
  package typealias PageMeasurement = Result<PageInfo, DocumentError>

  /// The reply as a payload.
  package var payload: [UInt8] {
    let (start, picture) = parts
    return start + picture
  }

  /// The reply as a payload in two parts: the second has the bytes of a picture without a copy.
  package var parts: (start: [UInt8], picture: [UInt8]) {
    var writer = ByteWriter()
    switch self {
    case .opened(let info):
      writer.write(UInt8(1))
      writer.write(info)
    case .measured(let first, let pages):
      writer.write(UInt8(2))
      writer.write(first)
      writer.write(pages.count)
      for page in pages { writer.write(page) }
    case .picture(let bytes):
      writer.write(UInt8(3))
      writer.write(bytes.count)
      return (writer.bytes, bytes)
    case .sheet(let bytes, let warnings):
      writer = ByteWriter(capacity: bytes.count + 1024)
      writer.write(UInt8(15))
      writer.write(bytes)
      writer.write(warnings)
    case .done(let warnings, let isEmbedded):
      writer.write(UInt8(4))
      writer.write(warnings)
      writer.write(isEmbedded)
    case .failed(let error):
      writer.write(UInt8(5))
      writer.write(error)
    case .properties(let properties):
      writer.write(UInt8(6))
      writer.write(properties)
    case .text(.success(let text)):
      writer = ByteWriter(capacity: text.utf8.count * 8 + 256)
      writer.write(UInt8(7))
      writer.write(true)
      writer.write(text)
    case .text(.failure(let error)):
      writer.write(UInt8(7))
      writer.write(false)
      writer.write(error)
    case .links(let links):
      writer.write(UInt8(10))
      writer.write(links.count)
      for link in links { writer.write(link) }
    case .outline(let outline):
      writer.write(UInt8(11))
      writer.write(outline)
    case .destination(let place):
      writer.write(UInt8(12))
      writer.write(place) { $0.write($1) }
    case .description(let description):
      writer.write(UInt8(13))
      writer.write(description)
    case .engine(let name):
      writer.write(UInt8(14))
      writer.write(name)
    }
    return (writer.bytes, [])
  }

  /// Reads a payload.
  ///
  /// - Throws: `ByteCodingError` when the payload is not a reply: it ends too early or too late,
  ///   has a value that does not exist, or is too long.
  package init(payload: ArraySlice<UInt8>) throws(ByteCodingError) {
    var reader = ByteReader(payload)
    switch try reader.readByte() {
    case 1: self = .opened(try reader.readDocumentInfo())
    case 2:
      let first = try reader.readPageIndex()
      let count = try reader.readCount(ofSize: 1)
      guard count <= Self.largestBatch else { throw ByteCodingError.tooLong }
      var pages: [PageMeasurement] = []
      for _ in 0..<count { pages.append(try reader.readMeasurement()) }
      self = .measured(first: first, pages)
    case 3: self = .picture(try reader.readBytes())
    case 4:
      let warnings = try reader.readWarnings()
      self = .done(warnings, isEmbedded: try reader.readBool())
    case 5: self = .failed(try reader.readDocumentError())
    case 6: self = .properties(try reader.readDocumentProperties())
    case 7:
      self = .text(
        try reader.readBool()
          ? .success(try reader.readPageText()) : .failure(try reader.readDocumentError())
      )
    case 10: self = .links(try reader.readLinks())
    case 11: self = .outline(try reader.readOutline())
    case 12:
      self = .destination(
        try reader.readOptional { reader throws(ByteCodingError) in try reader.readDestination() }
      )
    case 13: self = .description(try reader.readEngineDescription())
    case 14: self = .engine(try reader.readString(atMost: Self.largestEngine))
    case 15:
      let bytes = try reader.readBytes()
      self = .sheet(bytes, try reader.readWarnings())
    default: throw ByteCodingError.unknown
    }
    try reader.finish()
  }
}

// The longest replies, in bytes of payload. Longer ones are invalid, whatever the document.
extension WorkerReply {
  /// The most pages in one `measured`.
  package static let largestBatch = 256
  /// The most bytes in the name of the engine.
  package static let largestEngine = 128

  /// The longest `opened`.
  package static let largestOpened = 16 + TextLimit.documentInfo
  /// The longest `properties`.
  package static let largestProperties = 16 + TextLimit.documentProperties
  /// The longest `text` of a page of ``PageText/largestCount`` characters.
  package static let largestText = 1024 + PageText.largestEncoding
  /// The longest `links`.
  package static let largestLinks = 16 + TextLimit.pageLinks
  /// The longest `outline`.
  package static let largestOutline = 16 + TextLimit.outline
  /// The longest `destination`.
  package static let largestDestination = 16 + TextLimit.destination
  /// The longest `description`.
  package static let largestDescription = 16 + TextLimit.engineDescription
  /// The longest `done` or `failed`.
  package static let largestEnd = 32 + TextLimit.error + TextLimit.detail
  /// The longest `measured` of that many pages.
  package static func largestMeasured(pages: Int) -> Int {
    32 + min(max(0, pages), largestBatch) * (1 + max(TextLimit.pageInfo, TextLimit.error))
  }
  /// The longest `sheet` of at most that many bytes.
  package static func largestSheet(bytes: Int) -> Int {
    largestPicture(file: bytes) + 32 + 2 * TextLimit.detail
  }
  /// The longest `picture` whose file has at most that many bytes.
  package static func largestPicture(file: Int) -> Int { min(file, Frame.largestPayload - 16) + 16 }
}

extension ByteWriter {
  fileprivate mutating func write(_ warnings: Warnings) {
    write(warnings.count)
    write(warnings.first) { $0.write($1, atMost: TextLimit.detail) }
    write(warnings.incomplete) { $0.write($1, atMost: TextLimit.detail) }
    write(warnings.rasterizer == .splash)
  }

  fileprivate mutating func write(_ page: WorkerReply.PageMeasurement) {
    switch page {
    case .success(let info):
      write(true)
      write(info)
    case .failure(let error):
      write(false)
      write(error)
    }
  }
}

extension ByteReader {
  fileprivate mutating func readWarnings() throws(ByteCodingError) -> Warnings {
    let count = try readInt()
    let first = try readOptionalDetail()
    let incomplete = try readOptionalDetail()
    return Warnings(
      count: max(0, count),
      first: first,
      incomplete: incomplete,
      rasterizer: try readBool() ? .splash : .cairo
    )
  }

  private mutating func readOptionalDetail() throws(ByteCodingError) -> String? {
    try readOptional { reader throws(ByteCodingError) in
      try reader.readString(atMost: TextLimit.detail)
    }
  }

  fileprivate mutating func readLinks() throws(ByteCodingError) -> [PageLink] {
    let count = try readCount(ofSize: 9)
    guard count <= TextLimit.links else { throw ByteCodingError.tooLong }
    var links: [PageLink] = []
    var areas = 0
    for _ in 0..<count {
      let link = try readPageLink()
      areas += link.areas.count
      guard areas <= TextLimit.linkAreas else { throw ByteCodingError.tooLong }
      links.append(link)
    }
    return links
  }

  fileprivate mutating func readMeasurement() throws(ByteCodingError) -> WorkerReply.PageMeasurement
  {
    try readBool() ? .success(try readPageInfo()) : .failure(try readDocumentError())
  }
}
