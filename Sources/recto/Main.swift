internal import ArgumentParser
internal import Dispatch

/// Starts the command that the arguments name.
@main
enum Main {
  static func main() async {
    StandardStreams.openMissing()
    Shutdown.endOnCrash()
    Shutdown.superviseWorkers()
    Shutdown.installSignalHandlers()
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
