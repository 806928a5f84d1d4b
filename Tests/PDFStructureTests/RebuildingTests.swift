import DocumentModel
import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// A file that nothing leads through is read by the objects in it.
@Suite struct RebuildingTests {
  private static let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"

  /// Pages below two nodes, of which the second passes on a box and fonts.
  private static let document = PDFBuilder([
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Count 3 /Kids [3 0 R 4 0 R] /MediaBox [0 0 300 300] >>",
    3: "<< /Type /Page /Parent 2 0 R /Contents 7 0 R /Resources 8 0 R >>",
    4: """
    << /Type /Pages /Count 2 /Kids [5 0 R 6 0 R] /Parent 2 0 R /MediaBox [0 0 200 200] \
    /Resources 8 0 R >>
    """,
    5: "<< /Type /Page /Parent 4 0 R /Contents 7 0 R >>",
    6: "<< /Type /Page /Parent 4 0 R /Contents 7 0 R /MediaBox [0 0 100 100] >>",
    7: "<< /Length 35 >>\nstream\nBT /F1 40 Tf 20 20 Td (Hello) Tj ET\nendstream",
    8: "<< /Font << /F1 \(font) >> >>",
  ])
  private static let widths = [300.0, 200, 100]

  /// A file with something in place of something else.
  private static func file(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
    var data = Data(bytes)
    while let range = data.range(of: Data(old.utf8)) {
      data.replaceSubrange(range, with: Data(new.utf8))
    }
    return Array(data)
  }

  private static let table = document.table()
  private static let stream = document.stream(compressed: [1, 2, 3, 4, 5, 6, 8])

  /// Files that poppler does not open, or finds no page in.
  static let damaged: [(name: String, file: [UInt8])] = [
    ("no trailer", file(table, "trailer", "trialer")),
    ("a trailer without brackets", file(table, "<< /Size", "/Size")),
    ("a root that is no reference", file(table, "/Root 1 0 R", "/Root 1 R")),
    ("a root that is a stream", file(table, "/Root 1 0 R", "/Root 7 0 R")),
    ("a root that is missing", file(table, "/Root 1 0 R", "/Root 9 0 R")),
    ("a catalog without pages", file(table, "/Pages 2 0 R >>", "/Sheets 2 0 R >>")),
    ("a catalog of no type", file(file(table, "/Catalog", "/Dialog"), "trailer", "")),
    ("no count", file(table, "/Count 3", "/Mount 3")),
    ("a count that is a stream", file(table, "/Count 3", "/Count 7 0 R")),
    ("no kids", file(table, "/Kids [3 0 R", "/Kits [3 0 R")),
    ("no root of the tree", file(table, "2 0 obj", "2 0 abj")),
    ("a table cut off", Array(table[..<(table.count - 200)])),
    (
      "no object stream where one should be",
      {
        // The rows of the members name the stream, 9 in four bytes.
        var bytes = stream
        for index in bytes.indices.dropLast(5)
        where bytes[index] == 2 && bytes[index + 1..<index + 5].elementsEqual([0, 0, 0, 9]) {
          bytes[index + 4] = 99
        }
        return bytes
      }()
    ),
    ("a cross-reference stream of no type", file(stream, "/Root 1 0 R", "/Toor 1 0 R")),
    ("a cross-reference stream cut off", Array(stream[..<(stream.count - 120)])),
  ]

  @Test(arguments: damaged.indices)
  func `pages are found, with what they inherit, and drawn`(index: Int) throws {
    let (name, file) = Self.damaged[index]
    let reader = try PageTreeReader(rebuilding: MemoryBytes(file))
    let pages = try reader.pages(in: Range(pageCount: reader.pageCount))
    // Where the table of the tree cannot be read a page has what is left of it.
    let widths = pages.map { $0?.mediaBox.width }
    let expected = name == "no root of the tree" ? [612, 200, 100] : Self.widths
    #expect(widths == expected, "\(name)")
    var limits = ReaderLimits()
    for objects in [0, limits.subsetObjects] {
      // Without room for a document of its own a subset is the file with an update.
      limits.subsetObjects = objects
      let reader = try PageTreeReader(rebuilding: MemoryBytes(file), limits: limits)
      let pieces = try reader.subset(of: [0, 1, 2])
      #expect(pieces.contains(.file(0..<file.count)) == (objects == 0))
      let subset = try PageTreeReader(pieces.bytes(over: file))
      let widths = try subset.pages(in: 0..<3).map { $0?.mediaBox.width }
      #expect(widths == expected, "\(name), \(objects) objects")
      #expect(reader.repairs[1]?[.crossReference] == 1)
    }
  }

  @Test func `an intact document has the same pages when it is rebuilt`() throws {
    var compared = 0
    for file in Corpus.files {
      let bytes = Array(try Data(contentsOf: file))
      guard bytes.count < 4 << 20, let reader = try? PageTreeReader(bytes), reader.pageCount > 0,
        let pages = try? reader.pages(in: Range(pageCount: min(reader.pageCount, 50))),
        pages.allSatisfy({ $0 != nil })
      else { continue }
      let rebuilt = try PageTreeReader(rebuilding: MemoryBytes(bytes))
      #expect(rebuilt.pageCount == reader.pageCount, "\(file.lastPathComponent)")
      let same = try rebuilt.pages(in: Range(pageCount: min(rebuilt.pageCount, 50)))
      #expect(same == pages, "\(file.lastPathComponent)")
      compared += 1
    }
    #expect(compared > 20)
  }

