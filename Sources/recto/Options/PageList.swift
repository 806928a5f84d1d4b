internal import ArgumentParser
internal import PageLayout
internal import PageNumbers
internal import SystemPackage

/// Which pages, in which order: `1-10,20,5`. `z` is the last page; a range may run backwards.
struct PageList: ExpressibleByArgument, Hashable, Sendable {
  enum Number: Hashable, Sendable {
    case page(PageIndex)
    case last
  }

  struct Item: Hashable, Sendable {
    var first: Number
    var last: Number
  }

  var items: [Item]

  init?(argument: String) {
    items = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = ends.first.flatMap(Number.init), let last = ends.last.flatMap(Number.init)
      else { return nil }
      items.append(Item(first: first, last: last))
    }
  }

  var defaultValueDescription: String { "all" }

  /// The pages one by one, for options about single pages.
  ///
  /// - Parameters:
  ///   - pageCount: The number of pages that the file claims to have.
  ///   - path: The path of the document, for messages.
  ///   - limit: The maximum length of the list; without it, a claim would cost memory.
  /// - Throws: A usage failure for a page that does not exist, or for more than `limit` pages.
  func indices(
    pageCount: Int,
    path: FilePath,
    limit: Int = largestCount
  ) throws(Failure) -> [PageIndex] {
    let runs = try runs(pageCount: pageCount, path: path)
    let count = runs.reduce(0) { $0 + $1.count }
    guard count <= limit else {
      throw Failure(usage: "\(count) pages; the limit is \(limit)", path: path)
    }
    let pages = PageSequence(runs)
    return (0..<pages.count).compactMap { pages.page(at: $0) }
  }

  /// The most pages in a list that is about single pages.
  static let largestCount = 10_000

  /// The pages as runs.
  ///
  /// - Throws: a usage failure that names the first page the document does not have.
  func runs(pageCount: Int, path: FilePath) throws(Failure) -> [PageSequence.Run] {
    var runs: [PageSequence.Run] = []
    for item in items {
      let first = try item.first.index(pageCount, path)
      let last = try item.last.index(pageCount, path)
      runs.append(first <= last ? .pages(Range(first...last)) : .backwards(Range(last...first)))
    }
    return runs
  }
}

extension PageList.Number {
  init?(_ text: Substring) {
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
  /// - Throws: A usage failure if the document does not have the page.
  func index(_ pageCount: Int, _ path: FilePath) throws(Failure) -> PageIndex {
    let pages = Range(pageCount: pageCount)
    switch self {
    case .last:
      guard let last = pages.last else {
        throw Failure(usage: "the document has no pages", path: path)
      }
      return last
    case .page(let page):
      guard pages.contains(page) else {
        throw Failure(
          usage: pageCount == 1 ? "the document has 1 page" : "the document has \(pageCount) pages",
          path: path,
          page: page
        )
      }
      return page
    }
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
}
