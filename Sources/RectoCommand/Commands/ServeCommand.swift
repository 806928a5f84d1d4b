internal import ArgumentParser
internal import RectoBase
internal import RectoKit

/// `recto serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the engine of a viewer, or a viewer and an image server over HTTP.",
    discussion: """
      With --stdio, reads JSON requests, one per line: open, reload, layout, view, zoom, page, \
      destination, text, links, outline, annotations, attachments, pages, search, select, picture, \
      settings, stats, cancel, close. \
      Writes one JSON line for each reply and each event: hello, tile, geometry, hits, error, \
      changed, reloaded, reopened, idle. Exits at the end of standard input. docs/SERVE.md describes \
      the requests and events.

      With --http, serves files and folders of PDFs, also on servers: a viewer for browsers, tiles, and IIIF and Deep \
      Zoom for other viewers, until SIGINT or SIGTERM. docs/HTTP.md describes the addresses.

      Example:
        recto serve book.pdf --spread book --fit width --scale 2 --stdio
        recto serve book.pdf papers/ --http 8080 --open
      """
  )

  @Argument(
    help: ArgumentHelp(
      "PDFs to open, with --http also folders and s3://BUCKET/PREFIX/; with --stdio one at the most.",
      valueName: "file"
    ),
    completion: .file()
  )
  var files: [String] = []

  @Flag(help: "Use standard input and output.")
  var stdio = false

  @OptionGroup(title: "HTTP") var server: HTTPOptions
  @OptionGroup(title: "Layout") var layout: LayoutOptions
  @OptionGroup(title: "Engine") var engine: ServeOptions
  @OptionGroup(title: "Pictures") var drawing: DrawingOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var remote: RemoteOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Cache") var shared: SharedCacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    guard stdio || server.http != nil else { throw ValidationError("missing --stdio or --http") }
    if stdio, server.http != nil { throw ValidationError("--stdio cannot be used with --http") }
    try shared.validate(with: cache)
    if stdio, files.count > 1 {
      throw ValidationError("\(files[1]): --stdio takes one file at the most")
    }
    if !stdio {
      for file in files {
        guard let shown = RemoteAddress.malformed(file) else { continue }
        throw ValidationError("\(shown): \(DocumentInput.noAddress)")
      }
    }
    if !stdio, files.isEmpty { throw ValidationError("missing a file or folder to serve") }
    if let input = files.first(where: DocumentInput.isStandardInput) {
      throw ValidationError(
        stdio
          ? "\(input): standard input has the requests, and cannot be the document"
          : "\(input): standard input cannot be served; name a file or a folder"
      )
    }
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reportingFailures(messages.messages) { () throws(Failure) in
      if server.http != nil { try becomeServer() }
      StandardStreams.endWithReader()
      let setup = try ServeSetup(self)
      let session = setup.session(
        LineOutput(pictures: engine.pictures),
        watcher: try? FileWatcher()
      )
      await session.run(LineInput(0), opening: files.first)
      await setup.settings.shared?.end(messages.messages)
      return true
    }
  }
}
