internal import ArgumentParser
internal import PageLayout
internal import SystemPackage

/// Which pages, in which order: `1-10,20,5`. `z` is the last page; a range may run backwards.
struct PageList: ExpressibleByArgument, Hashable, Sendable {
  enum Number: Hashable, Sendable {
    case page(Int)
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

  /// The pages by index, one by one.
  ///
  /// - Throws: a usage failure that names the first page the document does not have.
  func indices(pageCount: Int, path: FilePath) throws(Failure) -> [Int] {
    var indices: [Int] = []
    for run in try runs(pageCount: pageCount, path: path) {
      if case .pages(let range) = run { indices += range }
    }
    return indices
  }

  /// The pages by index, as runs.
  ///
  /// - Throws: a usage failure that names the first page the document does not have.
  func runs(pageCount: Int, path: FilePath) throws(Failure) -> [PageSequence.Run] {
    var runs: [PageSequence.Run] = []
    for item in items {
      let first = try item.first.index(pageCount, path)
      let last = try item.last.index(pageCount, path)
      if first <= last {
        runs.append(.pages(first..<(last + 1)))
      } else {
        runs += (last...first).reversed().map { .pages($0..<($0 + 1)) }
      }
    }
    return runs
  }
}

extension PageList.Number {
  init?(_ text: Substring) {
    if text == "z" {
      self = .last
    } else if let number = Int(text), number > 0, text.allSatisfy(\.isASCIIDigit) {
      self = .page(number)
    } else {
      return nil
    }
  }

  /// The page's index.
  func index(_ pageCount: Int, _ path: FilePath) throws(Failure) -> Int {
    switch self {
    case .last:
      guard pageCount > 0 else { throw Failure(usage: "the document has no pages", path: path) }
      return pageCount - 1
    case .page(let number):
      guard number <= pageCount else {
        throw Failure(
          usage: pageCount == 1 ? "the document has 1 page" : "the document has \(pageCount) pages",
          path: path,
          page: number
        )
      }
      return number - 1
    }
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
}
