internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoGeometry
internal import RectoKit

/// `recto links`.
struct LinksCommand: DocumentCommand {
  static let configuration = CommandConfiguration(
    commandName: "links",
    abstract: "Print the links of pages and what they lead to.",
    discussion: """
      Prints one line for each link: the number of the page, the rectangle of the link, and its \
      target, with tabs between them. Rectangles are x,y,width,height in points from the top left \
      of the page as it is shown. Actions are printed and never run.

      Example:
        recto links book.pdf --pages 1-10
        recto links book.pdf --json
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @OptionGroup var pages: PagesOptions

  @Flag(help: "Print one JSON line for each page with links.")
  var json = false

  @OptionGroup var content: ContentLayoutOptions

  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that need another one.
  func validate() throws { try content.requireJSON(json) }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reading { document, messages throws(Failure) in try await run(document, messages) }
  }

  /// Prints the links of the pages.
  ///
  /// - Returns: Whether all pages could be read.
  /// - Throws: A failure if the document cannot be opened, does not have the pages, or standard output
  ///   cannot be written.
  private func run(
    _ document: Document,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    let (info, listed) = try await document.reading(pages.list, messages, needsPages: true)
    var report = LinkReport(path: document.path, isJSON: json, messages)
    report.places = try await content.places(in: document)
    for run in (listed ?? PageSequence(pageCount: info.pageCount)).runs {
      var place = 0
      while let page = run.page(at: place) {
        var done = Range(only: page)
        do throws(DocumentError) {
          let links = try await document.links(of: page)
          try await report.write(links, of: page, in: document)
        } catch {
          guard report.canContinue(after: error) else { throw Failure(error, path: document.path) }
          // Possibly all the rest of the document.
          if error.code == .pageMissing,
            let failing = try? await document.measure([done]).failing(at: page),
            let rest = run.part(place..<run.count).pages
          {
            done = failing.pages.clamped(to: rest)
          }
          report.fail(done, with: error)
        }
        try report.flush()
        place += done.count
      }
    }
    return try report.end()
  }
}
