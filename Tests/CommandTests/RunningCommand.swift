import Foundation
import Glibc
import TestSupport
import Testing

/// A `recto` that is still at work, and the workers it started.
final class RunningCommand {
  private let process: ChildProcess
  private let output: PipeEnd
  private let errors: URL

  /// Starts the command.
  ///
  /// - Parameters:
  ///   - sandbox: Where it runs.
  ///   - arguments: Its arguments.
  ///   - environment: Variables in addition to those of the sandbox.
  ///   - file: The file that receives standard output; nil for a pipe that can be read.
  /// - Throws: An error if it cannot be started.
  init(
    _ sandbox: CommandSandbox,
    _ arguments: [String],
    environment: [String: String] = [:],
    output file: URL? = nil
  ) throws {
    let pipe = try Pipes()
    // A file, not a pipe: a pipe would have no reader while the command runs.
    errors = sandbox.cache.url.appending(path: "stderr")
    process = try ChildProcess(
      TestPaths.recto,
      arguments,
      environment: sandbox.environment.merging(environment) { $1 },
      folder: sandbox.folder.url,
      output: file.map { .file($0) } ?? .descriptor(pipe.writing.descriptor),
      errors: .file(errors)
    )
    output = pipe.reading
    pipe.writing.close()
  }

  /// Waits for a first line on standard output.
  func waitForOutput() throws {
    _ = try output.read()
  }

  /// Reads so many bytes of standard output, or all there are.
  func read(_ count: Int) throws {
    var rest = count
    while rest > 0 {
      let bytes = try output.read().count
      guard bytes > 0 else { return }
      rest -= bytes
    }
  }

  /// The most memory that the command has had so far, in bytes and without its workers.
  var peakMemory: Int {
    get throws { try #require(MemoryUse.bytes(of: process.processIdentifier)) }
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

  /// Sends a signal.
  func send(_ signal: Int32) { process.send(signal) }

  /// Waits for the end.
  ///
  /// - Returns: The exit code; 128 plus the signal's number when a signal ended it.
  func wait() -> Int32 { process.wait() }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: The exit code; 128 plus the signal's number when a signal ended it.
  func end(with signal: Int32) -> Int32 {
    process.send(signal)
    return process.wait()
  }

  var messages: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
}
