internal import DocumentModel
internal import PageLayout
internal import RectoGeometry

/// The pages of a document to write to files.
///
/// A range that extends beyond the document ends with its last page. A page or whole range beyond
/// it is a separate error; other pages are not affected.
struct PageSelection: Hashable, Sendable {
  /// A part of a selection.
  enum Part: Hashable, Sendable {
    /// Pages that the document counts.
    case pages(PageSequence.Run)
    /// Consecutive pages that it does not count.
    case missing(Range<PageIndex>)
  }

  /// The parts, in order.
  private(set) var parts: [Part]
  /// The number of pages of the document.
  let pageCount: Int

  /// All pages of a document.
  init(pageCount: Int) {
    self.pageCount = pageCount
    parts = [.pages(.pages(Range(pageCount: pageCount)))]
  }

  /// The pages of a list.
  ///
  /// - Parameters:
  ///   - pageCount: The number of pages of the document, above 0.
  /// - Throws: An error for a label that no page has, for every second one of too many pages, and for the first page of
  ///   a list if the document has none of them.
  init(_ list: PageList, pageCount: Int) throws(PageListError) {
    self.pageCount = pageCount
    let all = Range(pageCount: pageCount)
    parts = []
    for item in list.items {
      // `odd` and `even` apply to the whole document, so none of the pages is missing.
      if let parity = item.parity {
        parts += try item.alternation(parity, pageCount: pageCount).map { .pages($0) }
        continue
      }
      let first = try item.first.index(in: all)
      let last = try item.last.index(in: all)
      let run: PageSequence.Run =
        first <= last ? .pages(Range(first...last)) : .backwards(Range(last...first))
      parts.append(Part(run, of: all, isOpen: item.last == .last))
    }
    if runs.isEmpty, let missing = firstMissing { throw .missing(missing, pageCount: pageCount) }
  }

  /// The pages that the document counts.
  var runs: [PageSequence.Run] {
    parts.compactMap { if case .pages(let run) = $0 { run } else { nil } }
  }

  /// The number of pages that the document counts; a page that is listed twice counts twice.
  var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// The number of positions: one for each page that the document counts, and one for each range that it does not.
  var positionCount: Int { parts.reduce(0) { $0 + $1.positionCount } }

  /// Consecutive pages of which at least half are selected; nil if there are none.
  var stretch: Range<PageIndex>? {
    let ranges = runs.compactMap(\.pages)
    guard let first = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max(),
      first.distance(to: end) <= 2 * count
    else { return nil }
    return first..<end
  }

  /// The first and the last page that the document counts; nil if it counts none of them.
  var ends: (first: PageIndex, last: PageIndex)? {
    guard let first = runs.first?.page(at: 0), let last = runs.last,
      let end = last.page(at: last.count - 1)
    else { return nil }
    return (first, end)
  }

  /// A selection of only these pages, in ascending order; the document must count them.
  func only(_ pages: some Sequence<PageIndex>) -> PageSelection {
    var selection = self
    selection.parts = Set(pages).sorted().map { .pages(.pages(Range(only: $0))) }
    return selection
  }

  /// The number of positions of a result: one for a range that the document does not count.
  func positionCount(of pages: Range<PageIndex>) -> Int {
    pages.lowerBound.number > pageCount ? 1 : pages.count
  }

  /// The pages at all other positions than the given ones.
  ///
  /// - Parameter done: Positions, in ascending order.
  /// - Returns: Consecutive pages, each range with the first of its positions.
  /// - Complexity: O(*n* + *m*) in the numbers of parts and of ranges.
  func pages(exceptAt done: [Range<Int>]) -> [(position: Int, pages: Range<PageIndex>)] {
    var rest: [(position: Int, pages: Range<PageIndex>)] = []
    var next = done.makeIterator()
    var covered = next.next()
    var position = 0
    for part in parts {
      let end = position + part.positionCount
      while position < end {
        while let range = covered, range.upperBound <= position { covered = next.next() }
        if let range = covered, range.lowerBound <= position {
          position = min(end, range.upperBound)
          continue
        }
        let gap = position..<min(end, covered?.lowerBound ?? end)
        let start = end - part.positionCount
        rest.append((position, part.pages(at: gap.lowerBound - start..<gap.upperBound - start)))
        position = gap.upperBound
      }
    }
    return rest
  }

  /// The first page that the document does not count; nil if it counts them all.
  var firstMissing: PageIndex? {
    parts.lazy.compactMap { if case .missing(let pages) = $0 { pages.lowerBound } else { nil } }
      .first
  }

  /// The error of pages that the document does not count.
  var error: DocumentError {
    let last = Range(pageCount: pageCount).upperBound
    return DocumentError(.usage, during: "", "\(PageListError.missing(last, pageCount: pageCount))")
  }

  /// The same pages, each once: those that the document counts in its order, then the others.
  var distinct: PageSelection {
    var selection = self
    selection.parts = PageSequence(runs).pageRanges.map { .pages(.pages($0)) }
    for part in parts {
      if case .missing = part, !selection.parts.contains(part) { selection.parts.append(part) }
    }
    return selection
  }
}

extension PageSelection.Part {
  /// The number of positions that it takes.
  fileprivate var positionCount: Int {
    switch self {
    case .pages(let run): run.count
    case .missing: 1
    }
  }

  /// The pages at consecutive positions of it, in ascending order.
  fileprivate func pages(at places: Range<Int>) -> Range<PageIndex> {
    switch self {
    case .missing(let pages): return pages
    case .pages(let run):
      guard let first = run.page(at: places.lowerBound),
        let last = run.page(at: places.upperBound - 1)
      else { return 0..<0 }
      return min(first, last)..<max(first, last).advanced(by: 1)
    }
  }

  /// A range of a list.
  ///
  /// - Parameters:
  ///   - run: The range, with `z` as the last page of the document.
  ///   - isOpen: Whether the range ends with the last page. Then a first page beyond the document is
  ///     the only one missing.
  fileprivate init(_ run: PageSequence.Run, of all: Range<PageIndex>, isOpen: Bool) {
    let pages = run.pages ?? all
    let existing = pages.clamped(to: all)
    if existing.isEmpty {
      self = .missing(pages)
    } else if isOpen, existing != pages {
      self = .missing(pages.upperBound.advanced(by: -1)..<pages.upperBound)
    } else if case .backwards = run {
      self = .pages(.backwards(existing))
    } else {
      self = .pages(.pages(existing))
    }
  }
}

extension PageList.Number {
  /// The page, whether or not it is one of `pages`; the last of them for `z`.
  ///
  /// - Throws: An error for a label: it was not resolved by ``Document/resolving(_:)-(PageList)``,
  ///   so no page has it.
  fileprivate func index(in pages: Range<PageIndex>) throws(PageListError) -> PageIndex {
    switch self {
    case .page(let page): page
    case .last: pages.upperBound.advanced(by: -1)
    case .label(let label): throw .noLabel(label)
    }
  }
}
