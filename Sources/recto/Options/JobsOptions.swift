internal import ArgumentParser
internal import Glibc

/// How many pages are drawn at the same time.
struct JobsOptions: ParsableArguments {
  @Option(
    name: .customLong("jobs"),
    help: ArgumentHelp(
      "Number of worker processes, 1 to 256. (default: number of processors)",
      valueName: "number"
    )
  )
  var jobsWanted: Int?

  /// The number of worker processes.
  var jobs: Int { jobsWanted ?? min(256, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Checks the range.
  ///
  /// - Throws: A validation error for a number that is out of range.
  func validate() throws {
    guard (1...256).contains(jobs) else {
      throw ValidationError("--jobs: must be between 1 and 256, is \(jobs)")
    }
  }
}
