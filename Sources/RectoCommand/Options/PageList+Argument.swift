public import ArgumentParser
internal import PageLayout
internal import RectoGeometry
package import RectoKit
internal import SystemPackage

extension PageList: ExpressibleByArgument {
  /// A list from the text of an option.
  package init?(argument: String) { self.init(argument) }

  /// The default of options that take a list.
  package var defaultValueDescription: String { "all" }

  /// The single pages of the list.
  ///
  /// - Parameters:
  ///   - pageCount: The page count of the file, which may be wrong.
  ///   - limit: The maximum length of the list; without it, a wrong page count would cost memory.
  /// - Returns: The pages, in the order of the list.
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

  /// The most pages in a list of single pages.
  static let largestCount = 10_000

  /// The pages as runs.
  ///
  /// - Throws: A usage failure that names the first page the document does not have.
  func runs(pageCount: Int, path: FilePath) throws(Failure) -> [PageSequence.Run] {
    do {
      return try runs(pageCount: pageCount)
    } catch {
      throw Failure(error, path: path)
    }
  }
}

extension PageList.Number {
  /// The page of a document.
  ///
  /// - Throws: A usage failure if the document does not have the page.
  func index(_ pageCount: Int, _ path: FilePath) throws(Failure) -> PageIndex {
    do {
      return try index(pageCount: pageCount)
    } catch {
      throw Failure(error, path: path)
    }
  }
}
