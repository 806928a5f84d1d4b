import DocumentModel
import RectoGeometry
import Testing

@testable import PDFStructure

@Suite struct DocumentInfoTests {
  private func labels(_ tree: String, pages: Int = 6, more: [Int: String] = [:]) throws -> [String?]
  {
    var builder = PDFBuilder.flat(pages)
    builder[1] = "<< /Type /Catalog /Pages 2 0 R /PageLabels \(tree) >>"
    for (number, text) in more { builder[number] = text }
    let reader = try PageTreeReader(builder.table())
    return try Range(pageCount: pages).map { try reader.label(of: $0) }
  }

  @Test func `without page labels a page's label is its number`() throws {
    let reader = try PageTreeReader(PDFBuilder.flat(3).table())
    #expect(try reader.label(of: 2) == "3")
    #expect(try reader.label(of: 3) == nil)
  }

  @Test func `ranges have a style, a prefix and a first number`() throws {
    let tree =
      "<< /Nums [0 << /S /r >> 2 << /S /D /P (A-) /St 7 >> 4 << /S /A /St 27 >> 5 << /P (end) >>] >>"
    #expect(try labels(tree) == ["i", "ii", "A-7", "A-8", "AA", "end"])
  }

  @Test func `a number tree has branches, each read once`() throws {
    let found = try labels(
      "10 0 R",
      more: [
        10: "<< /Kids [11 0 R 11 0 R 10 0 R 12 0 R] >>",
        11: "<< /Nums [0 << /S /R >>] >>",
        12: "<< /Nums [3 << /S /a >>] /Kids [11 0 R] >>",
      ]
    )
    #expect(found == ["I", "II", "III", "a", "b", "c"])
  }

  @Test func `labels that leave out a page have none for it`() throws {
    #expect(try labels("<< /Nums [] >>") == [nil, nil, nil, nil, nil, nil])
  }

  @Test func `numbers in all styles`() {
    #expect(PageLabels.write(1994, .upperRoman) == "MCMXCIV")
    #expect(PageLabels.write(4000, .lowerRoman) == "")
    #expect(PageLabels.write(-3, .upperRoman) == "")
    #expect(PageLabels.write(26, .lowerLetters) == "z")
    #expect(PageLabels.write(28, .upperLetters) == "BB")
    #expect(PageLabels.write(0, .lowerLetters) == "`")
    #expect(PageLabels.write(-25, .upperLetters) == "")
    #expect(PageLabels.write(Int(Int32.max), .upperLetters).count == 1025)
    #expect(PageLabels.write(-5, .decimal) == "-5")
    #expect(PageLabels.write(5, .none) == "")
  }

  @Test func `strings are PDFDocEncoding, UTF-16 or UTF-8`() {
    #expect(TextString.text([0x41, 0x80, 0xA0, 0xE4]) == "A•€ä")
    #expect(TextString.text([0xFE, 0xFF, 0x20, 0xAC, 0xD8, 0x3D, 0xDE, 0x00]) == "€😀")
    #expect(TextString.text([0xFF, 0xFE, 0xAC, 0x20]) == "€")
    #expect(TextString.text([0xEF, 0xBB, 0xBF, 0xE2, 0x82, 0xAC]) == "€")
    #expect(TextString.text([0xFE, 0xFF, 0x00, 0x1B, 0x65, 0x6E, 0x00, 0x1B, 0x00, 0x41]) == "A")
    #expect(TextString.text([0xFE, 0xFF, 0xD8, 0x3D, 0x41]) == "\u{FFFD}")
    #expect(TextString.text([]) == "")
  }

  @Test(arguments: [
    ("(plain)", "plain"), (#"(a\(b\)\\\053\n)"#, "a(b)\\+\n"), ("(one\\\ntwo)", "onetwo"),
    ("<48 6 9>", "Hi"), ("<FEFF20AC>", "€"), ("8 0 R", "far"), ("<486>", "H`"),
  ])
  func `a title is read in every spelling`(text: String, title: String) throws {
    var builder = PDFBuilder.flat(1)
    builder[7] = "<< /Title \(text) >>"
    builder[8] = "(far)"
    builder.trailer = "/Info 7 0 R"
    #expect(try PageTreeReader(builder.table()).documentInfo().title == title)
  }

  @Test func `what the catalog wishes is told`() throws {
    var builder = PDFBuilder.flat(1)
    builder[1] =
      "<< /Pages 2 0 R /PageLayout /TwoPageRight /ViewerPreferences << /Direction /R2L >> >>"
    let info = try PageTreeReader(builder.table()).documentInfo()
    #expect(
      info
        == DocumentInfo(
          pageCount: 1,
          title: nil,
          isRightToLeft: true,
          pageLayout: .twoPageRight
        )
    )
  }

  @Test func `info that cannot be read are left out`() throws {
    var builder = PDFBuilder.flat(1)
    builder[1] = "<< /Pages 2 0 R /PageLayout /Sideways /ViewerPreferences 99 0 R >>"
    builder.trailer = "/Info 99 0 R"
    #expect(try PageTreeReader(builder.stream()).documentInfo() == DocumentInfo(pageCount: 1))
  }
}
