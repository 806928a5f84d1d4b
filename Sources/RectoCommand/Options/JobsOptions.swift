internal import ArgumentParser

/// How many pages are drawn at the same time.
struct JobsOptions: ParsableArguments {
  @Option(
    name: .customLong("jobs"),
    help: ArgumentHelp(
      "Number of worker processes, 1 to 256. (default: number of processors)",
      valueName: "number"
    ),
    reading: .number(1...256)
  )
  var jobsWanted: Int?

  /// The number of worker processes.
  var jobs: Int { jobsWanted ?? min(256, Machine.processorCount) }
}
