public import DocumentModel
internal import RectoBase
public import RectoGeometry
internal import RectoTiles

/// The text of pages.
extension Document {
  /// The text of a page, with a box for each character in points of the page as displayed, including its user unit.
  /// Cached, unless styles are wanted.
  ///
  /// Random access, as for drawing: earlier pages are not read.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted.
  /// - Returns: The text.
  /// - Throws: `DocumentError` when the document cannot be opened or the text cannot be read; `pageMissing` for a page
  ///   that the document does not have; `changed` when the file was changed meanwhile.
  public func text(
    of page: PageIndex,
    hasStyles: Bool = false
  ) async throws(DocumentError) -> PageText {
    try await require(page, page)
    let texts = try await text(of: Range(only: page), hasStyles: hasStyles)
    guard let text = texts.first else { throw .missingPage }
    return try text.get()
  }

  /// The text of consecutive pages. Faster than asking for one after the other.
  ///
  /// - Parameters:
  ///   - pages: The pages of the document.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted.
  /// - Returns: The text of each page, in order, or why it cannot be read.
  /// - Throws: `DocumentError` when the document cannot be opened; `pageMissing` for pages after the last or before the
  ///   first; `changed` when the file was changed meanwhile.
  public func text(
    of pages: Range<PageIndex>,
    hasStyles: Bool = false
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>] {
    try await withOneReader { () throws(DocumentError) in
      try await require(pages)
      let texts = try await unscaledText(of: pages, hasStyles: hasStyles)
      return try await scaled(texts, from: pages.lowerBound)
    }
  }

  /// The texts of consecutive pages with boxes multiplied by the user units of the pages.
  ///
  /// - Throws: Any error of opening the document.
  func scaled(
    _ texts: [Result<PageText, DocumentError>],
    from first: PageIndex
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>] {
    guard !texts.isEmpty else { return [] }
    let known = try await measure([first..<first.advanced(by: texts.count)])
    return texts.enumerated().map { offset, text in
      text.map { $0.scaled(by: known.info(of: first.advanced(by: offset))?.userUnit ?? 1) }
    }
  }

  /// The text of consecutive pages, with boxes that are not multiplied by the user units of the pages.
  ///
  /// - Throws: As ``text(of:hasStyles:)``.
  func unscaledText(
    of pages: Range<PageIndex>,
    hasStyles: Bool = false
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>] {
    var texts: [Result<PageText, DocumentError>] = []
    texts.reserveCapacity(pages.count)
    while texts.count < pages.count {
      let first = pages.lowerBound.advanced(by: texts.count)
      let part = TextCache.block(around: first).clamped(to: first..<pages.upperBound)
      texts += try await textOfBlock(part, hasStyles)
    }
    return texts
  }

  /// The text of pages in one block of the cache, with boxes only if they were just read.
  ///
  /// - Throws: As ``text(of:hasStyles:)``.
  func searchableText(
    of pages: Range<PageIndex>
  ) async throws(DocumentError) -> [Result<SearchableText, DocumentError>] {
    let known = try await textCache()?.texts(inBlockOf: pages.lowerBound) ?? [:]
    guard !pages.allSatisfy({ known[$0] != nil }) else {
      return pages.map { .success(.utf8(known[$0] ?? [])) }
    }
    return try await unscaledText(of: pages).map { $0.map { .text($0) } }
  }

  /// The text of pages in one block of the cache.
  private func textOfBlock(
    _ pages: Range<PageIndex>,
    _ hasStyles: Bool
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>] {
    let generation = generation
    let texts = hasStyles ? nil : try await textCache()
    let known = texts?.pages(inBlockOf: pages.lowerBound) ?? [:]
    var results: [Result<PageText, DocumentError>] = []
    while results.count < pages.count {
      let next = pages.lowerBound.advanced(by: results.count)
      if let text = known[next] {
        results.append(.success(text))
        continue
      }
      let end = (next..<pages.upperBound).first { known[$0] != nil } ?? pages.upperBound
      results += try await readText(next..<end, hasStyles)
    }
    try requireGeneration(generation)
    if let texts { keep(results, from: pages.lowerBound, besides: known, in: texts) }
    return results
  }

  /// Keeps the text of pages of one block.
  private func keep(
    _ results: [Result<PageText, DocumentError>],
    from first: PageIndex,
    besides known: [PageIndex: PageText],
    in texts: TextCache
  ) {
    var news: [PageIndex: PageText] = [:]
    for (offset, result) in results.enumerated() {
      let page = first.advanced(by: offset)
      if known[page] == nil, let text = try? result.get() { news[page] = text }
    }
    guard !news.isEmpty else { return }
    keep { () throws(FileError) in try texts.store(news, inBlockOf: first) }
  }

  /// The texts in the cache; nil without one.
  ///
  /// - Throws: Any error of opening the document.
  func textCache() async throws(DocumentError) -> TextCache? {
    guard let cache else { return nil }
    let engine = try await engineVersion()
    return cache.texts(engine: engine)
  }

  /// The text of pages from the engine.
  private func readText(
    _ pages: Range<PageIndex>,
    _ hasStyles: Bool
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>] {
    try await settleContent(of: pages)
    var results: [Result<PageText, DocumentError>] = []
    while results.count < pages.count {
      let next = pages.lowerBound.advanced(by: results.count)
      let subset = tree.subset(around: next)
      try requireAgreement()
      if subset == nil { try requireShown() }
      var end =
        subset.flatMap { subset in (next..<pages.upperBound).first { !subset.contains($0) } }
        ?? pages.upperBound
      if subset == nil, let failing = try await failing(in: next..<end) {
        guard failing.pages.lowerBound > next else {
          results += failing.pages.map { _ in .failure(failing.error) }
          continue
        }
        end = failing.pages.lowerBound
      }
      do throws(DocumentError) {
        results += try await engine.text(of: next..<end, hasStyles: hasStyles, subset: subset)
      } catch {
        throw final(error, of: next)
      }
      // Text read from other bytes than the keys identify must not be cached under them.
      guard file.isUnchanged else {
        throw DocumentError(.changed, during: "read the text", "the file was changed meanwhile")
      }
    }
    if let mismatch = results.lazy.compactMap(\.failure).first(where: { $0.code == .pageMismatch })
    {
      throw final(mismatch)
    }
    return results
  }
}

extension Document {
  /// The first page that cannot be measured. If poppler does not reach a page in time, it does not reach later ones
  /// either, and is not asked for them.
  ///
  /// - Throws: Any error of opening the document.
  private func failing(
    in pages: Range<PageIndex>
  ) async throws(DocumentError) -> MeasuredPages.Failing? {
    try await measure([pages]).failing(in: [pages]).first
  }
}

/// The text of a page to be searched.
enum SearchableText: Hashable, Sendable {
  /// From the cache, as UTF-8. The boxes are there too.
  case utf8([UInt8])
  /// Just read, with boxes that are not multiplied by the user unit.
  case text(PageText)

  /// The text in UTF-8.
  var utf8: [UInt8] {
    switch self {
    case .utf8(let bytes): bytes
    case .text(let text): text.utf8
    }
  }
}

extension Result {
  /// The error; nil for a success.
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
