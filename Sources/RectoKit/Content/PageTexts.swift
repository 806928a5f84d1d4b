internal import Concurrency
public import DocumentModel
internal import PageLayout
public import PageNumbers
internal import Tiles

/// The text of many pages, read by several workers at a time.
public struct PageTexts: Sendable {
  /// The pages, in the order in which they are handed over; nil for all.
  public var pages: PageList?
  /// Whether boxes are wanted; without, those that come are in no stated unit, and pages need not be
  /// measured.
  public var hasBoxes: Bool
  /// Whether fonts, sizes and colors are wanted, with boxes.
  public var hasStyles: Bool

  /// The text of pages.
  ///
  /// - Parameters:
  ///   - pages: The pages, in the order in which they are handed over; nil for all.
  ///   - hasBoxes: Whether boxes are wanted.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted, with boxes.
  public init(pages: PageList? = nil, hasBoxes: Bool = true, hasStyles: Bool = false) {
    self.pages = pages
    self.hasBoxes = hasBoxes
    self.hasStyles = hasStyles
  }

  /// Reads the pages and hands them over, in order.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - workers: How many pages to read at a time.
  ///   - isolation: Where `body` runs: where the caller does.
  ///   - body: Takes a page and its text, or why it cannot be read; or consecutive pages that the document
  ///     does not have, with one error. Returns false to stop.
  /// - Throws: The error of a document that cannot be opened, or that has none of the pages.
  public func read(
    _ document: Document,
    workers: Int,
    isolation: isolated (any Actor)? = #isolation,
    each body: (Range<PageIndex>, Result<PageText, DocumentError>) -> Bool
  ) async throws(PageExportError) {
    let selection = try await PageSelection(pages, in: document)
    let (hasBoxes, hasStyles, missing) = (hasBoxes, hasStyles, selection.error)
    var failure: DocumentError?
    await forEachInOrder(selection.textParts, width: 2 * max(1, workers)) { part in
      switch part {
      case .missing(let pages):
        return TextPart(pages: pages, result: .success([.failure(missing)]))
      case .pages(let pages):
        do throws(DocumentError) {
          let texts =
            hasBoxes
            ? try await document.text(of: pages, hasStyles: hasStyles)
            : try await document.unscaledText(of: pages)
          return TextPart(pages: pages, result: .success(texts))
        } catch {
          return TextPart(pages: pages, result: .failure(error))
        }
      }
    } _: { part in
      switch part.result {
      case .failure(let error):
        failure = error
        return false
      case .success(let texts):
        if texts.count == 1 { return body(part.pages, texts[0]) }
        return zip(part.pages, texts).allSatisfy { body(Range(only: $0), $1) }
      }
    }
    if let failure { throw .document(failure) }
  }

  /// What was read together.
  private struct TextPart: Sendable {
    var pages: Range<PageIndex>
    var result: Result<[Result<PageText, DocumentError>], DocumentError>
  }
}

extension PageSelection {
  /// Pages that are read together.
  enum TextPart: Sendable {
    case pages(Range<PageIndex>)
    case missing(Range<PageIndex>)
  }

  /// The parts of the selection, cut at the blocks in which text is kept.
  var textParts: some Sequence<TextPart> {
    parts.lazy.flatMap { part -> [TextPart] in
      switch part {
      case .missing(let pages): [.missing(pages)]
      case .pages(let run):
        if let pages = run.pages {
          stride(
            from: TextCache.block(around: pages.lowerBound).lowerBound,
            to: pages.upperBound,
            by: TextCache.pagesPerBlock
          ).map { .pages(TextCache.block(around: $0).clamped(to: pages)) }
        } else {
          (0..<run.count).compactMap { run.page(at: $0) }.map { .pages(Range(only: $0)) }
        }
      }
    }
  }
}
