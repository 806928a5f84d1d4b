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

  /// The text of lines that are read to the right on a page that is then turned about its top left corner.
  ///
  /// - Parameters:
  ///   - lines: The lines before they are turned.
  ///   - angle: How far they are turned clockwise, in degrees.
  /// - Returns: The text.
  static func text(_ lines: [Line], turnedBy angle: Float) -> PageText {
    let text = text(lines)
    var slants: [TextSlant] = []
    var start = 0
    for line in lines {
      let end = start + line.string.unicodeScalars.count
      slants.append(TextSlant(scalars: start..<end, angle: angle))
      start = end + 1
    }
    return PageText(text.string, boxes: text.boxes(), slants: slants)
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
