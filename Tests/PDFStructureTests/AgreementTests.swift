import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// Documents that a reader could easily take for something else than poppler does: the answer is
/// poppler's, or the document is left to poppler.
@Suite struct AgreementTests {
  /// A page of 200 × 300 that draws something, and behind it another object 3 that no table lists:
  /// poppler takes that one, of 400 × 500, when it scans the file.
  private func document(
    catalog: String = "",
    page: String = "/MediaBox [0 0 200 300]",
    trailer: String = ""
  ) -> PDFBuilder {
    var builder = PDFBuilder([
      1: "<< /Type /Catalog /Pages 2 0 R \(catalog) >>",
      2: "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      3: "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << >> \(page) >>",
      4: "<< /Length 31 >>\nstream\n1 0 0 rg 10 10 100 100 re f\n\nendstream",
    ])
    builder[5] = """
      null
      endobj
      3 0 obj
      << /Type /Page /Parent 2 0 R /MediaBox [0 0 400 500] >>
      """
    builder.trailer = trailer
    return builder
  }

  /// What the reader says of the first pages, or why it says nothing.
  private func answer(_ bytes: [UInt8], _ limits: ReaderLimits = .standard) -> String {
    do throws(StructureError) {
      let reader = try PageTreeReader(bytes, limits: limits)
      let pages = try reader.pages(in: Range(pageCount: min(3, reader.pageCount))).map { page in
        page.map { "\($0.cropBox.width)x\($0.cropBox.height)@\($0.rotation)" } ?? "none"
      }
      return "\(reader.pageCount): \(pages)"
    } catch {
      return error.reason.rawValue
    }
  }

  /// What poppler says of the same bytes.
  private func poppler(_ bytes: [UInt8]) throws -> String {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "recto-agreement-\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let all = try #require(try PopplerPages(file))
    let pages = Range(pageCount: min(3, all.count)).map { index in
      guard let page = all.pages[index], let crop = page.crop else { return "none" }
      return "\(crop[2] - crop[0])x\(crop[3] - crop[1])@\(page.rotation)"
    }
    return "\(all.count): \(pages)"
  }

  @Test(arguments: [
    "/MediaBox [0 0 200 300] /MediaBox#00 [0 0 70 80]",
    "/MediaBox [0 0 200 300] /CropBox#00x#20y [10 10 70 80]",
    "/MediaBox [0 0 200 300] /Rotate#00 90",
    "/Rotate 90 /MediaBox#00#0 [0 0 200 300]",
    "/Media#42ox [0 0 200 300]",
  ])
  func `a name ends at its first zero byte`(page: String) throws {
    let document = document(page: page)
    for bytes in [document.table(), document.stream(), document.stream(compressed: [1, 2, 3])] {
      #expect(try answer(bytes) == poppler(bytes))
    }
  }

  @Test func `a zero byte in a name counts in every node`() throws {
    var document = document()
    document[2] = "<< /Type#00x /Pages#00 /Count#00 1 /Count#01 7 /Kids#00#41 [3 0 R] >>"
    for bytes in [document.table(), document.stream(compressed: [2])] {
      #expect(try answer(bytes) == poppler(bytes))
    }
  }

  @Test(arguments: [
    "/AcroForm 99 0 R", "/URI 99 0 R", "/URI << /Base 99 0 R >>", "/OCProperties 99 0 R",
    "/OCProperties << /OCGs [99 0 R] /D << >> >>", "/OCProperties << /OCGs [] /D 99 0 R >>",
    "/OCProperties << /OCGs [] /D << /ON 99 0 R >> >>", "/ViewerPreferences 99 0 R",
    "/Version 99 0 R", "/PageLayout 99 0 R", "/PageLabels 99 0 R",
  ])
  func `what poppler fetches of the catalog has to be there`(entry: String) throws {
    let document = document(catalog: entry)
    let missing = answer(document.table())
    // Labels and the page layout are read on demand; `pdfinfo` wants neither.
    if entry != "/PageLabels 99 0 R", entry != "/PageLayout 99 0 R" {
      #expect(missing == "needs-repair")
      #expect(try poppler(document.table()) == "1: [\"400.0x500.0@0\"]")
    }
    // In a file with a cross-reference stream what is missing is null.
    #expect(try answer(document.stream()) == poppler(document.stream()))
  }

