internal import ArgumentParser
internal import DocumentText
internal import RectoKit

/// `recto search`.
struct SearchCommand: DocumentCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search for words in the text of pages.",
    discussion: """
      Prints a line for each place where the words stand: the page and the text around it. Case and \
      diacritics do not matter unless asked for; words are also found across the end of a line and where \
      a hyphen divides them. The exit code is 1 if the words are found nowhere.

      Example:
        recto search book.pdf 'white whale'
        recto search book.pdf Ahab --pages 100- --json
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @Argument(help: ArgumentHelp("What to search for.", valueName: "words"))
  var words: String

  @OptionGroup var pages: PagesOptions

  @OptionGroup(title: "Search") var search: SearchOptions
  @OptionGroup(title: "Search") var content: ContentLayoutOptions
  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the words.
  ///
  /// - Throws: A validation error for words that cannot be found.
  func validate() throws {
    try content.requireJSON(search.json)
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
    try await printing(pages.list, workers: workers.jobs, in: content) {
      SearchReport(path: $0, search, $1)
    } _: { document, report throws(PageExportError) in
      try await run.run(document, width: 2 * workers.jobs) { page in
        report.write(page)
        return !report.isOver
      }
    }
  }
}
