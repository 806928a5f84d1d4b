public import DocumentModel
public import PageLayout
public import RectoGeometry

/// A document in a layout: which pages a window shows, and where.
///
/// A value: every answer comes from one snapshot of the layout. Only the page sizes that an answer needs are measured.
/// All are of one generation of the document: after its reader of pages has changed, pages are not measured any more
/// (`pageMismatch`), and another layout takes the place of this one.
public struct DocumentLayout: Sendable {
  /// The document.
  public let document: Document
  /// The layout with all sizes known so far.
  public private(set) var layout: Layout
  /// The known pages. The layout has the sizes of its measured pages; a page that fails keeps its
  /// estimated size.
  public private(set) var pages: MeasuredPages

  /// Which pages are measured for a window.
  public enum Sizes: String, Hashable, Sendable, CaseIterable {
    /// All pages before and inside the window, so that every frame is exact.
    case exact
    /// The first page and those inside the window.
    case estimated
  }

  /// Where a window is.
  public enum Position: Hashable, Sendable {
    /// Where reading starts, insets included.
    case start
    /// Its top left in the content; clamped to where there is content.
    case offset(Point)
    /// A page, with this fraction of it before the window's start edge.
    case page(PageIndex, fraction: Double)
    /// A place that was chosen earlier, in this or another layout.
    case place(Place)
  }

  /// A view of `document`.
  ///
  /// - Parameters:
  ///   - document: The document to lay out.
  ///   - configuration: How its pages are arranged.
  ///   - arrangement: A custom layout; nil for that of the configuration's mode.
  ///   - pages: Which pages, in which order.
  ///   - viewport: In layout units.
  /// - Throws: `LayoutError` for an invalid configuration.
  public init(
    _ document: Document,
    configuration: LayoutConfiguration,
    arrangement: (any PageArranging)? = nil,
    pages: PageSequence,
    viewport: Size
  ) throws(LayoutError) {
    self.document = document
    self.pages = MeasuredPages(generation: document.generation)
    let layout = try Layout(
      configuration,
      pages: pages,
      sizes: PageSizes(estimate: .firstPage),
      viewport: viewport
    )
    self.layout =
      try arrangement.map { (own) throws(LayoutError) in
        try layout.rearranged(own)
      } ?? layout
  }

  /// The viewpoint at a position. All pages that the window needs are measured.
  ///
  /// A window that shows more than ``largestPageCount`` pages is not measured to its end;
  /// ``spreads(in:)`` refuses it. Where spreads rest, a page is panned to its fraction.
  /// - Parameters:
  ///   - position: Where.
  ///   - sizes: Which pages are measured.
  ///   - spreadView: A zoom and a pan for the spread there, in modes where spreads rest; nil values are those of the
  ///     position.
  /// - Returns: The layout, with the zoom and pan of the spread at the position, and its window.
  /// - Throws: Any error of opening the document, and `pageMissing` for a page that the layout does
  ///   not show.
  public mutating func viewpoint(
    at position: Position,
    sizes: Sizes,
    viewing spreadView: (zoom: Double?, pan: Point?) = (nil, nil)
  ) async throws(DocumentError) -> Viewpoint {
    if layout.pages.count > 0, let first = layout.pages.page(at: 0) {
      try await measure([Range(only: first)])
    }
    var rounds = MeasuringRounds()
    while true {
      let viewpoint = try viewpoint(at: position, spreadView)
      let window = viewpoint.window
      let missing =
        layout.unmeasuredPages(atStartOf: window)
        ?? (sizes == .exact
          ? layout.unmeasuredPages(neededFor: window) : layout.unmeasuredPages(inside: window))
      if missing.isEmpty { return viewpoint }
      try await measure(rounds.next(missing, of: layout.pages))
    }
  }

  /// The window of ``viewpoint(at:sizes:viewing:)``, in layout units.
  ///
  /// - Parameters:
  ///   - position: Where.
  ///   - sizes: Which pages are measured.
  /// - Returns: The visible part of the content.
  /// - Throws: As ``viewpoint(at:sizes:viewing:)``.
  public mutating func window(
    at position: Position,
    sizes: Sizes
  ) async throws(DocumentError) -> Rect {
    try await viewpoint(at: position, sizes: sizes).window
  }

  /// Measures every page of the layout.
  ///
  /// - Parameter progress: Called with the number of pages that have been measured so far.
  /// - Throws: Any error of opening the document.
  public mutating func measureAll(
    progress: (Int) -> Void = { _ in }
  ) async throws(DocumentError) {
    try await measure(layout.unmeasuredPages, progress: progress)
  }

  /// The spreads that touch `window`, with info for each of their pages.
  ///
  /// - Throws: `usage` for more than ``largestPageCount`` pages, and any error of opening the
  ///   document.
  public mutating func spreads(in window: Rect) async throws(DocumentError) -> [LaidOutSpread] {
    if let refusal = layout.refusal(of: window) { throw refusal }
    let spreads = layout.spreads(visibleIn: window)
    let unknown = spreads.flatMap(\.pages).map(\.page).filter { !isSettled($0) }
    guard !unknown.isEmpty else { return spreads }
    try await measure(unknown.map { Range(only: $0) })
    return layout.spreads(visibleIn: window)
  }

  /// Whether the layout has the size of a page, or the page is known to have none.
  func isSettled(_ page: PageIndex) -> Bool {
    layout.sizes.measured(page) != nil || pages.failing(at: page) != nil
  }

