public import DocumentModel
public import Geometry
public import PageLayout

/// A document seen through a layout: which pages a window shows, and where.
///
/// A value: every answer comes from one snapshot of the layout. Sizes that a question needs are
/// measured on the way, and only those.
public struct DocumentView: Sendable {
  /// The document.
  public let document: Document
  /// The layout with all sizes known so far.
  public private(set) var layout: Layout
  /// Pages that could not be measured; the layout gives them the size of a missing box.
  public private(set) var failures: [Int: DocumentError] = [:]
  /// Facts of the pages measured so far.
  public private(set) var facts: [Int: PageFacts] = [:]

  /// Which pages are measured for a window.
  public enum Sizes: String, Hashable, Sendable, CaseIterable {
    /// All pages in front of the window and those inside, so that every frame is exact.
    case exact
    /// The first page and those inside the window.
    case estimated
  }

  /// Where a window is.
  public enum Position: Hashable, Sendable {
    /// Its top left in the content; clamped to where there is content.
    case offset(Point)
    /// A page by its index, with this fraction of it above (or before) the window's start edge.
    case page(Int, fraction: Double)
  }

  /// A view of `document`.
  ///
  /// - Throws: `LayoutError` when the configuration cannot be.
  public init(
    _ document: Document,
    configuration: LayoutConfiguration,
    pages: PageSequence,
    viewport: Size
  ) throws(LayoutError) {
    self.document = document
    layout = try Layout(
      configuration,
      pages: pages,
      sizes: PageSizes(estimate: .firstPage),
      viewport: viewport
    )
  }

  /// The window at a position, with all that it needs measured.
  ///
  /// - Returns: the window in layout units, after clamping.
  /// - Throws: whatever keeps the document from being opened, and `pageMissing` for a page that the
  ///   layout does not show.
  public mutating func window(
    at position: Position,
    sizes: Sizes
  ) async throws(DocumentError) -> Rect {
    // Pages in this layout may be as small as the file says, so a window may come to hold more of
    // them each time some are measured; every round measures at least one page, and in practice
    // two or three rounds are all.
    if layout.pages.count > 0, let first = layout.pages.page(at: 0) {
      try await measure([first..<(first + 1)])
    }
    while true {
      let window = try window(at: position)
      let missing =
        switch sizes {
        case .exact: layout.unmeasuredPages(neededFor: window)
        case .estimated: layout.unmeasuredPages(inside: window)
        }
      if missing.isEmpty { return window }
      try await measure(missing)
    }
  }

  /// Measures every page of the layout.
  public mutating func measureAll() async throws(DocumentError) {
    try await measure(layout.unmeasuredPages)
  }

  /// The spreads that touch `window`, with facts for each of their pages.
  public mutating func spreads(in window: Rect) async throws(DocumentError) -> [LaidOutSpread] {
    let spreads = layout.spreads(visibleIn: window)
    let unknown = spreads.flatMap(\.pages).map(\.page).filter {
      facts[$0] == nil && failures[$0] == nil
    }
    try await measure(unknown.map { $0..<($0 + 1) })
    return spreads
  }

  private mutating func measure(_ ranges: [Range<Int>]) async throws(DocumentError) {
    var portion: [Range<Int>] = []
    var count = 0
    for range in ranges {
      for first in stride(from: range.lowerBound, to: range.upperBound, by: Self.pagesAtOnce) {
        let part = first..<min(first + Self.pagesAtOnce, range.upperBound)
        portion.append(part)
        count += part.count
        guard count >= Self.pagesAtOnce else { continue }
        try await measure(portion: portion)
        portion.removeAll()
        count = 0
      }
    }
    if !portion.isEmpty { try await measure(portion: portion) }
  }

  /// Pages measured in one go: enough that the layout takes in many at a time, few enough that what
  /// is only on its way needs no memory to speak of.
  private static let pagesAtOnce = 8192

  private mutating func measure(portion: [Range<Int>]) async throws(DocumentError) {
    take(try await document.measure(portion))
  }

  /// Takes in what was learned about pages, by index.
  ///
  /// - Parameter anchor: what the offset adjustment is for.
  /// - Complexity: as ``PageLayout/Layout/measure(_:keeping:)-([MeasuredSize],_)``.
  @discardableResult
  mutating func take(
    _ results: [Int: Result<PageFacts, DocumentError>],
    keeping anchor: Anchor? = nil
  ) -> Invalidation {
    var sizes: [MeasuredSize] = []
    sizes.reserveCapacity(results.count)
    facts.reserveCapacity(facts.count + results.count)
    for (index, result) in results {
      switch result {
      case .success(let page):
        facts[index] = page
        sizes.append(MeasuredSize(page: index, size: page.size))
      case .failure(let error):
        failures[index] = error
        // No size at all: the layout then takes the size of a missing box, and goes on.
        sizes.append(MeasuredSize(page: index, size: .zero))
      }
    }
    return layout.measure(sizes, keeping: anchor)
  }

  /// The same document in another layout. What is known of its pages stays known.
  mutating func rearrange(
    _ change: (Layout) throws(LayoutError) -> Layout
  ) throws(LayoutError) {
    layout = try change(layout)
  }

  private func window(at position: Position) throws(DocumentError) -> Rect {
    switch position {
    case .offset(let offset): return layout.window(at: offset)
    case .page(let page, let fraction):
      guard let offset = layout.offset(showing: page, fraction: fraction) else {
        throw DocumentError(
          .pageMissing,
          during: "page \(page + 1)",
          "the layout does not show this page"
        )
      }
      return layout.window(at: offset)
    }
  }
}
