import DocumentModel
import RectoGeometry
import Testing

@testable import PDFStructure

@Suite struct IncrementalUpdateTests {
  private func subset(
    _ bytes: [UInt8],
    _ indices: [PageIndex]
  ) throws -> PageTreeReader {
    let original = try PageTreeReader(bytes)
    return try PageTreeReader(try original.subset(of: indices).bytes(over: bytes))
  }

  /// One document in every kind of file.
  private static let files: [[UInt8]] = {
    var builder = TreeTests.tree(90, fan: 4)
    builder[2] = builder[2].replacing("/Type /Pages", with: "/Type /Pages /Rotate 90")
    var shifted = builder
    shifted.junk = Array("junk in front of the header\n".utf8)
    return [
      builder.table(), builder.table(entryEnd: "\n"), builder.stream(),
      builder.stream(compressed: [1, 2, 3, 4, 5]), shifted.table(),
      shifted.stream(compressed: [2, 3]),
    ]
  }()

  @Test(arguments: 0..<6, [[0], [89], [44, 45, 46], [80, 3, 3, 0]])
  func `a subset holds the pages asked for, in that order`(file: Int, indices: [PageIndex]) throws {
    let bytes = Self.files[file]
    let original = try PageTreeReader(bytes)
    let subset = try subset(bytes, indices)
    #expect(subset.pageCount == indices.count)
    #expect(
      try subset.pages(in: Range(pageCount: indices.count))
        == indices.map { try original.page(at: $0) }
    )
  }

  @Test func `a subset's cross-reference is of the file's kind`() throws {
    for bytes in Self.files {
      let original = try PageTreeReader(bytes)
      let subset = try subset(bytes, [1, 50])
      #expect(subset.store.crossReference.isStream == original.store.crossReference.isStream)
    }
  }

  @Test func `inherited attributes come along in their own words`() throws {
    let builder = PDFBuilder([
      1: "<< /Type /Catalog /Pages 2 0 R >>",
      2: """
      << /Type /Pages /Count 3 /Kids [3 0 R 4 0 R] /MediaBox [0 0 % half
      50 60] /Resources << /Font << /F1 9 0 R >> >> >>
      """,
      3: "<< /Type /Pages /Count 2 /Kids [5 0 R 6 0 R] /CropBox 8 0 R /Rotate -90 >>",
      4: "<< /Type /Page >>", 5: "<< /Type /Page >>",
      6: "<< /Type /Pages /Count 1 /Kids [7 0 R] /Resources 99 >>",
      7: "<< /Type /Page /Rotate 0 >>", 8: "[1 2 3 4]",
    ])
    let bytes = builder.table()
    let original = try PageTreeReader(bytes)
    let pieces = try original.subset(of: [2, 0, 1])
    let subset = try PageTreeReader(pieces.bytes(over: bytes))
    #expect(
      try subset.pages(in: 0..<3) == [2, 0, 1].map { try original.page(at: $0) }
    )
    let text = pieces.ownText
    #expect(text.contains("/MediaBox [0 0 % half\n50 60]"))
    #expect(text.contains("/CropBox 8 0 R"))
    #expect(text.contains("/Rotate -90"))
    #expect(text.contains("/Resources << /Font << /F1 9 0 R >> >>"))
    #expect(!text.contains("/Resources 99"))
    #expect(try subset.objectNumbers() == [4, 5, 7])
  }

  @Test func `the trailer keeps root, information and identity`() throws {
    var builder = PDFBuilder.flat(3)
    builder[9] = "<< /Title (kept) >>"
    builder.trailer = "/Info 9 0 R /ID [<01> <02>]"
    for bytes in [builder.table(), builder.stream()] {
      let pieces = try PageTreeReader(bytes).subset(of: [1])
      #expect(pieces.ownText.contains("/ID [<01> <02>]"))
      #expect(try PageTreeReader(pieces.bytes(over: bytes)).documentInfo().title == "kept")
    }
  }

  @Test func `a subset of a subset is a subset`() throws {
    for bytes in Self.files {
      let first = try PageTreeReader(bytes).subset(of: [10, 20, 30]).bytes(over: bytes)
      let second = try PageTreeReader(first).subset(of: [2]).bytes(over: first)
      let reader = try PageTreeReader(second)
      #expect(try reader.pages(in: 0..<1) == [try PageTreeReader(bytes).page(at: 30)])
    }
  }

  /// A form with a field on each of two pages, one of them below another field.
  private func form(_ catalogEntry: String, fields: String) -> PDFBuilder {
    var builder = PDFBuilder.flat(2) { "/Annots [\($0 + 10) 0 R 14 0 R]" }
    builder[1] = "<< /Pages 2 0 R /AcroForm \(catalogEntry) >>"
    builder[10] = "<< /Subtype /Widget /Rect [0 0 1 1] >>"
    builder[11] = "<< /Subtype /Widget /Parent 12 0 R >>"
    builder[12] = "<< /Kids [11 0 R] >>"
    builder[13] = "<< /DA (/F 9 Tf) /Fields \(fields) /NeedAppearances false >>"
    builder[14] = "<< /Subtype /Link >>"
    builder[15] = "[ 10 0 R 12 0 R ]"
    return builder
  }

  private func tail(_ builder: PDFBuilder, _ indices: [PageIndex]) throws -> String {
    var limits = ReaderLimits()
    limits.manyObjects = 0
    limits.manyFields = 2
    limits.subsetObjects = 0
    return try PageTreeReader(builder.table(), limits: limits).subset(of: indices).ownText
  }

  @Test func `a subset's form has the fields of its pages and all its other entries`() throws {
    let direct = form("13 0 R", fields: "[10 0 R 12 0 R]")
    #expect(
      try tail(direct, [1]).contains(
        "13 0 obj\n\n<< /DA (/F 9 Tf) /Fields [ 12 0 R ] /NeedAppearances false >>\nendobj"
      )
    )
    #expect(try tail(direct, [0]).contains("/Fields [ 10 0 R ]"))
    #expect(try tail(direct, [1, 0]).contains("/Fields [ 10 0 R 12 0 R ]"))
    let indirect = form("13 0 R", fields: "15 0 R")
    #expect(try tail(indirect, [1]).contains("15 0 obj\n[ 12 0 R ]\nendobj"))
    let inCatalog = form("<< /Fields 15 0 R >>", fields: "[]")
    #expect(try tail(inCatalog, [0]).contains("15 0 obj\n[ 10 0 R ]\nendobj"))
  }

  @Test func `a form stays as it is when a widget's field is not in it`() throws {
    #expect(!(try tail(form("13 0 R", fields: "[10 0 R 10 0 R]"), [1]).contains("13 0 obj")))
    #expect(!(try tail(form("<< /Fields [10 0 R 12 0 R] >>", fields: ""), [1]).contains("/Fields")))
    #expect(!(try tail(form("13 0 R", fields: "[12 0 R]"), [1]).contains("13 0 obj")))
    var circular = form("13 0 R", fields: "[10 0 R 12 0 R]")
    circular[12] = "<< /Parent 12 0 R >>"
    #expect(!(try tail(circular, [1]).contains("13 0 obj")))
  }

  @Test func `a catalog that is the root of the page tree cannot be replaced`() throws {
    let builder = PDFBuilder([
      1: "<< /Type /Catalog /Pages 1 0 R /Kids [3 0 R] /Count 1 >>", 3: "<< /Type /Page >>",
    ])
    let reader = try PageTreeReader(builder.table())
    #expect(reason { () throws(StructureError) in _ = try reader.subset(of: [0]) } == .unsupported)
  }

  @Test func `a missing page is named`() throws {
    var builder = PDFBuilder.flat(2)
    builder[2] = "<< /Type /Pages /Count 2 /Kids [3 0 R null] >>"
    let reader = try PageTreeReader(builder.table())
    #expect(throws: StructureError(.damaged, "page 2 is missing")) {
      try reader.subset(of: [0, 1])
    }
  }

  @Test func `no pages make an empty document`() throws {
    #expect(try subset(PDFBuilder.flat(2).table(), []).pageCount == 0)
  }

  @Test func `a lone page cannot be replaced`() throws {
    let builder = PDFBuilder([1: "<< /Pages 2 0 R >>", 2: "<< /Type /Page >>"])
    let reader = try PageTreeReader(builder.table())
    #expect(reason { () throws(StructureError) in _ = try reader.subset(of: [0]) } == .unsupported)
  }
}
