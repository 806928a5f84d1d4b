import Foundation
import Glibc
import TestSupport
import Testing

/// A `recto` that is still at work, and the workers it started.
final class RunningCommand {
  private let process = Process()
  private let output = Pipe()
  private let errors: URL

  init(_ sandbox: CommandSandbox, _ arguments: [String], environment: [String: String] = [:]) throws
  {
    process.executableURL = TestPaths.recto
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(sandbox.environment) { $1 }
      .merging(environment) { $1 }
    process.currentDirectoryURL = sandbox.folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    // A file, not a pipe: a pipe would have no reader while the command runs.
    errors = sandbox.cache.url.appending(path: "stderr")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  /// Waits for a first line on standard output.
  func waitForOutput() {
    _ = output.fileHandleForReading.availableData
  }

  /// Reads so many bytes of standard output, or all there are.
  func read(_ count: Int) {
    var rest = count
    while rest > 0 {
      let bytes = output.fileHandleForReading.availableData.count
      guard bytes > 0 else { return }
      rest -= bytes
    }
  }

  /// The most memory that the command has had so far, in bytes and without its workers.
  var peakMemory: Int {
    get throws { try #require(PeakMemory.bytes(of: process.processIdentifier)) }
  }

  /// Waits until a worker has computed for this many seconds and returns all workers.
  func waitForWorkers(busyFor seconds: Double) throws -> [pid_t] {
    var workers: [pid_t] = []
    let isBusy = poll {
      workers = ProcessTable.children(of: process.processIdentifier)
      return workers.contains { (ProcessTable.processorSeconds(of: $0) ?? 0) >= seconds }
    }
    try #require(isBusy, "no worker is at work")
    return workers
  }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: the exit code; 128 plus the signal's number when a signal ended it.
  func end(with signal: Int32) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
  }

  var messages: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
}
