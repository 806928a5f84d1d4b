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
    try await reading { document, messages throws(Failure) in try await run(document, messages) }
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
    let (info, listed) = try await read(document)
    let answer: InfoAnswer
    do throws(DocumentError) {
      answer = try await InfoAnswer(document, info, listing: listed)
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

  /// The document's properties and the pages of `--pages` or `--all`; nil without these options.
  ///
  /// - Throws: A failure if the document cannot be opened, or does not have the pages.
  private func read(
    _ document: Document
  ) async throws(Failure) -> (DocumentInfo, PageSequence?) {
    let info: DocumentInfo
    let list: PageList?
    do throws(DocumentError) {
      info = try await document.info()
      list = if let pages { try await document.resolving(pages) } else { nil }
    } catch {
      throw Failure(error, path: document.path)
    }
    guard let list else { return (info, all ? PageSequence(pageCount: info.pageCount) : nil) }
    return try Failure.naming("pages") { () throws(Failure) in
      (info, PageSequence(try list.runs(pageCount: info.pageCount, path: document.path)))
    }
  }
}