  mutating func measure(
    _ ranges: [Range<PageIndex>],
    progress: (Int) -> Void = { _ in }
  ) async throws(DocumentError) {
    var done = 0
    var portion: [Range<PageIndex>] = []
    var count = 0
    for range in ranges {
      var next = range.lowerBound
      while next < range.upperBound {
        if let failing = pages.failing(at: next) {
          // Possibly all the rest of the document.
          layout.markMissing(failing.pages)
          next = failing.pages.upperBound
          continue
        }
        let part = next..<min(next.advanced(by: Self.pagesAtOnce), range.upperBound)
        next = part.upperBound
        portion.append(part)
        count += part.count
        guard count >= Self.pagesAtOnce else { continue }
        try await measureAtOnce(portion)
        done += count
        progress(done)
        portion.removeAll()
        count = 0
      }
    }
    guard !portion.isEmpty else { return }
    try await measureAtOnce(portion)
    progress(done + count)
  }

  private mutating func measureAtOnce(_ pages: [Range<PageIndex>]) async throws(DocumentError) {
    let known = try await document.measure(pages)
    try document.requireGeneration(self.pages.generation)
    take(known, of: pages)
  }

  /// Pages measured at a time: many enough for efficient layout updates, few enough that results in
  /// memory stay small.
  private static let pagesAtOnce = 8192

  /// Adds the sizes of known pages.
  ///
  /// - Parameters:
  ///   - asked: The requested pages; the known ones among them are added to the layout.
  /// - Returns: The moved spreads.
  /// - Complexity: As ``PageLayout/Layout/measure(_:keeping:)-([MeasuredSize],_)``.
  @discardableResult
  mutating func take(
    _ known: MeasuredPages,
    of asked: [Range<PageIndex>]
  ) -> Invalidation {
    pages = known
    var sizes: [MeasuredSize] = []
    sizes.reserveCapacity(min(Self.pagesAtOnce, asked.reduce(0) { $0 + $1.count }))
    for range in asked {
      var next = range.lowerBound
      while next < range.upperBound {
        if let failing = known.failing(at: next) {
          // With all following pages that fail alike, requested or not.
          layout.markMissing(failing.pages)
          next = failing.pages.upperBound
          continue
        }
        if let info = known.info(of: next) {
          sizes.append(MeasuredSize(page: next, size: info.size))
        }
        next = next.advanced(by: 1)
      }
    }
    return layout.measure(sizes)
  }

  /// Sets another layout of the same document, keeping the known pages.
  mutating func rearrange(_ layout: Layout) { self.layout = layout }

  private mutating func viewpoint(
    at position: Position,
    _ spreadView: (zoom: Double?, pan: Point?)
  ) throws(DocumentError) -> Viewpoint {
    var viewpoint = Viewpoint(layout)
    var place: ((Viewpoint) -> Viewpoint?)?
    switch position {
    case .start: break
    case .offset(let offset): viewpoint = Viewpoint(layout, at: offset)
    case .page(let page, let fraction):
      place = { $0.showing(page: page, fraction: fraction) }
      guard let shown = place?(viewpoint) else { throw Self.missing(page) }
      viewpoint = shown
    case .place(let found):
      place = { $0.showing(found) }
      guard let shown = place?(viewpoint) else { throw Self.missing(found.anchor.page) }
      viewpoint = shown
    }
    if let index = viewpoint.restingSpread, spreadView.zoom != nil || spreadView.pan != nil {
      var view = viewpoint.layout.view(ofSpread: index)
      view.zoom = spreadView.zoom ?? view.zoom
      let zoomed = viewpoint.layout.setting(view, ofSpread: index)
      viewpoint = Viewpoint(zoomed, at: viewpoint.offset)
      viewpoint = place?(viewpoint) ?? viewpoint
      if let pan = spreadView.pan {
        view.pan = pan
        viewpoint = Viewpoint(zoomed.setting(view, ofSpread: index), at: viewpoint.offset)
      }
    }
    layout = viewpoint.layout
    return viewpoint
  }

  private static func missing(_ page: PageIndex) -> DocumentError {
    DocumentError(
      .pageMissing,
      during: "page \(page.number)",
      "the layout does not show this page"
    )
  }
}

/// Which pages to measure until a window has all that it needs.
///
/// Pages can be arbitrarily small, so after each round the window may show one more page. In
/// practice two or three rounds are enough; after some more, each round measures twice as many
/// pages around the requested ones as the previous one, which limits the number of rounds.
struct MeasuringRounds {
  private var count = 0

  /// Rounds that measure only the requested pages.
  private static let plain = 8
  /// The most pages on either side of the requested ones, as a power of two.
  private static let most = 13

  /// The pages of the next round.
  ///
  /// - Returns: The pages to measure: the needed ones, and after some rounds more after them.
  mutating func next(_ pages: [Range<PageIndex>], of sequence: PageSequence) -> [Range<PageIndex>] {
    count += 1
    guard count > Self.plain, let end = sequence.pageRanges.last?.upperBound else { return pages }
    let more = 1 << min(count - Self.plain, Self.most)
    let wider = pages.map {
      max(0, $0.lowerBound.advanced(by: -more))..<min(end, $0.upperBound.advanced(by: more))
    }
    return PageSequence(wider.map { .pages($0) }).pageRanges
  }
}
