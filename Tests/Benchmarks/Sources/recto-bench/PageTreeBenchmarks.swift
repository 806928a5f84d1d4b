import PDFStructure
import RectoGeometry

/// A file of many empty pages: a tree of nodes with a thousand kids each, and a plain
/// cross-reference table.
private func manyPages(_ count: Int) -> [UInt8] {
  let fan = 1000
  let nodes = (count + fan - 1) / fan
  var file: [UInt8] = Array("%PDF-1.7\n".utf8)
  var offsets: [Int] = []

  func add(_ body: String) {
    offsets.append(file.count)
    file += Array("\(offsets.count) 0 obj\n\(body)\nendobj\n".utf8)
  }
  func references(_ range: Range<Int>) -> String {
    range.map { "\($0) 0 R" }.joined(separator: " ")
  }

  add("<< /Type /Catalog /Pages 2 0 R >>")
  add("<< /Type /Pages /Count \(count) /Kids [\(references(3..<3 + nodes))] >>")
  for node in 0..<nodes {
    let pages = node * fan..<min((node + 1) * fan, count)
    let kids = references(3 + nodes + pages.lowerBound..<3 + nodes + pages.upperBound)
    add("<< /Type /Pages /Parent 2 0 R /Count \(pages.count) /Kids [\(kids)] >>")
  }
  for page in 0..<count {
    let size = ["595 842", "842 595", "1191 842"][page % 3]
    add("<< /Type /Page /Parent \(3 + page / fan) 0 R /MediaBox [0 0 \(size)] >>")
  }
  let table = file.count
  file += Array("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8)
  for offset in offsets {
    let digits = String(offset)
    file += Array("\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n".utf8)
  }
  let trailer = "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R >>\n"
  file += Array("\(trailer)startxref\n\(table)\n%%EOF\n".utf8)
  return file
}

func pageTreeBenchmarks() throws -> [Benchmark] {
  let count = 100_000
  let bytes = MemoryBytes(manyPages(count))
  let pages = Range(pageCount: count)
  let last = PageIndex(count - 1)
  return [
    Benchmark("a file of 100,000 pages is opened") {
      { consume(try PageTreeReader(bytes: bytes).pageCount) }
    },
    Benchmark("the last of 100,000 pages is found, nothing known before") {
      let reader = try PageTreeReader(bytes: bytes)
      return { consume(try reader.page(at: last)) }
    },
    Benchmark("a page next to one found before is found, of 100,000", operations: 500) {
      let reader = try PageTreeReader(bytes: bytes)
      let pages = pages.suffix(500)
      consume(try reader.page(at: pages.startIndex.advanced(by: -1)))
      return {
        for index in pages { consume(try reader.page(at: index)) }
      }
    },
    Benchmark("the sizes of 10,000 pages in a row are read, of 100,000") {
      let reader = try PageTreeReader(bytes: bytes)
      return { consume(try reader.pages(in: 50_000..<60_000)) }
    },
    Benchmark("the subset of sixteen pages is written, of 100,000") {
      let reader = try PageTreeReader(bytes: bytes)
      return { consume(try reader.subset(of: Array(80_000..<80_016))) }
    },
  ]
}