  @Test func `of objects with one number the last counts, and none inside a stream`() throws {
    let page = "3 0 obj << /Type /Page /MediaBox [0 0 50 50] >> endobj"
    var document = Self.document
    document[9] = "<< /Length \(page.count) >>\nstream\n\(page)\nendstream"
    let inside = try PageTreeReader(rebuilding: MemoryBytes(document.table()))
    #expect(try inside.page(at: 0)?.mediaBox.width == 300)
    document.suffix = Array("\n\(page)\n".utf8)
    let behind = try PageTreeReader(rebuilding: MemoryBytes(document.table()))
    #expect(try behind.page(at: 0)?.mediaBox.width == 50)
    // A stream without an end holds no objects back.
    var open = Self.table
    open = Self.file(open, "endstream", "endzzzzzz")
    let reader = try PageTreeReader(rebuilding: MemoryBytes(open))
    #expect(reader.pageCount == 3)
  }

  @Test func `a page that is in several object streams is found once`() throws {
    var later = Self.document
    later[9] = "<< /Extra true >>"
    let members = [1, 2, 3, 4, 5, 6, 8]
    let both = Self.document.stream(compressed: members) + later.stream(compressed: members)
    let file = Self.file(both, "/Pages 2 0 R >>", "/Sheets 2 0 R >>")
    let reader = try PageTreeReader(rebuilding: MemoryBytes(file))
    #expect(try reader.objectNumbers() == [3, 5, 6])
  }

  @Test func `headers are found wherever they stand`() throws {
    // Windows of the scan begin and end anywhere in front of, in and behind a header.
    for shift in stride(from: -20, through: 20, by: 1) {
      var bytes = Array("%PDF-1.7\n".utf8)
      bytes += Array(repeating: 0x20, count: (1 << 18) + shift - bytes.count)
      bytes += Array(
        "12 3 obj\n<< >>\nendobj 4 0obj[]endobj x7 0 obj 8 obj 0 0 obj 9 0 objx trailer<<>>".utf8
      )
      let cache = BlockCache(source: MemoryBytes(bytes), meter: WorkMeter(limit: .max))
      let scan = try HeaderScan(cache, limits: .standard)
      #expect(scan.headers.map(\.reference.number) == [12, 4, 7])
      #expect(scan.headers.first?.start == (1 << 18) + shift)
      #expect(scan.trailers == [bytes.count - 4])
    }
  }

  @Test func `bytes are read across the end of the file`() throws {
    let all = Array<UInt8>(0..<20)
    for end in 0...20 {
      let bytes = RebuiltBytes(file: MemoryBytes(Array(all[..<end])), tail: Array(all[end...]))
      for start in 0...20 {
        for stop in start...20 {
          var read = [UInt8](repeating: 0xFF, count: stop - start)
          try read.withUnsafeMutableBytes { buffer in try bytes.read(into: buffer, at: start) }
          #expect(read == Array(all[start..<stop]))
        }
      }
    }
  }

  @Test func `files that are encrypted, without a header or without a page are refused`() throws {
    func refusal(_ bytes: [UInt8]) -> StructureError.Reason? {
      reason { () throws(StructureError) in _ = try PageTreeReader(rebuilding: MemoryBytes(bytes)) }
    }
    var encrypted = Self.document
    encrypted.trailer = "/Encrypt 9 0 R"
    #expect(refusal(encrypted.table()) == .encrypted)
    #expect(refusal(encrypted.stream()) == .encrypted)
    #expect(refusal(Self.file(Self.table, "%PDF-", "%DOC-")) == .notPDF)
    #expect(refusal([]) == .notPDF)
    let empty = PDFBuilder([
      1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Count 0 /Kids [] >>",
      3: "<< /Type /Page /Parent 2 0 R >>",
    ])
    #expect(try PageTreeReader(rebuilding: MemoryBytes(empty.table())).pageCount == 0)
    let blank = PDFBuilder([1: "<< /Type /Catalog >>", 2: "<< /Type /Pages /Count 0 /Kids [] >>"])
    #expect(refusal(blank.table()) == .damaged)
  }

  @Test func `more objects or work than the limits allow are refused`() {
    var limits = ReaderLimits()
    limits.rebuiltObjects = 10
    let many = PDFBuilder.flat(20).table() + PDFBuilder.flat(20).table()
    #expect(
      reason { () throws(StructureError) in
        _ = try PageTreeReader(rebuilding: MemoryBytes(many), limits: limits)
      } == .limit
    )
    limits = ReaderLimits()
    limits.work = 1 << 16
    // Each object would be as long as the rest of the file.
    let nested =
      Array("%PDF-1.7\n".utf8) + Array(String(repeating: "1 0 obj << /A (", count: 9999).utf8)
    #expect(
      reason { () throws(StructureError) in
        _ = try PageTreeReader(rebuilding: MemoryBytes(nested), limits: limits)
      } == .limit
    )
  }

  @Test
  func
    `a file cut off or with any byte changed is rebuilt, and its subset has the page, or refused`()
  {
    func ask(_ bytes: [UInt8]) {
      guard let reader = try? PageTreeReader(rebuilding: MemoryBytes(bytes)) else { return }
      _ = try? reader.pages(in: Range(pageCount: min(reader.pageCount, 10)))
      guard let page = try? reader.page(at: 0), let pieces = try? reader.subset(of: [0]),
        let subset = try? PageTreeReader(pieces.bytes(over: bytes))
      else { return }
      #expect(subset.pageCount == 1)
      guard let same = try? subset.page(at: 0) else { return }
      #expect(same.info == page.info)
    }
    for file in [Self.table, Self.stream] {
      for index in stride(from: 0, to: file.count, by: 3) {
        ask(Array(file[..<index]))
        for byte in [0x20, 0x3C, 0x39] as [UInt8] {
          var bytes = file
          bytes[index] = byte
          ask(bytes)
        }
      }
    }
  }
}
