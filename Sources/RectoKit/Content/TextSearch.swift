public import DocumentModel
public import DocumentText
public import RectoGeometry

/// A search for words in a document, page by page.
///
/// Pages whose text is in the cache are searched without opening the document.
public struct TextSearch: Sendable {
  /// The words to find.
  public var query: TextQuery
  /// The pages, in the order in which they are searched; nil for all.
  public var pages: PageList?
  /// Search pages near this one first, in blocks of sixteen; nil keeps the order of `pages`.
  public var center: PageIndex?
  /// Characters of context before and after each hit.
  public var context: Int

  /// The most hits of a page; further ones are omitted.
  public static let largestHitCount = 10_000

  /// A search.
  ///
  /// - Parameters:
  ///   - query: The words to find.
  ///   - pages: The pages, in the order in which they are searched; nil for all.
  ///   - center: Search pages near this one first; nil keeps the order of `pages`.
  ///   - context: Characters of context before and after each hit.
  public init(
    _ query: TextQuery,
    pages: PageList? = nil,
    center: PageIndex? = nil,
    context: Int = 40
  ) {
    self.query = query
    self.pages = pages
    self.center = center
    self.context = context
  }

  /// Searches the pages and delivers them in order.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - width: How many blocks of sixteen pages are read at a time. Twice the number of workers keeps all of them
  ///     busy; less than that number leaves some for other requests.
  ///   - isolation: Where `body` runs: the caller's actor.
  ///   - body: Receives a page; returns false to stop. While it waits, the search does not run far ahead.
  /// - Throws: The error of a document that cannot be opened, or that has none of the pages; `pageMismatch` when the
  ///   reader of pages changes after some were handed over, which are not valid then.
  public func run(
    _ document: Document,
    width: Int,
    isolation: isolated (any Actor)? = #isolation,
    each body: (SearchedPage) async -> Bool
  ) async throws(PageExportError) {
    let (query, context) = (query, context)
    try await document.forEachTextPart(
      of: pages,
      near: center,
      width: width,
      missing: { SearchedPage(pages: $0, hits: .failure($1)) },
      read: { await document.search($0, for: query, context: context) },
      body
    )
  }
}

/// A page that was searched, or could not be searched.
public struct SearchedPage: Hashable, Sendable {
  /// The page; or consecutive ones that the document does not have.
  public var pages: Range<PageIndex>
  /// The hits, in reading order; or why the page cannot be searched.
  public var hits: Result<[TextHit], DocumentError>
}

/// A place where the words were found.
public struct TextHit: Hashable, Sendable {
  /// The Unicode scalars of the page's text.
  public var scalars: Range<Int>
  /// Where it is: an area for each line, in points from the top left of the page as displayed.
  public var areas: [TextArea]
  /// The bytes of the page's text.
  private var utf8: Range<Int>
  /// The text of the page, shared by all hits on it: snippets would take more memory.
  private var text: [UInt8]
  private var context: Int

  /// A hit from a match.
  ///
  /// - Parameters:
  ///   - match: Where the words are in the text of the page.
  ///   - context: Characters of context before and after the words.
  init(_ match: TextMatch, areas: [TextArea], in text: [UInt8], context: Int) {
    scalars = match.scalars
    self.areas = areas
    utf8 = match.utf8
    self.text = text
    self.context = context
  }

  /// The words with their context.
  ///
  /// - Complexity: O(characters of context).
  public var snippet: TextSnippet { TextSnippet(around: utf8, of: text, characters: context) }
}

extension TextHit: BriefValue {
  /// Its position in the text, and the number of areas.
  public var description: String { "scalars \(scalars), \(areas.count) areas" }
}

extension Document {
  /// Searches consecutive pages of one block.
  fileprivate nonisolated func search(
    _ pages: Range<PageIndex>,
    for query: TextQuery,
    context: Int
  ) async -> Result<[SearchedPage], DocumentError> {
    do throws(DocumentError) {
      let texts = try await searchableText(of: pages)
      var searcher = TextSearcher(query)
      let withHits = zip(pages, texts).filter { _, text in
        guard case .success(let text) = text else { return false }
        return !searcher.matches(in: text.utf8, limit: 1).isEmpty
      }.map(\.0)
      let boxed = try await boxedText(of: withHits, among: pages, texts)
      let searched = zip(pages, texts).map { page, text in
        let hits = text.flatMap { _ in
          boxed[page]?.map { self.hits(in: $0, by: &searcher, context: context) } ?? .success([])
        }
        return SearchedPage(pages: Range(only: page), hits: hits)
      }
      return .success(searched)
    } catch {
      return .failure(error)
    }
  }

  /// The text with boxes of pages that have hits.
  ///
  /// - Parameters:
  ///   - withHits: The pages, in order.
  /// - Returns: The text of each page with hits, or why it could not be read again.
  /// - Throws: As ``text(of:hasStyles:)``.
  private nonisolated func boxedText(
    of withHits: [PageIndex],
    among pages: Range<PageIndex>,
    _ texts: [Result<SearchableText, DocumentError>]
  ) async throws(DocumentError) -> [PageIndex: Result<PageText, DocumentError>] {
    guard let first = withHits.first, let last = withHits.last else { return [:] }
    let range = first..<last.advanced(by: 1)
    let read = texts[pages.lowerBound.distance(to: first)...].prefix(range.count).compactMap(\.read)
    let boxed =
      try await read.count == range.count
      ? scaled(read, from: first) : text(of: range)
    let wanted = Set(withHits)
    return zip(range, boxed).reduce(into: [:]) { pages, page in
      if wanted.contains(page.0) { pages[page.0] = page.1 }
    }
  }

  /// The hits on a page.
  private nonisolated func hits(
    in text: PageText,
    by searcher: inout TextSearcher,
    context: Int
  ) -> [TextHit] {
    let matches = searcher.matches(in: text, limit: TextSearch.largestHitCount)
    let structure = TextStructure(text)
    return matches.map { match in
      TextHit(
        match,
        areas: structure.areas(of: match.scalars),
        in: text.utf8,
        context: context
      )
    }
  }
}

extension Result where Success == SearchableText, Failure == DocumentError {
  /// The text that was just read, or why it was not; nil if it came from the cache.
  fileprivate var read: Result<PageText, DocumentError>? {
    switch self {
    case .failure(let error): .failure(error)
    case .success(.text(let text)): .success(text)
    case .success(.utf8): nil
    }
  }
}
