internal import ArgumentParser
internal import FileSystem
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// `recto thumbs`.
struct ThumbsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbs",
    abstract: "Make thumbnails of many documents.",
    discussion: """
      Directories are searched for *.pdf; symbolic links to directories are not followed, and \
      names that begin with a dot are left out. Writes one JSON line for each finished document, \
      and one picture per page: NAME.png, or NAME-NN.png with --pages. If a document fails, the \
      others are still processed.

      Example:
        recto thumbs --size 256 -o thumbnails ~/papers report.pdf
      """
  )

  @Argument(
    help: ArgumentHelp("PDFs, and directories to search for PDFs.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var paths: [String] = []

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("Directory for the thumbnails.", valueName: "dir"),
    completion: .directory
  )
  var output: String

  @Option(
    help: ArgumentHelp("Length of the longer side in pixels, 1 to 4096.", valueName: "pixels"),
    reading: .number(1...4096)
  )
  var size: Int = 256

  @Option(
    help: ArgumentHelp(
      "Pages: \"first\", \"all\", or a list: \"1-10,20,z\", \"odd\", \"label:iv\".",
      valueName: "pages"
    ),
    completion: .list(["first", "all"]),
    reading: .thumbnailPages
  )
  var pages: ThumbnailPages = .first

  @Option(
    help: ArgumentHelp(
      "File with more paths, one per line; - for standard input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var from: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "Paths of --from end with U+0000 instead of a line break."
  )
  var isNullSeparated = false

  @Flag(name: .customLong("hidden"), help: "Search names that begin with a dot too.")
  var includesHidden = false

  @OptionGroup var workers: JobsOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions

  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    _ = try pictures.style()
    if paths.isEmpty, from == nil {
      throw ValidationError("missing a file, a directory, or --from")
    }
    if isNullSeparated, from == nil { throw ValidationError("--null needs --from") }
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    let messages = messages.messages
    try await reportingFailures(messages) { () throws(Failure) in
      let folder = FilePath(argument: output)
      do throws(FileError) {
        try Files.createDirectory(folder)
      } catch {
        throw Failure(output: error)
      }
      let (paths, refused) = try allPaths()
      let run = ThumbnailRun(
        into: folder,
        size: size,
        style: try Failure.usage { () throws(ValidationError) in try pictures.style() },
        pages: pages,
        settings: try document.settings(cache: cache.directory(messages), workers: workers.jobs)
      )
      let library = DocumentLibrary(
        paths.map { FilePath(bytes: $0) },
        pages: pages,
        includesHidden: includesHidden
      )
      let report = LibraryReport(of: library, in: paths, messages)
      return try await Shutdown.cancelling { () throws(Failure) in
        try await process(report, with: run, refused: refused)
      }
    }
  }

  /// Makes the thumbnails of all documents, and writes a line for each.
  ///
  /// - Parameters:
  ///   - report: Writes the lines, and reports what failed.
  ///   - run: Makes the thumbnails.
  ///   - refused: The lines of `--from` that are not paths.
  /// - Returns: Whether everything succeeded.
  /// - Throws: A failure that ends the run, such as a full disk; or the failure of the only document.
  private func process(
    _ report: LibraryReport,
    with run: ThumbnailRun,
    refused: [String]
  ) async throws(Failure) -> Bool {
    var report = report
    for line in refused { try report.refuse(line) }
    try report.writeFolders()
    let bar = Mutex(ProgressBar(total: report.library.items.count, style: report.messages.progress))
    defer { bar.withLock { $0.clear() } }
    try await run.thumbnails(of: report.library) { progress in
      bar.withLock { $0.take(progress) }
    } each: { thumbnails throws(Failure) in
      try bar.withLock { bar throws(Failure) in
        bar.clear()
        try report.write(thumbnails)
      }
    }
    return try report.end()
  }

  /// The paths given as bytes, and the lines of `--from` that are not paths.
  ///
  /// - Throws: A failure with exit code 66 if the file of `--from` cannot be read.
  private func allPaths() throws(Failure) -> (paths: [[UInt8]], refused: [String]) {
    var all = paths.map { RawArguments.decode($0) }
    var refused: [String] = []
    guard let from else { return (all, refused) }
    let path = FilePath(argument: from == "-" ? "/dev/stdin" : from)
    do {
      for line in try Files.lines(of: path, endingWith: isNullSeparated ? 0 : UInt8(ascii: "\n")) {
        if line.contains(0) {
          refused.append(String(decoding: line, as: UTF8.self))
        } else {
          all.append(line)
        }
      }
    } catch {
      throw Failure(input: error, path: path)
    }
    return (all, refused)
  }
}

extension ProgressBar {
  /// Counts the pages of documents that are open, and documents that are not as one each.
  fileprivate mutating func take(_ progress: ThumbnailProgress) {
    switch progress {
    case .opened(_, let pages): extend(by: pages - 1)
    case .finished(let item, let pages): advance(item.path, by: pages)
    }
  }
}
