import DocumentModel
import Foundation
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RectoKit

/// Which pages are opened together.
@Suite struct ExpectedPagesTests {
  /// A gateway to a document of plain pages, which keeps the file open.
  private func gateway(pages: Int) throws -> PageTreeGateway {
    var pdf = PDFFile()
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = (0..<pages).map { "\($0 + 3) 0 R" }.joined(separator: " ")
    pdf.add("<</Type/Pages/Count \(pages)/MediaBox[0 0 100 100]/Kids[\(kids)]>>")
    for _ in 0..<pages { pdf.add("<</Type/Page/Parent 2 0 R>>") }
    let path = FileManager.default.temporaryDirectory
      .appending(path: "recto-expected-\(UUID().uuidString).pdf")
    try pdf.finished().write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    return PageTreeGateway(try OpenFile(FilePath(path.path)), isUsed: true, seconds: 60)
  }

  /// The pages of the subset that holds a page.
  private func pages(
    _ gateway: PageTreeGateway,
    around page: PageIndex,
    seen: Range<PageIndex>? = nil
  ) throws -> Range<PageIndex> {
    let indices = try #require(gateway.subset(around: page, seen: seen)).pages.map(\.index)
    let range = try #require(indices.first)..<(try #require(indices.last)).advanced(by: 1)
    #expect(indices == Array(range))
    return range
  }

  @Test func `pages that will all be drawn are opened together, and no others`() throws {
    let gateway = try gateway(pages: 60)
    gateway.expect(10..<50)
    #expect(try pages(gateway, around: 10) == 10..<50)
    #expect(try pages(gateway, around: 49) == 10..<50)
  }

  @Test func `one page that will be drawn is opened alone`() throws {
    let gateway = try gateway(pages: 60)
    gateway.expect(30..<31)
    #expect(try pages(gateway, around: 30) == 30..<31)
  }

  @Test func `the first of many pages do not wait for all others`() throws {
    let gateway = try gateway(pages: 1000)
    gateway.expect(100..<900)
    #expect(try pages(gateway, around: 100) == 100..<116)
    #expect(try pages(gateway, around: 116) == 116..<372)
    #expect(try pages(gateway, around: 372) == 372..<628)
    #expect(try pages(gateway, around: 899).upperBound == 900)
  }

  @Test func `many pages that are drawn backwards are opened in few parts`() throws {
    let gateway = try gateway(pages: 600)
    gateway.expect(0..<600)
    var opened: Set<Range<PageIndex>> = []
    for page in Range(pageCount: 600).reversed() {
      opened.insert(try pages(gateway, around: page))
    }
    #expect(opened.count <= 4)
  }

  @Test func `pages beyond those expected are opened as if none were`() throws {
    let gateway = try gateway(pages: 60)
    gateway.expect(0..<2)
    #expect(try pages(gateway, around: 40).contains(40))
    #expect(try pages(gateway, around: 40).count > 1)
  }

  @Test func `who jumps to pages waits for those that are seen and for no others`() throws {
    let gateway = try gateway(pages: 60)
    for seen: Range<PageIndex> in [0..<1, 20..<22, 40..<47, 58..<60] {
      for page in seen { #expect(try pages(gateway, around: page, seen: seen) == seen) }
    }
  }

  @Test func `a page next to those that are seen is opened together with them`() throws {
    for next: PageIndex in [29, 32] {
      let gateway = try gateway(pages: 60)
      let seen: Range<PageIndex> = 30..<32
      #expect(try pages(gateway, around: 30, seen: seen) == seen)
      let around = try pages(gateway, around: next, seen: seen)
      #expect(around.contains(next) && around.contains(30) && around.contains(31))
      // From then on no other part is opened for what is seen.
      #expect(try pages(gateway, around: 31, seen: seen) == around)
    }
  }

  @Test(arguments: [false, true])
  func `who reads on opens few parts, none of them large`(isBackward: Bool) throws {
    let gateway = try gateway(pages: 300)
    var opened: [Range<PageIndex>] = []
    let order = isBackward ? Array(Range(pageCount: 299).reversed()) : Array(Range(pageCount: 299))
    for first in order {
      let seen = first..<first.advanced(by: 2)
      for page in Array(seen) + [first.advanced(by: 2), first.advanced(by: -1)]
      where Range(pageCount: 300).contains(page) {
        let part = try pages(gateway, around: page, seen: seen)
        if opened.last != part { opened.append(part) }
      }
    }
    #expect(Set(opened).count <= 300 / 16 + 4)
    #expect(opened.allSatisfy { $0.count <= 16 })
  }

  @Test func `a window of many pages is opened in few parts`() throws {
    let gateway = try gateway(pages: 300)
    let seen: Range<PageIndex> = 100..<180
    let middleFirst = seen.sorted { abs($0.value - 140) < abs($1.value - 140) }
    let opened = try middleFirst.map { try pages(gateway, around: $0, seen: seen) }
    #expect(Set(opened).count <= 80 / 16 + 4)
  }

  @Test func `without a reader each part is larger than the one in front of it`() throws {
    let gateway = try gateway(pages: 1000)
    var opened: Set<Range<PageIndex>> = []
    for page in Range(pageCount: 1000) { opened.insert(try pages(gateway, around: page)) }
    #expect(opened.count <= 8)
  }

  @Test func `a stretch of pages is one of which at least half are selected`() throws {
    #expect(PageSelection(pageCount: 9).stretch == 0..<9)
    let all = PageSelection(pageCount: 100)
    #expect(all.only([4]).stretch == 4..<5)
    #expect(all.only([4, 6, 8]).stretch == 4..<9)
    #expect(all.only([4, 90]).stretch == nil)
  }
}
