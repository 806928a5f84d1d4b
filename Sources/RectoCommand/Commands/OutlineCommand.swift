internal import ArgumentParser
internal import DocumentModel
internal import RectoGeometry
internal import RectoKit

/// `recto outline`.
struct OutlineCommand: DocumentCommand {
  static let configuration = CommandConfiguration(
    commandName: "outline",
    abstract: "Print the outline of a document, or where a named destination is.",
    discussion: """
      Prints one line for each entry: its title, indented by two spaces for each level, a tab, and \
      what it leads to. Places on a page are in points from its top left.

      Example:
        recto outline book.pdf
        recto outline book.pdf --destination chapter.2
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @Option(
    help: ArgumentHelp(
      "Print the destination with this name instead of the outline.",
      valueName: "name"
    )
  )
  var destination: String?

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reading { document, messages throws(Failure) in try await run(document, messages) }
  }

  /// Prints the outline, or the destination.
  ///
  /// - Returns: Whether the outline is complete.
  /// - Throws: A failure if the document cannot be opened, does not have the destination, or standard
  ///   output cannot be written.
  private func run(
    _ document: Document,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    let outline: DocumentOutline
    let labels: [PageIndex: String]
    var found: LinkDestination?
    do throws(DocumentError) {
      if let destination {
        outline = DocumentOutline()
        found = try await document.destination(named: destination)
      } else {
        outline = try await document.outline()
      }
      let pages = found.map { [$0.page] } ?? outline.pages
      labels = json ? try await document.labels(of: pages) : [:]
    } catch {
      throw Failure(error, path: document.path)
    }
    if let destination {
      guard let found else {
        throw Failure(
          usage: "the document has no destination '\(destination.escapingControls)'",
          path: document.path,
          option: OptionName("destination")
        )
      }
      try json ? found.printJSON(labels) : found.printText()
      return true
    }
    try json ? outline.printJSON(labels) : outline.printText()
    guard let reason = outline.incomplete else { return true }
    messages.warn(code: "incomplete", path: document.path, "incomplete outline: \(reason)")
    return false
  }
}
