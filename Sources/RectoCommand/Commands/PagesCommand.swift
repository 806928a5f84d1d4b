internal import ArgumentParser
internal import DocumentModel
internal import DocumentText
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// `recto pages`.
struct PagesCommand: LibraryCommand {
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

      With --from, writes pages of many documents, and prints a line of JSON for each document; \
      TEMPLATE can have {dir}, the directory of the document below a given one.

      Example:
        recto pages book.pdf 3-7 --dpi 300 -o out/{stem}-{page}.png
        recto pages book.pdf 3-7 -o part.pdf
        find papers -name '*.pdf' | recto pages --from - --size 1000 -o 'out/{dir}/{stem}-{page}.png'
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var given: String?

  @OptionGroup var pages: PagesOptions

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      Files, or a directory that exists or ends with /, or s3://BUCKET/PREFIX/; - for standard output, \
      for one page, or several as pdf, tiff or ppm. \
      (default: {stem}-{page}.{ext})
      """,
      valueName: "template"
    ),
    completion: .file()
  )
  var output: String?

  @Option(
    name: .customLong("pictures"),
    help: ArgumentHelp(
      "With --from: pictures in files, or in the lines (inline), in base 64.",
      valueName: "place"
    ),
    reading: .choice
  )
  var place: PicturePlace = .files

  @Flag(help: "With --from: add the text of each page.")
  var withText = false

  @Flag(help: "Print one JSON line for each page when it is done.")
  var json = false

  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Many documents") var library: LibraryOptions
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
    try library.check(given)
    if !library.isGiven, isInline || withText {
      throw ValidationError("\(isInline ? "--pictures inline" : "--with-text") needs --from")
    }
    if isInline, output != nil {
      throw ValidationError("--pictures inline cannot be used with --output")
    }
    if library.isGiven, output == "-" {
      throw ValidationError("--from cannot be used with --output -")
    }
    if library.isGiven, let option = pyramids.option {
      throw ValidationError("--from cannot be used with \(option)")
    }
    if output == "" { throw ValidationError("--output: missing value") }
    if json, output == "-" { throw ValidationError("--json cannot be used with --output -") }
    if let option = pyramids.option {
      if try StoreOutput(output) != nil {
        throw ValidationError("\(option) cannot be used with an output in a store")
      }
      if output == "-" { throw ValidationError("\(option) cannot be used with --output -") }
      if picture.crop != nil { throw ValidationError("\(option) cannot be used with --crop") }
      if let format = picture.picture.format, [.ppm, .tiff, .svg, .pdf].contains(format) {
        throw ValidationError("--format \(format.rawValue) cannot be used with \(option)")
      }
    }
    _ = try style()
  }

  /// Whether pictures are in the lines.
  private var isInline: Bool { place == .inline }

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
    if library.isGiven { return try await runMany() }
    let messages = messages.messages
    try await reportingFailures(messages) { () throws(Failure) in
      let style = try Failure.usage { () throws(ValidationError) in try self.style() }
      let input = try await DocumentInput.open(file, document, self.input)
      let destination = try PageDestination(
        output,
        of: input,
        hasExtension: !pyramids.iiif,
        self.input.remote
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

  /// Writes the pages of the documents of the list.
  ///
  /// - Throws: The exit code.
  private func runMany() async throws(ExitCode) {
    let style: PictureStyle
    let (template, store): (FileTemplate, StoreFolder?)
    do throws(Failure) {
      style = try Failure.usage { () throws(ValidationError) in try self.style() }
      (template, store) = try PageDestination.ofMany(output, style, input.remote)
    } catch {
      messages.messages.print(error)
      throw error.exitCode
    }
    let geometry = picture.geometry(for: style)
    let task = LibraryTask(
      name: "pictures",
      kind: isInline ? .failures : .pictures,
      options:
        "pages\(String(flags: ["inline": isInline, "with-text": withText])) \(style.optionText) \(geometry) to \(template)\(store?.optionText ?? "")\(pages.optionText)",
      finder: library.list.library(pages: .all, template: template),
      folder: store?.path ?? template.fixedFolder,
      isInStore: store != nil
    )
    let texts = withText ? PageTexts(pages: pages.list, hasBoxes: false) : nil
    try await processing(task, drawing: drawing.applied(to:)) {
      document,
      context,
      lines throws(Failure) in
      var export = PageExport(to: template, pages: pages.list, geometry: geometry, style: style)
      export.library = (context.files, context.item)
      export.isInline = isInline
      export.store = store
      let text = try await texts?.read(document, workers: context.workers) ?? [:]
      var size = 0
      // Pages are done in any order; the line of a document has them in their order.
      var pages: [ExportedPage] = []
      var failure: PageExportError?
      do throws(PageExportError) {
        try await export.write(document, workers: context.workers) { page in
          if lines.unit == .pages {
            lines.take(page, text)
          } else {
            pages.append(page)
            size += page.dataCount
          }
          // The line will be too long.
          return !lines.isOver && size <= DocumentLines.longestLine
        }
      } catch {
        failure = error
      }
      for page in pages.sorted(by: { $0.pages.lowerBound < $1.pages.lowerBound }) {
        lines.take(page, text)
      }
      if let failure { throw Failure(failure, path: document.path) }
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
    case .files(let template, let store):
      var export = PageExport(
        to: template,
        pages: pages.list,
        geometry: picture.geometry(for: style),
        style: style
      )
      export.pyramid = pyramids.pyramid
      export.store = store
      return try await write(export, document, workers: workers.jobs, messages)
    }
  }

  /// Writes the only page, or all pages of one file, to standard output.
  ///
  /// - Throws: A failure if there is more than one page in a format that cannot be streamed, or a page cannot be drawn
  ///   or written.
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

/// Where the pictures of many documents are.
enum PicturePlace: String, NamedChoice {
  /// In files.
  case files
  /// In the lines of the output.
  case inline
}

extension PageTexts {
  /// The texts of all pages.
  ///
  /// - Throws: A failure if the document cannot be read, or the texts are longer than a line can be.
  fileprivate func read(
    _ document: Document,
    workers: Int
  ) async throws(Failure) -> [PageIndex: Result<PageText, DocumentError>] {
    var texts: [PageIndex: Result<PageText, DocumentError>] = [:]
    var size = 0
    do throws(PageExportError) {
      try await read(document, workers: workers) { page in
        if page.pages.count == 1 { texts[page.pages.lowerBound] = page.text }
        if case .success(let text) = page.text { size += text.utf8.count }
        return size <= DocumentLines.longestLine
      }
    } catch {
      throw Failure(error, path: document.path)
    }
    if size > DocumentLines.longestLine { throw DocumentLines.tooLong(document.path) }
    return texts
  }
}

extension DocumentLines {
  /// Adds a page with its text, if that was read.
  fileprivate mutating func take(
    _ page: ExportedPage,
    _ texts: [PageIndex: Result<PageText, DocumentError>]
  ) {
    take(page) { object in
      object.members(of: page)
      switch texts[page.pages.lowerBound] {
      case .success(let text): object.member("text", text.string)
      case .failure(let error): object.error(error, as: "textError")
      case nil: break
      }
    }
  }
}

extension ExportedPage {
  /// The bytes of a picture that is in no file.
  fileprivate var dataCount: Int {
    if case .success(let file) = result { file.data?.count ?? 0 } else { 0 }
  }
}
