import DocumentText
import TestSupport
import Testing

/// Random texts of an alphabet in which much meets: case, marks, ligatures, hyphens, white space.
@Suite struct SearchPropertyTests {
  /// Pieces of texts. Marks follow letters.
  private static let pieces = [
    "a", "A", "b", "e", "e\u{301}", "é", "e\u{301}\u{323}", "e\u{323}\u{301}", "é\u{323}",
    "\u{FB01}",
    "f", "i", "-", "\u{AD}", "\u{2010}", "\u{2011}", "-\n", "\u{AD}\n", "\u{2010}\n", " ", "\n",
    "\u{A0}", "  ", "ß", "ss", "\u{17F}", "中", "Ω", "1", "²", "\u{200D}", "\u{FE0F}", ".", "😀", "Ⅷ",
  ]

  private func text(of pieces: Int, using generator: inout SeededGenerator) -> String {
    // Few different pieces, so that words repeat.
    let some = (0..<6).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
    var hyphenations = 0
    return (0..<pieces).map { _ in
      let piece = some.randomElement(using: &generator) ?? ""
      guard piece.last == "\n" else { return piece }
      hyphenations += 1
      return hyphenations > 4 ? "a" : piece
    }.joined()
  }

  @Test(arguments: 0..<100)
  func `matches are those of a naive search`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<20 {
      let text = text(of: Int.random(in: 0...14, using: &generator), using: &generator)
      let scalars = Array(text.unicodeScalars)
      let start = Int.random(in: 0...scalars.count, using: &generator)
      let end = min(scalars.count, start + Int.random(in: 1...4, using: &generator))
      var words = String(String.UnicodeScalarView(scalars[start..<end]))
      if Bool.random(using: &generator) { words = words.uppercased() }
      if Bool.random(using: &generator) { words = words.filter { $0 != "\n" } }
      let query = TextQuery(
        words,
        isCaseSensitive: Bool.random(using: &generator),
        isDiacriticSensitive: Bool.random(using: &generator),
        isWholeWords: Bool.random(using: &generator)
      )
      var searcher = TextSearcher(query)
      let found = searcher.matches(in: Array(text.utf8)).map(\.scalars)
      let expected = NaiveSearch(query: query).matches(in: text)
      #expect(
        found == expected,
        "\(query) in \(text.unicodeScalars.map { String($0.value, radix: 16) })"
      )
    }
  }
}
