import DocumentModel
import Foundation
import PageNumbers
import SystemPackage
import TestSupport
import Testing

@testable import RectoKit

/// Which pages are opened together.
@Suite struct ExpectedPagesTests {
  /// A gateway to a document of plain pages, and what to do when it is not needed any more.
  private func gateway(pages: Int) throws -> (gateway: PageTreeGateway, close: () -> Void) {
    var file = PDFFile()
    file.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = (0..<pages).map { "\($0 + 3) 0 R" }.joined(separator: " ")
    file.add("<</Type/Pages/Count \(pages)/MediaBox[0 0 100 100]/Kids[\(kids)]>>")
    for _ in 0..<pages { file.add("<</Type/Page/Parent 2 0 R>>") }
    let path = FileManager.default.temporaryDirectory
      .appending(path: "recto-expected-\(UUID().uuidString).pdf")
    try file.finished().write(to: path)
    let descriptor = try FileDescriptor.open(FilePath(path.path), .readOnly)
    try FileManager.default.removeItem(at: path)
    let gateway = PageTreeGateway(descriptor, isUsed: true, seconds: 60)
    return (gateway, { try? descriptor.close() })
  }

  /// The pages of the subset that holds a page.
  private func pages(_ gateway: PageTreeGateway, around page: PageIndex) throws -> Range<PageIndex>
  {
    let indices = try #require(gateway.subset(around: page)).pages.map(\.index)
    let range = try #require(indices.first)..<(try #require(indices.last)).advanced(by: 1)
    #expect(indices == Array(range))
    return range
  }

  @Test func `pages that will all be drawn are opened together, and no others`() throws {
    let (gateway, close) = try gateway(pages: 60)
    defer { close() }
    gateway.expect(10..<50)
    #expect(try pages(gateway, around: 10) == 10..<50)
    #expect(try pages(gateway, around: 49) == 10..<50)
  }

  @Test func `one page that will be drawn is opened alone`() throws {
    let (gateway, close) = try gateway(pages: 60)
    defer { close() }
    gateway.expect(30..<31)
    #expect(try pages(gateway, around: 30) == 30..<31)
  }

  @Test func `the first of many pages do not wait for all others`() throws {
    let (gateway, close) = try gateway(pages: 1000)
    defer { close() }
    gateway.expect(100..<900)
    #expect(try pages(gateway, around: 100) == 100..<116)
    #expect(try pages(gateway, around: 116) == 116..<372)
    #expect(try pages(gateway, around: 372) == 372..<628)
    #expect(try pages(gateway, around: 899).upperBound == 900)
  }

  @Test func `many pages that are drawn backwards are opened in few parts`() throws {
    let (gateway, close) = try gateway(pages: 600)
    defer { close() }
    gateway.expect(0..<600)
    var opened: Set<Range<PageIndex>> = []
    for page in Range(pageCount: 600).reversed() {
      opened.insert(try pages(gateway, around: page))
    }
    #expect(opened.count <= 4)
  }

  @Test func `pages beyond those expected are opened as if none were`() throws {
    let (gateway, close) = try gateway(pages: 60)
    defer { close() }
    gateway.expect(0..<2)
    #expect(try pages(gateway, around: 40).contains(40))
    #expect(try pages(gateway, around: 40).count > 1)
  }

  @Test func `a stretch of pages is one of which at least half are selected`() throws {
    #expect(PageSelection(pageCount: 9).stretch == 0..<9)
    let all = PageSelection(pageCount: 100)
    #expect(all.only([4]).stretch == 4..<5)
    #expect(all.only([4, 6, 8]).stretch == 4..<9)
    #expect(all.only([4, 90]).stretch == nil)
  }
}
