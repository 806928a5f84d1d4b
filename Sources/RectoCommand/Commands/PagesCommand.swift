internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// `recto pages`.
struct PagesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pages",
    abstract: "Write pages of a document to picture files.",
    discussion: """
      Writes one file per page, by default STEM-NN.png in the current directory. If a page fails, \
      the others are still written. The pictures are not kept in the cache.

      TEMPLATE is a path with placeholders: {stem} (the name of the document without .pdf), {page} \
      (with as many digits as the page count), {page:03} (with three digits), {label} and {ext}. The \
      format of the files is that of the extension, if --format is not given. A .pdf or .tif without \
      {page} and {label} gets all pages, in the order of the list; if one of them fails, it is not \
      written.

      Example:
        recto pages book.pdf 3-7 --dpi 300 -o out/{stem}-{page}.png
        recto pages book.pdf 3-7 -o part.pdf
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @OptionGroup var pages: PagesOptions

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      Files, or a directory that exists or ends with /; - for standard output, for one page or a \
      format with pages. \
      (default: {stem}-{page}.{ext})
      """,
      valueName: "template"
    ),
    completion: .file()
  )
  var output: String?

  @Flag(help: "Print one JSON line for each page when it is done.")
  var json = false

  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Pictures") var picture: PagePictureOptions
  @OptionGroup(title: "Pictures") var drawing: DrawingOptions
  @OptionGroup(title: "Pyramids") var pyramids: PyramidOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    if output == "" { throw ValidationError("--output: missing value") }
    if json, output == "-" { throw ValidationError("--json cannot be used with --output -") }
    if let option = pyramids.option {
      if output == "-" { throw ValidationError("\(option) cannot be used with --output -") }
      if picture.crop != nil { throw ValidationError("\(option) cannot be used with --crop") }
      if let format = picture.picture.format, [.ppm, .tiff, .svg, .pdf].contains(format) {
        throw ValidationError("--format \(format.rawValue) cannot be used with \(option)")
      }
    }
    _ = try style()
  }

  /// The style of the pictures.
  ///
  /// - Throws: A validation error for options without effect, and for a format that is not written.
  private func style() throws(ValidationError) -> PictureStyle {
    guard pyramids.option != nil else { return try picture.style(for: output) }
    return try picture.picture.style(
      pyramids.iiif ? .jpeg : .png,
      isTransparent: picture.transparent
    )
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    let messages = messages.messages
    try await reportingFailures(messages) { () throws(Failure) in
      let style = try Failure.usage { () throws(ValidationError) in try self.style() }
      let input = try await DocumentInput.open(file, document, self.input)
      let destination = try PageDestination(
        output,
        of: input,
        hasExtension: !pyramids.iiif
      )
      if pyramids.option != nil, case .standardOutput = destination {
        throw Failure(usage: "a pyramid cannot be written to standard output")
      }
      if json, case .standardOutput = destination {
        throw Failure(usage: "--json cannot be used with --output on standard output")
      }
      let settings = drawing.applied(
        to: try document.settings(
          cache: cache.directory(for: input, messages),
          workers: workers.jobs
        )
      )
      return try await Shutdown.cancelling { () throws(Failure) in
        try await input.read(settings, messages) { document throws(Failure) in
          try await run(document, destination, style, messages)
        }
      }
    }
  }

  /// Writes the pages.
  ///
  /// - Returns: Whether all pages were written.
  /// - Throws: A failure if the document cannot be opened, or a file cannot be written.
  private func run(
    _ document: Document,
    _ destination: PageDestination,
    _ style: PictureStyle,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    switch destination {
    case .standardOutput:
      let export = PageExport(
        pages: pages.list,
        geometry: picture.geometry(for: style),
        style: style
      )
      return try await write(export, document, messages)
    case .files(let template):
      var export = PageExport(
        to: template,
        pages: pages.list,
        geometry: picture.geometry(for: style),
        style: style
      )
      export.pyramid = pyramids.pyramid
      return try await write(export, document, workers: workers.jobs, messages)
    }
  }

  /// Writes the only page, or all pages of one file, to standard output.
  ///
  /// - Throws: A failure if there is more than one page in a format without pages, or a page cannot be drawn or written.
  private func write(
    _ export: PageExport,
    _ document: Document,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    let file: (bytes: [UInt8], pages: [(page: PageIndex, warnings: Warnings)])
    do throws(PageExportError) {
      file = try await export.file(document, workers: workers.jobs)
    } catch {
      throw Failure(error, path: document.path)
    }
    for (page, warnings) in file.pages { messages.warn(warnings, path: document.path, page: page) }
    await messages.note(clipping: pages.list, to: document)
    try StandardStreams.write(file.bytes)
    return true
  }

  /// Writes the pages to files.
  ///
  /// - Returns: Whether all pages were written.
  /// - Throws: A failure if the document cannot be opened, or a file or standard output cannot be
  ///   written.
  private func write(
    _ export: PageExport,
    _ document: Document,
    workers: Int,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    var report = PageReport(path: document.path, isJSON: json, messages)
    var bar = messages.progressBar(total: 0, unit: "pages")
    defer { bar.clear() }
    do throws(PageExportError) {
      try await export.write(document, workers: workers) { count in
        bar.extend(by: count)
      } each: { page in
        bar.clear()
        report.write(page)
        bar.advance(document.path, by: page.pages.count)
        return report.outputFailure == nil
      }
    } catch {
      throw Failure(error, path: document.path)
    }
    await messages.note(clipping: pages.list, to: document)
    await messages.printEnd(of: document)
    return try report.end()
  }
}
