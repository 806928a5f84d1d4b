import DocumentModel
import DocumentText
import RectoGeometry
import Testing

@Suite struct TextStructureTests {
  private func strings(_ elements: [TextElement], _ structure: TextStructure) -> [String] {
    elements.map { structure.string(of: $0.scalars) }
  }

  @Test func `lines end at line feeds and words at white space`() {
    let structure = TextStructure(
      PageText("One  two\u{A0}three\n\nfour \n\n", boxes: [])
    )
    #expect(strings(structure.lines.map(\.element), structure) == ["One  two\u{A0}three", "four "])
    #expect(strings(structure.words, structure) == ["One", "two", "three", "four"])
    #expect(structure.lines.map(\.words) == [0..<3, 3..<4])
  }

  @Test func `a text without characters has no parts`() {
    for text in ["", "\n", "\n\n\n"] {
      let structure = TextStructure(PageText(text, boxes: []))
      #expect(structure.lines.isEmpty && structure.words.isEmpty && structure.blocks.isEmpty)
      #expect(structure.characters().isEmpty)
      #expect(structure.selection(from: .zero, to: .init(x: 9, y: 9)).scalars.isEmpty)
      #expect(structure.line(nearest: .zero) == nil)
    }
  }

  @Test func `characters are what readers see as one`() {
    let text = SamplePage.text([
      .init(string: "e\u{301}x👩‍🚀", x: 0, y: 0), .init(string: "🇩🇪", x: 0, y: 12),
    ])
    let structure = TextStructure(text)
    #expect(strings(structure.characters(), structure) == ["e\u{301}", "x", "👩‍🚀", "🇩🇪"])
    #expect(structure.characters()[0].box == TextBox(minX: 0, minY: 0, maxX: 6, maxY: 12))
  }

  @Test(arguments: TextDirection.allCases)
  func `the direction of a line is that of its boxes`(direction: TextDirection) {
    let line = SamplePage.Line(string: "some words", x: 300, y: 300, direction: direction)
    #expect(TextStructure(SamplePage.text([line])).lines.map(\.direction) == [direction])
  }

  @Test(arguments: TextDirection.allCases)
  func `lines of a paragraph are a block`(direction: TextDirection) {
    let lines = (0..<4).map { index in
      let step = Float(index) * 14
      return switch direction {
      case .right, .left:
        SamplePage.Line(string: "some words", x: 300, y: 300 + step, direction: direction)
      case .down:
        SamplePage.Line(string: "some words", x: 300 - step, y: 300, direction: direction)
      case .up:
        SamplePage.Line(string: "some words", x: 300 + step, y: 300, direction: direction)
      }
    }
    #expect(TextStructure(SamplePage.text(lines)).blocks.map(\.lines) == [0..<4])
  }

  @Test func `columns and paragraphs with a gap are blocks of their own`() {
    let lines: [SamplePage.Line] = [
      .init(string: "left column", x: 0, y: 0), .init(string: "left column", x: 0, y: 13),
      .init(string: "behind a gap", x: 0, y: 40), .init(string: "right column", x: 100, y: 0),
      .init(string: "right column", x: 100, y: 13), .init(string: "beside it", x: 200, y: 13),
    ]
    let structure = TextStructure(SamplePage.text(lines))
    #expect(structure.blocks.map(\.lines) == [0..<2, 2..<3, 3..<5, 5..<6])
    #expect(structure.blocks[0].element.box == TextBox(minX: 0, minY: 0, maxX: 66, maxY: 25))
    #expect(structure.string(of: structure.blocks[0].element.scalars) == "left column\nleft column")
  }

  @Test func `words that a hyphen divides are joined where asked for`() {
    let text = PageText(
      "exam-\nple Jean-\nPaul 10-\n20 soft\u{AD}\nly -\nx e\u{301}\u{2010}\na",
      boxes: []
    )
    let structure = TextStructure(text)
    let all = 0..<structure.boxes.count
    #expect(structure.string(of: all) == text.string)
    #expect(
      structure.string(of: all, joiningHyphenatedLines: true)
        == "example Jean-\nPaul 10-\n20 softly -\nx e\u{301}a"
    )
  }
}
