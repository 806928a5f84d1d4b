internal import DocumentModel
internal import DocumentText
internal import RectoBase

/// Text in JSON. `docs/COMMAND.md` describes it.
extension JSONWriter {
  /// Writes the text of a page with its blocks, their lines, and their words.
  ///
  /// - Parameters:
  ///   - hasCharacters: Whether each word has the boxes of its characters.
  mutating func text(
    _ text: PageText,
    hasCharacters: Bool,
    _ place: ContentPlace
  ) {
    let structure = TextStructure(text)
    member("text", text.string)
    array("blocks") { blocks in
      for block in structure.blocks {
        blocks.object { object in
          object.edges(block.element.area, place)
          object.array("lines") { lines in
            for line in structure.lines[block.lines] {
              lines.object { $0.line(line, of: structure, hasCharacters: hasCharacters, place) }
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
    _ place: ContentPlace
  ) {
    edges(line.element.area, place)
    member("start", line.element.scalars.lowerBound)
    member("direction", line.direction.rawValue)
    array("words") { words in
      for word in structure.words[line.words] {
        words.object { object in
          object.member("text", structure.string(of: word.scalars))
          object.edges(word.area, place)
          object.member("start", word.scalars.lowerBound)
          if hasCharacters { object.characters(of: word, in: structure, place) }
        }
      }
    }
  }

  /// The boxes of the Unicode scalars of a word.
  private mutating func characters(
    of word: TextElement,
    in structure: TextStructure,
    _ place: ContentPlace
  ) {
    array("characters") { array in
      for scalar in word.scalars {
        let character = structure.element(scalar..<scalar + 1)
        array.object { $0.edges(character.area, place) }
      }
    }
  }

  private mutating func style(_ style: TextStyleRun, from start: Int) {
    member("start", start)
    member("count", style.count)
    member("font", style.font)
    member("size", style.size)
    member("color", "#" + style.color.hexadecimal)
    if style.isUnderlined { member("underlined", true) }
  }
}
