internal import DocumentModel
internal import PageLayout
internal import RectoGeometry

extension DocumentLayout {
  /// The most pages that a window may show. Pages may be as small as the file says, and there may be
  /// as many as it says; the spreads of a window are kept by this process, to whose memory no limit of
  /// a worker applies.
  public static let largestPageCount = 1 << 14
}

extension Layout {
  /// Why the spreads in `window` are not to be built: it shows more than
  /// ``DocumentLayout/largestPageCount`` pages. Blanks count as pages. nil when they may be.
  ///
  /// - Complexity: O(log *n*).
  func refusal(of window: Rect) -> DocumentError? {
    let count = positions(touching: window).count
    guard count > DocumentLayout.largestPageCount else { return nil }
    return DocumentError(
      .usage,
      during: "lay out",
      "the window shows \(count) pages; the limit is \(DocumentLayout.largestPageCount)"
    )
  }

  /// The unmeasured pages at the start of a window that shows more pages than it may: once they are
  /// measured, either fewer are shown or there are too many indeed. nil for any other window.
  func unmeasuredPages(atStartOf window: Rect) -> [Range<PageIndex>]? {
    guard refusal(of: window) != nil else { return nil }
    let shown = spreads(touching: window)
    let end = positions(touching: window).lowerBound + DocumentLayout.largestPageCount
    let last = spread(containingPosition: end) ?? shown.upperBound - 1
    return unmeasuredPages(inSpreads: shown.lowerBound..<last + 1)
  }
}
