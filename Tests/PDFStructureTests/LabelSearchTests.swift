import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// Labels looked up without looking at pages.
@Suite struct LabelSearchTests {
  /// The first page with each label, from the labels of all pages.
  private func firstPages(_ labels: PageLabels, _ count: Int) -> [String: PageIndex] {
    var first: [String: PageIndex] = [:]
    for page in Range(pageCount: count).reversed() {
      if let label = labels.label(of: page) { first[label] = page }
    }
    return first
  }

  @Test("The page of a label is the first that has it", arguments: 0..<40)
  func firstPage(seed: Int) {
    var random = SeededGenerator(seed)
    let styles: [PageLabels.Style] = [
      .none, .decimal, .upperRoman, .lowerRoman, .upperLetters, .lowerLetters,
    ]
    let prefixes: [[UInt8]] = [
      [], [], Array("A-".utf8), Array("1".utf8), Array("i".utf8), [0xFE, 0xFF, 0x20, 0xAC],
      Array("x\0y".utf8), [0xA7],
    ]
    let count = 1200
    var bases: [PageIndex] = [PageIndex(Int.random(in: 0..<3, using: &random))]
    for _ in 0..<Int.random(in: 0..<5, using: &random) {
      bases.append(PageIndex(Int.random(in: 0..<count, using: &random)))
    }
    let ranges = bases.sorted().map { base in
      PageLabels.Range(
        base: base,
        style: random.pick(styles),
        prefix: random.pick(prefixes),
        first: random.pick([1, 1, 7, 3990, -30, 0, Int32.max - 3])
      )
    }
    let labels = PageLabels(ranges, pageCount: count)
    let first = firstPages(labels, count)
    for (label, page) in first {
      #expect(labels.page(labeled: label) == page, "\(label) in \(ranges)")
    }
    for label in ["", "none", "A-", "0", "-1", "IIII", "ab", "+5", "05"] {
      #expect(labels.page(labeled: label) == first[label], "\(label)")
    }
  }

  @Test("A label that several pages have is that of the first, also without /PageLabels")
  func documents() throws {
    var builder = PDFBuilder.flat(6)
    #expect(try PageTreeReader(builder.table()).page(labeled: "4") == 3)
    #expect(try PageTreeReader(builder.table()).page(labeled: "7") == nil)
    builder[1] = "<< /Pages 2 0 R /PageLabels << /Nums [0 << /P (x) >> 3 << /S /D /St 3 >>] >> >>"
    let reader = try PageTreeReader(builder.table())
    #expect(try reader.page(labeled: "x") == 0)
    #expect(try reader.page(labeled: "5") == 5)
    #expect(try reader.page(labeled: "6") == nil)
  }

  @Test("Millions of pages are searched as fast as one")
  func manyPages() {
    let range = PageLabels.Range(base: 0, style: .decimal, prefix: Array("p".utf8), first: 1)
    let labels = PageLabels([range], pageCount: 1 << 31)
    #expect(labels.page(labeled: "p2000000000") == 1_999_999_999)
    #expect(labels.page(labeled: "p3000000000") == nil)
  }
}
