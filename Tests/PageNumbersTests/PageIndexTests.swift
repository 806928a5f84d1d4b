import RectoGeometry
import Testing

@Suite struct PageIndexTests {
  @Test func `numbers count from 1, indices from 0`() {
    #expect(PageIndex(0).number == 1)
    #expect(PageIndex(9_999).number == 10_000)
  }

  @Test(arguments: [1, 2, 10_000, Int.max])
  func `a number names the page that has it`(number: Int) throws {
    let page = try #require(PageIndex(number: number))
    #expect(page.value == number - 1)
    #expect(page.number == number)
  }

  @Test(arguments: [0, -1, Int.min])
  func `no page has a number below 1`(number: Int) {
    #expect(PageIndex(number: number) == nil)
  }

  @Test func `a literal is an index, not a number`() {
    let page: PageIndex = 4
    #expect(page.value == 4)
    #expect(page.number == 5)
  }

  @Test func `pages are ordered as in the document`() {
    let pages: [PageIndex] = [3, 0, 2]
    #expect(pages.sorted() == [0, 2, 3])
    #expect(Set(pages).contains(2))
    #expect(!Set(pages).contains(1))
  }

  @Test func `strides count pages`() {
    #expect(PageIndex(3).distance(to: 10) == 7)
    #expect(PageIndex(3).advanced(by: -2) == 1)
    #expect(Array(stride(from: PageIndex(0), to: 7, by: 3)) == [0, 3, 6])
  }

  @Test func `a page that is shown by mistake is told from a number`() {
    #expect("\(PageIndex(3))" == "PageIndex(3)")
  }

  @Test func `a range of pages is a collection of them`() {
    let pages: Range<PageIndex> = 2..<5
    #expect(pages.count == 3)
    #expect(Array(pages) == [2, 3, 4])
    #expect(pages.map(\.number) == [3, 4, 5])
  }

  @Test(arguments: [0, 1, 7])
  func `all pages of a document are as many as it has`(count: Int) {
    let pages = Range(pageCount: count)
    #expect(pages.lowerBound == 0)
    #expect(pages.count == count)
  }

  @Test func `a negative page count is no pages`() {
    #expect(Range(pageCount: -3).isEmpty)
  }

  @Test func `a range of one page holds it alone`() {
    #expect(Array(Range(only: 6)) == [6])
  }

  @Test func `blocks follow each other from the first page on`() {
    #expect(Range(blockOf: 4, around: 0) == PageIndex(0)..<4)
    #expect(Range(blockOf: 4, around: 3) == PageIndex(0)..<4)
    #expect(Range(blockOf: 4, around: 4) == PageIndex(4)..<8)
  }

  @Test func `ranges of indices become ranges of pages and back`() {
    #expect(Range(indices: 2..<5) == PageIndex(2)..<5)
    #expect((PageIndex(2)..<5).values == 2..<5)
  }
}
