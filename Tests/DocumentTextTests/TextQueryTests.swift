import DocumentModel
import DocumentText
import TestSupport
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

  @Test func `capitals and diacritics count only where asked for`() {
    let text = "Cafe CAFÉ cafe\u{301}"
    #expect(found(TextQuery("café"), in: text) == ["Cafe", "CAFÉ", "cafe\u{301}"])
    #expect(found(TextQuery("cafe", isCaseSensitive: true), in: text) == ["cafe\u{301}"])
    #expect(found(TextQuery("cafe", isDiacriticSensitive: true), in: text) == ["Cafe"])
    let marked = found(TextQuery("cafe\u{301}", isDiacriticSensitive: true), in: text)
    #expect(marked == ["CAFÉ", "cafe\u{301}"])
    #expect(found(TextQuery("STRASSE"), in: "Straße") == ["Straße"])
    #expect(found(TextQuery("ΣΊΣΥΦΟΣ"), in: "Σίσυφος") == ["Σίσυφος"])
  }

  @Test func `white space of any kind matches white space of any kind`() {
    let text = "one  two\nthree\u{A0}four \u{AD}\u{3000}five"
    #expect(found(TextQuery("one two three four five"), in: text) == [text])
    #expect(found(TextQuery("one\ttwo"), in: text) == ["one  two"])
    #expect(found(TextQuery("onetwo"), in: text) == [])
  }

  @Test func `Arabic and Hebrew are found with and without vowels, and in presentation forms`() {
    #expect(found(TextQuery("سلام"), in: "سَلَام") == ["سَلَام"])
    #expect(
      found(TextQuery("سلام"), in: "\u{FEB3}\u{FEFC}\u{FEE1}") == ["\u{FEB3}\u{FEFC}\u{FEE1}"]
    )
    #expect(found(TextQuery("שלום"), in: "שָׁלוֹם עולם") == ["שָׁלוֹם"])
    #expect(found(TextQuery("שלום", isDiacriticSensitive: true), in: "שָׁלוֹם") == [])
  }

  @Test func `vowel signs of Indic scripts and Thai are compared`() {
    #expect(found(TextQuery("कि"), in: "का कि") == ["कि"])
    #expect(found(TextQuery("กิ"), in: "กา กิ") == ["กิ"])
  }

  @Test func `Chinese, Japanese and emoji are found`() {
    #expect(found(TextQuery("中国"), in: "在中国人") == ["中国"])
    #expect(found(TextQuery("カメラ"), in: "ｶﾒﾗと") == ["ｶﾒﾗ"])
    #expect(found(TextQuery("👍"), in: "ok 👍🏽 👍\u{FE0F}!") == ["👍", "👍\u{FE0F}"])
  }

  @Test func `whole words have no letter, digit or mark beside them`() {
    let words = TextQuery("art", isWholeWords: true)
    #expect(
      found(words, in: "art arts part art2 2art (art) art-like art_") == [
        "art", "art", "art", "art",
      ]
    )
    #expect(found(words, in: "art\u{AD}ist 3\u{200D}art") == [])
    // A hyphen at the end of a line may be one of the word's own.
    #expect(found(words, in: "art-\nist") == ["art"])
    #expect(found(TextQuery("i", isWholeWords: true), in: "\u{FB01} i") == ["i"])
    // Written without spaces.
    #expect(found(TextQuery("中国", isWholeWords: true), in: "在中国人") == ["中国"])
  }

  @Test func `matches do not overlap`() {
    #expect(found(TextQuery("aa"), in: "aaaaa") == ["aa", "aa"])
    #expect(found(TextQuery("ff"), in: "\u{FB00}f\u{FB00}") == ["\u{FB00}", "f\u{FB00}"])
  }

  @Test func `words without anything to compare have no matches`() {
    for words in ["", " ", "\n", "\u{AD}", "\u{301}", " \u{A0}"] {
      #expect(found(TextQuery(words), in: "a \u{AD}\u{301} b") == [])
    }
    let long = String(repeating: "a", count: TextSearcher.longestWords + 1)
    #expect(found(TextQuery(long), in: long) == [])
    #expect(found(TextQuery("´"), in: "a ´") == ["´"])
  }

  @Test func `matches have ranges of scalars and of bytes`() {
    let text = PageText("é 😀 exam-\nple", boxes: [])
    #expect(
      TextQuery("example").matches(in: text)
        == [TextMatch(scalars: 4..<13, utf8: 8..<17)]
    )
  }

  @Test func `no more matches than wanted are returned`() {
    var searcher = TextSearcher(TextQuery("a"))
    let utf8 = [UInt8](repeating: 0x61, count: 9)
    #expect(searcher.matches(in: utf8, limit: 3).map(\.utf8) == [0..<1, 1..<2, 2..<3])
    #expect(searcher.matches(in: utf8, limit: 0).isEmpty)
  }

  @Test func `a searcher finds the same in each text, whatever came before`() {
    let texts = [
      "exam-\nple", "éxample", "", "\u{301}\u{301}", "an example", "EXAMPLE exa\u{AD}mple",
    ]
    var searcher = TextSearcher(TextQuery("example"))
    for text in texts + texts.reversed() {
      var fresh = TextSearcher(TextQuery("example"))
      #expect(searcher.matches(in: Array(text.utf8)) == fresh.matches(in: Array(text.utf8)))
    }
  }

  @Test func `bytes that are no UTF-8 are passed over`() {
    var searcher = TextSearcher(
      TextQuery("exam-ple", isDiacriticSensitive: true, isWholeWords: true)
    )
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let noise = (0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let utf8 = noise + Array(" exam-\nple ".utf8) + noise
      #expect(searcher.matches(in: utf8).map(\.utf8) == [21..<30])
    }
  }

  /// Many scalars of kinds that are left out, collapsed or sorted; more than linear work would not end.
  @Test(arguments: [
    "\u{301}", "\u{301}\u{323}", "\n", "-\n", "\u{AD}\n", "\u{AD} ", "a\u{301}", "-",
  ])
  func `long texts of one kind take linear time`(piece: String) {
    let text = String(repeating: piece, count: 300_000 / piece.unicodeScalars.count) + "end-mark"
    let utf8 = Array(text.utf8)
    for isSensitive in [false, true] {
      var searcher = TextSearcher(TextQuery("END-MARK", isDiacriticSensitive: isSensitive))
      #expect(searcher.matches(in: utf8).map(\.utf8) == [utf8.count - 8..<utf8.count])
    }
    let structure = TextStructure(PageText(text, boxes: []))
    #expect(structure.boxes.count == text.unicodeScalars.count)
    let snippet = TextSnippet(around: utf8.count - 4..<utf8.count, of: utf8, characters: 40)
    #expect(snippet.match == "mark" && snippet.before.utf8.count < 2000)
  }
}
