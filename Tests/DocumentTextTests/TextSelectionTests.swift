import DocumentModel
import DocumentText
import RectoGeometry
import TestSupport
import Testing

@Suite struct TextSelectionTests {
  /// Two paragraphs, one of each direction.
  private static func page(_ direction: TextDirection) -> TextStructure {
    let strings = ["the first line", "second one", "and a third"]
    let lines = strings.enumerated().map { index, string in
      let step = Float(index) * 14
      return switch direction {
      case .right, .left:
        SamplePage.Line(string: string, x: 300, y: 300 + step, direction: direction)
      case .down: SamplePage.Line(string: string, x: 300 - step, y: 300, direction: direction)
      case .up: SamplePage.Line(string: string, x: 300 + step, y: 300, direction: direction)
      }
    }
    return TextStructure(SamplePage.text(lines))
  }

  /// A point in a character, at a part of its extent in the direction of reading.
  private func point(_ structure: TextStructure, _ scalar: Int, _ part: Double) -> Point {
    let box = structure.boxes[scalar].rect
    let line = structure.lines.first { $0.element.scalars.contains(scalar) }
    return switch line?.direction ?? .right {
    case .right: Point(x: box.minX + part * box.width, y: box.center.y)
    case .left: Point(x: box.maxX - part * box.width, y: box.center.y)
    case .down: Point(x: box.center.x, y: box.minY + part * box.height)
    case .up: Point(x: box.center.x, y: box.maxY - part * box.height)
    }
  }

  @Test(arguments: TextDirection.allCases)
  func `from the start of one character to the end of another all between is selected`(
    direction: TextDirection
  ) {
    let structure = Self.page(direction)
    let visible = structure.lines.flatMap(\.element.scalars)
    for first in visible {
      for last in visible where last >= first {
        let (start, end) = (point(structure, first, 0.1), point(structure, last, 0.9))
        let selection = structure.selection(from: start, to: end)
        #expect(selection.scalars == first..<last + 1)
        #expect(selection.string == structure.string(of: first..<last + 1))
        #expect(selection == structure.selection(from: end, to: start))
        // One rectangle for each line, in the order of reading.
        let lines = structure.lines.filter { $0.element.scalars.overlaps(selection.scalars) }
        #expect(selection.areas.count == lines.count)
        for (area, line) in zip(selection.areas, lines) {
          let part = line.element.scalars.clamped(to: selection.scalars)
          #expect(area.rect == structure.element(part).box.rect && area.quad == nil)
        }
      }
    }
  }

  @Test(arguments: TextDirection.allCases)
  func `a point selects the word or the line it is in`(direction: TextDirection) {
    let structure = Self.page(direction)
    for word in structure.words {
      for scalar in word.scalars {
        let point = point(structure, scalar, 0.5)
        #expect(structure.selection(from: point, to: point, by: .word).scalars == word.scalars)
        #expect(structure.character(nearest: point) == scalar..<scalar + 1)
        let line = structure.selection(from: point, to: point, by: .line).scalars
        #expect(structure.lines.map(\.element.scalars).contains(line))
        #expect(line.contains(scalar))
      }
    }
  }

  @Test(arguments: 0..<50)
  func `any two points select the same in either order`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let structure = Self.page(generator.pick(TextDirection.allCases))
    func point() -> Point {
      Point(
        x: Double.random(in: 100...500, using: &generator),
        y: Double.random(in: 100...500, using: &generator)
      )
    }
    for unit in SelectionUnit.allCases {
      let (start, end) = (point(), point())
      let selection = structure.selection(from: start, to: end, by: unit)
      #expect(selection == structure.selection(from: end, to: start, by: unit))
      #expect(selection.areas == structure.areas(of: selection.scalars))
      if unit != .character { #expect(!selection.scalars.isEmpty) }
    }
  }

  @Test func `a point in a margin stays in its line and its column`() {
    let lines: [SamplePage.Line] = [
      .init(string: "  indented", x: 0, y: 0), .init(string: "left", x: 0, y: 13),
      .init(string: "right", x: 100, y: 0), .init(string: "right column", x: 100, y: 13),
      .init(string: "right column", x: 100, y: 26),
    ]
    let structure = TextStructure(SamplePage.text(lines))
    #expect(structure.line(nearest: Point(x: -30, y: 5)) == 0)
    #expect(structure.line(nearest: Point(x: 10, y: 90)) == 1)
    #expect(structure.line(nearest: Point(x: 150, y: -20)) == 2)
    #expect(structure.line(nearest: Point(x: 400, y: 20)) == 3)
    // Behind the end of a line, the line is selected up to its end.
    let selection = structure.selection(from: Point(x: 100, y: 5), to: Point(x: 400, y: 5))
    #expect(selection.string == "right")
  }

  @Test func `a selection across a change of direction marks what is selected only`() {
    // Letters from right to left, then digits from left to right at the left end.
    var boxes = (0..<4).map { index in
      let x = 100 - Float(index) * 6
      return TextBox(minX: x - 6, minY: 0, maxX: x, maxY: 12)
    }
    boxes += (0..<3).map { index in
      let x = 58 + Float(index) * 6
      return TextBox(minX: x, minY: 0, maxX: x + 6, maxY: 12)
    }
    let structure = TextStructure(PageText("אבג 123", boxes: boxes))
    #expect(structure.lines.map(\.direction) == [.left])
    #expect(
      structure.areas(of: 1..<5).map(\.rect) == [
        Rect(x: 76, y: 0, width: 18, height: 12), Rect(x: 58, y: 0, width: 6, height: 12),
      ]
    )
    // The place behind "1" is at its right edge.
    let selection = structure.selection(from: Point(x: 63, y: 6), to: Point(x: 99, y: 6))
    #expect(selection.scalars == 0..<5)
  }

  @Test func `a selection does not divide a letter from its marks`() {
    let structure = TextStructure(SamplePage.text([.init(string: "ae\u{301}b", x: 0, y: 0)]))
    let selection = structure.selection(from: Point(x: 7, y: 6), to: Point(x: 11, y: 6))
    #expect(selection.scalars == 1..<3)
  }
}
