internal import ArgumentParser
internal import Glibc

/// A program of the command line: `recto`, or one that it becomes.
package enum Program {
  /// Prepares the process and runs a program until it returns; then the process ends with 0.
  ///
  /// Descriptors 0 to 2 are open before anything else opens one, no worker outlives the process, and a
  /// signal leaves no incomplete file. So this is not `async`: tasks begin with descriptors of their own.
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
    // Not `dispatchMain()`: it ends this thread, and for that the C library loads a library, on which threads that start
    // have to wait. Nothing uses the main queue.
    while true { pause() }
  }

  /// Ends the process if the language's runtime had no memory to read its arguments: it goes on without any, and
  /// without them help is printed, as if it was asked for.
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

  /// Ends the process if the system does not allow it what it needs.
  private static func requireLimits() {
    do throws(Failure) { try ProcessLimits.check() } catch { end(with: error) }
  }

  private static func end(with failure: Failure) -> Never {
    MessagePrinter(style: .text).print(failure)
    Shutdown.end(with: failure.exitCode.rawValue)
  }

  /// Ends the process with the version, if that is all it was asked for.
  ///
  /// Before ``run(_:)``, because nothing that it prepares is needed for this.
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

  /// Runs the command that the arguments of the process name. Ends the process if it fails.
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
