internal import ArgumentParser
internal import RectoBase
internal import RectoKit
internal import RenderWorkers
internal import SystemPackage

/// A list of documents, and how much time each may take.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      File with the paths or addresses of documents, and of directories or prefixes in a store (s3://BUCKET/PREFIX/) to \
      search for PDFs, one per line; - for standard input, whose documents are processed as their paths arrive.
      """,
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

  @Option(
    help: ArgumentHelp(
      "Time limit for a document, in seconds; pages that are done stay. (default: none)",
      valueName: "seconds"
    ),
    reading: .number(above: 0, atMost: 31_536_000)
  )
  var documentTimeout: Double?

  @Option(
    help: ArgumentHelp(
      """
      Directory that all documents are below: their names, and {dir}, have their path below it. \
      (default: the given directories)
      """,
      valueName: "directory"
    ),
    completion: .directory
  )
  var base: String?

  @Option(
    help: ArgumentHelp(
      """
      process: each document has worker processes of its own; worker: a process works on many, which \
      is faster for small documents that are equally trusted. Does not use the cache.
      """,
      valueName: "isolation"
    ),
    reading: .choice
  )
  var isolation: Isolation = .process

  /// The settings for opening the documents.
  func applied(to settings: DocumentSettings) -> DocumentSettings {
    var settings = settings
    if isolation == .worker { settings.reuse = WorkerReuse() }
    return settings
  }

  /// Finds and names the documents.
  func library(
    pages: ThumbnailPages = .first,
    template: FileTemplate? = nil
  ) -> DocumentLibrary {
    DocumentLibrary(
      pages: pages,
      includesHidden: includesHidden,
      template: template,
      base: base.map { FilePath(argument: $0) }
    )
  }

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that need another one.
  func validate() throws {
    if isNullSeparated, from == nil { throw ValidationError("--null needs --from") }
  }

  /// Paths to documents and directories.
  struct Paths {
    /// The paths that are known.
    var paths: [[UInt8]]
    /// Lines that are not paths.
    var refused: [[UInt8]] = []
    /// The source of more paths, if the list is a stream.
    var lines: LineInput?
    /// Whether any of the known paths is an address.
    var areDistant: Bool {
      paths.contains { RemoteAddress(String(decoding: $0, as: UTF8.self)) != nil }
    }
    /// The most bytes of documents that follow lines which name them; nil if lines are paths.
    var largestContents: Int?
  }

  /// The given paths, and those of the list.
  ///
  /// - Throws: A failure with exit code 66 if the list cannot be read.
  func paths(_ given: [String] = []) throws(Failure) -> Paths {
    var all = Paths(paths: given.map { RawArguments.decode($0) })
    guard let from else { return all }
    let end = isNullSeparated ? 0 : UInt8(ascii: "\n")
    if from == "-" {
      all.lines = LineInput(0, endingWith: end)
      return all
    }
    let path = FilePath(argument: from)
    do {
      for line in try Files.lines(of: path, endingWith: end) {
        if line.contains(0) { all.refused.append(line) } else { all.paths.append(line) }
      }
    } catch {
      throw Failure(input: error, path: path)
    }
    return all
  }
}

/// What one document can do to others of the same run.
enum Isolation: String, NamedChoice {
  /// Nothing.
  case process
  /// Falsify and read those that its worker process gets after it.
  case worker
}

/// Many documents for a command that else has one.
struct LibraryOptions: ParsableArguments {
  @OptionGroup var list: ListOptions

  @Option(
    help: ArgumentHelp("With --from: print a line of JSON for each of them.", valueName: "unit"),
    reading: .choice
  )
  var lines: LineUnit = .documents

  @Flag(
    help: """
      With --from -: standard input has the documents themselves: for each a line of JSON, \
      {"path":"NAME","bytes":N}, and then its N bytes.
      """
  )
  var contents = false

  @OptionGroup var journal: JournalOptions

  /// Whether there are many documents.
  var isGiven: Bool { list.from != nil }

  /// Checks the options against each other, and that there is a document or a list of them.
  ///
  /// - Parameter file: The only document; nil if it is not given.
  /// - Throws: A validation error for options that exclude each other.
  func check(_ file: String?) throws(ValidationError) {
    guard isGiven else {
      let needing: [(Bool, String)] = [
        (lines == .pages, "lines"), (contents, "contents"), (list.base != nil, "base"),
        (list.includesHidden, "hidden"), (list.isolation != .process, "isolation"),
        (list.documentTimeout != nil, "document-timeout"), (journal.journal != nil, "journal"),
        (journal.resume, "resume"), (journal.retryFailed, "retry-failed"),
        (journal.shard != nil, "shard"),
      ]
      for (isSet, name) in needing where isSet { throw ValidationError("--\(name) needs --from") }
      guard file != nil else { throw ValidationError("missing expected argument '<file>'") }
      return
    }
    if let file { throw ValidationError("--from cannot be used with a file, is given '\(file)'") }
    if contents {
      if list.from != "-" { throw ValidationError("--contents needs --from -") }
      if list.isNullSeparated { throw ValidationError("--contents cannot be used with --null") }
      if journal.resumes {
        throw ValidationError("--contents cannot be used with --resume and --retry-failed")
      }
    }
    if journal.resumes, journal.journal == nil {
      throw ValidationError("--\(journal.resume ? "resume" : "retry-failed") needs --journal")
    }
  }
}
