import DocumentModel
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// Links and what they lead to, read from the page tree.
@Suite struct LinkTests {
  private func link(_ entries: String, rect: String = "[10 20 30 40]") -> String {
    "<< /Subtype /Link /Rect \(rect) \(entries) >>"
  }

  /// A document whose first page has annotations.
  private func document(
    _ count: Int = 3,
    catalog: String = "",
    annots: [String],
    page: String = "/MediaBox [0 0 100 200]"
  ) -> PDFBuilder {
    var builder = PDFBuilder.flat(count, root: page) {
      $0 == 0 ? "/Annots [\(annots.joined(separator: " "))]" : ""
    }
    builder[1] = "<< /Type /Catalog /Pages 2 0 R \(catalog) >>"
    return builder
  }

  private func targets(_ builder: PDFBuilder) throws -> [LinkTarget] {
    try #require(try PageTreeReader(builder.table()).links(of: 0)).map(\.target)
  }

  @Test(
    "An area is where the annotation is drawn, whatever the rotation, the crop box and the user unit",
    arguments: [0, 90, 180, 270]
  )
  func areas(rotation: Int) throws {
    let boxes = "/MediaBox [0 0 500 500] /CropBox [10 20 110 220] /Rotate \(rotation) /UserUnit 2"
    let builder = document(annots: [link("/Dest [0 /Fit]", rect: "[40 60 20 30]")], page: boxes)
    let links = try #require(try PageTreeReader(builder.table()).links(of: 0))
    // From the crop box's top left before the rotation: 10...30 across, 160...190 down of 100 x 200.
    let expected: [Int: Rect] = [
      0: Rect(x: 10, y: 160, width: 20, height: 30),
      90: Rect(x: 10, y: 10, width: 30, height: 20),
      180: Rect(x: 70, y: 10, width: 20, height: 30),
      270: Rect(x: 160, y: 70, width: 30, height: 20),
    ]
    #expect(links.map(\.areas) == [[try #require(expected[rotation])]])
  }

  @Test("Quadrilaterals inside the link are its areas, and are ignored if one reaches out")
  func quads() throws {
    let inside = "/QuadPoints [10 40 30 40 10 30 30 30 10 30 20 30 10 20 20 20]"
    let outside = "/QuadPoints [10 40 30 40 10 30 30 30 10 30 20 30 10 20 90 20]"
    for (entry, count) in [(inside, 2), (outside, 1), ("/QuadPoints [1 2 3]", 1)] {
      let builder = document(annots: [link("\(entry) /Dest [0 /Fit]")])
      let links = try #require(try PageTreeReader(builder.table()).links(of: 0))
      #expect(links.map(\.areas.count) == [count], "\(entry)")
    }
  }

  @Test("Actions are told, and a destination comes before an action")
  func actions() throws {
    let cases: [(String, LinkTarget?)] = [
      ("/A << /S /URI /URI (https://a.example/) >>", .uri("https://a.example/")),
      ("/A << /S /URI /URI (r\\303\\251sum\\303\\251) >>", .uri("http://b.example/résumé")),
      ("/A << /S /URI /URI (www.a.example) >>", .uri("http://www.a.example")),
      ("/A << /S /URI /URI 7 >>", .other("URI")),
      ("/A << /S /GoToR /F (o.pdf) /D [2 /Fit] >>", .file("o.pdf", page: 3, name: nil)),
      (
        "/A << /S /GoToR /F << /UF (u.pdf) /F (o.pdf) >> /D (n) >>",
        .file("u.pdf", page: nil, name: "n")
      ),
      ("/A << /S /GoToE /D [0 /Fit] >>", .other("GoToE")),
      ("/A << /S /Launch /F (run.me) >>", .launch("run.me")),
      ("/A << /S /Launch /Win << /F (run.me) >> >>", .launch("run.me")),
      ("/A << /S /Named /N /NextPage >>", .named("NextPage")),
      ("/A << /S /JavaScript /JS (x) >>", .other("JavaScript")),
      ("/A << /S /GoTo >>", .missing(name: nil)),
      (
        "/Dest [1 /Fit] /A << /S /Named /N /NextPage >>",
        .destination(LinkDestination(page: 1, fit: .page))
      ),
      ("/Dest [9 /Fit]", .missing(name: nil)),
      ("/Dest [-1 /Fit]", .missing(name: nil)),
      ("/Dest 7", .missing(name: nil)),
      ("/A 7", nil),
      ("", nil),
    ]
    for (entries, expected) in cases {
      let builder = document(
        catalog: "/URI << /Base (http://b.example) >>",
        annots: [link(entries)]
      )
      #expect(try targets(builder) == (expected.map { [$0] } ?? []), "\(entries)")
    }
  }

