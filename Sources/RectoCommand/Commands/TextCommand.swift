internal import ArgumentParser
internal import RectoKit

/// `recto text`.
struct TextCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "text",
    abstract: "Print the text of pages.",
    discussion: """
      Prints the text of each page in reading order, with a form feed behind each page. If a page \
      fails, the others are still printed.

      With --json, prints one JSON line for each page: its lines, words and blocks with boxes in \
      points from the top left of the page.

      With --from, reads many documents and prints a line of JSON for each.

      Example:
        recto text book.pdf 3-7
        recto text report.pdf --aligned
        recto text book.pdf 3 --area 72,72,200,100 --json
        find papers -name '*.pdf' | recto text --from -
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var given: String?

  @OptionGroup var pages: PagesOptions

  @OptionGroup(title: "Text") var text: TextOptions
  @OptionGroup(title: "Text") var content: ContentLayoutOptions
  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Many documents") var library: LibraryOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that need another one.
  func validate() throws {
    try library.check(given)
    try content.requireJSON(text.json, else: "; --aligned keeps columns as they stand")
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    let task = LibraryTask(
      name: "texts",
      options: "text\(text.optionText)\(content.optionText)\(pages.optionText)"
    )
    let hasBoxes = text.json || text.aligned || text.area != nil
    let texts = PageTexts(pages: pages.list, hasBoxes: hasBoxes, hasStyles: text.styles)
    try await printing(pages.list, in: content, of: task) {
      TextReport(path: $0, text, $1)
    } _: { document, workers, report throws(PageExportError) in
      try await texts.read(document, workers: workers) { page in
        report.write(page)
        return !report.isOver
      }
    }
  }
}
