internal import ArgumentParser
internal import DocumentText

/// How words are searched, and which hits are printed.
struct SearchOptions: ParsableArguments {
  @Flag(name: [.customShort("s"), .long], help: "Tell capital letters from small ones.")
  var caseSensitive = false

  @Flag(help: "Tell letters with diacritics from those without.")
  var diacritics = false

  @Flag(name: [.customShort("w"), .long], help: "Find whole words only.")
  var wholeWords = false

  @Option(
    name: [.customShort("m"), .long],
    help: ArgumentHelp("Stop after this many hits.", valueName: "number"),
    reading: .number(1...1_000_000_000)
  )
  var maxCount: Int?

  @Option(
    help: ArgumentHelp(
      "Characters of context on either side of a hit, 0 to 1000.",
      valueName: "number"
    ),
    reading: .number(0...1000)
  )
  var context: Int = 40

  @Flag(help: "Print one JSON line for each page with hits.")
  var json = false

  /// Which of the options are given; equal options give equal text.
  var optionText: String {
    String(flags: [
      "case-sensitive": caseSensitive, "diacritics": diacritics, "whole-words": wholeWords,
    ]) + " context \(context)" + (maxCount.map { " max-count \($0)" } ?? "")
  }

  /// The query for words.
  func query(_ words: String) -> TextQuery {
    TextQuery(
      words,
      isCaseSensitive: caseSensitive,
      isDiacriticSensitive: diacritics,
      isWholeWords: wholeWords
    )
  }
}
