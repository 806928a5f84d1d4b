internal import DocumentModel
internal import PageLayout
internal import RectoGeometry

extension DocumentLayout {
  /// The most pages that a window may show. A file can have any number of arbitrarily small pages, and the spreads of a
  /// window are in the memory of this process, which has no limit like that of a worker.
  public static let largestPageCount = 1 << 14
}

extension Layout {
  /// The error if `window` shows more than ``DocumentLayout/largestPageCount`` pages, so that its
  /// spreads must not be built; else nil. Blanks count as pages.
  ///
  /// - Complexity: O(log *n*).
  func refusal(of window: Rect) -> DocumentError? {
    let count = spreadRanges(touching: window).reduce(0) { count, range in
      let first = positions(inSpread: range.lowerBound)?.lowerBound ?? 0
      let end = positions(inSpread: range.upperBound - 1)?.upperBound ?? first
      return count + end - first
    }
    guard count > DocumentLayout.largestPageCount else { return nil }
    return DocumentError(
      .usage,
      during: "lay out",
      "the window shows \(count) pages; the limit is \(DocumentLayout.largestPageCount)"
    )
  }

  /// The unmeasured pages at the start of a window that shows too many pages: measuring them either
  /// reduces the number or confirms it. nil for any other window.
  func unmeasuredPages(atStartOf window: Rect) -> [Range<PageIndex>]? {
    guard refusal(of: window) != nil else { return nil }
    let shown = spreads(touching: window)
    let end = positions(touching: window).lowerBound + DocumentLayout.largestPageCount
    let last = spread(containingPosition: end) ?? shown.upperBound - 1
    return unmeasuredPages(inSpreads: shown.lowerBound..<last + 1)
  }
}
