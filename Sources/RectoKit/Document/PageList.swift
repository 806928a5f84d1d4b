public import PageLayout
public import RectoGeometry

/// An ordered list of pages as text: `1-10,20,z`, `odd`, `label:iv-label:x`.
///
/// The list names pages as readers do: by number, from the end (`z` or `last`), or by the label in the document. A
/// range may be open and run backwards. ``init(parsing:)`` has the syntax.
///
/// A list may name pages that a document does not have; ``runs(pageCount:)`` checks that. Labels must be resolved
/// first, by ``Document/resolving(_:)-(PageList)``.
public struct PageList: Hashable, Sendable {
  /// A page as it is written in a list.
  public enum Number: Hashable, Sendable {
    /// A page.
    case page(PageIndex)
    /// The last page.
    case last
    /// The first page with a label.
    case label(String)
  }

  /// Which pages of a range are meant.
  public enum Parity: Hashable, Sendable {
    /// Those with an odd number.
    case odd
    /// Those with an even number.
    case even

    /// Whether a page is meant.
    func contains(_ page: PageIndex) -> Bool { page.number.isMultiple(of: 2) == (self == .even) }
  }

  /// A range of pages; one page if both ends are equal.
  public struct Item: Hashable, Sendable {
    /// The page to begin with.
    public var first: Number
    /// The page to end with; may be before ``first``.
    public var last: Number
    /// Which pages of the range are meant; nil for all.
    public var parity: Parity?

    /// A range from its ends.
    ///
    /// - Parameters:
    ///   - first: The page to begin with.
    ///   - last: The page to end with.
    ///   - parity: Which pages of the range are meant; nil for all.
    public init(first: Number, last: Number, parity: Parity? = nil) {
      self.first = first
      self.last = last
      self.parity = parity
    }
  }

  /// The ranges, in order.
  public var items: [Item]

  /// A list from its ranges.
  public init(items: [Item]) { self.items = items }

  /// A list from text; nil if it is not one.
  public init?(_ text: String) {
    guard let list = try? PageList(parsing: text) else { return nil }
    self = list
  }

  /// Whether the list names a page by its label.
  public var hasLabels: Bool {
    items.contains { item in
      [item.first, item.last].contains { if case .label = $0 { true } else { false } }
    }
  }

  /// The most pages for `odd` and `even`: each page takes memory, and the page count may be wrong.
  public static let largestAlternation = 1 << 20

  /// The pages as runs. A range that extends beyond the document ends with its last page.
  ///
  /// - Parameter pageCount: The number of pages of the document.
  /// - Returns: The runs, in the order of the list: one for each range, or one for each page of those
  ///   with a ``Item/parity``.
  /// - Throws: The error of the first page, or whole range, that the document does not have.
  /// - Complexity: O(*n*) in the number of runs.
  public func runs(pageCount: Int) throws(PageListError) -> [PageSequence.Run] {
    guard pageCount > 0 else { throw .noPages }
    let selection = try PageSelection(self, pageCount: pageCount)
    if let missing = selection.firstMissing { throw .missing(missing, pageCount: pageCount) }
    return selection.runs
  }

  /// The pages after the last one of a document that ranges beginning in the document extend to; empty if none does.
  ///
  /// - Parameter pageCount: The number of pages of the document.
  public func clipped(pageCount: Int) -> Range<PageIndex> {
    let all = Range(pageCount: pageCount)
    let ends = items.compactMap { item -> PageIndex? in
      switch (item.first, item.last) {
      case (.page(let first), .page(let last)) where all.contains(min(first, last)):
        max(first, last)
      case (.last, .page(let last)): last
      default: nil
      }
    }
    return all.upperBound..<max(all.upperBound, (ends.max() ?? 0).advanced(by: 1))
  }
}

extension PageList.Item {
  /// Every second page of the range.
  ///
  /// - Throws: An error for an end that the document does not have, and for too many pages.
  func alternation(
    _ parity: PageList.Parity,
    pageCount: Int
  ) throws(PageListError) -> [PageSequence.Run] {
    let first = try first.index(pageCount: pageCount)
    let last = try last.index(pageCount: pageCount)
    let pages = Range(min(first, last)...max(first, last))
    guard pages.count <= PageList.largestAlternation else { throw .tooMany(pages.count) }
    let meant = pages.lazy.filter(parity.contains).map { PageSequence.Run.pages(Range(only: $0)) }
    return first <= last ? Array(meant) : meant.reversed()
  }
}

extension PageList.Number {
  /// The page of a document.
  ///
  /// - Parameter pageCount: The number of pages of the document.
  /// - Returns: The index of the page.
  /// - Throws: An error if the document does not have the page; also for a label, which the document
  ///   does not have if it is still there after ``Document/resolving(_:)-(PageList)``.
  public func index(pageCount: Int) throws(PageListError) -> PageIndex {
    let pages = Range(pageCount: pageCount)
    switch self {
    case .last:
      guard let last = pages.last else { throw .noPages }
      return last
    case .page(let page):
      guard pages.contains(page) else { throw .missing(page, pageCount: pageCount) }
      return page
    case .label(let label): throw .noLabel(label)
    }
  }
}

extension Character {
  /// Whether it is one of `0` to `9`.
  var isASCIIDigit: Bool { isASCII && isNumber }
}

/// A page of a list that a document does not have.
public enum PageListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The last page of a document without pages.
  case noPages
  /// A page, and the number of pages of the document.
  case missing(PageIndex, pageCount: Int)
  /// A label that no page has.
  case noLabel(String)
  /// `odd` or `even` of more than ``PageList/largestAlternation`` pages.
  case tooMany(Int)

  /// The page; nil for the last one.
  public var page: PageIndex? {
    if case .missing(let page, _) = self { page } else { nil }
  }

  /// One line, without the number of the page.
  public var description: String {
    switch self {
    case .noPages: "the document has no pages"
    case .missing(_, pageCount: 1): "the document has 1 page"
    case .missing(_, let pageCount): "the document has \(pageCount) pages"
    case .noLabel(let label): "no page has the label \"\(label)\""
    case .tooMany(let count):
      "odd or even pages of \(count); the limit is \(PageList.largestAlternation)"
    }
  }
}
