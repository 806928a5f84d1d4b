internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoKit
internal import SystemPackage

/// `recto thumbs`.
struct ThumbsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbs",
    abstract: "Make thumbnails of many documents.",
    discussion: """
      Directories, and prefixes in a store (s3://BUCKET/PREFIX/), are searched for *.pdf; symbolic \
      links to directories are not followed, and names that begin with a dot are left out. Writes \
      one JSON line for each finished document, and one picture per page: NAME.png, or NAME-NN.png \
      with --pages. If a document fails, the others are still processed. With --resume, a run that \
      was ended continues.

      Example:
        recto thumbs --size 256 -o thumbnails ~/papers report.pdf
        recto thumbs -o thumbnails --pages all --resume ~/papers
        recto thumbs -o '{dir}/{stem}-{size}.jpg' --size 256,1024 ~/papers
        recto thumbs -o thumbnails --watch ~/papers
        recto thumbs --freedesktop ~/papers
        recto thumbs s3://library/2026/ -o thumbnails
        recto thumbs --report thumbnails/recto-journal.jsonl
      """
  )

  @Argument(
    help: ArgumentHelp(
      "PDFs or their addresses, and directories or prefixes in a store to search for PDFs.",
      valueName: "file"
    ),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var paths: [String] = []

  @OptionGroup var destination: ThumbnailDestinationOptions

  @Option(
    help: ArgumentHelp(
      "Pages: \"first\", \"all\", or a list: \"1-10,20,z\", \"odd\", \"label:iv\".",
      valueName: "pages"
    ),
    completion: .list(["first", "all"]),
    reading: .thumbnailPages
  )
  var pages: ThumbnailPages = .first

  @OptionGroup var list: ListOptions
  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Journal") var journal: JournalOptions
  @OptionGroup(title: "Journal") var history: ThumbnailJournalOptions
  @OptionGroup(title: "Contact sheets") var sheets: SheetOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Pictures") var drawing: DrawingOptions

  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var remote: RemoteOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    _ = try destination.style(pictures)
    if history.report != nil {
      guard paths.isEmpty, list.from == nil, destination.output == nil, !destination.freedesktop,
        !destination.embedded,
        journal.journal == nil, !journal.resumes, !history.watch,
        !history.dryRun, journal.shard == nil, sheets.sheet == nil
      else { throw ValidationError("--report cannot be used with documents or other options") }
      return
    }
    try destination.check(pages)
    if destination.freedesktop, journal.resume, journal.journal == nil {
      throw ValidationError("--resume needs --journal with --freedesktop")
    }
    let settings = DocumentSettings(shown: ShownContent(box: document.box))
    if destination.freedesktop, !drawing.applied(to: settings).shown.isUsual {
      throw ValidationError(
        "--freedesktop cannot be used with --box, --annotations, --show-layer or --hide-layer"
      )
    }
    if destination.freedesktop, sheets.sheet != nil {
      throw ValidationError("--freedesktop cannot be used with --sheet")
    }
    if paths.isEmpty, list.from == nil {
      throw ValidationError("missing a file, a directory, or --from")
    }
    if try destination.store() != nil {
      if sheets.sheet != nil {
        throw ValidationError("--sheet cannot be used with an output in a store")
      }
      if journal.resumes || history.watch, journal.journal == nil {
        throw ValidationError(
          "with an output in a store this needs --journal, a file that tells what is done"
        )
      }
    }
    let hasAddress = paths.contains { RemoteAddress($0) != nil }
    if destination.freedesktop, hasAddress {
      throw ValidationError("--freedesktop cannot be used with an address")
    }
    if history.watch {
      let refused =
        hasAddress
        ? "an address"
        : list.from != nil
          ? "--from" : history.dryRun ? "--dry-run" : sheets.sheet != nil ? "--sheet" : nil
      if let refused { throw ValidationError("--watch cannot be used with \(refused)") }
    }
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    let messages = messages.messages
    try await reportingFailures(messages) { () throws(Failure) in
      if let report = history.report {
        try printReport(of: FilePath(argument: report))
        return true
      }
      let session = history.watch ? nil : try session(messages)
      return try await LibrarySession.untilSignal(messages) { () throws(Failure) in
        if let session { return try await session.process() }
        return try await watching(messages)
      }
    }
  }

  /// Makes thumbnails again and again as documents appear and change, until the task is cancelled.
  ///
  /// - Returns: True.
  /// - Throws: A failure that ends a run, such as a full disk.
  private func watching(_ messages: MessagePrinter) async throws(Failure) -> Bool {
    // From before the search, so that no change is missed.
    let changes = FolderWatcher.changes(
      below: paths.map { FilePath(bytes: RawArguments.decode($0)) },
      includesHidden: list.includesHidden,
      isOfInterest: DocumentLibrary.isDocument
    )
    _ = try await session(messages).process()
    for await _ in changes {
      // It throws only when it is cancelled.
      try? await Task.sleep(for: Self.pause)
      guard !Task.isCancelled else { break }
      _ = try await session(messages, printsSettled: false).process()
    }
    return true
  }

  /// From a change to the search: files that are copied together are searched together.
  private static let pause = Duration.milliseconds(250)

  /// Prints the report of a journal.
  ///
  /// - Throws: A failure if the journal cannot be read.
  private func printReport(of path: FilePath) throws(Failure) {
    let text: String
    do throws(FileError) {
      text = try JournalSummary.read(path).text
    } catch {
      throw Failure(input: error, path: path)
    }
    try StandardStreams.write(Array(text.utf8))
  }

  /// The run with its source, journal and report.
  ///
  /// - Parameter printsSettled: Whether documents that need no work get a line.
  /// - Throws: A failure if the output folder, the journal or the paths cannot be used.
  private func session(
    _ messages: MessagePrinter,
    printsSettled: Bool = true
  ) throws(Failure) -> LibrarySession {
    let place = try destination.destination(pages, remote)
    let shard = try journal.part()
    let sheets = try sheets.sheets(
      size: destination.sizes.max() ?? 0,
      shard: shard,
      cellsPerDocument: pages == .first ? 1 : nil
    )
    if !history.dryRun, !destination.freedesktop, !place.isStore { try create(place.folder) }
    var run = try run(into: place, messages)
    let template = try Failure.usage { () throws(ValidationError) in
      try destination.template(pages)
    }
    let retriesFailed = journal.retryFailed || run.settings.password != nil
    let journal = try journal.journal(
      in: place.folder,
      hasDefault: !place.isStore && !destination.freedesktop
        && (self.journal.resumes || history.watch),
      resumes: self.journal.resumes || history.watch,
      isLocal: !place.isStore,
      isDryRun: history.dryRun,
      options: run.optionText,
      hasPassword: run.settings.password != nil
    )
    let paths = try list.paths(paths)
    run.isDistant = paths.areDistant
    let source = LibrarySource(
      paths,
      library: list.library(pages: pages, template: template),
      shard: shard,
      journal: journal,
      desktop: DesktopState(run, retriesFailed: retriesFailed),
      remote: remote
    )
    let report = LibraryReport(
      messages,
      isPart: shard != nil,
      isStream: paths.lines != nil || history.watch,
      isDryRun: run.isDryRun,
      printsSettled: printsSettled
    )
    return LibrarySession(source, run, journal, report, sheets)
  }

  /// Makes the output folder.
  ///
  /// - Throws: A failure if it cannot be made.
  private func create(_ folder: FilePath) throws(Failure) {
    guard !folder.isEmpty else { return }
    do throws(FileError) {
      try Files.createDirectory(folder)
    } catch {
      throw Failure(output: error)
    }
  }

  /// Makes the thumbnails.
  ///
  /// - Throws: A failure if the password cannot be read.
  private func run(
    into destination: ThumbnailDestination,
    _ messages: MessagePrinter
  ) throws(Failure) -> ThumbnailRun {
    let cache = history.dryRun ? nil : cache.directory(messages)
    var run = ThumbnailRun(
      into: destination,
      sizes: self.destination.sizes,
      style: try Failure.usage { () throws(ValidationError) in
        try self.destination.style(pictures)
      },
      pages: pages,
      settings: list.applied(
        to: drawing.applied(to: try document.settings(cache: cache, workers: workers.jobs))
      )
    )
    run.documentLimit = list.documentTimeout
    run.patience = LibrarySession.patience
    run.isDryRun = history.dryRun
    run.allowsEmbedded = self.destination.embedded
    return run
  }
}

extension ThumbnailRun {
  /// The settings that files and their names depend on; equal settings give equal text.
  fileprivate var optionText: String {
    let embedded = allowsEmbedded ? " embedded" : ""
    let place =
      switch destination {
      case .folder: ""
      case .store(let store): store.optionText + (store.template.map { " template \($0)" } ?? "")
      case .template(let template): " template \(template)"
      case .desktop: " freedesktop"
      }
    let sizes = sizes.map(String.init).joined(separator: ",")
    return
      "size \(sizes) \(style.optionText) pages \(pages.text)\(settings.readerText)\(place)\(embedded)\(settings.drawingText)"
  }
}

extension PictureStyle {
  /// The format and what is given of it; equal styles of one command give equal text.
  var optionText: String {
    let quality = quality.map { " quality \($0)" } ?? ""
    let gray = isBilevel ? " mono" : isGray ? " gray" : ""
    let transparent = isTransparent ? " transparent" : ""
    return "\(format.rawValue)\(quality)\(gray)\(transparent)"
  }
}
