import Foundation
import PDFStructure
import RectoGeometry
import TestSupport
import Testing

/// Pages that poppler draws wrong with cairo, known from their resources.
@Suite struct CairoFaultsTests {
  /// Content that uses each name of the tests.
  private static let everything =
    "/G gs /S sh /Pattern cs /P scn /F 9 Tf /F Do /I Do \(adjoining)"
  /// Images that lie above each other.
  private static let adjoining = "/A Do 1 0 0 1 0 1 cm /B Do 1 0 0 1 0 1 cm /C Do"

  /// Whether pages have faults, each with resources of its own. They use all of them, and so do forms without content.
  private func faults(
    _ resources: [String],
    _ objects: [(body: String, stream: String?)],
    contents: String? = nil
  ) throws -> [Bool] {
    var pdf = PDFFile()
    let first = 4 + objects.count
    let kids = resources.indices.map { "\(first + $0) 0 R" }.joined(separator: " ")
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Kids[\(kids)]/Count \(resources.count)>>")
    for object in objects {
      guard var stream = object.stream else {
        pdf.add(object.body)
        continue
      }
      if stream.isEmpty { stream = Self.everything }
      pdf.add("<<\(object.body)/Length \(stream.utf8.count)>>", stream: Data(stream.utf8))
    }
    pdf.add("<</Length \(Self.everything.utf8.count)>>", stream: Data(Self.everything.utf8))
    for resources in resources {
      let contents = contents ?? "\(first - 1) 0 R"
      pdf.add(
        """
        <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<\(resources)>>/Contents \(contents)>>
        """
      )
    }
    let reader = try PageTreeReader(Array(pdf.finished()))
    return reader.hasCairoFaults(Array(Range(pageCount: resources.count)))
  }

  @Test func `a shading by a function of the place is one, also in a pattern`() throws {
    let shading = "/ShadingType 1/ColorSpace/DeviceGray/Function 4 0 R"
    let found = try faults(
      [
        "/Shading<</S<<\(shading)>>>>", "/Shading<</S 3 0 R>>",
        "/Pattern<</P<</PatternType 2/Shading 3 0 R>>>>",
        "/Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Function 4 0 R>>>>", "",
      ],
      [
        ("<<\(shading)>>", nil),
        ("/FunctionType 4/Domain[0 1 0 1]/Range[0 1]", "{ pop .5 gt { 1 } { 0 } ifelse }"),
      ]
    )
    #expect(found == [true, true, true, false, false])
  }

  @Test(
    arguments: [
      ("", "{ pop }", false), ("", "{ mul }", false), ("", "{ mul 0.5 mul }", false),
      // Poppler's cells have ten units: here there is only one.
      ("", "{ pop dup mul }", true), ("/Matrix[300 0 0 420 9 9]", "{ pop dup mul }", false),
      ("/Matrix[300 0 0 420 0 0]", "{ pop 16 mul 8 sub }", true),
      ("/Matrix[300 0 0 420 0 0]", "{ exch pop 0.5 gt { 1 } { 0 } ifelse }", true),
      ("/Matrix[300 0 0 420 0 0]", "{ pop 5000 mul sin }", true), ("", "{ }", true),
      ("", "{ pop pop 2 }", false),
      ("", "{ pop pop \(String(repeating: "1 mul ", count: 100)) }", true),
      ("/Matrix[0 420 -300 0 300 0]", "{ pop }", true),
      ("/Matrix[-300 0 0 420 300 0]", "{ pop }", true),
      ("/Matrix[1000000000 0 0 1000000000 0 0]", "{ pop }", true),
      ("/Matrix[1 0 0 1]", "{ pop }", true),
      ("/Matrix[3000 0 0 3000 0 0]", "{ pop }", true), ("/Domain[0 2 0 1]", "{ pop }", true),
      ("/Domain[0 .5 0 1]", "{ pop }", false), ("/Domain[1 0 0 1]", "{ pop }", true),
      ("/Domain[.9999999999 1 0 1]/Matrix[100000000000 0 0 1 0 0]", "{ pop }", true),
      ("/ColorSpace/DeviceRGB", "{ pop }", true), ("/ColorSpace[/Separation/A]", "{ pop }", true),
    ]
  )
  func `a smooth shading by a function is none`(
    _ entries: String,
    _ function: String,
    _ isFault: Bool
  ) throws {
    let space = entries.contains("ColorSpace") ? "" : "/ColorSpace/DeviceGray"
    let shading = "/ShadingType 1/Function 3 0 R\(space)\(entries)"
    let found = try faults(
      ["/Shading<</S<<\(shading)>>>>"],
      [("/FunctionType 4/Domain[0 1 0 1]/Range[0 1]", function)]
    )
    #expect(found == [isFault])
  }

