import DocumentModel
import RectoGeometry
import TestSupport
import Testing

@testable import PDFStructure

/// Outlines read from the page tree.
@Suite struct OutlineTests {
  private func document(_ items: [Int: String], first: Int = 20) -> PDFBuilder {
    var builder = PDFBuilder.flat(3)
    builder[1] = "<< /Type /Catalog /Pages 2 0 R /Outlines 19 0 R >>"
    builder[19] = "<< /First \(first) 0 R >>"
    for (number, text) in items { builder[number] = "<< \(text) >>" }
    return builder
  }

  private func outline(_ builder: PDFBuilder) throws -> DocumentOutline {
    try PageTreeReader(builder.table()).outline()
  }

  /// Titles with levels.
  private func titles(_ items: [OutlineItem], level: Int = 0) -> [String] {
    items.flatMap { ["\(level) \($0.title)"] + titles($0.children, level: level + 1) }
  }

  @Test("Items have their titles, targets, states and children")
  func items() throws {
    let outline = try outline(
      document([
        20: "/Title (One) /Dest [4 0 R /Fit] /First 21 0 R /Count 1 /Next 22 0 R",
        21: "/Title <FEFF00DC0020D83DDE00> /A << /S /URI /URI (u:) >>",
        22: "/Title (Two \\(closed\\)) /First 23 0 R /Count -1",
        23: "/Title 7 /Dest (gone)",
      ])
    )
    #expect(outline.incomplete == nil)
    #expect(titles(outline.items) == ["0 One", "1 Ü 😀", "0 Two (closed)", "1 "])
    #expect(outline.items.map(\.isOpen) == [true, false])
    #expect(outline.items[0].target == .destination(LinkDestination(page: 1, fit: .page)))
    #expect(outline.items[0].children[0].target == .uri("u:"))
    #expect(outline.items[1].target == nil)
    #expect(outline.items[1].children[0].target == .missing(name: "gone"))
  }

  @Test("A document without an outline has one without items")
  func none() throws {
    #expect(try PageTreeReader(PDFBuilder.flat(1).table()).outline() == DocumentOutline())
    for value in ["7", "<< >>", "<< /First 7 >>", "null", "<< /First 2 0 R >>"] {
      var builder = PDFBuilder.flat(1)
      builder[1] = "<< /Pages 2 0 R /Outlines \(value) >>"
      #expect(try PageTreeReader(builder.table()).outline().items.count <= 1, "\(value)")
    }
  }

  @Test("An outline that contains itself ends")
  func cycles() throws {
    let next = try outline(
      document([20: "/Title (a) /Next 21 0 R", 21: "/Title (b) /Next 20 0 R"])
    )
    #expect(titles(next.items) == ["0 a", "0 b"])
    let child = try outline(document([20: "/Title (a) /First 20 0 R /Next 20 0 R"]))
    #expect(titles(child.items) == ["0 a"])
    let deep = try outline(
      document([20: "/Title (a) /First 21 0 R", 21: "/Title (b) /First 20 0 R /Next 21 0 R"])
    )
    #expect(titles(deep.items) == ["0 a", "1 b"])
  }

  @Test("Levels below the limit are left out, and that is told")
  func deep() throws {
    var items: [Int: String] = [:]
    for level in 0..<200 { items[20 + level] = "/Title (\(level)) /First \(21 + level) 0 R" }
    let outline = try outline(document(items))
    #expect(titles(outline.items).count == 64)
    #expect(outline.incomplete == DocumentOutline.tooDeep)
  }

  @Test("Items behind the limit are left out, and that is told")
  func wide() throws {
    var items: [Int: String] = [:]
    for index in 0..<300 { items[20 + index] = "/Title (\(index)) /Next \(21 + index) 0 R" }
    var limits = ReaderLimits()
    limits.outlineItems = 100
    let bytes = MemoryBytes(document(items).table())
    let outline = try PageTreeReader(bytes: bytes, limits: limits).outline()
    #expect(outline.items.count == 100)
    #expect(outline.incomplete == DocumentOutline.tooLong)
    limits = ReaderLimits()
    limits.outlineBytes = 100
    #expect(try PageTreeReader(bytes: bytes, limits: limits).outline().items.count < 100)
  }

  @Test("A title of megabytes is cut off")
  func longTitles() throws {
    let long = String(repeating: "x", count: 4 << 20)
    let outline = try outline(document([20: "/Title (\(long)) /Next 21 0 R", 21: "/Title (b)"]))
    #expect(outline.items.map(\.title.utf8.count) == [ReaderLimits.standard.textBytes, 1])
  }
}
