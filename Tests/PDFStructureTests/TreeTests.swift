import RectoGeometry
import Testing

@testable import PDFStructure

@Suite struct TreeTests {
  /// A tree of `pages` pages with `fan` kids a node; the leaves' media boxes are (page + 1) wide.
  static func tree(_ pages: Int, fan: Int) -> PDFBuilder {
    var builder = PDFBuilder([1: "<< /Type /Catalog /Pages 2 0 R >>"])
    var next = 3
    func fill(_ number: Int, _ range: Range<Int>) {
      var step = 1
      while step * fan < range.count { step *= fan }
      var kids: [Int] = []
      for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
        let own = start..<min(start + step, range.upperBound)
        let kid = next
        next += 1
        kids.append(kid)
        if step == 1 {
          builder[kid] = "<< /Type /Page /MediaBox [0 0 \(start + 1) 9] >>"
        } else {
          fill(kid, own)
        }
      }
      let list = kids.map { "\($0) 0 R" }.joined(separator: " ")
      builder[number] = "<< /Type /Pages /Count \(range.count) /Kids [\(list)] >>"
    }
    fill(2, 0..<pages)
    return builder
  }

  @Test(arguments: [1, 2, 7, 64, 65, 200, 1000], [2, 3, 10, 1000])
  func `page k is the same however it is asked for`(pages: Int, fan: Int) throws {
    let bytes = Self.tree(pages, fan: fan).stream()
    let whole = try PageTreeReader(bytes)
    let all = try whole.pages(in: Range(pageCount: pages))
    #expect(all.map { $0?.mediaBox.width } == (1...pages).map { Double($0) })
    let single = try PageTreeReader(bytes)
    for index in stride(from: pages - 1, through: 0, by: -max(1, pages / 50)) {
      #expect(try single.page(at: PageIndex(index)) == all[index])
    }
    let part = try PageTreeReader(bytes)
    let range = pages / 3..<pages / 3 + pages / 4
    #expect(try part.pages(in: Range(indices: range)) == Array(all[range]))
    #expect(pages <= 64 || !part.isWalkedCompletely)
  }

  @Test func `a page outside the document is nil`() throws {
    let reader = try PageTreeReader(PDFBuilder.flat(2).table())
    #expect(try reader.page(at: -1) == nil)
    #expect(try reader.page(at: 2) == nil)
    #expect(try reader.pages(in: 1..<9).count == 1)
    #expect(try reader.pages(in: 5..<9).isEmpty)
  }

  @Test func `the last page of many is found without a look at the others`() throws {
    let bytes = PDFBuilder.flat(20_000) { "/MediaBox [0 0 \($0) 9]" }.table()
    let source = CountingBytes(bytes)
    let reader = try PageTreeReader(bytes: source)
    #expect(try reader.page(at: 19_999)?.mediaBox.width == 19_999)
    // The file's ends, the root with its 20,000 kids, one entry and one page.
    #expect(source.bytesRead < bytes.count / 5)
    let opened = source.bytesRead
    _ = try reader.pages(in: 5_000..<5_010)
    #expect(source.bytesRead - opened < 10 * BlockCache.blockSize)
  }

  @Test func `everything may be indirect`() throws {
    let builder = PDFBuilder([
      1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Count 4 0 R /Kids 5 0 R >>", 4: "2",
      5: "[ 6 0 R 7 0 R ]", 6: "<< /MediaBox 8 0 R /Rotate 9 0 R /UserUnit 10 0 R >>",
      7: "<< /Type /Page /MediaBox [ 11 0 R 11 0 R 12 0 R 12 0 R ] >>", 8: "[1 2 3 4]", 9: "90",
      10: "2.5", 11: "0", 12: "5",
    ])
    let pages = try PageTreeReader(builder.table()).pages(in: 0..<2)
    #expect(pages[0]?.mediaBox == PageBox(x1: 1, y1: 2, x2: 3, y2: 4))
    #expect(pages[0]?.rotation == 90)
    #expect(pages[0]?.userUnit == 2.5)
    #expect(pages[1]?.mediaBox == PageBox(x1: 0, y1: 0, x2: 5, y2: 5))
  }

  @Test(arguments: [
    ("0", 0), ("-1", 0), ("2147483648", 0), ("(3)", 0), ("null", 0), ("1000", 0), ("2.0", 2),
    ("2.9", 2), ("1", 1), ("3", 3), ("5", 5), ("0.9", 0), ("99999999999999999999", 0),
  ])
  func `the root's count is believed as poppler believes it`(text: String, count: Int) throws {
    var builder = PDFBuilder.flat(3)
    builder[2] = "<< /Type /Pages /Count \(text) /Kids [3 0 R 4 0 R 5 0 R] >>"
    let reader = try PageTreeReader(builder.stream())
    #expect(reader.pageCount == count)
    let expected: [Int?] = [3, 4, 5, nil, nil]
    #expect(try reader.objectNumbers() == Array(expected.prefix(count)))
  }

  @Test func `a kid that is no reference ends the document`() throws {
    for kid in ["null", "<< /Type /Page >>", "17", "0 0 R", "(x)"] {
      var builder = PDFBuilder.flat(3)
      builder[2] = "<< /Type /Pages /Count 3 /Kids [3 0 R \(kid) 5 0 R] >>"
      #expect(try PageTreeReader(builder.stream()).objectNumbers() == [3, nil, nil])
    }
  }

  @Test func `a kid that is no dictionary is passed over`() throws {
    for kid in ["17", "[ 3 0 R ]", "(x)", "null"] {
      var builder = PDFBuilder.flat(3)
      builder[4] = kid
      #expect(try PageTreeReader(builder.stream()).objectNumbers() == [3, 5, nil])
    }
  }

  @Test func `a page poppler refuses ends the document`() throws {
    for entry in ["/Contents 5", "/Annots 5", "/Annots << >>"] {
      let builder = PDFBuilder.flat(3) { $0 == 1 ? entry : "" }
      #expect(try PageTreeReader(builder.stream()).objectNumbers() == [3, nil, nil])
    }
  }

  @Test func `a page with more annotations than poppler accepts is a page`() throws {
    let many = String(repeating: "null ", count: 10_001)
    let builder = PDFBuilder.flat(3) { $0 == 1 ? "/Annots [\(many)]" : "/Annots [ ]" }
    #expect(try PageTreeReader(builder.table()).objectNumbers() == [3, 4, 5])
  }

  @Test func `a node without a type is a page unless it has kids`() throws {
    let builder = PDFBuilder([
      1: "<< /Pages 2 0 R >>", 2: "<< /Count 3 /Kids [3 0 R 4 0 R] >>", 3: "<< >>",
      4: "<< /Kids [5 0 R 6 0 R] >>", 5: "<< /Type /Page /Kids [3 0 R] >>", 6: "<< /Type /Foo >>",
    ])
    #expect(try PageTreeReader(builder.table()).objectNumbers() == [3, 5, 6])
  }

  @Test func `a root that is a page is the only page`() throws {
    let builder = PDFBuilder([
      1: "<< /Pages 2 0 R >>", 2: "<< /Type /Page /MediaBox [0 0 7 9] >>",
    ])
    let reader = try PageTreeReader(builder.table())
    #expect(reader.pageCount == 1)
    #expect(try reader.page(at: 0)?.mediaBox.width == 7)
  }

  @Test func `a kid that is its own ancestor is passed over`() throws {
    var builder = PDFBuilder.flat(3)
    builder[2] = "<< /Type /Pages /Count 3 /Kids [3 0 R 2 0 R 4 0 R 5 0 R] >>"
    #expect(try PageTreeReader(builder.table()).objectNumbers() == [3, 4, 5])
  }

  @Test func `in a small document no count below the root is trusted`() throws {
    var builder = Self.tree(20, fan: 3)
    for number in builder.objects.keys where number > 2 {
      builder[number] = builder[number].replacing(/\/Count \d+/, with: "/Count 77")
    }
    let pages = try PageTreeReader(builder.table()).pages(in: 0..<20)
    #expect(pages.map { $0?.mediaBox.width } == (1...20).map { Double($0) })
  }

  @Test func `counts that do not add up lead to a complete walk`() throws {
    var builder = Self.tree(300, fan: 10)
    // The first node below the root claims a page too many, so the sum is wrong.
    builder[3] = builder[3].replacing(/\/Count \d+/, with: "/Count 101")
    let reader = try PageTreeReader(builder.table())
    #expect(try reader.page(at: 299)?.mediaBox.width == 300)
    #expect(reader.isWalkedCompletely)
  }

  @Test func `a range that meets a lie is walked again from the start`() throws {
    var builder = Self.tree(300, fan: 10)
    // Two neighbors lie by one page each, in opposite directions: the sum is right.
    let nodes = builder.objects.keys.sorted().filter { builder[$0].contains("/Count 10 ") }
    builder[nodes[0]] = builder[nodes[0]].replacing("/Count 10 ", with: "/Count 11 ")
    builder[nodes[1]] = builder[nodes[1]].replacing("/Count 10 ", with: "/Count 9 ")
    let reader = try PageTreeReader(builder.table())
    #expect(try reader.pages(in: 5..<30).map { $0?.mediaBox.width } == (6...30).map { Double($0) })
    #expect(reader.isWalkedCompletely)
  }
}

/// Bytes that count how many of them were asked for.
final class CountingBytes: ByteSource {
  private let bytes: MemoryBytes
  private(set) var bytesRead = 0

  init(_ bytes: [UInt8]) { self.bytes = MemoryBytes(bytes) }

  var count: Int { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StructureError) {
    bytesRead += buffer.count
    try bytes.read(into: buffer, at: offset)
  }
}
