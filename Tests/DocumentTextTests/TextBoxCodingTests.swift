import TestSupport
import Testing

@testable import DocumentModel

@Suite struct TextBoxCodingTests {
  /// Boxes as they are in pages: rows, columns, line feeds, and others, some of them slanted.
  private func boxes(using generator: inout SeededGenerator) -> TextBoxes {
    var boxes: [TextBox] = []
    var slants: [TextSlant] = []
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
      let (x, y) = (
        Float.random(in: -100...900, using: &generator),
        Float.random(in: -100...900, using: &generator)
      )
      let count = Int.random(in: 1...30, using: &generator)
      if Bool.random(using: &generator) {
        let scalars = boxes.count..<boxes.count + count
        let angle = Float.random(in: -360...360, using: &generator)
        slants.append(TextSlant(scalars: scalars, angle: angle))
      }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        for index in 0..<count {
          let edge = x + Float(index) * 7.3
          boxes.append(TextBox(minX: edge, minY: y, maxX: x + Float(index + 1) * 7.3, maxY: y + 12))
        }
      case 1:
        for index in 0..<count {
          let edge = y + Float(index) * 7.3
          boxes.append(TextBox(minX: x, minY: edge, maxX: x + 12, maxY: y + Float(index + 1) * 7.3))
        }
      case 2:
        for _ in 0..<count { boxes.append(boxes.last?.end ?? .zero) }
      default:
        for _ in 0..<count {
          let width = Float.random(in: -20...20, using: &generator)
          boxes.append(TextBox(minX: x + width, minY: y, maxX: x, maxY: y + width * 2))
        }
      }
    }
    return TextBoxes(boxes, slants: slants)
  }

  @Test(arguments: 0..<200)
  func `boxes are the same after a way through bytes`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let boxes = boxes(using: &generator)
    let bytes = TextBoxCoding.encode(boxes)
    #expect(TextBoxCoding.decode(bytes) == boxes)
    #expect(TextBoxCoding.count(bytes) == boxes.boxes.count)
    for length in 0..<bytes.count {
      // A part is either refused or a prefix.
      guard let part = TextBoxCoding.decode(Array(bytes[..<length])) else { continue }
      #expect(boxes.boxes.starts(with: part.boxes) && boxes.slants.starts(with: part.slants))
    }
  }

  @Test func `more boxes than a run can have are several runs`() {
    let row = (0..<150_000).map { index in
      TextBox(minX: Float(index), minY: 0, maxX: Float(index + 1), maxY: 10)
    }
    let ends = [TextBox](repeating: row[9].end, count: 140_000)
    for boxes in [row, Array(row[..<10]) + ends] {
      #expect(TextBoxCoding.decode(TextBoxCoding.encode(TextBoxes(boxes)))?.boxes == boxes)
    }
    let slant = TextSlant(scalars: 3..<140_000, angle: 30)
    let slanted = TextBoxes(row, slants: [slant])
    let read = TextBoxCoding.decode(TextBoxCoding.encode(slanted))
    #expect(read?.boxes == row && read?.upright == slanted.upright)
  }

  @Test(arguments: 0..<300)
  func `bytes of any kind are boxes with proper edges or nothing`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var bytes = TextBoxCoding.encode(boxes(using: &generator))
    for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &generator)
      bytes[index] = UInt8.random(in: 0...255, using: &generator)
    }
    let noise = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
      UInt8.random(in: 0...5, using: &generator)
    }
    for bytes in [bytes, noise] {
      let boxes = TextBoxCoding.decode(bytes)
      #expect(boxes?.boxes.count == TextBoxCoding.count(bytes))
      #expect(boxes?.slants.allSatisfy { $0.angle.isFinite } ?? true)
      for box in boxes?.boxes ?? [] {
        #expect(box.minX.isFinite && box.maxX >= box.minX && box.maxY >= box.minY)
      }
    }
  }

  @Test func `edges that are no numbers are refused`() {
    let boxes = [TextBox(minX: 0, minY: 0, maxX: .infinity, maxY: 1)]
    #expect(TextBoxCoding.decode(TextBoxCoding.encode(TextBoxes(boxes))) == nil)
    let slant = TextSlant(scalars: 0..<1, angle: .nan)
    #expect(TextBoxCoding.decode(TextBoxCoding.encode(TextBoxes([.zero], slants: [slant]))) == nil)
  }

  @Test func `a text from a string has a box for each scalar`() {
    let box = TextBox(minX: 1, minY: 2, maxX: 3, maxY: 4)
    let missing = PageText("e\u{301}\nx", boxes: [box])
    #expect(missing.boxes() == [box, box.end, box.end, box.end])
    #expect(PageText("a", boxes: [box, box, box]).boxes() == [box])
    #expect(PageText("ab", boxes: []).boxes() == [.zero, .zero])
    #expect(PageText.empty.boxes().isEmpty)
  }
}