  @Test(arguments: ["99 0 R", "6 0 R"])
  func `what poppler fetches of the trailer has to be there`(info: String) throws {
    var document = document(trailer: "/Info \(info)")
    document[6] = "<< /GTS_PDFXVersion 99 0 R >>"
    #expect(answer(document.table()) == "needs-repair")
    #expect(try poppler(document.table()) == "1: [\"400.0x500.0@0\"]")
  }

  @Test func `poppler follows no reference out of the trailer itself`() throws {
    let bytes = document(trailer: "/Info << /GTS_PDFXVersion 99 0 R /Title 98 0 R >>").table()
    #expect(try answer(bytes) == poppler(bytes))
  }

  @Test(arguments: ["Group", "Metadata", "Resources", "TrimBox", "PieceInfo", "LastModified"])
  func `what poppler fetches of a page has to be there`(key: String) throws {
    let bytes = document(page: "/MediaBox [0 0 200 300] /\(key) 99 0 R").table()
    #expect(answer(bytes) == "needs-repair")
  }

  @Test(arguments: ["Parent", "Thumb", "Contents", "StructParents", "Foo"])
  func `what poppler does not fetch may be missing`(key: String) throws {
    let bytes = document(page: "/MediaBox [0 0 200 300] /\(key) 99 0 R").table()
    #expect(try answer(bytes) == poppler(bytes))
  }

  /// A document of twenty objects whose table has another row for object 12.
  private func withRow(_ row: String, objects: Int = 20) -> [UInt8] {
    var document = document()
    for number in 6..<objects { document[number] = "null" }
    var bytes = document.table()
    let table = String(decoding: bytes, as: UTF8.self).range(of: "xref\n0 \(objects)\n")
    let start = table.map { String(decoding: bytes, as: UTF8.self)[..<$0.upperBound].utf8.count }
    if let start { bytes.replaceSubrange(start + 12 * 20..<start + 13 * 20, with: row.utf8) }
    return bytes
  }

  @Test(arguments: [
    "garbage in the row \n", "0000000000 00000 x \n", "000000000a 00000 n \n",
    "0000000000 00000nn \n", "00000000000000000000",
  ])
  func `a bad row anywhere in a table leaves the document to poppler`(row: String) throws {
    let bytes = withRow(row)
    #expect(answer(bytes) == "needs-repair")
    #expect(try poppler(bytes) == "1: [\"400.0x500.0@0\"]")
  }

  @Test(arguments: [
    "0000000000 00000 n\r\n", "0000000000 0000  n \n", "0000000000 00000 f\t\0",
    "1000000000 65535 f\r ",
  ])
  func `a row with unusual white space is a row`(row: String) throws {
    #expect(try answer(withRow(row)) == poppler(withRow(row)))
    #expect(answer(withRow(row)) == "1: [\"200.0x300.0@0\"]")
  }

