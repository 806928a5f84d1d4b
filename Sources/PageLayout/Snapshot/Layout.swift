public import RectoGeometry

/// Pages with their positions: an immutable value that answers every request about frames.
///
/// ```
///   configuration ─┐
///   page sequence ─┼─► spreads (size pass) ─► arrangement (position pass) ─► frames
///   page sizes ────┤        sparse sums                  pure function
///   viewport ──────┘
/// ```
/// A layout is a value. Copies are free and share storage, so a copy taken before sizes arrive
/// keeps its answers, and all answers of a copy are consistent. Creating a layout costs nothing per
/// page: storage grows only with the measured and customized pages.
///
/// A page's size is measured or estimated, and every answer tells whether it is exact. Setting
/// sizes with ``measure(_:keeping:)`` returns an ``Invalidation`` with what has moved. Store a
/// position as an ``Anchor``, never as an offset: offsets change whenever sizes arrive.
///
/// If nothing is visible (a viewport no larger than its margins, a zoom below 0.01, no pages),
/// answers are empty: no spreads, no pages, a content size of zero.
public struct Layout: Sendable {
  /// The spreads and their sizes.
  public internal(set) var spreads: Spreads
  /// The arrangement, prepared for the spreads.
  private(set) var arrangement: Arrangement
  /// Whether the arrangement is not that of the configuration's mode.
  private let hasOwnArrangement: Bool

  /// A layout of the configuration's own mode.
  ///
  /// - Parameters:
  ///   - configuration: How the pages are arranged.
  ///   - pages: The pages to show, and their order.
  ///   - sizes: The page sizes known so far.
  ///   - viewport: The size of the window, in layout units.
  /// - Throws: ``LayoutError`` naming the refused field of the configuration or the viewport.
  /// - Complexity: O(*m* log *m*) for *m* measured and customized pages, whatever the page count.
  public init(
    _ configuration: LayoutConfiguration,
    pages: PageSequence,
    sizes: PageSizes,
    viewport: Size
  ) throws(LayoutError) {
    try self.init(configuration, own: nil, pages: pages, sizes: sizes, viewport: viewport)
  }

  /// - Parameters:
  ///   - own: A custom arrangement; nil for the mode's.
  ///   - viewport: The size of the window, in layout units.
  /// - Throws: ``LayoutError`` naming the refused field.
  init(
    _ configuration: LayoutConfiguration,
    own: Arrangement?,
    pages: PageSequence,
    sizes: PageSizes,
    viewport: Size
  ) throws(LayoutError) {
    try configuration.validate()
    try LayoutConfiguration.validate(viewport: viewport)
    if case .fixed(let size) = sizes.estimate, PageSizes.layable(size) != size {
      throw LayoutError(
        field: "sizes.estimate",
        reason: "a page of \(size.width) by \(size.height) points cannot be laid out"
      )
    }
    let arrangement = own ?? Arrangement(configuration.mode)
    hasOwnArrangement = own != nil
    spreads = Spreads(
      LayoutEnvironment(
        configuration,
        viewport: viewport,
        isOneCanvas: arrangement.isOneCanvas
      ),
      pages: pages,
      sizes: sizes,
      arrangement: arrangement
    )
    self.arrangement = arrangement
    prepare(changed: nil)
  }

  /// Prepares the arrangement for the spreads, some of which may have changed; nil if anything may have.
  mutating func prepare(changed: [Range<Int>]?) {
    guard arrangement.isCustom, !isEmpty else { return }
    arrangement.prepare(for: spreads, changed: changed)
  }

  /// The configuration.
  public var configuration: LayoutConfiguration { spreads.environment.configuration }
  /// The order of the pages.
  public var pages: PageSequence { spreads.pages }
  /// The sizes of the pages, as far as they are known.
  public var sizes: PageSizes { spreads.sizes }
  /// The size of the viewport.
  public var viewport: Size { spreads.environment.viewport }

  var environment: LayoutEnvironment { spreads.environment }
  private var ownArrangement: Arrangement? { hasOwnArrangement ? spreads.arrangement : nil }

  /// The same pages under another configuration; sizes are kept.
  ///
  /// A custom arrangement is kept, whatever the mode.
  /// - Throws: ``LayoutError`` naming the refused field.
  public func reconfigured(_ configuration: LayoutConfiguration) throws(LayoutError) -> Layout {
    try Layout(configuration, own: ownArrangement, pages: pages, sizes: sizes, viewport: viewport)
  }

  /// The same layout in a viewport of another size.
  ///
  /// - Throws: ``LayoutError`` when the viewport is refused.
  public func resized(to viewport: Size) throws(LayoutError) -> Layout {
    try Layout(configuration, own: ownArrangement, pages: pages, sizes: sizes, viewport: viewport)
  }

  /// Whether there are rest positions of spreads, and offsets in between.
  public var restsAtSpreads: Bool { arrangement.restsAtSpreads }

  /// The same layout with other pages, or another order; sizes are kept.
  public func reordered(_ pages: PageSequence) -> Layout {
    var layout = self
    layout.spreads = Spreads(
      environment,
      pages: pages,
      sizes: sizes,
      arrangement: spreads.arrangement
    )
    layout.prepare(changed: nil)
    return layout
  }

  /// Whether there is nothing to see.
  public var isEmpty: Bool { spreads.count == 0 || !spreads.hasRoom }

  /// The number of spreads, whether or not they are visible.
  public var spreadCount: Int { spreads.count }

  /// The size of the whole content.
  public var contentSize: Size { isEmpty ? .zero : arrangement.contentSize(of: spreads) }

  /// Whether the content's size depends only on measured sizes.
  public var isContentExact: Bool {
    isEmpty || spreads.areMeasured(spreadsDeciding(0..<spreads.count))
  }

  /// The spreads whose sizes decide the frames of a range: those that decide the positions, or all
  /// if they share a scale.
  func spreadsDeciding(_ range: Range<Int>) -> Range<Int> {
    environment.sharesScale
      ? 0..<spreads.count : arrangement.spreadsDeciding(range, of: spreads)
  }
}

extension Spreads {
  /// Whether every page of the spreads in `range`, and of their lines, is measured.
  ///
  /// - Complexity: O(log *n*).
  public func areMeasured(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return true }
    if spreadsPerLine == 0 { return areFlowingMeasured(range) }
    return areLinesMeasured(
      line(ofSpread: range.lowerBound)..<line(ofSpread: range.upperBound - 1) + 1
    )
  }
}
