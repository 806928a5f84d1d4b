import CPoppler
import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import TestSupport
import Testing

/// What the tests of maps to Unicode need to know.
enum UnreadTextMapsTests {
  /// Whether poppler's functions have the names that the worker's have. In poppler 25.03 one has another.
  static var areNamesKnown: Bool { String(cString: poppler_get_version()).hasPrefix("22.") }
}

/// Drawing leaves maps to Unicode unread where they decide nothing, and only there.
extension PopplerTests {
  /// A page with a line of text in the font /F, and a field whose value is to be shown in the same font.
  ///
  /// - Parameters:
  ///   - program: An embedded program of Type 1 in compact form (CFF) with the letters a to e.
  ///   - map: What /ToUnicode says.
  ///   - text: The letters of the line.
  ///   - value: The value of the field; nil for a page without fields.
  ///   - mapReference: The object that is to be the map.
  /// - Returns: The document.
  private func page(
    program: Data,
    map: String,
    text: String,
    value: String? = nil,
    mapReference: String = "9 0 R"
  ) -> Data {
    let content = Data("BT /F 40 Tf 10 100 Td (\(text)) Tj ET".utf8)
    let form = value == nil ? "" : "/AcroForm<</Fields[8 0 R]/DR<</Font<</F 5 0 R>>>>>>"
    var pdf = PDFFile()
    pdf.add("<</Type/Catalog/Pages 2 0 R\(form)>>")
    pdf.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    pdf.add(
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 150]/Contents 4 0 R"
        + "/Resources<</Font<</F 5 0 R>>>>\(value == nil ? "" : "/Annots[8 0 R]")>>"
    )
    pdf.add("<</Length \(content.count)>>", stream: content)
    pdf.add(
      "<</Type/Font/Subtype/Type1/BaseFont/AAAAAA+Embedded/FirstChar 97/LastChar 101"
        + "/Widths[500 500 500 500 500]/Encoding/WinAnsiEncoding/FontDescriptor 6 0 R"
        + "/ToUnicode \(mapReference)>>"
    )
    pdf.add(
      "<</Type/FontDescriptor/FontName/AAAAAA+Embedded/Flags 32/FontBBox[0 -200 1000 900]"
        + "/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700/StemV 80/FontFile3 7 0 R>>"
    )
    pdf.add("<</Subtype/Type1C/Length \(program.count)>>", stream: program)
    pdf.add(
      "<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/V(\(value ?? ""))/DA(/F 40 Tf 0 g)/F 4"
        + "/Rect[10 20 190 80]/P 3 0 R>>"
    )
    pdf.add("<</Length \(map.utf8.count)>>", stream: Data(map.utf8))
    return pdf.finished()
  }

  /// The program of a font of the sample book.
  private func program(in folder: TemporaryFolder) throws -> Data {
    let plain = folder.url.appending(path: "plain.pdf").path
    let book = TestPaths.fixture("book").path
    _ = try Program.runInPath("qpdf", ["--qdf", "--object-streams=disable", book, plain])
    let source = try String(contentsOfFile: plain, encoding: .isoLatin1)
    for match in source.matches(of: /\/FontFile3 (\d+) 0 R/) {
      let object = "--show-object=\(match.1)"
      guard try Program.runInPath("qpdf", [object, plain]).text.contains("/Type1C") else {
        continue
      }
      return try Program.runInPath("qpdf", [object, "--filtered-stream-data", plain]).output
    }
    throw CocoaError(.fileReadCorruptFile)
  }

  private func map(_ lines: String) -> String {
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
      + "1 begincodespacerange <00> <FF> endcodespacerange\n\(lines)\nendcmap end end"
  }

  private func drawn(
    _ pdf: Data,
    in folder: TemporaryFolder,
    _ text: TextPlacement = .precise
  ) throws -> (Picture, Warnings) {
    let file = folder.url.appending(path: "page.pdf")
    try pdf.write(to: file)
    var info: PageInfo?
    try withDocument(file, .precise) { info = try $0.page(at: 0).info() }
    let raster = try PageRaster(page: 0, info: #require(info), scale: 1, rotation: .none)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let session = try DrawingSession(
      descriptor: handle.fileDescriptor,
      password: nil,
      subset: nil,
      text: text
    )
    var picture: Picture?
    let (warnings, _) = try session.draw(PageDrawing(raster, .parts([raster.whole]))) {
      picture = Picture(png: $0)
    }
    return (try #require(picture), warnings)
  }

  @Test(.enabled(if: UnreadTextMapsTests.areNamesKnown))
  func `the map of an embedded font of Type 1 is not read to draw a page`() throws {
    let folder = try TemporaryFolder()
    let program = try program(in: folder)
    let broken = map("1 beginbfchar <61> endbfchar")
    let (plain, _) = try drawn(
      page(program: program, map: map(""), text: "abcde"),
      in: folder
    )
    let (picture, warnings) = try drawn(
      page(program: program, map: broken, text: "abcde"),
      in: folder
    )
    #expect(picture.pixels == plain.pixels)
    #expect(Set(plain.pixels).count > 10)
    #expect(warnings.count == 0, "\(warnings)")
    // A field is drawn with all maps, so poppler complains.
    let (_, complaints) = try drawn(
      page(program: program, map: broken, text: "abcde", value: "a"),
      in: folder
    )
    #expect(complaints.count > 0)
  }

  @Test func `a field without an appearance finds its letters by the map`() throws {
    let folder = try TemporaryFolder()
    let program = try program(in: folder)
    // The letter q is the glyph of e, by the map alone.
    let (mapped, _) = try drawn(
      page(
        program: program,
        map: map("1 beginbfchar <65> <0071> endbfchar"),
        text: "a",
        value: "qq"
      ),
      in: folder
    )
    let (plain, _) = try drawn(
      page(program: program, map: map(""), text: "a", value: "ee"),
      in: folder
    )
    let (other, _) = try drawn(
      page(program: program, map: map(""), text: "a", value: "aa"),
      in: folder
    )
    #expect(mapped.pixels == plain.pixels)
    #expect(mapped.pixels != other.pixels)
  }

  @Test func `a map that is missing has poppler look through the file, as for pdftocairo`()
    async throws
  {
    let folder = try TemporaryFolder()
    let program = try program(in: folder)
    // From the first page on that a process draws, maps can be left out.
    _ = try drawn(page(program: program, map: map(""), text: "a"), in: folder)
    // Behind the end lies another version of the content, which the table does not know.
    let whole = page(program: program, map: "", text: "a", mapReference: "99 0 R")
    let start = try #require(whole.range(of: Data("startxref".utf8), options: .backwards))
    let content = "0 0 1 rg 50 50 100 50 re f BT /F 40 Tf 10 100 Td (a) Tj ET 20 20 20 20 re f"
    let pdf =
      whole + Data("4 0 obj\n<</Length \(content.utf8.count)>>\nstream\n".utf8)
      + Data("\(content)\nendstream\nendobj\n".utf8) + whole[start.lowerBound...]
    let (picture, _) = try drawn(pdf, in: folder, .poppler)
    let file = folder.url.appending(path: "page.pdf")
    #expect(try await Peer.picture(of: file, dotsPerInch: 72) == picture)
    #expect(picture.pixels.contains(0xFF00_00FF))
  }
}
