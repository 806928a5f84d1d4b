internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// `recto info`.
struct InfoCommand: DocumentCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Print information about a document.",
    discussion: """
      Prints the title, author, dates, form, encryption, and the size of the first page; the \
      sizes of all pages if there are at most 1000, or of the pages that are listed.

      Example:
        recto info book.pdf
        recto info book.pdf --pages label:iv-label:x --json
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Pages to list: \"1-10,20,z\", \"5-\", \"odd\", \"label:iv-label:x\".",
      valueName: "pages"
    ),
    reading: .pages
  )
  var pages: PageList?

  @Flag(help: "List every page.")
  var all = false

  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other.
  func validate() throws {
    if all, pages != nil { throw ValidationError("--all cannot be used with --pages") }
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reading { input, settings, messages throws(Failure) in
      try await retryingWithPoppler(with: settings, messages) { settings throws(Failure) in
        try await run(input, settings, messages)
      }
    }
  }

  /// Prints what is known about the document.
  ///
  /// - Returns: Whether the first page and those listed could be read.
  /// - Throws: A failure if the document cannot be opened, does not have the pages, or standard
  ///   output cannot be written.
  private func run(
    _ input: DocumentInput,
    _ settings: DocumentSettings,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    let (document, info) = try await open(input, settings)
    let listed = try await listed(document, info)
    let answer: InfoAnswer
    do throws(DocumentError) {
      answer = try await InfoAnswer(document, info, listing: listed)
    } catch {
      throw Failure(error, path: input.path)
    }
    messages.print(answer.failing, path: input.path)
    try json ? answer.printJSON() : answer.printText()
    do throws(DocumentError) {
      try info.requirePages()
    } catch {
      throw Failure(error, path: input.path)
    }
    return answer.failing.isEmpty
  }

  /// Opens the document.
  ///
  /// - Throws: A failure if that is not possible.
  private func open(
    _ input: DocumentInput,
    _ settings: DocumentSettings
  ) async throws(Failure) -> (Document, DocumentInfo) {
    do throws(DocumentError) {
      let document = try input.document(settings)
      return (document, try await document.info())
    } catch {
      throw Failure(error, path: input.path)
    }
  }

  /// The pages of `--pages` or `--all`; nil without these options.
  ///
  /// - Throws: A failure if the document does not have the pages.
  private func listed(
    _ document: Document,
    _ info: DocumentInfo
  ) async throws(Failure) -> PageSequence? {
    if all { return PageSequence(pageCount: info.pageCount) }
    guard let pages else { return nil }
    let resolved: PageList
    do throws(DocumentError) {
      resolved = try await document.resolving(pages)
    } catch {
      throw Failure(error, path: document.path)
    }
    return try Failure.naming("pages") { () throws(Failure) in
      PageSequence(try resolved.runs(pageCount: info.pageCount, path: document.path))
    }
  }
}
