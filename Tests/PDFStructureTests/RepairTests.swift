import DocumentModel
import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// Faults that other programs mend are mended in a subset, and nothing else is touched.
@Suite struct RepairTests {
  private static let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  static let fonts = "/Resources << /Font << /F1 \(font) >> >>"
  static let text = "BT /F1 40 Tf 20 20 Td (Hello) Tj ET"
  static let square = "1 0 0 rg 20 20 100 100 re f"

  static func stream(_ content: String, _ entries: String = "") -> String {
    "<< \(entries) /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
  }

  /// A page of 200 × 200.
  static func document(
    _ page: String,
    _ content: String = text,
    catalog: String = "",
    root: String = "",
    objects: [Int: String] = [:]
  ) -> PDFBuilder {
    var builder = PDFBuilder([
      1: "<< /Type /Catalog /Pages 2 0 R \(catalog) >>",
      2: "<< /Type /Pages /Count 1 /Kids [3 0 R] \(root) >>",
      3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R \(page) >>",
      4: stream(content),
    ])
    for (number, text) in objects { builder[number] = text }
    return builder
  }

  /// A document with a fault, and what is repaired of it.
  struct Case: CustomTestStringConvertible {
    var name: String
    var repair: Repair
    var document: PDFBuilder
    var testDescription: String { name }
  }

  private static func form(_ entries: String) -> PDFBuilder {
    document(
      "/Resources << /XObject << /X 5 0 R >> >>",
      "/X Do",
      objects: [5: stream(square, "/Type /XObject /Subtype /Form \(entries)")]
    )
  }

  private static func program(_ data: String, _ key: String, font: String = "/TrueType")
    -> PDFBuilder
  {
    document(
      """
      /Resources << /Font << /F1 << /Type /Font /Subtype \(font) /BaseFont /ABCDEF+Other \
      /FontDescriptor 5 0 R >> >> >>
      """,
      objects: [
        5: "<< /Type /FontDescriptor /FontName /ABCDEF+Other /Flags 32 /\(key) 6 0 R >>",
        6: stream(data, key == "FontFile3" ? "/Subtype /Type1C" : ""),
      ]
    )
  }

  private static func appearance(_ entries: String) -> PDFBuilder {
    document(
      "/Annots [5 0 R]",
      "",
      objects: [
        5: "<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 200 200] /AP << /N 6 0 R >> >>",
        6: stream(text, "/Subtype /Form /BBox [0 0 200 200] \(entries)"),
      ]
    )
  }

  /// A program that lost a byte behind its table of contents.
  private static var shifted: String {
    let tables = ["head", "hhea", "maxp", "loca", "glyf"]
    var text = "true\0\u{5}" + String(repeating: "\0", count: 6)
    // All at one place behind the table of contents.
    for table in tables { text += table + "\0\0\0\0\0\0\0\u{5C}\0\0\0\u{10}" }
    return text + String(repeating: "\0", count: 80)
  }