  /// The corner of the function in which its colors reach their limits is not seen, but belongs to its domain.
  @Test(arguments: ["", "/Filter/ASCII85Decode", "/Filter/FlateDecode"])
  func `shadings in colors are judged, those that cannot be read count`(_ filter: String) throws {
    let shading = "<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 100 0 100]/Function 3 0 R>>"
    let function = "/FunctionType 4/Domain[0 100 0 100]/Range[0 1 0 1 0 1]\(filter)"
    let colors =
      "{ 25 sub 50 div exch 25 sub 50 div 2 copy mul .2 mul .9 add 3 1 roll .5 mul exch .5 mul }"
    #expect(
      try faults(["/Shading<</S \(shading)>>"], [(function, colors)]) == [!filter.isEmpty]
    )
  }

  @Test(
    arguments: [
      ("10 0 d0 1 0 0 rg 0 0 5 5 re f", true), ("10 0 d0 /I Do", true),
      ("10 0 d0 0 0 5 5 re f", true), ("10 0 0 0 9 9 d1 0 0 5 5 re f", false),
      ("10 0 0 0 9 9 d1 1 0 0 rg 0 0 5 5 re f", true),
      ("10 0 d0 BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI", true),
      ("10 0 d0 BI /W 8 /H 1 /IM true ID a EI", false),
      ("10 0 0 0 9 9 d1 BT /F 1 Tf (a) Tj ET", true),
    ]
  )
  func `glyphs that bring their colors are one`(_ glyph: String, _ isFault: Bool) throws {
    let font = "/Font<</F<</Type/Font/Subtype/Type3/CharProcs<</a 3 0 R>>>>>>"
    #expect(try faults([font, ""], [("", glyph)]) == [isFault, false])
  }

  @Test(
    arguments: [
      ("/S/Transparency", "/Multiply", true), ("/S/Transparency/I false", "/Multiply", true),
      ("/S/Transparency/I true", "/Multiply", false),
      ("/S/Transparency/K true", "/Multiply", true),
      ("/S/Transparency", "/Normal", false),
      ("/S/Transparency", "[/Compatible/Multiply]", false),
      ("/S/Transparency", "[/Screen/Normal]", true),
    ]
  )
  func `what blends in a group that is not isolated is one`(
    _ group: String,
    _ mode: String,
    _ isFault: Bool
  ) throws {
    let form = "/Subtype/Form/BBox[0 0 9 9]/Resources<</ExtGState<</G<</BM\(mode)>>>>>>"
    let found = try faults(
      ["/XObject<</F 3 0 R>>", "/XObject<</F 4 0 R>>", "/XObject<</F 5 0 R>>"],
      [
        ("\(form)/Group<<\(group)>>", ""), (form, ""),
        // In a form of the group.
        ("/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>/Group<<\(group)>>", ""),
      ]
    )
    #expect(found == [isFault, false, isFault])
  }

  @Test func `an image whose colors were mixed with a matte is one`() throws {
    let image = "/Subtype/Image/Width 1/Height 1"
    let found = try faults(
      ["/XObject<</I 3 0 R>>", "/XObject<</I 5 0 R>>"],
      [
        ("\(image)/SMask 4 0 R", "a"), ("\(image)/Matte[1]", "a"), ("\(image)/SMask 6 0 R", "a"),
        (image, "a"),
      ]
    )
    #expect(found == [true, false])
  }

  @Test(
    arguments: [
      ("/ca 0.5", "/Mask 4 0 R", "", true), ("/ca .99", "/Mask 4 0 R", "", true),
      ("/ca 0", "/Mask 4 0 R", "", true), ("/ca 1", "/Mask 4 0 R", "", false),
      ("/ca 1.0", "/Mask 4 0 R", "", false), ("/CA 0.5", "/Mask 4 0 R", "", false),
      ("/ca 0.5", "/Mask [0 9]", "", false), ("/ca 0.5", "/SMask 4 0 R", "", false),
      ("/ca 0.5", "/Mask 4 0 R", "/Group<</S/Transparency/I true>>", false),
    ]
  )
  func `a translucent image with a mask of one bit is one`(
    _ state: String,
    _ mask: String,
    _ group: String,
    _ isFault: Bool
  ) throws {
    let states = "/ExtGState<</G<<\(state)>>>>"
    let found = try faults(
      [
        "\(states)/XObject<</F 5 0 R>>", "/XObject<</I 3 0 R>>",
        group.isEmpty ? "\(states)/XObject<</I 3 0 R>>" : "",
      ],
      [
        ("/Subtype/Image/Width 1/Height 1\(mask)", "a"),
        ("/Subtype/Image/Width 1/Height 1/ImageMask true", "a"),
        ("/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</I 3 0 R>>>>\(group)", ""),
      ]
    )
    #expect(found == [isFault, false, isFault])
  }

  @Test(
    arguments: [
      ("/M gs 0 0 9 9 re f", false), ("/M gs 1 0 0 RG 0 0 m 9 9 l S", true),
      ("/M gs 0 0 9 9 re b*", true), ("q /M gs 0 0 9 9 re f Q 0 0 m 9 9 l S", false),
      ("/M gs q Q 0 0 m 9 9 l S", true), ("/M gs /N gs 0 0 m 9 9 l S", false),
      ("/M gs /A gs 0 0 m 9 9 l S", true), ("0 0 m 9 9 l S /M gs", false),
      ("/M gs BT /F 9 Tf (a) Tj ET", true), ("/M gs BT /F 9 Tf 3 Tr (a) Tj ET", false),
      ("/M gs BT /F 9 Tf [(a) 5 (b)] TJ ET", true), ("/M gs BT /F 9 Tf 1 2 (a) \" ET", true),
      ("/M gs /I Do", false), ("/M gs /K Do", true), ("/K Do /M gs", false),
      ("/M gs /X Do", true), ("/M gs /G Do", false), ("/X Do", false), ("/M gs /L Do", false),
      ("/M gs /Pattern cs /T scn 0 0 9 9 re f", true),
      ("/M gs /Pattern cs /H scn 0 0 9 9 re f", false),
      ("/M gs /Pattern cs /T scn 0 g 0 0 9 9 re f", false),
      ("/M gs BI /W 8 /H 1 /IM true ID a EI", true),
      ("/M gs BI /W 1 /H 1 /BPC 8 /CS /G ID a EI 0 0 9 9 re f", false),
      ("/M gs BI /W 1 /H 1 /BPC 8 /CS /G ID a EI 0 0 m 9 9 l S", true),
      ("/M gs BI /W 3 /H 1 /BPC 8 /CS /G ID  S  EI Q", false),
      (String(repeating: "q ", count: 600) + "/M gs 0 0 m 9 9 l S", false), ("/M gs (", false),
    ]
  )
  func `what cairo does not mask is one`(_ content: String, _ isFault: Bool) throws {
    let resources = """
      /ExtGState<</M<</SMask<</S/Luminosity/G 5 0 R>>>>/N<</SMask/None>>/A<</ca 0.5>>>>\
      /XObject<</I 6 0 R/K 7 0 R/X 8 0 R/G 9 0 R/L 10 0 R>>/Pattern<</T 11 0 R/H 12 0 R>>
      """
    let text = "BT /F 9 Tf (a) Tj ET"
    let objects: [(String, String?)] = [
      ("", content), ("/Subtype/Form/Resources<<\(resources)>>", content),
      ("/Subtype/Form/Group<</S/Transparency>>", ""), ("/Subtype/Image/Width 1/Height 1", "a"),
      ("/Subtype/Image/Width 1/Height 1/ImageMask true", "a"), ("/Subtype/Form", text),
      ("/Subtype/Form/Group<</S/Transparency>>", text), ("/Subtype/Form", "0 0 9 9 re f /L Do"),
      ("/PatternType 1", "0 0 1 1 re f"), ("<</PatternType 2/Shading<</ShadingType 2>>>>", nil),
    ]
    // As a form, as a page's content, and as one of its parts.
    for (page, contents) in [
      ("/XObject<</F 4 0 R>>", nil), (resources, "3 0 R"), (resources, "[3 0 R]"),
    ] {
      #expect(try faults([page, ""], objects, contents: contents) == [isFault, false])
    }
  }

  /// As in documents of TeX, whose pages all have the same lists.
  @Test(
    arguments: [
      ("/Shading<</S<</ShadingType 1>>>>", "/S sh"),
      ("/Pattern<</P<</PatternType 2/Shading<</ShadingType 1>>>>>>", "/P SCN"),
      ("/XObject<</F 3 0 R>>", "q /F Do Q"), ("/Font<</F 4 0 R>>", "BT /F 1 Tf ET"),
      ("/XObject<</A 5 0 R/B 5 0 R/C 5 0 R>>", adjoining),
      ("/ExtGState<</G<</ca .5>>>>/XObject<</I 6 0 R>>", "/G gs /I Do"),
      ("/ExtGState<</G<</SMask<</G 3 0 R>>>>>>", "/G gs"),
    ]
  )
  func `what is not used is none`(_ resources: String, _ content: String) throws {
    let objects: [(String, String?)] = [
      ("/Subtype/Form/BBox[0 0 9 9]/Resources<</Shading<</S<</ShadingType 1>>>>>>", "/S sh"),
      ("<</Subtype/Type3/CharProcs<</a 7 0 R>>>>", nil),
      ("/Subtype/Image/Width 64/Height 16", "a"),
      ("/Subtype/Image/Width 1/Height 1/Mask 8 0 R", "a"), ("", "1 0 d0 1 0 0 rg 0 0 1 1 re f"),
      ("/Subtype/Image/Width 1/Height 1/ImageMask true", "a"), ("", content),
      ("", "0 0 9 9 re f % \(content)"), ("", "(\(content)) Tj"),
    ]
    for (contents, isFault) in [
      ("9 0 R", true), ("[10 0 R 9 0 R]", true), ("10 0 R", false), ("11 0 R", false),
      ("[]", false),
    ] {
      #expect(try faults([resources], objects, contents: contents) == [isFault], "\(contents)")
    }
  }

  @Test func `resources that lead to themselves have an end`() throws {
    let form = "/Subtype/Form/BBox[0 0 9 9]/Group<</S/Transparency>>"
    let found = try faults(
      ["/XObject<</F 3 0 R>>"],
      [
        ("\(form)/Resources<</XObject<</F 4 0 R>>>>", ""),
        ("\(form)/Resources<</XObject<</F 3 0 R>>/ExtGState<</G<</BM/Multiply>>>>>>", ""),
      ]
    )
    #expect(found == [true])
  }

  @Test(
    arguments: [
      ("/XObject<</I 3 0 R>>", "/Subtype/Image/Width 40000/Height 1/Filter/DCTDecode", true),
      ("/XObject<</I 3 0 R>>", "/Subtype/Image/Width 40000/Height 1", false),
      ("/XObject<</I 3 0 R>>", "/Subtype/Image/Width 32767/Height 32767", false),
      ("/XObject<</F 3 0 R>>", "/Subtype/Form/BBox[0 0 1610612736 1]", true),
      ("/XObject<</F 3 0 R>>", "/Subtype/Form/BBox[0 0 16000 1]", false),
      ("/Pattern<</P 3 0 R>>", "/PatternType 1/BBox[0 0 100 100]/XStep 20/YStep 100", true),
      ("/Pattern<</P 3 0 R>>", "/PatternType 1/BBox[0 0 100 100]/XStep -100/YStep 99", false),
      ("/Shading<</S 3 0 R>>", "/ShadingType 3/Coords[0 0 3 9 9 2]", true),
      ("/Shading<</S 3 0 R>>", "/ShadingType 3/Coords[0 0 0 0 0 1]", false),
      ("/Shading<</S 3 0 R>>", "/ShadingType 3/Coords[0 0 1 3 0 9]", false),
      ("/XObject<</A 3 0 R/B 3 0 R/C 3 0 R>>", "/Subtype/Image/Width 64/Height 16", true),
      ("/XObject<</A 3 0 R/B 3 0 R>>", "/Subtype/Image/Width 64/Height 16", false),
      ("/XObject<</A 3 0 R/B 3 0 R/C 3 0 R>>", "/Subtype/Image/Width 64/Height 48", false),
      (
        "/XObject<</A 3 0 R/B 3 0 R/C 3 0 R>>",
        "/Subtype/Image/Width 64/Height 16/ImageMask true", false
      ),
    ]
  )
  func `what cairo is not made for is one`(
    _ resources: String,
    _ object: String,
    _ isFault: Bool
  ) throws {
    #expect(try faults([resources, ""], [(object, "")]) == [isFault, false])
  }

  @Test(
    arguments: [
      (["60 0 0 15 0 0", "60 0 0 15 0 15", "60 0 0 15 0 30"], true),
      (["60 0 0 15 0 30.4", "60 0 0 15 0 15", "60 0 0 15 0 -.4"], true),
      (["60 0 0 -15 0 45", "60 0 0 -15 0 30", "60 0 0 -15 0 15"], true),
      (["0 60 -15 0 15 0", "0 60 -15 0 30 0", "0 60 -15 0 45 0"], true),
      (["60 0 0 15 0 0", "60 0 0 15 0 30", "60 0 0 15 0 15"], true),
      (["60 0 0 15 0 0", "60 0 0 15 0 20", "60 0 0 15 0 40"], false),
      (["60 0 0 15 0 0", "60 0 0 15 0 15", "60 0 0 15 0 40"], false),
      (["60 0 0 15 0 0", "60 0 0 15 60 0", "60 0 0 15 120 0"], false),
      (["60 0 0 15 0 0", "60 0 0 15 0 0", "60 0 0 15 0 0"], false),
      (["60 0 0 15 0 0", "50 0 0 15 0 15", "40 0 0 15 0 30"], false),
      (["9 0 0 60 0 0 15 0 0", "60 0 0 15 0 15", "60 0 0 15 0 30"], true),
      (["60 0 0 0 0 0", "60 0 0 0 0 0", "60 0 0 0 0 0"], false),
    ]
  )
  func `strips are one if they adjoin`(_ matrices: [String], _ isFault: Bool) throws {
    let content = zip(matrices, ["A", "B", "C"]).map { "q \($0) cm /\($1) Do Q" }
      .joined(separator: " ")
    let objects: [(String, String?)] = [
      ("/Subtype/Image/Width 64/Height 16", "a"), ("/Subtype/Form/BBox[0 0 99 99]", content),
    ]
    let images = "/XObject<</A 3 0 R/B 3 0 R/C 3 0 R>>"
    #expect(try faults([images], objects, contents: "4 0 R") == [isFault])
    let form = "/Subtype/Form/BBox[0 0 99 99]/Resources<<\(images)>>"
    #expect(try faults(["/XObject<</F 4 0 R>>"], [objects[0], (form, content)]) == [isFault])
    // The second one is not as wide.
    let others = "/XObject<</A 3 0 R/B 5 0 R/C 3 0 R/D 3 0 R>>"
    let narrow = ("/Subtype/Image/Width 63/Height 16", "a" as String?)
    #expect(try faults([others], objects + [narrow], contents: "4 0 R") == [false])
  }

  @Test func `appearances of annotations count, for each state`() throws {
    for normal in ["4 0 R", "<</On 4 0 R/Off 5 0 R>>"] {
      var pdf = PDFFile()
      pdf.add("<</Type/Catalog/Pages 2 0 R>>")
      pdf.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
      pdf.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[6 0 R]>>")
      let form = "/Subtype/Form/BBox[0 0 9 9]/Group<</S/Transparency>>/Length 5"
      let content = Data("/G gs".utf8)
      pdf.add("<<\(form)/Resources<</ExtGState<</G<</BM/Multiply>>>>>>>>", stream: content)
      pdf.add("<<\(form)>>", stream: content)
      pdf.add("<</Type/Annot/Subtype/Highlight/Rect[0 0 9 9]/AP<</N \(normal)>>>>")
      let reader = try PageTreeReader(Array(pdf.finished()))
      #expect(reader.hasCairoFaults([0]) == [true], "\(normal)")
    }
  }

  @Test func `of the fixtures the function shading is one`() throws {
    for (name, expected) in [
      ("endless-shading", [false, true, false]), ("book", .init(repeating: false, count: 12)),
    ] {
      let bytes = try Data(contentsOf: TestPaths.fixture(name))
      let reader = try PageTreeReader(Array(bytes))
      let found = reader.hasCairoFaults(Array(Range(pageCount: expected.count)))
      #expect(found == expected, "\(name)")
    }
  }
}
