internal import ArgumentParser
internal import RectoBase
internal import SystemPackage

/// The journal of a run with many documents, how a later run uses it, and the part of the documents.
struct JournalOptions: ParsableArguments {
  @Option(
    name: .customLong("journal"),
    help: ArgumentHelp(
      """
      File to which a line of JSON is appended for each document that is done. (default of thumbs: with \
      --resume, --retry-failed or --watch \(Journal.defaultName) in the directory of --output, else none)
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var journal: String?

  @Flag(
    name: [.long, .customLong("update")],
    help: """
      Leave out documents that are done according to the journal, unchanged, and whose files are \
      there; also those that failed.
      """
  )
  var resume = false

  @Flag(help: "As --resume, but try documents again that failed.")
  var retryFailed = false

  @Option(
    help: ArgumentHelp(
      """
      Part of the documents: K/N for part K of N, auto for the part of this run in an array of \
      Slurm, AWS Batch or Kubernetes, auto/N to state the number of parts.
      """,
      valueName: "part"
    ),
    reading: .shard
  )
  var shard: ShardArgument?

  /// Checks that the journal is a file.
  ///
  /// - Throws: A validation error for an address.
  func validate() throws { try StoreOutput.refuseAddress(journal, "--journal") }

  /// Whether documents may be skipped.
  var resumes: Bool { resume || retryFailed }

  /// The journal; nil if there is none.
  ///
  /// - Parameters:
  ///   - hasDefault: Whether a default journal is used if none is named.
  ///   - resumes: Whether documents may be skipped.
  ///   - isDryRun: Whether nothing is written.
  ///   - options: The options on which the files depend.
  /// - Returns: The journal, open.
  /// - Throws: A failure if it cannot be opened or read.
  func journal(
    in folder: FilePath,
    hasDefault: Bool = false,
    resumes: Bool,
    isLocal: Bool = true,
    isDryRun: Bool = false,
    options: String,
    hasPassword: Bool
  ) throws(Failure) -> Journal? {
    guard journal != nil || hasDefault else { return nil }
    let path = journal.map { FilePath(argument: $0) } ?? folder.appending(Journal.defaultName)
    // A dry run makes no file.
    if isDryRun, (try? Files.status(of: path)) == nil { return nil }
    do throws(FileError) {
      return try Journal(
        path,
        of: folder,
        isLocal: isLocal,
        options: options,
        retryFailed ? .unfinishedAndFailed : resumes ? .unfinished : .none,
        hasPassword: hasPassword
      )
    } catch {
      throw Failure(output: error)
    }
  }

  /// The part of the documents to process; nil for all.
  ///
  /// - Throws: A usage error if the environment does not name it.
  func part() throws(Failure) -> Shard? {
    do throws(InvalidShard) {
      return try shard?.shard(in: RawArguments.environment)
    } catch {
      throw Failure(usage: "--shard: \(error)")
    }
  }
}

/// What only `recto thumbs` does with journals.
struct ThumbnailJournalOptions: ParsableArguments {
  @Flag(
    help: """
      Then wait for documents that are new or have changed in the directories, as with --resume, until \
      a signal ends the command.
      """
  )
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Print what a journal says: documents, pages, rate, and a table of the failures.",
      valueName: "journal"
    ),
    completion: .file()
  )
  var report: String?

  @Flag(help: "Print what would be done, and write nothing.")
  var dryRun = false
}

extension String {
  /// The names of the flags that are given, each after a space.
  init(flags: KeyValuePairs<String, Bool>) {
    self = flags.filter(\.value).map { " \($0.key)" }.joined()
  }
}
