import DocumentModel
import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// Documents made so that a subset could easily lose something: it is drawn as the file is.
@Suite struct SubsetAgreementTests {
  /// A page with a red square behind a half transparent green one, in a document of three pages.
  private func document(
    resources: String = "/ExtGState << /G 9 0 R >>",
    content: String = "1 0 0 rg 20 20 100 100 re f /G gs 0 1 0 rg 60 60 100 100 re f",
    page: String = "",
    state: String = "/ca 0.5"
  ) -> PDFBuilder {
    var builder = PDFBuilder([
      1: "<< /Type /Catalog /Pages 2 0 R >>",
      2: "<< /Type /Pages /Count 3 /Kids [3 0 R 4 0 R 5 0 R] /MediaBox [0 0 200 200] >>",
      9: "<< \(state) >>",
    ])
    for number in 3..<6 {
      builder[number] = """
        << /Type /Page /Parent 2 0 R /Contents 8 0 R /Resources << \(resources) >> \(page) >>
        """
    }
    builder[8] = "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
    return builder
  }

  /// Whether the second page looks the same in the file and in each kind of subset.
  private func isDrawnAlike(_ bytes: [UInt8]) throws -> Bool {
    let whole = try picture(bytes, page: 2)
    #expect(!whole.isEmpty)
    for objects in [0, Int.max] {
      var limits = ReaderLimits()
      limits.manyObjects = objects
      limits.manyFields = 0
      let pieces = try PageTreeReader(bytes, limits: limits).subset(of: [1])
      if objects == 0 { #expect(pieces.first != .file(0..<bytes.count), "a document of its own") }
      guard try picture(pieces.bytes(over: bytes), page: 1) == whole else { return false }
    }
    return true
  }

  private func picture(_ bytes: [UInt8], page: Int) throws -> Data {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "recto-subset-\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let arguments = ["-png", "-singlefile", "-r", "36", "-f", "\(page)", "-l", "\(page)"]
    return try Program.runInPath("pdftocairo", arguments + [file.path, "-"]).output
  }

  @Test(arguments: [
    "/Type /Page /ca 0.5", "/Type /Pages /ca 0.5", "/Type /Page /Parent 2 0 R /ca 0.5",
    "/Subtype /Link /A << /S /GoTo >> /Dest [3 0 R /Fit] /ca 0.5",
    "/Type /Pages /Parent 99 0 R /Kids [3 0 R] /ca 0.5",
  ])
  func `a graphics state may call itself anything`(state: String) throws {
    let document = document(state: state)
    #expect(try isDrawnAlike(document.stream()))
    #expect(try isDrawnAlike(document.stream(compressed: [2, 3, 9])))
    if !state.contains("99 0 R") { #expect(try isDrawnAlike(document.table())) }
    // It is really drawn: without it the picture is another one.
    let plain = self.document(state: "/ca 1")
    #expect(try picture(plain.table(), page: 2) != picture(document.table(), page: 2))
  }

  @Test func `a node of the page tree may be a graphics state as well`() throws {
    var document = document()
    document[2] =
      "<< /Type /Pages /Count 4 /Kids [3 0 R 4 0 R 5 0 R 9 0 R] /MediaBox [0 0 200 200] >>"
    document[9] = "<< /Type /Page /Parent 2 0 R /ca 0.5 /Contents 8 0 R >>"
    #expect(try isDrawnAlike(document.table()))
    #expect(try isDrawnAlike(document.stream(compressed: [9])))
  }

  @Test(arguments: [
    "/ExtGState << /G 2 0 R >>", "/ExtGState << /G 1 0 R >>", "/ExtGState 2 0 R",
    "/ExtGState 1 0 R",
  ])
  func `root and catalog may be resources as well`(resources: String) throws {
    var document = document(resources: resources)
    document[1] = "<< /Type /Catalog /Pages 2 0 R /ca 0.5 /G 9 0 R >>"
    document[2] = document[2].replacing("/Type /Pages", with: "/Type /Pages /ca 0.5 /G 9 0 R")
    for bytes in [document.table(), document.stream(compressed: [2, 9])] {
      let whole = try picture(bytes, page: 2)
      for objects in [0, Int.max] {
        var limits = ReaderLimits()
        limits.manyObjects = objects
        let pieces = try PageTreeReader(bytes, limits: limits).subset(of: [1])
        #expect(try picture(pieces.bytes(over: bytes), page: 1) == whole)
      }
    }
  }

  @Test func `a page may be a list of names as well`() throws {
    var document = document(resources: "/ExtGState 4 0 R")
    document[4] = document[4].replacing("/Type /Page", with: "/Type /Page /B 9 0 R")
    document[8] = document[8].replacing("/G gs", with: "/B gs")
    let bytes = document.table()
    let whole = try picture(bytes, page: 2)
    var limits = ReaderLimits()
    limits.manyObjects = 0
    let subset = try PageTreeReader(bytes, limits: limits).subset(of: [1]).bytes(over: bytes)
    #expect(try picture(subset, page: 1) == whole)
  }

  @Test func `resources may call themselves a node`() throws {
    var document = document(resources: "/ExtGState 10 0 R")
    document[10] = "<< /Type /Pages /G 9 0 R >>"
    #expect(try isDrawnAlike(document.table()))
    #expect(try isDrawnAlike(document.stream(compressed: [10])))
  }

  @Test func `an optional content group may call itself a page`() throws {
    var document = document(
      resources: "/Properties << /O 9 0 R >>",
      content: "1 0 0 rg 20 20 100 100 re f /OC /O BDC 0 1 0 rg 60 60 100 100 re f EMC",
      state: "/Type /Page /Name (off)"
    )
    document[1] = """
      << /Type /Catalog /Pages 2 0 R
      /OCProperties << /OCGs [9 0 R] /D << /OFF [9 0 R] >> >> >>
      """
    #expect(try isDrawnAlike(document.table()))
    #expect(try isDrawnAlike(document.stream(compressed: [9])))
  }

  @Test func `an annotation may call itself a page`() throws {
    var document = document(page: "/Annots [10 0 R]")
    document[10] = """
      << /Type /Page /Subtype /Stamp /Rect [10 10 150 150] /AP << /N 11 0 R >> >>
      """
    document[11] =
      "<< /Type /XObject /Subtype /Form /BBox [0 0 50 50] /Length 27 >>\nstream\n0 0 1 rg 0 0 50 50 re f    \nendstream"
    #expect(try isDrawnAlike(document.table()))
    #expect(try isDrawnAlike(document.stream(compressed: [10])))
  }

  @Test func `a link of the page loses its target and keeps its border`() throws {
    var document = document(page: "/Annots [10 0 R]")
    document[10] = """
      << /Type /Annot /Subtype /Link /Rect [10 10 150 150] /Border [0 0 5] /C [0 0 1]
      /A << /S /GoTo /D [5 0 R /Fit] >> /Dest [3 0 R /Fit] >>
      """
    #expect(try isDrawnAlike(document.table()))
    var limits = ReaderLimits()
    limits.manyObjects = 0
    let bytes = document.table()
    let text = try PageTreeReader(bytes, limits: limits).subset(of: [1]).ownText
    #expect(text.contains("/Border") && !text.contains("/GoTo") && !text.contains("/Dest"))
  }

  @Test func `a filter's name ends at its first zero byte`() throws {
    var document = document()
    let data = "1 0 0 rg 20 20 100 100 re f>"
    let digits = data.utf8.dropLast().map { String($0, radix: 16) }.map {
      $0.count == 1 ? "0" + $0 : $0
    }.joined()
    document[8] = """
      << /Filter /ASCIIHexDecode#00x /Length \(digits.utf8.count + 1) >>
      stream
      \(digits)>
      endstream
      """
    #expect(try isDrawnAlike(document.table()))
  }

  @Test func `new objects of an update are none of the file's`() throws {
    var document = document(page: "/Rotate 90")
    document[3] = document[3].replacing("/Rotate 90", with: "/Rotate 0")
    // The newest section says nothing of the objects behind its own; an older one lists them.
    let old = document.table()
    let text = String(decoding: old, as: UTF8.self)
    let oldStart = try #require(text.firstMatch(of: #/startxref\n(\d+)/#)).1
    let object = "1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Lang (x) >>\nendobj\n"
    var offset = String(old.count)
    offset = String(repeating: "0", count: 10 - offset.count) + offset
    let update = """
      \(object)xref
      1 1
      \(offset) 00000 n\u{20}
      trailer
      << /Size 2 /Root 1 0 R /Prev \(oldStart) >>
      startxref
      \(old.count + object.utf8.count)
      %%EOF

      """
    let bytes = old + Array(update.utf8)
    // Poppler knows of the objects behind the newest section's own only once it has read the older one.
    #expect(reason { () throws(StructureError) in _ = try PageTreeReader(bytes) } == .damaged)
    let whole = try [1, 2].map { try picture(old, page: $0) }
    let subset = try PageTreeReader(old).subset(of: [0, 1]).bytes(over: old)
    #expect(try [1, 2].map { try picture(subset, page: $0) } == whole)
  }
}
