internal import ArgumentParser

/// A program of the command line: `recto`, or one that it hands over to.
public enum Program {
  /// Prepares the process: descriptors 0 to 2 are open, no worker outlives it, and a signal leaves no incomplete file.
  public static func prepare() {
    StandardStreams.openMissing()
    Shutdown.endOnCrash()
    Shutdown.superviseWorkers()
    Shutdown.installSignalHandlers()
  }

  /// Runs the command that the arguments of the process name. Ends the process if it fails.
  public static func run() async {
    prepare()
    do {
      var command = try Recto.command(RawArguments.fromProcess())
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Recto.end(with: error)
    }
  }
}
