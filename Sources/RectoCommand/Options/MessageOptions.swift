internal import ArgumentParser

/// The messages on standard error and their form; the same in every command.
struct MessageOptions: ParsableArguments {
  @Option(
    name: .customLong("errors"),
    help: ArgumentHelp("Format of messages on standard error.", valueName: "style"),
    reading: .choice
  )
  var style: MessageStyle = .text

  @Flag(
    name: [.customShort("q"), .long],
    help: "Print errors only: no warnings and no progress bar."
  )
  var quiet = false

  @Flag(
    name: [.customShort("v"), .long],
    help: "Print what is done: the reader of pages, the engine, use of the cache, times."
  )
  var verbose = false

  @Flag(help: "Show no progress bar. It is only shown in a terminal.")
  var noProgress = false

  @Flag(
    help: """
      Print progress on standard error as JSON, one object per line: \
      {"progress":{"done":3,"total":12,"unit":"pages"}}.
      """
  )
  var jsonProgress = false

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other.
  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet cannot be used with --verbose") }
    if quiet, jsonProgress { throw ValidationError("--quiet cannot be used with --json-progress") }
    if noProgress, jsonProgress {
      throw ValidationError("--no-progress cannot be used with --json-progress")
    }
  }

  var messages: MessagePrinter {
    MessagePrinter(
      style: style,
      level: quiet ? .errors : verbose ? .all : .warnings,
      progress: jsonProgress ? .json : quiet || noProgress ? .none : .bar
    )
  }
}
