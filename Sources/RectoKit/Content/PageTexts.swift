public import DocumentModel
internal import PageLayout
internal import RectoBase
public import RectoGeometry
internal import RectoTiles

/// The text of many pages, read by several workers at a time.
public struct PageTexts: Sendable {
  /// The pages, in the order in which they are delivered; nil for all.
  public var pages: PageList?
  /// Whether boxes are wanted. Without them pages need not be measured, and the unit of boxes is undefined.
  public var hasBoxes: Bool
  /// Whether fonts, sizes and colors are wanted, with boxes.
  public var hasStyles: Bool

  /// The text of pages.
  ///
  /// - Parameters:
  ///   - pages: The pages, in the order in which they are delivered; nil for all.
  ///   - hasBoxes: Whether boxes are wanted.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted, with boxes.
  public init(pages: PageList? = nil, hasBoxes: Bool = true, hasStyles: Bool = false) {
    self.pages = pages
    self.hasBoxes = hasBoxes
    self.hasStyles = hasStyles
  }

  /// Reads the pages and delivers them in order.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - workers: How many pages to read at a time.
  ///   - isolation: Where `body` runs: the caller's actor.
  ///   - body: Receives a page; returns false to stop.
  /// - Throws: The error of a document that cannot be opened, or that has none of the pages; `pageMismatch` when the
  ///   reader of pages changes after some were handed over, which are not valid then.
  public func read(
    _ document: Document,
    workers: Int,
    isolation: isolated (any Actor)? = #isolation,
    each body: (ReadPage) -> Bool
  ) async throws(PageExportError) {
    let (hasBoxes, hasStyles) = (hasBoxes, hasStyles)
    try await document.forEachTextPart(
      of: pages,
      width: 2 * max(1, workers),
      missing: { ReadPage(pages: $0, info: nil, text: .failure($1)) },
      read: { await document.readPages($0, hasBoxes: hasBoxes, hasStyles: hasStyles) },
      body
    )
  }
}

extension Document {
  /// Reads pages, `width` blocks at a time, and passes on the results in order. Starts again when the reader of pages
  /// changes before anything was handed over.
  func forEachTextPart<Page: Sendable>(
    of list: PageList?,
    near center: PageIndex? = nil,
    width: Int,
    isolation: isolated (any Actor)? = #isolation,
    missing: @escaping @Sendable (Range<PageIndex>, DocumentError) -> Page,
    read: @escaping @Sendable (Range<PageIndex>) async -> Result<[Page], DocumentError>,
    _ body: (Page) async -> Bool
  ) async throws(PageExportError) {
    var hasBegun = false
    while true {
      let generation = generation
      let selection = try await PageSelection(list, in: self)
      let error = selection.error
      var failure: DocumentError?
      await forEachInOrder(selection.textParts(near: center), width: width) { part in
        switch part {
        case .missing(let pages): .success([missing(pages, error)])
        case .pages(let pages): await read(pages)
        }
      } _: { (part: Result<[Page], DocumentError>) in
        do throws(DocumentError) {
          try requireGeneration(generation)
          for page in try part.get() {
            hasBegun = true
            guard await body(page) else { return false }
          }
          return true
        } catch {
          failure = error
          return false
        }
      }
      guard let failure else { return }
      guard !hasBegun, generation != self.generation else { throw .document(failure) }
    }
  }
}

/// A page whose text was read, or could not be read.
public struct ReadPage: Hashable, Sendable {
  /// The page; or consecutive ones that the document does not have.
  public var pages: Range<PageIndex>
  /// The info of the page; nil without boxes, and if there is no page.
  public var info: PageInfo?
  /// The text, or why there is none.
  public var text: Result<PageText, DocumentError>
}

extension Document {
  /// Consecutive pages with their text.
  fileprivate func readPages(
    _ pages: Range<PageIndex>,
    hasBoxes: Bool,
    hasStyles: Bool
  ) async -> Result<[ReadPage], DocumentError> {
    do throws(DocumentError) {
      let texts =
        hasBoxes
        ? try await text(of: pages, hasStyles: hasStyles) : try await unscaledText(of: pages)
      let known = hasBoxes ? try await measure([pages]) : nil
      return .success(
        zip(pages, texts).map {
          ReadPage(pages: Range(only: $0), info: known?.info(of: $0), text: $1)
        }
      )
    } catch {
      return .failure(error)
    }
  }
}

extension PageSelection {
  /// Pages that are read together.
  enum TextPart: Sendable {
    case pages(Range<PageIndex>)
    case missing(Range<PageIndex>)
  }

  /// The parts of the selection, cut at the blocks in which text is kept; those near a page first, if there is one.
  fileprivate func textParts(near center: PageIndex?) -> AnySequence<TextPart> {
    guard let center else { return AnySequence(textParts) }
    return AnySequence(textParts.sorted { $0.distance(from: center) < $1.distance(from: center) })
  }

  private var textParts: some Sequence<TextPart> {
    parts.lazy.flatMap { part -> [TextPart] in
      switch part {
      case .missing(let pages): [.missing(pages)]
      case .pages(let run):
        switch run {
        case .pages(let pages):
          stride(
            from: TextCache.block(around: pages.lowerBound).lowerBound,
            to: pages.upperBound,
            by: TextCache.pagesPerBlock
          ).map { .pages(TextCache.block(around: $0).clamped(to: pages)) }
        case .backwards(let pages): pages.reversed().map { .pages(Range(only: $0)) }
        case .blanks: []
        }
      }
    }
  }
}

extension PageSelection.TextPart {
  /// The number of pages between a page and the nearest of these.
  fileprivate func distance(from page: PageIndex) -> Int {
    switch self {
    case .missing: .max
    case .pages(let pages):
      max(0, page.distance(to: pages.lowerBound), pages.upperBound.distance(to: page) + 1)
    }
  }
}
