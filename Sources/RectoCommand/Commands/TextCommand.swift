internal import ArgumentParser
internal import DocumentModel
internal import RectoGeometry
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
        recto text book.pdf 3 --area 72,72,200,100 --json
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @Argument(
    help: ArgumentHelp(
      "Pages: \"1-10,20,z\", \"5-\", \"odd\", \"label:iv-label:x\". (default: all)",
      valueName: "pages"
    ),
    transform: { try ValueReader<PageList>.pages.read($0) }
  )
  var pages: PageList?

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
  func validate() throws { try content.requireJSON(text.json) }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reading(workers: workers.jobs) { input, settings, messages throws(Failure) in
      try await Shutdown.cancelling { () throws(Failure) in
        var report = TextReport(path: input.path, text, messages)
        _ = try await retryingWithPoppler(with: settings, messages) { settings throws(Failure) in
          try await run(input, settings, &report, messages)
          return true
        }
        return try report.end()
      }
    }
  }

  /// Prints the pages.
  ///
  /// - Throws: A failure if the document cannot be opened, or standard output cannot be written.
  private func run(
    _ input: DocumentInput,
    _ settings: DocumentSettings,
    _ report: inout TextReport,
    _ messages: MessagePrinter
  ) async throws(Failure) {
    let document: Document
    do throws(DocumentError) {
      document = try input.document(settings)
    } catch {
      throw Failure(error, path: input.path)
    }
    let hasBoxes = text.json || text.area != nil
    let texts = PageTexts(pages: pages, hasBoxes: hasBoxes, hasStyles: text.styles)
    report.places = try await content.places(in: document)
    report.restart()
    do throws(PageExportError) {
      try await texts.read(document, workers: settings.workers) { page in
        report.write(page)
        return !report.isOver
      }
    } catch {
      throw Failure(error, path: input.path)
    }
    await messages.printEnd(of: document)
  }
}