  /// Faults, of which each page is blank or refused as it stands.
  static let faults: [Case] = [
    Case(
      name: "a crop box without height",
      repair: .cropBox,
      document: document("\(fonts) /CropBox [0 0 200 0]")
    ),
    Case(
      name: "a crop box outside",
      repair: .cropBox,
      document: document("\(fonts) /CropBox [300 300 500 500]")
    ),
    Case(
      name: "an inherited crop box outside",
      repair: .cropBox,
      document: document(fonts, root: "/CropBox [200 0 400 200]")
    ),
    Case(
      name: "content with null and a number",
      repair: .contents,
      document: document("\(fonts) /Contents [4 0 R null 7 2 0 R]")
    ),
    Case(name: "a form without a box", repair: .formBox, document: form("")),
    Case(name: "a form with null for a box", repair: .formBox, document: form("/BBox null")),
    Case(
      name: "a form without a box in a form",
      repair: .formBox,
      document: document(
        "/Resources << /XObject << /X 5 0 R >> >>",
        "/X Do",
        objects: [
          5: stream(
            "/Y Do",
            """
            /Subtype /Form /BBox [0 0 200 200] /Resources << /XObject << /Y 6 0 R >> >>
            """
          ),
          6: stream(square, "/Subtype /Form"),
        ]
      )
    ),
    Case(name: "no resources", repair: .fontResource, document: document("")),
    Case(name: "null for resources", repair: .fontResource, document: document("/Resources null")),
    Case(
      name: "resources without fonts",
      repair: .fontResource,
      document: document("/Resources << /XObject << >> >>")
    ),
    Case(
      name: "a node of the page tree for resources",
      repair: .fontResource,
      document: document("/Resources 2 0 R")
    ),
    Case(
      name: "null for a font",
      repair: .fontResource,
      document: document("/Resources << /Font << /F1 null >> >>")
    ),
    Case(
      name: "a font that the list of fonts does not have",
      repair: .fontResource,
      document: document("/Resources << /Font << /F2 \(font) >> >>", "BT /F1 40 Tf(Hello)Tj ET")
    ),
    Case(
      name: "an appearance in a font that its list of fonts does not have",
      repair: .fontResource,
      document: appearance("/Resources << /Font << /F2 \(font) >> >>")
    ),
    Case(name: "an appearance without resources", repair: .fontResource, document: appearance("")),
    Case(
      name: "a font without a name",
      repair: .fontName,
      document: document("/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 >> >> >>")
    ),
    Case(
      name: "a font program that is none",
      repair: .fontProgram,
      document: program("no font", "FontFile2")
    ),
    Case(
      name: "a font program without data",
      repair: .fontProgram,
      document: program("", "FontFile3", font: "/Type1")
    ),
    Case(
      name: "a TrueType program without tables",
      repair: .fontProgram,
      document: program("true" + String(repeating: "\0", count: 12), "FontFile2")
    ),
    Case(
      name: "a TrueType program of which a byte is missing",
      repair: .fontProgram,
      document: program(shifted, "FontFile2")
    ),
    Case(
      name: "a TrueType program that ends in its header",
      repair: .fontProgram,
      document: program("true\0", "FontFile2")
    ),
    Case(
      name: "a layer that is for the screen",
      repair: .layer,
      document: document(
        "/Resources << /Properties << /A 5 0 R >> >>",
        "/OC /A BDC \(square) EMC",
        catalog: """
          /OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] \
          /AS [<< /Event /View /Category [/View] /OCGs [5 0 R] >>] >> >>
          """,
        objects: [5: "<< /Type /OCG /Name (a) /Usage << /View << /ViewState /ON >> >> >>"]
      )
    ),
    Case(
      name: "a field whose border has a color but no width",
      repair: .fieldBorder,
      document: field("/MK << /BC [0 0 1] >>")
    ),
    Case(
      name: "more annotations than poppler accepts",
      repair: .annotations,
      document: document(
        "/Annots [\(String(repeating: "5 0 R ", count: 10_001))]",
        "",
        objects: [
          5: "<< /Type /Annot /Subtype /Square /Rect [20 20 120 120] /F 4 /AP << /N 6 0 R >> >>",
          6: stream(square, "/Subtype /Form /BBox [20 20 120 120]"),
        ]
      )
    ),
  ]

  /// A text field without a value.
  static func field(_ entries: String, form: String = "") -> PDFBuilder {
    document(
      "/Annots [5 0 R]",
      "",
      catalog: "/AcroForm << /Fields [5 0 R] /DA (/Helv 12 Tf 0 g) \(form) >>",
      objects: [
        5: """
        << /Type /Annot /Subtype /Widget /FT /Tx /T (a) /F 4 /Rect [20 20 180 60] \(entries) >>
        """,
        6: stream("", "/Subtype /Form /BBox [0 0 160 40]"),
      ]
    )
  }

  @Test(arguments: [0, Int.max])
  func `annotations that are not objects of their own are not omitted in silence`(
    manyObjects: Int
  ) throws {
    let many = String(repeating: "<< /Subtype /Square >> ", count: 10_001)
    let file = Self.document("/Annots [\(many)] \(Self.fonts)").table()
    let reader = try PageTreeReader(file, limits: Self.limits(manyObjects))
    let pieces = try reader.subset(of: [0])
    #expect(total(reader)[.annotations] == 1)
    #expect(try isBlank(pieces.bytes(over: file)) == false)
  }

