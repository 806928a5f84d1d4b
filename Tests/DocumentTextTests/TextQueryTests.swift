import DocumentText
import Testing

@Suite struct TextQueryTests {
  /// What a query finds, as strings.
  private func found(_ query: TextQuery, in text: String) -> [String] {
    var searcher = TextSearcher(query)
    let utf8 = Array(text.utf8)
    return searcher.matches(in: utf8).map { String(decoding: utf8[$0.utf8], as: UTF8.self) }
  }

  @Test func `a word that a hyphen divides is found with and without the hyphen`() {
    for hyphen in ["-", "\u{AD}", "\u{2010}"] {
      let text = "An exam\(hyphen)\nple."
      #expect(found(TextQuery("example"), in: text) == ["exam\(hyphen)\nple"])
      #expect(found(TextQuery("exam-ple"), in: text) == ["exam\(hyphen)\nple"])
      #expect(found(TextQuery("exam- ple"), in: text) == ["exam\(hyphen)\nple"])
    }
  }

  @Test func `a ligature is found by its letters, and covered by a match of one of them`() {
    #expect(found(TextQuery("office"), in: "The o\u{FB03}ce") == ["o\u{FB03}ce"])
    #expect(found(TextQuery("off"), in: "The o\u{FB03}ce") == ["o\u{FB03}"])
    #expect(found(TextQuery("f"), in: "\u{FB03}") == ["\u{FB03}"])
  }
}
