internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// `recto info`.
struct InfoCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Print information about a document.",
    discussion: """
      Prints the title, author, dates, form, encryption, and the size of the first page; the \
      sizes of all pages if there are at most 1000, or of the pages that are listed.

      With --from, reads many documents and prints a line of JSON for each.

      Example:
        recto info book.pdf
        recto info book.pdf --pages label:iv-label:x --json
        find papers -name '*.pdf' | recto info --from -
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var given: String?

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var pages: PagesOptions

  @Flag(help: "List every page.")
  var all = false

  @OptionGroup(title: "Lists") var lists: InfoListOptions
  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Many documents") var library: LibraryOptions

  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other.
  func validate() throws {
    if all, pages.list != nil {
      throw ValidationError("--all cannot be used with a list of pages")
    }
    try library.check(given)
    if workers.jobsWanted != nil, !library.isGiven { throw ValidationError("--jobs needs --from") }
    try lists.validate(isJSON: json || library.isGiven)
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    if library.isGiven { return try await runMany() }
    try await reading { document, messages throws(Failure) in try await run(document, messages) }
  }

  /// Prints information about the documents of the list.
  ///
  /// - Throws: The exit code.
  private func runMany() async throws(ExitCode) {
    let options = String(flags: ["all": all]) + lists.optionText + pages.optionText
    let task = LibraryTask(name: "info", options: "info\(options)")
    try await processing(task) { document, _, lines throws(Failure) in
      var (info, listed) = try await document.reading(pages.list, nil)
      if all || (listed == nil && lines.unit == .pages) {
        listed = PageSequence(pageCount: info.pageCount)
      }
      let answer: InfoAnswer
      do throws(DocumentError) {
        answer = try await InfoAnswer(document, info, listing: listed, self.lists)
        try info.requirePages()
      } catch {
        throw Failure(error, path: document.path)
      }
      try answer.write(to: &lines)
    }
  }

  /// Prints information about the document.
  ///
  /// - Returns: Whether the first page and the listed ones could be read.
  /// - Throws: A failure if the document cannot be opened, does not have the pages, or standard
  ///   output cannot be written.
  private func run(
    _ document: Document,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    var (info, listed) = try await document.reading(pages.list, messages)
    if all { listed = PageSequence(pageCount: info.pageCount) }
    let answer: InfoAnswer
    do throws(DocumentError) {
      answer = try await InfoAnswer(document, info, listing: listed, lists)
    } catch {
      throw Failure(error, path: document.path)
    }
    messages.print(answer.failing, path: document.path)
    try json ? answer.printJSON() : answer.printText()
    do throws(DocumentError) {
      try info.requirePages()
    } catch {
      throw Failure(error, path: document.path)
    }
    return answer.failing.isEmpty
  }
}
