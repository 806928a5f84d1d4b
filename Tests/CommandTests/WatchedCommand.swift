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
    defer { try? FileManager.default.removeItem(at: errors) }
    let process = try ChildProcess(
      TestPaths.recto,
      arguments + ["--errors", "json"],
      environment: sandbox.environment.merging(environment) { $1 }
        .merging(["RECTO_WORKER_TEST_MARK": mark]) { $1 },
      folder: sandbox.folder.url,
      errors: .file(errors)
    )
    var peak = 0
    let hasEnded = poll(seconds: 60) {
      peak = max(peak, ProcessTable.peakBytes(of: process.processIdentifier) ?? 0)
      return ProcessTable.isGone(process.processIdentifier)
    }
    if !hasEnded { process.send(SIGKILL) }
    code = process.wait()
    // Not a moment later: nothing may be left when the command has ended.
    leftovers = ProcessTable.processes(marked: mark)
    for process in leftovers { kill(process, SIGKILL) }
    peakBytes = peak
    let text = try String(contentsOf: errors, encoding: .utf8)
    RecordedOutput.add(text, to: "message")
    messages = try text.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }
}
