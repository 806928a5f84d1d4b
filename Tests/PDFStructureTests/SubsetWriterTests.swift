import DocumentModel
import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// Subsets that are documents of their own.
@Suite struct SubsetWriterTests {
  /// Every document counts as one of many objects and of many fields.
  private var limits: ReaderLimits {
    var limits = ReaderLimits()
    limits.manyObjects = 0
    limits.manyFields = 2
    return limits
  }

  private func pieces(
    _ bytes: [UInt8],
    _ indices: [PageIndex],
    _ change: (inout ReaderLimits) -> Void = { _ in }
  ) throws -> [DocumentSubset.Piece] {
    var limits = limits
    change(&limits)
    return try PageTreeReader(bytes, limits: limits).subset(of: indices)
  }

  private func subset(_ bytes: [UInt8], _ indices: [PageIndex]) throws -> [UInt8] {
    try pieces(bytes, indices).bytes(over: bytes)
  }

  private func isWhole(_ pieces: [DocumentSubset.Piece], _ bytes: [UInt8]) -> Bool {
    pieces.first == .file(0..<bytes.count)
  }

  @Test(arguments: [[0], [89], [44, 45, 46], [80, 3, 3, 0], []])
  func `a subset holds the pages asked for, in that order`(indices: [PageIndex]) throws {
    var builder = TreeTests.tree(90, fan: 4)
    builder[2] = builder[2].replacing("/Type /Pages", with: "/Type /Pages /Rotate 90")
    var shifted = builder
    shifted.junk = Array("junk in front of the header\n".utf8)
    for bytes in [
      builder.table(), builder.stream(), builder.stream(compressed: [1, 2, 3, 4, 5]),
      shifted.table(), shifted.stream(compressed: [2, 3]),
    ] {
      let original = try PageTreeReader(bytes)
      let pieces = try pieces(bytes, indices)
      #expect(!isWhole(pieces, bytes))
      let subset = try PageTreeReader(pieces.bytes(over: bytes))
      #expect(subset.pageCount == indices.count)
      #expect(
        try subset.pages(in: Range(pageCount: indices.count)).map { $0?.unnumbered }
          == indices.map { try original.page(at: $0)?.unnumbered }
      )
    }
  }

  /// Pages with contents, a font, an annotation and much that leads away from them.
  private var book: PDFBuilder {
    var builder = PDFBuilder.flat(3, root: "/MediaBox [0 0 300 400]") {
      """
      /Contents [\($0 + 10) 0 R] /Annots [20 0 R] /B [19 0 R] /Metadata 19 0 R
      /Resources << /Font << /B 15 0 R /Parent 15 0 R >> >>
      """
    }
    for number in 10..<13 {
      builder[number] = "<< /Length 14 0 R >>\nstream\npage \(number)\nendstream"
    }
    builder[1] = """
      << /Type /Catalog /Pages 2 0 R /AcroForm 21 0 R /Outlines 19 0 R /Names << /D 19 0 R >>
      /OCProperties << /D 16 0 R >> >>
      """
    builder[14] = "7"
    builder[15] = "<< /BaseFont /Kept >>"
    builder[16] = "<< /Order [ 15 0 R (15 0 R) % 15 0 R\n15 0 R] /Gone 0 0 R /Number [-3+15 0 R] >>"
    builder[19] = "<< /Never (drawn) >>"
    builder[20] = "<< /Subtype /Link /P 4 0 R /Dest [5 0 R /Fit] /AP << /N 23 0 R >> >>"
    builder[21] = "<< /Fields [24 0 R] /XFA 19 0 R /CO [19 0 R] >>"
    builder[23] = "<< /Near 3 0 R /Tree 2 0 R >>"
    builder[24] = "<< /Parent 21 0 R /T (field) >>"
    return builder
  }

  @Test func `a subset has what its pages need and nothing of other pages`() throws {
    for bytes in [book.table(), book.stream(compressed: [1, 2, 4, 14, 15, 16, 20, 21, 24])] {
      let text = String(decoding: try subset(bytes, [1]), as: UTF8.self)
      for part in ["page 11", "/Kept", "/Link", "(field)", "/Order", "/Near"] {
        #expect(text.contains(part), "\(part)")
      }
      for part in ["page 10", "page 12", "(drawn)", "/Names", "/XFA", "/CO", "/Prev"] {
        #expect(!text.contains(part), "\(part)")
      }
      #expect(text.components(separatedBy: "/Contents").count == 2, "another page has none")
    }
  }

  @Test func `references are renumbered where they are, and only there`() throws {
    let bytes = book.table()
    let text = String(decoding: try subset(bytes, [1]), as: UTF8.self)
    let list =
      #/\/Order \[ (\d+) 0 R \(15 0 R\) % 15 0 R\n(\d+) 0 R\]\n\/Gone 0 0 R\n\/Number \[-3 (\d+) 0 R\]/#
    let found = try #require(text.firstMatch(of: list), "\(text)")
    #expect(found.1 == found.2 && found.1 == found.3)
    #expect(try member(String(found.1), of: text).contains("/BaseFont /Kept"))
  }

  @Test func `everything but streams, pages and nodes is in one object stream`() throws {
    for bytes in [book.table(), book.stream(compressed: [1, 2, 4, 14, 15, 16, 20, 21, 24])] {
      let text = String(decoding: try subset(bytes, [1]), as: UTF8.self)
      #expect(text.components(separatedBy: "/ObjStm").count == 2)
      for part in ["/BaseFont", "/Link", "(field)", "/Order", "/Near"] {
        let numbers = try memberNumbers(of: text)
        #expect(try numbers.contains { try member($0, of: text).contains(part) }, "\(part)")
      }
    }
  }

  /// The numbers of the objects in a subset's object stream, in order.
  private func memberNumbers(of text: String) throws -> [String] {
    try memberTable(of: text).numbers
  }

  /// An object of a subset's object stream, with what follows it.
  private func member(_ number: String, of text: String) throws -> String {
    let table = try memberTable(of: text)
    let index = try #require(table.numbers.firstIndex(of: number))
    let end = index + 1 < table.offsets.count ? table.offsets[index + 1] : table.objects.utf8.count
    return String(
      decoding: Array(table.objects.utf8)[table.offsets[index]..<end],
      as: UTF8.self
    )
  }

  private func memberTable(
    of text: String
  ) throws -> (numbers: [String], offsets: [Int], objects: String) {
    let head = try #require(
      text.firstMatch(of: #/\/ObjStm \/N \d+ \/First (\d+) \/Length (\d+) >>\nstream\n/#)
    )
    let first = try #require(Int(head.1))
    let length = try #require(Int(head.2))
    let bytes = Array(text.utf8[head.range.upperBound...].prefix(length))
    let words = String(decoding: bytes[..<first], as: UTF8.self).split(separator: " ").map(
      String.init
    )
    let pairs = stride(from: 0, to: words.count, by: 2)
    return (
      pairs.map { words[$0] }, try pairs.map { try #require(Int(words[$0 + 1])) },
      String(decoding: bytes[first...], as: UTF8.self)
    )
  }

  @Test func `a subset is a PDF that others accept`() throws {
    for bytes in [book.table(), book.stream(compressed: [1, 2, 14, 15])] {
      let file = FileManager.default.temporaryDirectory
        .appending(path: "recto-subset-\(UUID().uuidString).pdf")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(try subset(bytes, [2, 0])).write(to: file)
      let check = try Program.runInPath("qpdf", ["--check", file.path])
      #expect(check.code == 0, "\(check.text) \(check.errors)")
    }
  }

  @Test func `a large stream keeps its place within a memory page`() throws {
    var builder = book
    let data = String(repeating: "0123456789abcdef", count: 8192)
    builder[11] = "<< /Length \(data.utf8.count) >>\nstream\n\(data)\nendstream"
    let bytes = builder.table()
    let pieces = try pieces(bytes, [1])
    var position = 0
    var found = false
    for piece in pieces {
      if case .file(let range) = piece, range.count == data.utf8.count {
        #expect((position - range.lowerBound) % 4096 == 0)
        found = true
      }
      position += piece.count
    }
    #expect(found)
    let subset = try PageTreeReader(pieces.bytes(over: bytes))
    #expect(subset.pageCount == 1)
  }

  @Test func `streams are held decoded, but for what is large or unusual`() throws {
    let page = "page 11 "
    // A zlib stream of one stored block.
    let count = UInt8(page.utf8.count)
    let data = [0x78, 0x01, 0x01, count, 0, ~count, 0xFF] + Array(page.utf8) + [0, 0, 0, 0]
    func subset(_ entries: String, _ change: (inout ReaderLimits) -> Void = { _ in }) throws
      -> String
    {
      var builder = book
      builder.objects[11] =
        Array("<< /Length \(data.count) \(entries) >>\nstream\n".utf8) + data
        + Array("\nendstream".utf8)
      let bytes = builder.table()
      let pieces = try pieces(bytes, [1], change)
      let isDecoded = pieces.contains { if case .inflated = $0 { true } else { false } }
      let text = String(decoding: pieces.bytes(over: bytes), as: UTF8.self)
      #expect(text.contains("stream\n\(page)\nendstream") == isDecoded)
      #expect(text.contains("/FlateDecode") != isDecoded)
      return isDecoded ? "decoded" : "as it was"
    }
    for entries in [
      "/Filter /FlateDecode", "/Filter [ /FlateDecode ]",
      "/Filter /FlateDecode /DecodeParms << /Predictor 1 >>",
      "/Filter /FlateDecode /Subtype /Image",
    ] {
      #expect(try subset(entries) == "decoded", "\(entries)")
      #expect(try subset(entries) { $0.decodedStream = 8 } == "as it was", "\(entries)")
      #expect(try subset(entries) { $0.decodedBytes = 7 } == "as it was", "\(entries)")
    }
    for entries in [
      "/Filter [ /ASCIIHexDecode /FlateDecode ]",
      "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 1 >>",
      "/Filter /FlateDecode /F (elsewhere)",
    ] {
      #expect(try subset(entries) == "as it was", "\(entries)")
    }
  }

  @Test func `a broken stream is left to poppler`() throws {
    var builder = book
    builder[11] = "<< /Length 8 /Filter /FlateDecode >>\nstream\nx\u{1}broken\nendstream"
    let bytes = builder.table()
    let text = String(decoding: try subset(bytes, [1]), as: UTF8.self)
    #expect(text.contains("/FlateDecode") && text.contains("broken"))
  }

  @Test func `what is missing stays missing, or is left to poppler to search for`() throws {
    var builder = book
    builder[15] = "<< /Missing 99 0 R /Unused 98 0 R >>"
    let stream = builder.stream()
    #expect(!isWhole(try pieces(stream, [1]), stream))
    let table = builder.table()
    #expect(isWhole(try pieces(table, [1]), table))
  }

  @Test func `a subset that cannot stand alone is the file with an update`() throws {
    let bytes = book.table()
    #expect(!isWhole(try pieces(bytes, [1]), bytes))
    #expect(isWhole(try pieces(bytes, [1]) { $0.subsetObjects = 5 }, bytes))
    #expect(isWhole(try pieces(bytes, [1]) { $0.subsetBytes = 100 }, bytes))
    for content in [
      "<< /Length 3 >>\nstream\npage 11\nendstream",
      "<< /Length (7) >>\nstream\npage 11\nendstream",
    ] {
      var builder = book
      builder[11] = content
      let bytes = builder.table()
      #expect(isWhole(try pieces(bytes, [1]), bytes), "\(content)")
    }
  }

  /// A page with one annotation, and a link with a border in front of it.
  private func page(with annotation: String, list: String = "[20 0 R 21 0 R]") -> PDFBuilder {
    var builder = PDFBuilder.flat(2, root: "/MediaBox [0 0 300 400]") { _ in "/Annots \(list)" }
    builder[20] = "<< /Subtype /Link /Rect [10 10 50 50] /Border [0 0 2] /Dest [3 0 R /Fit] >>"
    builder[21] = "<< /Type /Annot \(annotation) /NM (second) >>"
    builder[22] = "[0 0 0]"
    builder[23] = "<< /S /GoTo /D [24 0 R /Fit] >>"
    builder[24] = "<< /Type /Page /Parent 2 0 R /Never (seen) >>"
    return builder
  }

  @Test(arguments: [
    "/Border [0 0 0]", "/Border [ 4 4 0.0 ] /A 23 0 R /H /I /F 4 /C [1 0 0]",
    "/Border [0 0 0] /Dest (name)",
    "/Border [0 0 0] /P 3 0 R /StructParent 7 /Contents (text) /M (today)",
  ])
  func `links of which nothing is drawn are left out`(entries: String) throws {
    let builder = page(with: "/Subtype /Link /Rect [60 60 90 90] \(entries)")
    for bytes in [builder.table(), builder.stream(compressed: [20, 21, 22, 23])] {
      let text = String(decoding: try subset(bytes, [0, 1]), as: UTF8.self)
      #expect(text.contains("/Border [0 0 2]"))
      #expect(!text.contains("(second)"))
      #expect(text.components(separatedBy: "/Annots").count == 3)
      #expect(try picture(of: bytes) == picture(of: subset(bytes, [0])))
    }
  }

  @Test(arguments: [
    "/Subtype /Link /Rect [60 60 90 90]",
    "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 1]",
    "/Subtype /Link /Rect [60 60 90 90] /Border 22 0 R",
    "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 0 [1]]",
    "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 0] /Border [0 0 0]",
    "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 0] /AP << >>",
    "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 0] /BS << /W 3 >>",
    "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 0] /QuadPoints [1 2 3]",
    "/Subtype /Link /Rect [60 60 90] /Border [0 0 0]",
    "/Subtype /Link /Border [0 0 0]",
    "/Subtype /Square /Rect [60 60 90 90] /Border [0 0 0]",
  ])
  func `annotations that may be drawn, or warned about, are kept`(entries: String) throws {
    let builder = page(with: entries)
    for bytes in [builder.table(), builder.stream(compressed: [20, 21, 22, 23])] {
      let text = String(decoding: try subset(bytes, [0]), as: UTF8.self)
      #expect(text.contains("/Border [0 0 2]") && text.contains("(second)"))
      #expect(try picture(of: bytes) == picture(of: subset(bytes, [0])))
    }
  }

  @Test(arguments: ["[20 0 R << /Subtype /Link /NM (own) >> 21 0 R]", "[null 20 0 R 21 0 R]"])
  func `a list with annotations that are no objects stays as it stands`(list: String) throws {
    let link = "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 0]"
    let text = String(
      decoding: try subset(page(with: link, list: list).table(), [0]),
      as: UTF8.self
    )
    #expect(text.contains("(second)"))
    #expect(text.contains("(own)") == list.contains("(own)"))
  }

  @Test func `a page whose links are all left out has no list of annotations`() throws {
    let link = "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 0]"
    let bytes = page(with: link, list: "[21 0 R]").table()
    #expect(!String(decoding: try subset(bytes, [0]), as: UTF8.self).contains("/Annots"))
  }

  @Test
  func `what a link that is left out leads to has to be there where poppler would search for it`()
    throws
  {
    let link = "/Subtype /Link /Rect [60 60 90 90] /Border [0 0 0] /A 23 0 R"
    var builder = page(with: link, list: "[21 0 R]")
    builder[23] = "<< /S /GoTo /D [99 0 R /Fit] >>"
    #expect(isWhole(try pieces(builder.table(), [0]), builder.table()))
    #expect(!isWhole(try pieces(builder.stream(), [0]), builder.stream()))
  }

  /// The first page, drawn by poppler.
  private func picture(of bytes: [UInt8]) throws -> Data {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "recto-subset-\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let arguments = ["-png", "-singlefile", "-r", "36", "-f", "1", "-l", "1", file.path, "-"]
    let answer = try Program.runInPath("pdftocairo", arguments)
    return try #require(answer.output.isEmpty ? nil : answer.output)
  }

  @Test func `a form has the fields of the subset's pages only`() throws {
    var builder = PDFBuilder.flat(2) { "/Annots [\($0 + 10) 0 R]" }
    builder[1] = "<< /Pages 2 0 R /AcroForm 13 0 R >>"
    builder[10] = "<< /Subtype /Widget /T (first) >>"
    builder[11] = "<< /Subtype /Widget /T (second) /Parent 12 0 R >>"
    builder[12] = "<< /Kids [11 0 R] >>"
    builder[13] = "<< /DA (/F 9 Tf) /Fields [10 0 R 12 0 R] >>"
    let text = String(decoding: try subset(builder.table(), [1]), as: UTF8.self)
    #expect(text.contains("(second)"))
    #expect(text.contains("/DA (/F 9 Tf)"))
    #expect(!text.contains("(first)"))
  }
}
