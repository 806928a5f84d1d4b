internal import DocumentModel
internal import DocumentText
internal import Geometry
internal import JSONWriting
internal import PageLayout
internal import PageNumbers
internal import RectoKit
internal import SystemPackage

/// Prints hits as they are found.
struct SearchReport {
  /// Why standard output could not be written.
  private(set) var outputFailure: Failure?
  /// The layout in whose content areas are; nil for points of the page.
  var places: ContentPlaces?
  private let path: FilePath
  private let options: SearchOptions
  private let messages: MessagePrinter
  private var hits = 0
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
  init(path: FilePath, _ options: SearchOptions, _ messages: MessagePrinter) {
    self.path = path
    self.options = options
    self.messages = messages
  }

  /// Whether as many hits have been printed as are wanted.
  var isFull: Bool { options.maxCount.map { hits >= $0 } ?? false }

  /// Begins again with the first page; what was printed is not printed again.
  mutating func restart() {
    printed = max(printed, parts)
    parts = 0
  }

  /// Prints the hits on a page, or why it cannot be searched.
  mutating func write(_ page: SearchedPage) {
    parts += 1
    guard parts > printed, !isFull else { return }
    let prepared = Result { () throws(DocumentError) in
      let hits = try page.hits.get()
      return (hits, hits.isEmpty ? nil : try places?.page(page.pages.lowerBound))
    }
    do throws(Failure) {
      switch prepared {
      case .failure(let error): try fail(page.pages, error)
      case .success((let found, let place)):
        let wanted = found.prefix(options.maxCount.map { $0 - hits } ?? .max)
        hits += wanted.count
        guard !wanted.isEmpty else { return }
        try StandardStreams.write(
          options.json
            ? line(page.pages.lowerBound, wanted, place) : text(page.pages.lowerBound, wanted)
        )
      }
    } catch {
      outputFailure = outputFailure ?? error
    }
  }

  private func text(_ page: PageIndex, _ hits: ArraySlice<TextHit>) -> [UInt8] {
    var bytes: [UInt8] = []
    for hit in hits {
      bytes.append(contentsOf: "\(page.number): ".utf8)
      let snippet = hit.snippet
      let line = snippet.before + snippet.match + snippet.after
      bytes.append(contentsOf: line.escapingControls.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  private func line(
    _ page: PageIndex,
    _ hits: ArraySlice<TextHit>,
    _ place: LaidOutPage?
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.member("page", page.number)
      object.frame(place)
      object.hits(hits) { place?.contentRect($0) ?? $0 }
    }
    writer.newline()
    return writer.bytes
  }

  private mutating func fail(_ pages: Range<PageIndex>, _ error: DocumentError) throws(Failure) {
    var failure = Failure(error, path: path, pages: pages)
    messages.print(failure)
    failure.isReported = true
    lastFailure = failure
    guard options.json else { return }
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
  /// - Returns: Whether the words were found, and all pages could be searched.
  /// - Throws: A failure if standard output could not be written; the failure of the only page, whose
  ///   exit code is more specific than 1.
  func end() throws(Failure) -> Bool {
    if let outputFailure { throw outputFailure }
    if parts == 1, let lastFailure { throw lastFailure }
    return lastFailure == nil && hits > 0
  }
}

extension JSONWriter {
  /// Writes hits on a page.
  ///
  /// - Parameters:
  ///   - hits: The hits.
  ///   - map: From points of the page to what is written; nil leaves areas out.
  mutating func hits(_ hits: some Sequence<TextHit>, _ map: ((Rect) -> Rect)? = { $0 }) {
    array("hits") { array in
      for hit in hits {
        array.object { object in
          object.member("start", hit.scalars.lowerBound)
          object.member("count", hit.scalars.count)
          let snippet = hit.snippet
          object.member("before", snippet.before)
          object.member("match", snippet.match)
          object.member("after", snippet.after)
          if let map { object.areas(hit.areas, map) }
        }
      }
    }
  }
}
