public import RectoGeometry

extension Layout {
  /// Sets the size of one page, in points after the page's own rotation, times UserUnit.
  ///
  /// An unusable size counts as a missing box (see ``PageSizes/layable(_:)``).
  ///
  /// - Parameters:
  ///   - page: The page of the document.
  ///   - size: Its displayed size.
  ///   - anchor: The anchor for the offset adjustment.
  /// - Returns: What has moved, and the offset adjustment.
  /// - Complexity: O(log *n*). If the page is wide and therefore alone, or the estimate changes,
  ///   the cost of creating the layout.
  @discardableResult
  public mutating func measure(_ page: PageIndex, as size: Size, keeping anchor: Anchor? = nil)
    -> Invalidation
  {
    guard !arrangement.isCustom, spreads.changesOnlyLines(page, as: size) else {
      if placesByRule, spreads.confirms(page, size) {
        _ = spreads.measure(page, as: size)
        return .none
      }
      return invalidation(keeping: anchor) { $0.measure(page, as: size) }
    }
    // Keeping a copy would make the sums copy a path.
    let sizeBefore = contentSize
    let offsetBefore = anchor.flatMap { stillOffset(of: $0) }
    let change = spreads.measure(page, as: size)
    guard change.movesAnything, !isEmpty else { return .none }
    var moves: Invalidation
    if spreads.tellsAll(change.lines) {
      moves = movesOfLines(change.lines, from: nil)
    } else {
      var old = self
      old.spreads.putBack(page, change)
      moves = movesOfLines(change.lines, from: old)
    }
    guard !moves.isEmpty else { return .none }
    moves.adjustContent(from: sizeBefore, to: contentSize)
    moves.adjustOffset(from: offsetBefore, to: anchor.flatMap { stillOffset(of: $0) })
    return moves
  }

  /// Sets a batch of sizes: one change of the layout, one adjustment. A later entry for a page
  /// replaces an earlier one.
  ///
  /// - Complexity: O(*b* log *b* + *b* log *n*) for *b* sizes.
  @discardableResult
  public mutating func measure(_ sizes: [MeasuredSize], keeping anchor: Anchor? = nil)
    -> Invalidation
  {
    invalidation(keeping: anchor) { $0.measure(sizes) }
  }

  /// Marks pages as having no size, because the document does not have them or they cannot be read. They keep the
  /// estimated size, and what depends on them is exact from now on. Nothing moves.
  ///
  /// - Complexity: O(log *n*), however many pages there are.
  public mutating func markMissing(_ pages: Range<PageIndex>) { spreads.sizes.markMissing(pages) }

  private mutating func invalidation(
    keeping anchor: Anchor?,
    _ change: (inout Spreads) -> Spreads.Change
  ) -> Invalidation {
    let sizeBefore = contentSize
    let offsetBefore = anchor.flatMap { stillOffset(of: $0) }
    // A copy of an arrangement that has prepared anything costs as much as that.
    let old = placesByRule ? self : nil
    let wasDecidedByAll = arrangement.isCustom && spreads.isDecidedByAll
    let change = change(&spreads)
    guard change.movesAnything, !isEmpty else { return .none }
    // Lines that were centered and are not any more, or the reverse, all move.
    let changed =
      arrangement.isCustom && wasDecidedByAll == spreads.isDecidedByAll
      ? change.spreadRanges(in: spreads) : nil
    prepare(changed: changed)
    var moves = old.map { self.moves(change, from: $0) } ?? movesAffected(by: changed)
    guard !moves.isEmpty else { return .none }
    moves.adjustContent(from: sizeBefore, to: contentSize)
    moves.adjustOffset(from: offsetBefore, to: anchor.flatMap { stillOffset(of: $0) })
    return moves
  }

  // MARK: Dependencies of answers

  /// The unmeasured pages that decide the frames of the pages in `window`: after measuring them,
  /// all frames in the window are exact. Measuring moves pages, so repeat this for the new window
  /// until the result is empty.
  ///
  /// - Returns: Disjoint ranges, ascending.
  /// - Complexity: O(*r* log *n* + the number of ranges) for *r* runs of the sequence.
  public func unmeasuredPages(neededFor window: Rect) -> [Range<PageIndex>] {
    let shown = spreadsConcerned(by: window)
    guard !shown.isEmpty else { return [] }
    return withSticky(
      unmeasuredPages(inEach: shown) { spreadsDeciding($0) },
      spreadsShaping
    )
  }

  /// The unmeasured pages inside `window`, including those pinned to its edges.
  ///
  /// - Returns: Disjoint ranges, ascending.
  public func unmeasuredPages(inside window: Rect) -> [Range<PageIndex>] {
    let shown = spreadsConcerned(by: window)
    guard !shown.isEmpty else { return [] }
    return withSticky(unmeasuredPages(inEach: shown) { $0 }) {
      spreads.pairsByShape ? 0..<$0 + 1 : $0..<$0 + 1
    }
  }

  /// Ranges of pages, plus the unmeasured pages of each sticky spread, which is visible at an edge of every window.
  private func withSticky(
    _ ranges: [Range<PageIndex>],
    _ taken: (Int) -> Range<Int>
  ) -> [Range<PageIndex>] {
    let sticky = stickySpreads
    guard !sticky.isEmpty else { return ranges }
    return sticky.reduce(into: ranges) { ranges, index in
      ranges += unmeasuredPages(inSpreads: taken(index))
    }.merged()
  }

  /// All unmeasured pages that are shown, as disjoint ranges, ascending.
  public var unmeasuredPages: [Range<PageIndex>] {
    spreads.count == 0 ? [] : unmeasuredPages(inSpreads: 0..<spreads.count)
  }

  /// The spreads in a window, or the one nearest to it.
  private func spreadsConcerned(by window: Rect) -> SpreadRanges {
    var shown = touching(window)
    if arrangement.isCustom {
      // Of spreads that follow no rule, those before the next one may reach into the window.
      if shown.isEmpty, !placesByRule { shown = spreads(near: window.origin, in: window) }
      shown.extend(to: spreads(touching: window).upperBound)
    }
    guard shown.isEmpty, let page = pageNearest(window.origin, in: window) else { return shown }
    let index = spreads.spread(of: page.position)
    return SpreadRanges(index..<index + 1)
  }

  /// The unmeasured pages of the spreads that `taken` names for each range.
  private func unmeasuredPages(
    inEach ranges: SpreadRanges,
    _ taken: (Range<Int>) -> Range<Int>
  ) -> [Range<PageIndex>] {
    let first = unmeasuredPages(inSpreads: taken(ranges.first))
    guard !ranges.others.isEmpty else { return first }
    return ranges.others.reduce(into: first) { $0 += unmeasuredPages(inSpreads: taken($1)) }
      .merged()
  }

  /// The unmeasured pages of a range of spreads, as disjoint ranges, ascending.
  public func unmeasuredPages(inSpreads range: Range<Int>) -> [Range<PageIndex>] {
    let range = range.clamped(to: 0..<spreads.count)
    guard !range.isEmpty else { return [] }
    let positions = spreads.positions(ofLinesWith: range)
    var found: [Range<PageIndex>] = []
    pages.forEachPiece(of: positions) { _, run in
      if let pages = run.pages { found += sizes.unmeasured(in: pages) }
    }
    for page in spreads.pagesLending(toBlanksAtEndsOf: positions) {
      found += sizes.unmeasured(in: Range(only: page))
    }
    return found.merged()
  }
}
