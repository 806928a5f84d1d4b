import Foundation
import Glibc
import TestSupport
import Testing

/// What a `recto` did that was watched from outside while it ran.
struct WatchedCommand {
  /// The exit code; 128 plus the signal's number when a signal ended it.
  var code: Int32
  /// What it wrote to standard error, as lines.
  var messages: [[String: Any]]
  /// The most bytes that were resident in it.
  var peakBytes: Int
  /// Processes that it left behind, whatever they are to it.
  var leftovers: [pid_t]

  /// Runs `recto` to its end, with a folder to leave files in.
  ///
  /// A command that does not end is killed after a minute, and its code says so.
  init(_ sandbox: CommandSandbox, _ arguments: [String], environment: [String: String]) throws {
    let mark = UUID().uuidString
    let errors = sandbox.folder.url.appending(path: "errors-\(mark)")
    try Data().write(to: errors)
    defer { try? FileManager.default.removeItem(at: errors) }
    let process = Process()
    process.executableURL = TestPaths.recto
    process.arguments = arguments + ["--errors", "json"]
    process.environment = ProcessInfo.processInfo.environment.merging(sandbox.environment) { $1 }
      .merging(environment) { $1 }.merging(["RECTO_TEST_MARK": mark]) { $1 }
    process.currentDirectoryURL = sandbox.folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    var peak = 0
    let end = Date(timeIntervalSinceNow: 60)
    while !ProcessTable.isGone(process.processIdentifier) {
      peak = max(peak, ProcessTable.peakBytes(of: process.processIdentifier) ?? 0)
      if Date() > end { kill(process.processIdentifier, SIGKILL) }
      usleep(2000)
    }
    process.waitUntilExit()
    // Not a moment later: nothing may be left when the command has ended.
    leftovers = ProcessTable.processes(marked: mark)
    for process in leftovers { kill(process, SIGKILL) }
    code =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    peakBytes = peak
    messages = try String(contentsOf: errors, encoding: .utf8).split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }
}
