internal import DocumentModel
internal import DocumentText
internal import Geometry
internal import JSONWriting

/// Text in JSON. `docs/COMMAND.md` describes it.
extension JSONWriter {
  /// Writes the text of a page with its blocks, their lines, and their words.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - hasCharacters: Whether each word has the boxes of its characters.
  ///   - map: From points of the page to what is written.
  mutating func text(
    _ text: PageText,
    hasCharacters: Bool,
    _ map: (Rect) -> Rect = { $0 }
  ) {
    let structure = TextStructure(text)
    member("text", text.string)
    array("blocks") { blocks in
      for block in structure.blocks {
        blocks.object { object in
          object.edges(map(block.element.box.rect))
          object.array("lines") { lines in
            for line in structure.lines[block.lines] {
              lines.object { $0.line(line, of: structure, hasCharacters: hasCharacters, map) }
            }
          }
        }
      }
    }
    guard let styles = text.styles else { return }
    array("styles") { array in
      var start = 0
      for style in styles {
        array.object { $0.style(style, from: start) }
        start += style.count
      }
    }
  }

  private mutating func line(
    _ line: TextLine,
    of structure: TextStructure,
    hasCharacters: Bool,
    _ map: (Rect) -> Rect
  ) {
    edges(map(line.element.box.rect))
    member("start", line.element.scalars.lowerBound)
    member("direction", line.direction.rawValue)
    array("words") { words in
      for word in structure.words[line.words] {
        words.object { object in
          object.member("text", structure.string(of: word.scalars))
          object.edges(map(word.box.rect))
          object.member("start", word.scalars.lowerBound)
          if hasCharacters { object.characters(of: word, in: structure, map) }
        }
      }
    }
  }

  /// The boxes of the Unicode scalars of a word.
  private mutating func characters(
    of word: TextElement,
    in structure: TextStructure,
    _ map: (Rect) -> Rect
  ) {
    array("characters") { array in
      for box in structure.boxes[word.scalars] { array.rect(map(box.rect)) }
    }
  }

  private mutating func style(_ style: TextStyleRun, from start: Int) {
    member("start", start)
    member("count", style.count)
    member("font", style.font)
    member("size", style.size)
    let digits = style.color.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    member("color", "#" + digits.joined())
    if style.isUnderlined { member("underlined", true) }
  }

  /// Writes "areas".
  ///
  /// - Parameters:
  ///   - areas: Rectangles in points of a page.
  ///   - map: From points of the page to what is written.
  mutating func areas(_ areas: [Rect], _ map: (Rect) -> Rect = { $0 }) {
    array("areas") { array in for area in areas { array.rect(map(area)) } }
  }

  /// Writes where a rectangle is, in the object at hand.
  mutating func edges(_ rect: Rect) {
    member("x", rect.minX)
    member("y", rect.minY)
    member("width", rect.width)
    member("height", rect.height)
  }
}
