internal import ArgumentParser
internal import Glibc

/// A command line program: `recto`, or one that it executes in its place.
package enum Program {
  /// Prepares the process, runs a program until it returns, and exits with 0.
  ///
  /// Opens descriptors 0 to 2 before anything else opens one, lets no worker outlive the process, and lets no signal
  /// leave an incomplete file. Not `async`, because the runtime of tasks opens descriptors.
  package static func run(_ body: @escaping @Sendable () async -> Void) -> Never {
    StandardStreams.openMissing()
    Shutdown.endOnCrash()
    requireArguments()
    requireLimits()
    Shutdown.superviseWorkers()
    Shutdown.installSignalHandlers()
    Task {
      await body()
      exit(0)
    }
    // Not `dispatchMain()`: it ends this thread, for which the C library loads a library while new threads have to
    // wait. Nothing uses the main queue.
    while true { pause() }
  }

  /// Ends the process if the Swift runtime had no memory to read the arguments: it continues without any, and the
  /// command would print help.
  private static func requireArguments() {
    guard CommandLine.argc < 1 else { return }
    end(
      with: Failure(
        exitCode: .fault,
        code: "fault",
        message: "the arguments of the process cannot be read"
      )
    )
  }

  /// Ends the process if the limits of the system are too low.
  private static func requireLimits() {
    do throws(Failure) { try ProcessLimits.check() } catch { end(with: error) }
  }

  private static func end(with failure: Failure) -> Never {
    MessagePrinter(style: .text).print(failure)
    Shutdown.end(with: failure.exitCode.rawValue)
  }

  /// Prints the version and ends the process, if nothing else is requested.
  ///
  /// Called before ``run(_:)``: this needs no preparation.
  package static func endIfVersionIsWanted() {
    guard CommandLine.argc == 2, let argument = CommandLine.unsafeArgv[1],
      strcmp(argument, "--version") == 0
    else { return }
    StandardStreams.openMissing()
    Shutdown.ignoreFailingWrites()
    do throws(Failure) {
      try StandardStreams.write(Array("\(Version.text)\n".utf8))
    } catch {
      end(with: error)
    }
    exit(0)
  }

  /// Runs the command of the process's arguments. Ends the process if it fails.
  package static func runCommand() async {
    do {
      let arguments = RawArguments.fromProcess()
      var command = try Recto.command(arguments)
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
