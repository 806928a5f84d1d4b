internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// The output of `recto links`.
struct LinkReport {
  /// The layout whose content coordinates areas are in; nil for page points.
  var places: ContentPlaces?
  private let path: FilePath
  private let isJSON: Bool
  private let messages: MessagePrinter
  private var writer = JSONWriter()
  private var text: [UInt8] = []
  private var hasPrinted = false
  private var hasFailed = false

  /// A report about the pages of a document.
  ///
  /// - Parameters:
  ///   - isJSON: Whether each page with links is a JSON line.
  init(path: FilePath, isJSON: Bool, _ messages: MessagePrinter) {
    self.path = path
    self.isJSON = isJSON
    self.messages = messages
  }

  /// Adds the links of a page.
  ///
  /// - Throws: Any error of opening the document.
  mutating func write(
    _ links: [PageLink],
    of page: PageIndex,
    in document: Document
  ) async throws(DocumentError) {
    guard !links.isEmpty else { return }
    guard isJSON else {
      for link in links { text += Array(Self.line(link, of: page).utf8) }
      return
    }
    let labels = try await document.labels(of: links.compactMap(\.target.page))
    let place = try places?.page(page)
    writer.object { object in
      object.member("page", page.number)
      object.frame(place)
      object.array("links") { array in
        for link in links {
          array.object { $0.link(link, labels, ContentPlace(place)) }
        }
      }
    }
    writer.newline()
  }

  /// Reports pages that cannot be read.
  mutating func fail(_ pages: Range<PageIndex>, with error: DocumentError) {
    hasFailed = true
    messages.print(Failure(error, path: path, pages: pages))
    guard isJSON else { return }
    writer.line(pages, error)
  }

  /// Whether an error concerns one page, so that others can still be read.
  func canContinue(after error: DocumentError) -> Bool {
    switch error.code {
    case .pageMissing, .timeLimit, .memoryLimit, .crash, .pageSize, .drawing: true
    // After printing, the document cannot be read again from the beginning.
    case .pageMismatch: hasPrinted
    default: false
    }
  }

  /// Prints the buffer, if it is large.
  ///
  /// - Throws: A failure if standard output cannot be written.
  mutating func flush() throws(Failure) {
    guard writer.bytes.count + text.count > Self.portion else { return }
    try print()
  }

  /// While fewer bytes are buffered and none are printed, the document can be read again with
  /// another reader.
  private static let portion = 1 << 20

  private mutating func print() throws(Failure) {
    hasPrinted = true
    try StandardStreams.write(isJSON ? writer.take() : text)
    text.removeAll(keepingCapacity: true)
  }

  /// Prints the rest.
  ///
  /// - Returns: Whether all pages could be read.
  /// - Throws: A failure if standard output cannot be written.
  mutating func end() throws(Failure) -> Bool {
    try print()
    return !hasFailed
  }

  private static func line(_ link: PageLink, of page: PageIndex) -> String {
    let area = link.areas.dropFirst().reduce(link.areas.first ?? .zero) { $0.union($1) }
    let sides = [area.minX, area.minY, area.width, area.height].map(\.decimal)
    let words = link.target.words.escapingControls
    return "\(page.number)\t\(sides.joined(separator: ","))\t\(words)\n"
  }
}

extension LinkTarget {
  /// The target in words: `page 12`, an address, `file other.pdf page 3`.
  var words: String {
    switch self {
    case .destination(let place): place.words
    case .missing(let name): name.map { "missing \($0)" } ?? "missing page"
    case .file(let file, let page, let name):
      "file \(file)" + (page.map { " page \($0)" } ?? "") + (name.map { " \($0)" } ?? "")
    case .uri(let uri): uri
    case .launch(let file): "launch \(file)"
    case .named(let name): "action \(name)"
    case .other(let name): name.isEmpty ? "action" : "action \(name)"
    }
  }
}

extension LinkDestination {
  /// The destination in words: `page 12 at 72,100`.
  var words: String {
    var place: String?
    switch fit {
    case .point(let x, let y, _):
      if x != nil || y != nil { place = "at \(x?.decimal ?? "-"),\(y?.decimal ?? "-")" }
    case .width(let y), .contentWidth(let y): place = y.map { "at -,\($0.decimal)" }
    case .height(let x), .contentHeight(let x): place = x.map { "at \($0.decimal),-" }
    case .area(let area): place = "at \(area.minX.decimal),\(area.minY.decimal)"
    case .page, .content: break
    }
    return (["page \(page.number)"] + (place.map { [$0] } ?? [])).joined(separator: " ")
  }
}
