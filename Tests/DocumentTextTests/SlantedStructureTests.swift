import DocumentModel
import DocumentText
import RectoGeometry
import TestSupport
import Testing

/// Lines that are neither upright nor turned by quarters.
@Suite struct SlantedStructureTests {
  private static let angles: [Float] = (0..<24).map { Float($0) * 15 + 7 }

  /// Two paragraphs beside each other, before they are turned.
  private static let lines: [SamplePage.Line] = [
    .init(string: "the first line", x: 300, y: 300), .init(string: "second one", x: 300, y: 314),
    .init(string: "in a", x: 500, y: 300), .init(string: "column of its own", x: 500, y: 314),
  ]

  private func isNear(_ first: Point, _ second: Point) -> Bool {
    abs(first.x - second.x) < 0.001 && abs(first.y - second.y) < 0.001
  }

  @Test(arguments: angles)
  func `a turned page has the elements and the selections of the page before, turned`(
    angle: Float
  ) {
    let upright = TextStructure(SamplePage.text(Self.lines))
    let turned = TextStructure(SamplePage.text(Self.lines, turnedBy: angle))
    func turn(_ point: Point) -> Point { point.turned(byDegrees: Double(angle)) }
    func check(_ areas: [TextArea], _ expected: [TextArea]) {
      #expect(areas.count == expected.count)
      for (area, before) in zip(areas, expected) {
        let corners = area.quad?.corners ?? []
        #expect(zip(corners, Quad(before.rect).corners).allSatisfy { isNear($0, turn($1)) })
        #expect(corners.count == 4 && before.quad == nil)
        let bounds = area.quad?.bounds ?? .zero
        #expect(isNear(bounds.origin, area.rect.origin))
        #expect(abs(bounds.area - area.rect.area) < 0.01 * bounds.area)
      }
    }
    #expect(turned.blocks.map(\.lines) == upright.blocks.map(\.lines))
    #expect(turned.words.map(\.scalars) == upright.words.map(\.scalars))
    check(turned.blocks.map(\.element.area), upright.blocks.map(\.element.area))
    check(turned.lines.map(\.element.area), upright.lines.map(\.element.area))
    check(turned.words.map(\.area), upright.words.map(\.area))
    check(turned.characters().map(\.area), upright.characters().map(\.area))
    let words = upright.words.map(\.scalars)
    check(words.map { turned.element($0).area }, words.map { upright.element($0).area })

    // No point is as far from one edge as from another.
    for x in stride(from: 280.3, through: 620, by: 4.5) {
      for y in stride(from: 290.3, through: 340, by: 3) {
        let (start, end) = (Point(x: x, y: y), Point(x: 337.3, y: 319.3))
        for unit in SelectionUnit.allCases {
          let before = upright.selection(from: start, to: end, by: unit)
          let after = turned.selection(from: turn(start), to: turn(end), by: unit)
          #expect(after.scalars == before.scalars, "\(start)")
          check(after.areas, before.areas)
        }
      }
    }
  }

  @Test(arguments: angles)
  func `the direction of a slanted line is the nearest`(angle: Float) {
    let structure = TextStructure(SamplePage.text(Self.lines, turnedBy: angle))
    let directions: [TextDirection] = [.right, .down, .left, .up]
    let expected = directions[Int((angle + 45) / 90) % 4]
    #expect(structure.lines.allSatisfy { $0.direction == expected })
  }

  @Test func `a line across a page is selected where it is, not all around`() {
    let rows = (0..<20).map { row in
      SamplePage.Line(string: "some words of a row", x: 100, y: 14 * Float(row))
    }
    let page = SamplePage.text(rows)
    let mark = SamplePage.text([.init(string: "A DRAFT OF A LETTER", x: 150, y: -40)], turnedBy: 45)
    let count = page.string.unicodeScalars.count + 1
    let scalars = count..<count + mark.string.unicodeScalars.count
    let structure = TextStructure(
      PageText(
        page.string + "\n" + mark.string,
        boxes: page.boxes() + [.zero] + mark.lineBoxes().boxes,
        slants: [TextSlant(scalars: scalars, angle: 45)]
      )
    )
    for (index, row) in structure.lines.dropLast().enumerated() {
      let box = row.element.box.rect
      let quad = structure.lines[rows.count].element.area
      for x in stride(from: box.minX + 0.5, to: box.maxX, by: 1) {
        let point = Point(x: x, y: box.center.y)
        let own = point.turned(byDegrees: -45)
        guard !(-41 ... -27).contains(own.y) else { continue }
        #expect(structure.line(nearest: point) == index, "\(point) \(quad)")
      }
    }
  }

  @Test(arguments: angles)
  func `a part and an enlarged text keep their slanted lines`(angle: Float) {
    let text = SamplePage.text(Self.lines, turnedBy: angle)
    let line = TextStructure(text).lines[1].element
    let part = TextStructure(text.part(in: line.area.rect))
    let own = part.lines.first { part.string(of: $0.element.scalars) == "second one" }
    #expect(own?.element.area == line.area)
    let large = TextStructure(text.scaled(by: 2)).lines[1].element.area.quad?.corners ?? []
    let corners = line.area.quad?.corners ?? []
    #expect(zip(large, corners).allSatisfy { isNear($0, $1 * 2) } && large.count == 4)
  }
}
