import DocumentModel
import DocumentText

/// A page set in characters of one size: 6 points along the line, 12 across.
struct SamplePage {
  /// A line of a page.
  struct Line {
    var string: String
    /// Where its first character begins, in points: the corner where reading starts.
    var x: Float
    var y: Float
    var direction: TextDirection = .right
  }

  static let advance: Float = 6
  static let height: Float = 12

  /// The text of lines. The marks of a letter have its box.
  static func text(_ lines: [Line]) -> PageText {
    var boxes: [TextBox] = []
    for (index, line) in lines.enumerated() {
      if index > 0, let last = boxes.last {
        boxes.append(TextBox(minX: last.maxX, minY: last.maxY, maxX: last.maxX, maxY: last.maxY))
      }
      for (place, character) in line.string.enumerated() {
        let box = box(line, place)
        boxes += Array(repeating: box, count: character.unicodeScalars.count)
      }
    }
    return PageText(lines.map(\.string).joined(separator: "\n"), boxes: boxes)
  }

  /// The box of the character at a place in a line.
  static func box(_ line: Line, _ place: Int) -> TextBox {
    let start = Float(place) * advance
    let end = start + advance
    return switch line.direction {
    case .right:
      TextBox(minX: line.x + start, minY: line.y, maxX: line.x + end, maxY: line.y + height)
    case .left:
      TextBox(minX: line.x - start, minY: line.y, maxX: line.x - end, maxY: line.y + height)
    case .down:
      TextBox(minX: line.x, minY: line.y + start, maxX: line.x + height, maxY: line.y + end)
    case .up:
      TextBox(minX: line.x, minY: line.y - start, maxX: line.x + height, maxY: line.y - end)
    }
  }
}
