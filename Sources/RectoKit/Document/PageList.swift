public import PageLayout
public import PageNumbers

/// Pages of a document in an order, as text: `1-10,20,5`. `z` is the last page; a range may run
/// backwards.
///
/// A list may name pages that a document does not have: it is compared with a document in
/// ``runs(pageCount:)``.
public struct PageList: Hashable, Sendable {
  /// A page as it is written in a list.
  public enum Number: Hashable, Sendable {
    /// A page.
    case page(PageIndex)
    /// The last page.
    case last
  }

  /// A range of pages; one page if both ends are equal.
  public struct Item: Hashable, Sendable {
    /// The page to begin with.
    public var first: Number
    /// The page to end with; may be before ``first``.
    public var last: Number

    /// A range from its ends.
    public init(first: Number, last: Number) {
      self.first = first
      self.last = last
    }
  }

  /// The ranges, in order.
  public var items: [Item]

  /// A list from its ranges.
  public init(items: [Item]) { self.items = items }

  /// A list from text; nil if it is not one.
  public init?(_ text: String) {
    items = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = ends.first.flatMap(Number.init), let last = ends.last.flatMap(Number.init)
      else { return nil }
      items.append(Item(first: first, last: last))
    }
  }

  /// The pages as runs.
  ///
  /// - Parameter pageCount: The number of pages of the document.
  /// - Returns: The runs, one for each item of the list.
  /// - Throws: The error of the first page that the document does not have.
  /// - Complexity: O(*n*) in the number of ranges.
  public func runs(pageCount: Int) throws(PageListError) -> [PageSequence.Run] {
    var runs: [PageSequence.Run] = []
    for item in items {
      let first = try item.first.index(pageCount: pageCount)
      let last = try item.last.index(pageCount: pageCount)
      runs.append(first <= last ? .pages(Range(first...last)) : .backwards(Range(last...first)))
    }
    return runs
  }
}

extension PageList.Number {
  /// A number from text, `z` for the last page; nil if it is neither.
  public init?(_ text: Substring) {
    if text == "z" {
      self = .last
    } else if let page = Int(text).flatMap(PageIndex.init(number:)),
      text.allSatisfy(\.isASCIIDigit)
    {
      self = .page(page)
    } else {
      return nil
    }
  }

  /// The page of a document.
  ///
  /// - Parameter pageCount: The number of pages of the document.
  /// - Returns: The index of the page.
  /// - Throws: An error if the document does not have the page.
  public func index(pageCount: Int) throws(PageListError) -> PageIndex {
    let pages = Range(pageCount: pageCount)
    switch self {
    case .last:
      guard let last = pages.last else { throw .noPages }
      return last
    case .page(let page):
      guard pages.contains(page) else { throw .missing(page, pageCount: pageCount) }
      return page
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
    }
  }
}
