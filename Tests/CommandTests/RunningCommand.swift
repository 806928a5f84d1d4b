import Foundation
import Glibc
import TestSupport
import Testing

/// A `recto` that is still at work, and the workers it started.
final class RunningCommand {
  private let process = Process()
  private let output = Pipe()
  private let errors: URL

  init(_ desk: Desk, _ arguments: [String]) throws {
    process.executableURL = Places.recto
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(desk.environment) { $1 }
    process.currentDirectoryURL = desk.folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    // A file, not a pipe: nobody reads while the command runs.
    errors = desk.cache.url.appending(path: "stderr")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  /// Waits for a first line on standard output.
  func waitForOutput() {
    _ = output.fileHandleForReading.availableData
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

/// What the kernel says of processes.
enum ProcessTable {
  /// Processes started by `parent`.
  static func children(of parent: pid_t) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter {
      fields(of: $0).map { $0[1] == String(parent) } ?? false
    }
  }

  /// Processor time used so far; nil when the process is gone.
  static func processorSeconds(of process: pid_t) -> Double? {
    guard let fields = fields(of: process), let user = Double(fields[11]),
      let system = Double(fields[12])
    else { return nil }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Whether the process has ended; one that only waits to be reaped has.
  static func isGone(_ process: pid_t) -> Bool {
    guard let fields = fields(of: process) else { return true }
    return fields[0] == "Z" || fields[0] == "X"
  }

  /// The fields of /proc/PID/stat from the state on, which is the first behind the name.
  private static func fields(of process: pid_t) -> [Substring]? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[name...].dropFirst(2).split(separator: " ")
    return fields.count > 12 ? fields : nil
  }
}

/// Asks again and again, for ten seconds at most, until the answer is yes.
///
/// The kernel reports nothing about processes that are not our children, so there is nothing to
/// wait for but the answer itself.
func poll(_ isTrue: () -> Bool) -> Bool {
  for _ in 0..<2000 {
    if isTrue() { return true }
    usleep(5000)
  }
  return isTrue()
}
