internal import ArgumentParser
internal import RectoKit

/// `recto doctor`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check what Recto needs on this machine.",
    discussion: """
      Starts a worker, has it draw a page, and prints what its sandbox consists of, which fonts it \
      finds, whether the cache can be used, and the limits of the machine. The output can be put \
      into a bug report: it contains no name of a document.

      Exit code 1 says that something is missing. A missing namespace is not: the sandbox is \
      complete without it.

      Example:
        recto doctor
      """
  )

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reportingFailures(messages.messages) { () throws(Failure) in
      let report = await DoctorReport()
      try json ? report.printJSON() : report.printText()
      return report.isComplete
    }
  }
}