  @Test func `rows of a long table are looked at when it is asked for`() throws {
    var limits = ReaderLimits()
    limits.checkedRows = 10
    limits.smallDocument = 0
    let bytes = withRow("garbage in the row \n")
    let reader = try PageTreeReader(bytes, limits: limits)
    #expect(try reader.page(at: 0)?.cropBox.width == 200)
    #expect(
      reason { () throws(StructureError) in try reader.checkCrossReference() } == .needsRepair
    )
    let whole = try PageTreeReader(withRow("0000000000 00000 f \n"), limits: limits)
    #expect(reason { () throws(StructureError) in try whole.checkCrossReference() } == nil)
    #expect(
      reason { () throws(StructureError) in
        try PageTreeReader(bytes, limits: limits).walkCompletely()
      } == .needsRepair
    )
  }

  @Test func `a number right behind an object's header is left to poppler`() throws {
    for word in ["obj900", "obj0x10", "obj-3"] {
      var document = document(page: "/MediaBox [0 0 200 7 0 R]")
      document[6] = "null"
      document[7] = "300"
      var bytes = document.stream()
      let text = String(decoding: bytes, as: Unicode.ASCII.self)
      let header = try #require(text.range(of: "7 0 obj\n300"))
      let start = text[..<header.lowerBound].utf8.count
      bytes.replaceSubrange(start..<start + 11, with: "7 0 \(word)".padding(11).utf8)
      #expect(answer(bytes) == "unsupported", "\(word)")
    }
  }

  @Test(arguments: ["", "7 "])
  func `a long string in which another object begins is left to poppler`(junk: String) throws {
    var document = document()
    let text = "(\(String(repeating: "x", count: 300)))"
    document[3] = "<< \(junk.isEmpty ? "/X" : junk) \(text) /Type /Page /MediaBox [0 0 200 300] >>"
    document[6] = "null"
    let whole = "1: [\"200.0x300.0@0\"]"
    #expect(answer(document.table()) == whole)
    #expect(try poppler(document.table()) == whole)
    // Poppler looks at every 128th character only.
    for (place, isRead, isWhole) in [
      ("3 0 obj", false, false), ("(xx", false, false), ("xxx)", false, true),
      ("/MediaBox [0 0 200 300]", true, true),
    ] {
      let bytes = try document.table(claiming: place, for: 6)
      #expect(answer(bytes) == (isRead ? whole : "unsupported"), "\(place)")
      #expect(try (poppler(bytes) == whole) == isWhole, "\(place)")
    }
    // Poppler begins with what the entry of object 0 says, though it is free.
    var head = document.table()
    let row = String(decoding: head, as: Unicode.ASCII.self)
    let digits = row[..<(try #require(row.range(of: "0000000000 65535 f"))).lowerBound].utf8.count
    head.replaceSubrange(digits..<digits + 10, with: "0099999999".utf8)
    #expect(answer(head) == "unsupported")
    #expect(try poppler(head) != whole)
    var shifted = document
    shifted.junk = Array("junk in front of the header\n".utf8)
    #expect(answer(shifted.table()) == "unsupported")
    var limits = ReaderLimits()
    limits.knownStarts = 6
    #expect(answer(document.table(), limits) == "limit")
    document[6] = ""
    // An object stream's objects have no number there.
    #expect(
      try answer(document.stream(compressed: [3])) == poppler(document.stream(compressed: [3]))
    )
    document[3] = "<< /Y 1 /X \(text) /Type /Page /MediaBox [0 0 200 300] >>"
    #expect(try answer(document.table()) == poppler(document.table()))
  }

  @Test func `a long string is read where an object stream has a number below its position`() throws
  {
    var document = document()
    let text = "(\(String(repeating: "x", count: 300)))"
    document[3] = "<< /X \(text) /Type /Page /MediaBox [0 0 200 300] >>"
    document[6] = "null"
    let bytes = document.stream(compressed: [6])
    #expect(answer(bytes) == "1: [\"200.0x300.0@0\"]")
    #expect(try poppler(bytes) == answer(bytes))
    // Poppler takes the number of an object stream for the offset of what is in it.
    document.objects[200] = Array("null".utf8)
    let high = document.stream(compressed: [200])
    #expect(answer(high) == "unsupported")
    #expect(try poppler(high) != "1: [\"200.0x300.0@0\"]")
  }

  @Test func `a keyword loses its hundred and twenty-eighth character`() throws {
    for length in [126, 127, 128, 129, 200] {
      let word = String(repeating: "x", count: length)
      let document = document(page: "/X [\(word)7 0 R] /MediaBox [0 0 200 300]")
      #expect(try answer(document.table()) == poppler(document.table()))
    }
  }

  @Test func `more objects than poppler has room for are left to poppler`() throws {
    for size in [60_000_000, 33_554_433, Int(Int32.max)] {
      let table = document().table()
      let text = String(decoding: table, as: UTF8.self)
        .replacing("/Size 6 ", with: "/Size \(size) ")
      #expect(answer(Array(text.utf8)) == "needs-repair")
      #expect(try poppler(Array(text.utf8)) == "1: [\"400.0x500.0@0\"]")
    }
    for (size, expected) in [(33_554_432, "1: [\"200.0x300.0@0\"]"), (33_554_433, "needs-repair")] {
      var bytes = document().stream()
      let text = String(decoding: bytes, as: Unicode.ASCII.self)
      let range = try #require(text.range(of: "/Size 7 /W [1 4 2]"))
      let start = text[..<range.lowerBound].utf8.count
      bytes.replaceSubrange(start..<start + 18, with: "/Size \(size) /Index [0 7] /W [1 4 2]".utf8)
      #expect(answer(bytes) == expected)
    }
  }

  @Test(arguments: ["[-100 -100 2000 2000]", "", "/MediaBox [0 0 70 80]"])
  func `a dictionary in a page that goes on as a stream is left to poppler`(behind: String) throws {
    var document = document()
    document[3] = "<< /Type /Page /Parent 2 0 R /Resources << >> stream \(behind) >>"
    #expect(try !poppler(document.table()).contains("612.0x792.0"))
    #expect(answer(document.table()) == "damaged")
    #expect(answer(document.stream()) == "damaged")
  }

  @Test func `a page or a catalog that is a stream is left to poppler`() throws {
    for number in [1, 2, 3] {
      var document = document()
      document[number] = document[number] + "\nstream\nendstream"
      #expect(answer(document.table()) == "damaged")
    }
  }

  @Test func `an object stream that ends before its first object is left to poppler`() throws {
    var document = document(page: "/MediaBox [0 0 200 300] /Annots 6 0 R")
    document[6] = "null"
    let bytes = document.stream(compressed: [6])
    #expect(try answer(bytes) == poppler(bytes))
    let text = String(decoding: bytes, as: Unicode.ASCII.self)
    let range = try #require(text.range(of: "/First 4"))
    var late = bytes
    late.replaceSubrange(
      text[..<range.lowerBound].utf8.count..<text[..<range.upperBound].utf8.count,
      with: "/First 9".utf8
    )
    // The page has annotations of no type that poppler takes.
    #expect(try poppler(late) == "1: [\"none\"]")
    #expect(answer(late) == "damaged")
  }

  @Test func `a cross-reference stream that is longer than a file can be is none`() throws {
    let bytes = document().stream()
    let text = String(decoding: bytes, as: Unicode.ASCII.self)
    let range = try #require(text.range(of: "/Length", options: .backwards))
    let digits = text[range.upperBound...].dropFirst().prefix { $0.isNumber }
    var long = bytes
    long.replaceSubrange(
      text[..<digits.startIndex].utf8.count..<text[..<digits.endIndex].utf8.count,
      with: "9223372036854775807".utf8
    )
    #expect(answer(long) == "needs-repair")
  }

  /// The document with a linearization dictionary and its table in front of the objects.
  private func linearized(_ document: PDFBuilder, pages: Int) -> [UInt8] {
    func digits(_ number: Int) -> String {
      String(repeating: "0", count: 10 - String(number).count) + String(number)
    }
    let size = document.size
    func head(_ length: Int, _ offsets: [Int: Int]) -> String {
      var text = "%PDF-1.7\n\(size) 0 obj\n<< /Linearized 1 /L \(digits(length)) /N \(pages) >>\n"
      text += "endobj\nxref\n0 \(size)\n0000000000 65535 f \n"
      for number in 1..<size { text += "\(digits(offsets[number] ?? 0)) 00000 n \n" }
      return text + "trailer\n<< /Size \(size) /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"
    }
    var offsets: [Int: Int] = [:]
    var body = ""
    let start = head(0, [:]).utf8.count
    for number in 1..<size {
      offsets[number] = start + body.utf8.count
      body += "\(number) 0 obj\n\(document[number])\nendobj\n"
    }
    return Array((head(start + body.utf8.count, offsets) + body).utf8)
  }

  @Test func `a linearized file's own page count holds whatever the tree is`() throws {
    #expect(answer(linearized(document(), pages: 1)) == "1: [\"200.0x300.0@0\"]")
    for root in ["<< /Length 0 >>\nstream\n\nendstream", "null", "<< /Type /Pages >>", "[]"] {
      var document = document()
      document[2] = root
      let bytes = linearized(document, pages: 1)
      #expect(try poppler(bytes).hasPrefix("1: "))
      #expect(answer(bytes) == (root.contains("stream") ? "damaged" : "linearized"))
    }
  }
}

extension String {
  /// The text with spaces behind it.
  fileprivate func padding(_ width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - utf8.count))
  }
}

extension PDFBuilder {
  /// The file with a cross-reference table in which an object is said to be where a text is first found.
  fileprivate func table(claiming text: String, for number: Int) throws -> [UInt8] {
    var bytes = table()
    let file = String(decoding: bytes, as: Unicode.ASCII.self)
    let place = file[..<(try #require(file.range(of: text))).lowerBound].utf8.count
    let table = file[..<(try #require(file.range(of: "xref\n"))).lowerBound].utf8.count
    let row = table + "xref\n0 \(size)\n".utf8.count + number * 20
    let digits = String(place)
    bytes.replaceSubrange(
      row..<row + 10,
      with: (String(repeating: "0", count: 10 - digits.count) + digits).utf8
    )
    return bytes
  }
}
