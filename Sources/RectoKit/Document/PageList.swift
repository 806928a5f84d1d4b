public import PageLayout

/// Pages of a document in an order, as text: `1-10,20,5`. `z` is the last page; a range may run
/// backwards.
///
/// A list may name pages that a document does not have: it is compared with a document in
/// ``runs(pageCount:)``.
public struct PageList: Hashable, Sendable {
  /// A page as it is written in a list.
  public enum Number: Hashable, Sendable {
    /// A page by its number, from 1.
    case page(Int)
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

  /// The pages by index, as runs.
  ///
  /// - Parameter pageCount: The number of pages of the document.
  /// - Throws: The error of the first page that the document does not have.
  /// - Complexity: O(*n*) in the number of ranges.
  public func runs(pageCount: Int) throws(PageListError) -> [PageSequence.Run] {
    var runs: [PageSequence.Run] = []
    for item in items {
      let first = try item.first.index(pageCount: pageCount)
      let last = try item.last.index(pageCount: pageCount)
      runs.append(first <= last ? .pages(first..<(last + 1)) : .backwards(last..<(first + 1)))
    }
    return runs
  }
}

extension PageList.Number {
  /// A number from text, `z` for the last page; nil if it is neither.
  public init?(_ text: Substring) {
    if text == "z" {
      self = .last
    } else if let number = Int(text), number > 0,
      text.allSatisfy({ $0.isASCII && $0.isNumber })
    {
      self = .page(number)
    } else {
      return nil
    }
  }

  /// The page's index.
  ///
  /// - Throws: An error if the document does not have the page.
  public func index(pageCount: Int) throws(PageListError) -> Int {
    switch self {
    case .last:
      guard pageCount > 0 else { throw .noPages }
      return pageCount - 1
    case .page(let number):
      guard number <= pageCount else { throw .missing(number: number, pageCount: pageCount) }
      return number - 1
    }
  }
}

/// A page of a list that a document does not have.
public enum PageListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The last page of a document without pages.
  case noPages
  /// A page by its number, and the number of pages of the document.
  case missing(number: Int, pageCount: Int)

  /// The number of the page; nil for the last one.
  public var number: Int? {
    if case .missing(let number, _) = self { number } else { nil }
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
