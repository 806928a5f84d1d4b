internal import ArgumentParser
internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import Glibc
internal import RectoKit
internal import SystemPackage

/// `recto thumbs`.
struct ThumbsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbs",
    abstract: "Make thumbnails of many documents.",
    discussion: """
      Directories are searched for *.pdf; symbolic links to directories are not followed. Writes \
      one JSON line for each finished document, and one picture per page: NAME.png, or \
      NAME-NN.png with --pages. If a document fails, the others are still processed.

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
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Directory for the thumbnails.", valueName: "dir"),
    completion: .directory
  )
  var output: String

  @Option(
    help: ArgumentHelp("Length of the longer side in pixels, 1 to 4096.", valueName: "pixels")
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

  @Option(
    name: .customLong("jobs"),
    help: ArgumentHelp(
      "Number of worker processes, 1 to 256. (default: number of processors)",
      valueName: "number"
    )
  )
  var jobsWanted: Int?

  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  private var jobs: Int { jobsWanted ?? min(256, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    guard (1...4096).contains(size) else {
      throw ValidationError("--size: must be between 1 and 4096 pixels, is \(size)")
    }
    guard (1...256).contains(jobs) else {
      throw ValidationError("--jobs: must be between 1 and 256, is \(jobs)")
    }
    _ = try pictures.style()
    if paths.isEmpty, from == nil {
      throw ValidationError("missing a file, a directory, or --from")
    }
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
      let library = try library(paths)
      let run = ThumbnailRun(
        into: folder,
        size: size,
        style: try Failure.usage { () throws(ValidationError) in try pictures.style() },
        pages: pages,
        settings: try document.settings(cache: cache.directory(messages), workers: jobs)
      )
      return try await process(library, with: run, refused: refused, messages)
    }
  }

  /// The documents in files and directories.
  ///
  /// - Throws: A failure with exit code 66 for a directory that cannot be read.
  private func library(_ paths: [FilePath]) throws(Failure) -> DocumentLibrary {
    do throws(FileError) {
      return try DocumentLibrary(paths, pages: pages)
    } catch {
      throw Failure(input: error, path: error.path)
    }
  }

  /// Makes the thumbnails of all documents, and writes a line for each.
  ///
  /// - Parameters:
  ///   - library: The documents.
  ///   - run: Makes the thumbnails.
  ///   - refused: The lines of `--from` that are not paths.
  ///   - messages: Reports what failed.
  /// - Returns: Whether everything succeeded.
  /// - Throws: A failure that ends the run, such as a full disk; or the failure of the only document.
  private func process(
    _ library: DocumentLibrary,
    with run: ThumbnailRun,
    refused: [String],
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    var failed = refused.count
    var onlyFailure: Failure?
    for line in refused { onlyFailure = try refuse(line, messages) }
    var progress = ProgressBar(total: library.items.count, style: messages.progress)
    defer { progress.clear() }
    try await run.thumbnails(of: library) { thumbnails throws(Failure) in
      progress.clear()
      if let mismatch = thumbnails.mismatch {
        messages.print(rereading: Failure(mismatch, path: thumbnails.item.path))
      }
      try StandardStreams.write(thumbnails.line)
      if let failure = thumbnails.report(messages) {
        failed += 1
        onlyFailure = failure
        onlyFailure?.isReported = true
      }
      if let error = thumbnails.deviceFailure { throw Failure(output: error) }
      progress.advance(thumbnails.item.path)
    }
    // For a single document, its exit code is more specific than 1.
    if library.items.count + refused.count == 1, let onlyFailure, onlyFailure.page == nil {
      throw onlyFailure
    }
    return failed == 0
  }

  /// Reports a line of `--from` that is not a path.
  ///
  /// - Throws: A failure if standard output cannot be written.
  private func refuse(_ line: String, _ messages: MessagePrinter) throws(Failure) -> Failure {
    var failure = Failure(usage: "\(line): a path cannot contain U+0000")
    var writer = JSONWriter()
    writer.object { object in
      object.member("path", line)
      object.object("error") { error in
        error.member("code", failure.code)
        error.member("message", "a path cannot contain U+0000")
      }
    }
    writer.newline()
    try StandardStreams.write(writer.bytes)
    messages.print(failure)
    failure.isReported = true
    return failure
  }

  /// The paths given, and the lines of `--from` that are not paths.
  ///
  /// - Throws: A failure with exit code 66 if the file of `--from` cannot be read.
  private func allPaths() throws(Failure) -> (paths: [FilePath], refused: [String]) {
    var all = paths.map { FilePath(argument: $0) }
    var refused: [String] = []
    guard let from else { return (all, refused) }
    let path = FilePath(argument: from == "-" ? "/dev/stdin" : from)
    do {
      for line in try Files.lines(of: path) {
        if line.contains(0) {
          refused.append(String(decoding: line, as: UTF8.self))
        } else {
          all.append(FilePath(bytes: line))
        }
      }
    } catch {
      throw Failure(input: error, path: path)
    }
    return (all, refused)
  }
}