  @Test func `links that are not drawn do not count as annotations of a page`() throws {
    let links = ["/Border [0 0 0]", "/BS << /W 0 >> /QuadPoints [0 0 9 0 9 9 0 9]"].map {
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] \($0) /A << /S /URI /URI (a:b) >> >>"
    }
    let many = String(repeating: "5 0 R 6 0 R ", count: 5_001)
    let document = Self.document(
      "/Annots [\(many)] \(Self.fonts)",
      objects: [5: links[0], 6: links[1]]
    )
    let file = document.table()
    for manyObjects in [0, Int.max] {
      let reader = try PageTreeReader(file, limits: Self.limits(manyObjects))
      let pieces = try reader.subset(of: [0])
      #expect(reader.repairs.isEmpty)
      #expect(try isBlank(pieces.bytes(over: file)) == false)
    }
  }

  /// Each kind of subset.
  static func limits(_ manyObjects: Int) -> ReaderLimits {
    var limits = ReaderLimits()
    limits.manyObjects = manyObjects
    return limits
  }

  func total(_ reader: PageTreeReader) -> Repairs {
    var all = Repairs()
    for (_, repairs) in reader.repairs { all.formUnion(repairs) }
    return all
  }

  @Test(arguments: faults, [0, Int.max])
  func `a page with a fault is drawn, and the repair is counted`(
    fault: Case,
    manyObjects: Int
  ) throws {
    for file in [fault.document.table(), fault.document.stream()] {
      let reader = try PageTreeReader(file, limits: Self.limits(manyObjects))
      let page = try #require(try reader.page(at: 0))
      #expect(page.cropBox == PageBox(x1: 0, y1: 0, x2: 200, y2: 200))
      let pieces = try reader.subset(of: [0])
      #expect(total(reader)[fault.repair] == 1)
      #expect(total(reader).kinds == [fault.repair])
      #expect(try isBlank(pieces.bytes(over: file)) == false)
    }
  }

  @Test(arguments: faults, [0, Int.max])
  func `the second subset of a page has the same bytes and repairs`(
    fault: Case,
    manyObjects: Int
  ) throws {
    let file = fault.document.table()
    let reader = try PageTreeReader(file, limits: Self.limits(manyObjects))
    let first = try reader.subset(of: [0]).bytes(over: file)
    let repairs = total(reader)
    #expect(try reader.subset(of: [0]).bytes(over: file) == first)
    #expect(total(reader) == repairs)
  }

  @Test func `a subset is the same after other subsets`() throws {
    var compared = 0
    for file in Corpus.files {
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      let limits = Self.limits(0)
      guard let reader = try? PageTreeReader(descriptor: descriptor, limits: limits),
        reader.pageCount > 1, let first = try? reader.subset(of: [0])
      else { continue }
      let other = try PageTreeReader(descriptor: descriptor, limits: limits)
      for pages in [[1], [0, 1], [0]] as [[PageIndex]] { _ = try? other.subset(of: pages) }
      #expect(try other.subset(of: [0]) == first, "\(file.lastPathComponent)")
      compared += 1
    }
    #expect(compared > 10)
  }

  @Test(arguments: faults, [0, Int.max])
  func `a repaired document has nothing left to repair`(fault: Case, manyObjects: Int) throws {
    let file = fault.document.table()
    let pieces = try PageTreeReader(file, limits: Self.limits(manyObjects)).subset(of: [0])
    let repaired = pieces.bytes(over: file)
    let reader = try PageTreeReader(repaired, limits: Self.limits(manyObjects))
    _ = try reader.subset(of: [0])
    #expect(reader.repairs.isEmpty)
  }

  @Test(arguments: [
    ("90.0", 90), ("89.6", 90), ("-90.", 270), ("450.0", 90), ("0.0", 0), ("(90)", 0),
  ])
  func `a rotation that is no integer is rounded`(value: String, degrees: Int) throws {
    for own in [true, false] {
      let entry = "/Rotate \(value)"
      let document = Self.document(
        own ? "\(Self.fonts) \(entry)" : Self.fonts,
        root: own ? "/Rotate 180" : entry
      )
      let file = document.table()
      for manyObjects in [0, Int.max] {
        let reader = try PageTreeReader(file, limits: Self.limits(manyObjects))
        let page = try #require(try reader.page(at: 0))
        guard page.repairs[.rotation] > 0 else { continue }
        #expect(page.rotation == degrees)
        let subset = try PageTreeReader(try reader.subset(of: [0]).bytes(over: file))
        let same = try #require(try subset.page(at: 0))
        #expect(same.rotation == degrees)
        #expect(same.repairs.isEmpty)
      }
    }
  }

  @Test(arguments: ["4 0 R", "[4 0 R]"])
  func `content behind more than eight filters is left out`(contents: String) throws {
    for count in [8, 9] {
      let filters = "/ASCIIHexDecode" + String(repeating: " /RunLengthDecode", count: count - 1)
      let document = Self.document(
        "\(Self.fonts) /Contents \(contents)",
        objects: [4: Self.stream("8181>", "/Filter [\(filters)]")]
      )
      let reader = try PageTreeReader(document.table())
      _ = try reader.subset(of: [0])
      #expect(reader.repairs[0]?[.contents] == (count > 8 ? 1 : nil))
    }
  }

  @Test(arguments: [nil, 2, -2, 7, 100_000])
  func `content that is not where it should be is left to poppler`(shift: Int?) throws {
    let document = Self.document(
      "\(Self.fonts) /Contents [4 0 R 5 0 R]",
      objects: [5: Self.stream("")]
    )
    var data = Data(document.table())
    let position = try #require(data.range(of: Data("\n5 0 obj".utf8))).lowerBound + 1
    func row(_ offset: Int) -> Data { Data(String(format: "%010d 00000 n", offset).utf8) }
    let place = try #require(data.range(of: row(position)))
    data.replaceSubrange(place, with: row(position + (shift ?? 0)))
    let reader = try PageTreeReader(Array(data))
    let pieces = try? reader.subset(of: [0])
    #expect((reader.repairs[0]?[.contents] ?? 0) == 0)
    #expect((pieces != nil) || shift != nil)
  }

  @Test func `a font that is missing is that of the form with its name`() throws {
    var document = Self.appearance("")
    document[1] = """
      << /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /DR << /Font << /F1 7 0 R >> >> >> >>
      """
    document[7] = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"
    let pieces = try PageTreeReader(document.table()).subset(of: [0])
    #expect(pieces.ownText.contains("/Font << /F1 7 0 R >>"))
  }

  @Test func `a look at the bytes finds each font that the lexer finds`() {
    var random = SeededGenerator(seed: 1)
    let parts = [
      "/F1", "/F2", "/F#31", "Tf", "Tf", " ", " ", "12", "-.5", "(Tf)", "[", "]", "BT", "% Tf\n",
      "<</A/F3>>", "/",
    ]
    for _ in 0..<20_000 {
      let content = (0..<Int.random(in: 1...12, using: &random))
        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      let bytes = Array(content.utf8)
      let names = FontNames.names(in: bytes, WorkMeter(limit: .max)).map(\.packed)
      for known in [[], ["F1"], ["F1", "F2"], ["F1", "F2", "F3", ""]] as [[PackedName]] {
        let asks = names.contains { !known.contains($0) }
        #expect(!asks || FontNames.mayAsk(bytes, besides: known), "\(content)")
      }
    }
    #expect(!FontNames.mayAsk(Array("BT /F1 12 Tf(a)Tj/F1 9.5 Tf ET".utf8), besides: ["F1"]))
  }

  @Test func `a layer for print only is hidden`() throws {
    let document = Self.document(
      "/Resources << /Properties << /A 5 0 R >> >>",
      "/OC /A BDC \(Self.square) EMC",
      catalog: """
        /OCProperties << /OCGs [5 0 R] \
        /D << /AS [<< /Event /View /Category [/View] /OCGs [5 0 R] >>] >> >>
        """,
      objects: [5: "<< /Type /OCG /Name (a) /Usage << /View << /ViewState /OFF >> >> >>"]
    )
    let file = document.table()
    let reader = try PageTreeReader(file)
    let pieces = try reader.subset(of: [0])
    #expect(reader.repairs[0]?[.layer] == 1)
    #expect(try isBlank(file) == false)
    #expect(try isBlank(pieces.bytes(over: file)) == true)
  }

  @Test func `pages without a fault are written as they stand`() throws {
    var compared = 0
    for file in Corpus.files {
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      guard let reader = try? PageTreeReader(descriptor: descriptor), reader.pageCount > 0,
        let pieces = try? reader.subset(of: [0]), reader.repairs.isEmpty
      else { continue }
      reader.repairsFaults = false
      #expect(try reader.subset(of: [0]) == pieces, "\(file.lastPathComponent)")
      compared += 1
    }
    #expect(compared > 20)
  }

  /// Whether poppler draws nothing on the first page; nil when it does not draw it.
  func isBlank(_ bytes: [UInt8]) throws -> Bool? {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "recto-repair-\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let arguments = ["-gray", "-singlefile", "-cropbox", "-r", "36", file.path]
    let answer = try Program.runInPath("pdftoppm", arguments, seconds: 30)
    guard answer.code == 0, answer.output.count > 100 else { return nil }
    return answer.output.suffix(answer.output.count - 20).allSatisfy { $0 == 0xFF }
  }
}
