import DocumentText
import TestSupport
import Testing

@Suite struct TextSnippetTests {
  private func snippet(_ text: String, _ words: String, _ count: Int) -> TextSnippet? {
    var searcher = TextSearcher(TextQuery(words))
    let utf8 = Array(text.utf8)
    return searcher.matches(in: utf8).first.map {
      TextSnippet(around: $0.utf8, of: utf8, characters: count)
    }
  }

  @Test func `a match is shown in one line with what is around it`() {
    let snippet = snippet("one two\nthree four\nfive six", "four five", 6)
    #expect(snippet?.before == "three ")
    #expect(snippet?.match == "four five")
    #expect(snippet?.after == " six")
  }

  @Test func `characters are not cut`() {
    let snippet = snippet("👩‍🚀e\u{301}x🇩🇪🇫🇷", "x", 1)
    #expect(snippet?.before == "e\u{301}")
    #expect(snippet?.after == "🇩🇪")
  }

  @Test(arguments: 0..<100)
  func `it is what surrounds the match in the text`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let pieces = ["a", " ", "\n", "e\u{301}", "中", "👩‍🚀", "\u{301}", "🇩", "\u{200D}"]
    let text = (0..<200).map { _ in generator.pick(pieces) }.joined()
    let utf8 = Array(text.utf8)
    let starts = utf8.indices.filter { utf8[$0] & 0xC0 != 0x80 }
    let first = generator.pick(starts)
    let end = starts.first { $0 > first } ?? utf8.count
    let count = Int.random(in: 0...20, using: &generator)
    let snippet = TextSnippet(around: first..<end, of: utf8, characters: count)
    #expect(snippet.before.count <= count && snippet.after.count <= count)
    let line = text.replacing("\n", with: " ")
    let whole = snippet.before + snippet.match + snippet.after
    // Compared as bytes, since characters at the edges can be parts of larger ones.
    #expect(line.unicodeScalars.contains(Array(whole.unicodeScalars)))
  }

  @Test func `ranges beyond the text are cut`() {
    let snippet = TextSnippet(around: 3..<90, of: Array("abcde".utf8), characters: .max)
    #expect([snippet.before, snippet.match, snippet.after] == ["abc", "de", ""])
    #expect(TextSnippet(around: 0..<0, of: [], characters: 5).before.isEmpty)
    #expect(TextSnippet(around: 1..<2, of: Array("abc".utf8), characters: -1).before.isEmpty)
  }
}
