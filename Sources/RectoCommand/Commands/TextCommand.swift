internal import ArgumentParser
internal import RectoKit

/// `recto text`.
struct TextCommand: DocumentCommand {
  static let configuration = CommandConfiguration(
    commandName: "text",
    abstract: "Print the text of pages.",
    discussion: """
      Prints the text of each page in reading order, with a form feed behind each page. If a page \
      fails, the others are still printed.

      With --json, prints one JSON line for each page: its lines, words and blocks with boxes in \
      points from the top left of the page.

      Example:
        recto text book.pdf 3-7
        recto text report.pdf --aligned
        recto text book.pdf 3 --area 72,72,200,100 --json
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @OptionGroup var pages: PagesOptions

  @OptionGroup(title: "Text") var text: TextOptions
  @OptionGroup(title: "Text") var content: ContentLayoutOptions
  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that need another one.
  func validate() throws {
    try content.requireJSON(text.json, else: "; --aligned keeps columns as they stand")
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    let hasBoxes = text.json || text.aligned || text.area != nil
    let texts = PageTexts(pages: pages.list, hasBoxes: hasBoxes, hasStyles: text.styles)
    try await printing(pages.list, workers: workers.jobs, in: content) {
      TextReport(path: $0, text, $1)
    } _: { document, report throws(PageExportError) in
      try await texts.read(document, workers: workers.jobs) { page in
        report.write(page)
        return !report.isOver
      }
    }
  }
}