  @Test("What is no link, has no area or is no dictionary is left out")
  func others() throws {
    let annots = [
      "<< /Subtype /Text /Rect [0 0 9 9] /Dest [0 /Fit] >>", "7", "null", "[]",
      link("/Dest [0 /Fit]", rect: "[1 2 3]"), link("/Dest [0 /Fit]", rect: "(x)"),
      link("/Dest [0 /Fit]", rect: "[0 0 99999999999 1]"), link("/Dest [1 /Fit]"),
    ]
    #expect(
      try targets(document(annots: annots))
        == [.destination(LinkDestination(page: 1, fit: .page))]
    )
  }

  @Test("A fit that cannot be still leads to its page")
  func fits() throws {
    let cases: [(String, LinkDestination.Fit)] = [
      ("/XYZ 10 150 2", .point(x: 10, y: 50, zoom: 2)),
      ("/XYZ null 150 0", .point(x: nil, y: 50, zoom: nil)),
      ("/XYZ", .point(x: nil, y: nil, zoom: nil)),
      ("/XYZ (a) 150 -1", .point(x: nil, y: 50, zoom: nil)),
      ("/Fit", .page), ("/FitH 150", .width(y: 50)), ("/FitH", .width(y: nil)),
      ("/FitV 10", .height(x: 10)), ("/FitB", .content), ("/FitBH 150", .contentWidth(y: 50)),
      ("/FitBV 10", .contentHeight(x: 10)),
      ("/FitR 30 20 10 40", .area(Rect(x: 10, y: 160, width: 20, height: 20))),
      ("/FitR 30 20 10", .page), ("/FitR 30 20 10 99999999999", .page),
      ("/Unknown 1", .point(x: nil, y: nil, zoom: nil)), ("", .point(x: nil, y: nil, zoom: nil)),
    ]
    for (entries, fit) in cases {
      let builder = document(annots: [link("/Dest [4 0 R \(entries)]")])
      let expected = LinkTarget.destination(LinkDestination(page: 1, fit: fit))
      #expect(try targets(builder) == [expected], "\(entries)")
    }
  }

  @Test("A name is found in the dictionary and in the tree, as a name and as a string")
  func names() throws {
    let long = String(repeating: "n", count: 40)
    var builder = document(
      catalog:
        "/Dests << /old [4 0 R /Fit] /\(long) << /D [5 0 R /Fit] >> >> /Names << /Dests 9 0 R >>",
      annots: [
        link("/Dest /old"), link("/Dest (old)"), link("/Dest /new"), link("/Dest (new)"),
        link("/Dest /\(long)"), link("/Dest /n#65w"), link("/Dest <FEFF00E9>"),
        link("/Dest (gone)"),
        link("/Dest (odd)"),
      ]
    )
    builder[9] = "<< /Names [(new) 10 0 R (odd) 7 <FEFF00E9> [3 0 R /Fit]] >>"
    builder[10] = "<< /D [5 0 R /Fit] >>"
    func place(_ page: PageIndex, _ name: String) -> LinkTarget {
      .destination(LinkDestination(page: page, fit: .page, name: name))
    }
    #expect(
      try targets(builder) == [
        place(1, "old"), place(1, "old"), place(2, "new"), place(2, "new"), place(2, long),
        place(2, "new"), place(0, "é"), .missing(name: "gone"), .missing(name: "odd"),
      ]
    )
    let reader = try PageTreeReader(builder.table())
    #expect(try reader.destination(named: "é")?.page == 0)
    #expect(try reader.destination(named: long)?.page == 2)
    #expect(try reader.destination(named: "gone") == nil)
    #expect(try reader.destination(named: "") == nil)
  }

  /// A name tree of names n000… to pages, with `limits` in its nodes.
  private func tree(_ count: Int, fanOut: Int, limits: (Int, Int) -> String) -> PDFBuilder {
    var builder = document(3, catalog: "/Names << /Dests 9 0 R >>", annots: [])
    func name(_ index: Int) -> String { "n\(1000 + index)" }
    var next = 10
    func node(_ range: Range<Int>) -> Int {
      let number = next
      next += 1
      if range.count <= fanOut {
        let names = range.map { "(\(name($0))) [\(3 + $0 % 3) 0 R /Fit]" }
        builder[number] =
          "<< \(limits(range.lowerBound, range.upperBound - 1)) /Names [\(names.joined(separator: " "))] >>"
        return number
      }
      let step = (range.count + fanOut - 1) / fanOut
      let kids = stride(from: range.lowerBound, to: range.upperBound, by: step).map {
        node($0..<min($0 + step, range.upperBound))
      }
      let list = kids.map { "\($0) 0 R" }.joined(separator: " ")
      builder[number] = "<< \(limits(range.lowerBound, range.upperBound - 1)) /Kids [\(list)] >>"
      return number
    }
    let root = node(0..<count)
    builder[9] = builder[root]
    return builder
  }

  @Test("Each name of a deep tree is found, with and without proper limits")
  func deepTrees() throws {
    let proper: (Int, Int) -> String = { "/Limits [(n\(1000 + $0)) (n\(1000 + $1))]" }
    let reversed: (Int, Int) -> String = { "/Limits [(n\(1000 + $1)) (n\(1000 + $0))]" }
    for limits in [proper, reversed, { _, _ in "" }] {
      let reader = try PageTreeReader(tree(300, fanOut: 3, limits: limits).table())
      for index in 0..<300 {
        let found = try reader.destination(named: "n\(1000 + index)")
        #expect(found?.page == PageIndex(index % 3), "\(index)")
      }
      #expect(try reader.destination(named: "n0999") == nil)
      #expect(try reader.destination(named: "n1300") == nil)
    }
  }

  @Test("A name in a tree of proper limits is found without reading the others")
  func treeAtRandom() throws {
    let builder = tree(3000, fanOut: 4) { "/Limits [(n\(1000 + $0)) (n\(1000 + $1))]" }
    let reader = try PageTreeReader(builder.table())
    #expect(try reader.destination(named: "n2500")?.page == PageIndex(1500 % 3))
    let spent = reader.store.meter.spent
    #expect(spent < builder.table().count / 2)
  }

  @Test("A name tree that contains itself ends")
  func cyclicNames() throws {
    var builder = document(catalog: "/Names << /Dests 9 0 R >>", annots: [link("/Dest (x)")])
    builder[9] = "<< /Kids [10 0 R 9 0 R 11 0 R] >>"
    builder[10] = "<< /Limits [(a) (z)] /Kids [9 0 R 10 0 R] >>"
    builder[11] = "<< /Limits [(x) (x)] /Names [(x) [4 0 R /Fit]] >>"
    let place = LinkDestination(page: 1, fit: .page, name: "x")
    #expect(try targets(builder) == [.destination(place)])
    builder[11] = "7"
    #expect(try targets(builder) == [.missing(name: "x")])
  }

  @Test("Of a target that is too long only its kind is told")
  func longTargets() throws {
    let long = String(repeating: "x", count: 20_000)
    let builder = document(annots: [
      link("/A << /S /URI /URI (\(long)) >>"), link("/A << /S /Launch /F (\(long)) >>"),
      link("/Dest (\(long))"),
    ])
    #expect(try targets(builder) == [.other("URI"), .other("Launch"), .missing(name: nil)])
  }

  @Test("Links that would take too much memory are left to the engine")
  func manyLongTargets() throws {
    let long = String(repeating: "x", count: 16_000)
    let annots = Array(repeating: link("/A << /S /URI /URI (\(long)) >>"), count: 300)
    let reader = try PageTreeReader(document(annots: annots).table())
    #expect(throws: StructureError.self) { try reader.links(of: 0) }
    #expect(try reader.page(at: 1) != nil)
  }

  @Test("Links of a page that is counted but missing are nil")
  func missingPage() throws {
    var builder = document(annots: [])
    builder[2] = "<< /Type /Pages /Count 5 /Kids [3 0 R 4 0 R 5 0 R] >>"
    #expect(try PageTreeReader(builder.table()).links(of: 4) == nil)
  }
}
