internal import DocumentModel
internal import DocumentText
internal import JSONWriting
internal import PageLayout
internal import PageNumbers
internal import RectoKit
internal import SystemPackage

/// Prints the text of pages as it comes.
struct TextReport {
  /// Why standard output could not be written.
  private(set) var outputFailure: Failure?
  /// The layout in whose content boxes are; nil for points of the page.
  var places: ContentPlaces?
  private let path: FilePath
  private let options: TextOptions
  private let messages: MessagePrinter
  private var parts = 0
  private var lastFailure: Failure?
  /// Parts to leave out: they were printed before the document had to be read again.
  private var printed = 0

  /// A report about pages of a document.
  ///
  /// - Parameters:
  ///   - path: The path of the document.
  ///   - options: What is printed.
  ///   - messages: Prints what failed.
  init(path: FilePath, _ options: TextOptions, _ messages: MessagePrinter) {
    self.path = path
    self.options = options
    self.messages = messages
  }

  /// Begins again with the first page; what was printed is not printed again.
  mutating func restart() {
    printed = max(printed, parts)
    parts = 0
  }

  /// Prints the text of a page, or why there is none.
  mutating func write(_ page: ReadPage) {
    parts += 1
    guard parts > printed else { return }
    let prepared = Result { () throws(DocumentError) in
      (try page.text.get(), try places?.page(page.pages.lowerBound))
    }
    do throws(Failure) {
      switch prepared {
      case .success((let text, let place)):
        let part = options.area.map { text.part(in: $0.area) } ?? text
        try write(page.pages.lowerBound, part, page.info, place)
      case .failure(let error): try fail(page.pages, error)
      }
    } catch {
      outputFailure = outputFailure ?? error
    }
  }

  private func write(
    _ page: PageIndex,
    _ text: PageText,
    _ info: PageInfo?,
    _ place: LaidOutPage?
  ) throws(Failure) {
    guard options.json else {
      // As pdftotext: a form feed behind each page.
      return try StandardStreams.write(
        text.utf8 + (text.utf8.isEmpty ? [] : [UInt8(ascii: "\n")]) + [0x0C]
      )
    }
    var writer = JSONWriter()
    writer.object { object in
      object.member("page", page.number)
      object.member("label", info?.label)
      if let info { object.size("size", info.size) }
      object.frame(place)
      object.text(text, hasCharacters: options.characters) { place?.contentRect($0) ?? $0 }
    }
    writer.newline()
    try StandardStreams.write(writer.bytes)
  }

  private mutating func fail(_ pages: Range<PageIndex>, _ error: DocumentError) throws(Failure) {
    var failure = Failure(error, path: path, pages: pages)
    messages.print(failure)
    failure.isReported = true
    lastFailure = failure
    guard options.json else {
      // So that pages can still be told apart.
      return try StandardStreams.write([0x0C])
    }
    var writer = JSONWriter()
    writer.object { object in
      object.member("page", pages.lowerBound.number)
      if pages.count > 1 { object.member("lastPage", pages.upperBound.value) }
      object.error(error)
    }
    writer.newline()
    try StandardStreams.write(writer.bytes)
  }

  /// Ends the report.
  ///
  /// - Returns: Whether all pages were printed.
  /// - Throws: A failure if standard output could not be written; the failure of the only page, whose
  ///   exit code is more specific than 1.
  func end() throws(Failure) -> Bool {
    if let outputFailure { throw outputFailure }
    if parts == 1, let lastFailure { throw lastFailure }
    return lastFailure == nil
  }
}
