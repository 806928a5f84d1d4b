import DocumentModel
import Foundation
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RectoKit

/// Many pages, which two readers share, against the same pages in parts that one reads alone.
@Suite struct SecondTreeReaderTests {
  private static let pages = 3000
  private static let pagesPerNode = 100

  /// What is wrong with a document, most of it where the second reader reads.
  enum Flaw: CaseIterable {
    case none, countTooLarge, countTooSmall, rootCountsMore, nodeIsItsOwnKid, missingNode
    case missingPages, missingPageInFront, pageWithoutSize, allInOneNode
  }

  /// Pages of different widths, in nodes of a hundred.
  private static func book(_ flaw: Flaw) -> Data {
    let nodes = flaw == .allInOneNode ? 1 : pages / pagesPerNode
    let perNode = pages / nodes
    let firstPage = 3 + nodes
    var file = PDFFile()
    func kids(_ numbers: some Sequence<Int>) -> String {
      numbers.map { "\($0) 0 R" }.joined(separator: " ")
    }
    var roots = Array(3..<firstPage)
    if flaw == .missingNode { roots[20] = 90_000 }
    let count = flaw == .rootCountsMore ? pages + 20 : pages
    file.add("<< /Type /Catalog /Pages 2 0 R >>")
    file.add("<< /Type /Pages /Count \(count) /Kids [\(kids(roots))] >>")
    for node in 0..<nodes {
      var own = Array(firstPage + node * perNode..<firstPage + (node + 1) * perNode)
      var count = perNode
      switch flaw {
      case .countTooLarge where node == 25: count += 10
      case .countTooSmall where node == 25: count -= 10
      case .nodeIsItsOwnKid where node == 25: own[5] = 3 + node
      case .missingPages where node >= 28: own = own.map { $0 + 90_000 }
      case .missingPageInFront where node == 4: own[7] = 90_000
      default: break
      }
      file.add("<< /Type /Pages /Parent 2 0 R /Count \(count) /Kids [\(kids(own))] >>")
    }
    for page in 0..<pages {
      let box = flaw == .pageWithoutSize && page == 2600 ? "" : "/MediaBox [0 0 \(100 + page) 50]"
      file.add("<< /Type /Page /Parent \(3 + page / perNode) 0 R \(box) >>")
    }
    // A page count above the number of objects is rejected.
    for _ in 0..<200 { file.add("null") }
    return file.finished()
  }

  private static func measure(
    _ ranges: [Range<PageIndex>],
    in path: String
  ) async -> Result<MeasuredPages, any Error> {
    do {
      let program = FilePath(TestPaths.worker.path)
      let settings = DocumentSettings(cache: nil, workerProgram: program)
      return .success(try await Document(FilePath(path), settings: settings).measure(ranges))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: Flaw.allCases)
  func `two readers find what one finds`(flaw: Flaw) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("book.pdf")
    try Self.book(flaw).write(to: URL(filePath: path))
    let middle = PageIndex(Self.pages / 2)
    let end = PageIndex(Self.pages)
    let together = await Self.measure([0..<end], in: path)
    let alone = await Self.measure([0..<middle, middle..<end], in: path)
    switch (together, alone) {
    case (.success(let together), .success(let alone)):
      for page in Range(pageCount: Self.pages) {
        try #require(together[page] == alone[page], "page \(page.number)")
      }
      if flaw == .none { #expect(try together[2999]?.get().size.width == 3099) }
    case (.failure(let together), .failure(let alone)):
      #expect("\(together)" == "\(alone)")
    default: Issue.record("one of them has no answer")
    }
  }

  @Test(arguments: Flaw.allCases)
  func `the second has an answer only where all is as counted`(flaw: Flaw) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("book.pdf")
    try Self.book(flaw).write(to: URL(filePath: path))
    let reader = SecondTreeReader(try OpenFile(FilePath(path)), seconds: 30)
    let answer = await reader.pages(in: 1500..<3000)
    switch flaw {
    case .none, .allInOneNode, .missingPageInFront:
      let widths = answer?.map { try? $0.get().size.width }
      #expect(widths == (1500..<3000).map { Double(100 + $0) })
    // Neither shows in the counts: what the first reader says of such pages, the second says.
    case .nodeIsItsOwnKid, .pageWithoutSize: break
    case .missingNode, .missingPages, .countTooLarge, .countTooSmall, .rootCountsMore:
      let isThere = answer != nil
      #expect(!isThere)
    }
  }
}
