import Foundation
import TestSupport
import Testing

/// The most memory that a process has had.
enum PeakMemory {
  /// Of a process that is still alive, in bytes and without its workers, as the kernel keeps it
  /// (`VmHWM`); nil when there is no such process.
  static func bytes(of process: pid_t) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first
      .flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// Runs `recto` to its end and says what its peak was, or that of its largest worker if that was
  /// more, in bytes.
  static func run(_ sandbox: CommandSandbox, _ arguments: [String]) throws -> (ProgramResult, Int) {
    let peak = sandbox.cache.url.appending(path: "peak")
    let result = try Program.run(
      URL(filePath: "/usr/bin/env"),
      ["python3", "-c", script, peak.path, TestPaths.recto.path] + arguments,
      environment: sandbox.environment,
      folder: sandbox.folder.url
    )
    let text = try String(contentsOf: peak, encoding: .utf8)
    return (result, try #require(Int(text)) * 1024)
  }

  private static let script = """
    import os, resource, subprocess, sys
    code = subprocess.run(sys.argv[2:]).returncode
    with open(sys.argv[1], "w") as file:
        file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
    sys.exit(code if code >= 0 else 128 - code)
    """
}
