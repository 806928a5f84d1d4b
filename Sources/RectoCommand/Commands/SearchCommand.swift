internal import ArgumentParser
internal import DocumentText
internal import RectoKit

/// `recto search`.
struct SearchCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search for words in the text of pages.",
    discussion: """
      Prints a line for each place where the words stand: the page and the text around it. Case and \
      diacritics do not matter unless asked for; words are also found across the end of a line and where \
      a hyphen divides them. The exit code is 1 if the words are found nowhere.

      With --from, WORDS is the only argument, and a line of JSON is printed for each document.

      Example:
        recto search book.pdf 'white whale'
        recto search book.pdf Ahab --pages 100- --json
        find papers -name '*.pdf' | recto search --from - 'white whale'
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var first: String?

  @Argument(help: ArgumentHelp("What to search for.", valueName: "words"))
  var second: String?

  @OptionGroup var pages: PagesOptions

  @OptionGroup(title: "Search") var search: SearchOptions
  @OptionGroup(title: "Search") var content: ContentLayoutOptions
  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Many documents") var library: LibraryOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// The document, unless there is a list.
  var given: String? { library.isGiven ? nil : first }

  /// The words: the first argument if there is a list of documents.
  private var words: String { (library.isGiven ? first : second) ?? "" }

  /// Checks the words.
  ///
  /// - Throws: A validation error for words that cannot be found.
  func validate() throws {
    try library.check(given)
    guard (library.isGiven ? first : second) != nil else {
      throw ValidationError("missing expected argument '<words>'")
    }
    if library.isGiven, let second {
      throw ValidationError(
        "with --from there are words only, is given '\(second)'; --pages names pages"
      )
    }
    try content.requireJSON(search.json || library.isGiven)
    guard words.utf8.count <= TextSearcher.longestWords else {
      throw ValidationError(
        "words: \(words.utf8.count) bytes; the limit is \(TextSearcher.longestWords)"
      )
    }
    guard words.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw ValidationError("words: must not be empty")
    }
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    let run = TextSearch(search.query(words), pages: pages.list, context: search.context)
    let task = LibraryTask(
      name: "found",
      options: "search\(search.optionText)\(content.optionText)\(pages.optionText) for \(words)"
    )
    try await printing(pages.list, in: content, of: task) {
      SearchReport(path: $0, search, $1)
    } _: { document, workers, report throws(PageExportError) in
      try await run.run(document, width: 2 * workers) { page in
        report.write(page)
        return !report.isOver
      }
    }
  }
}
