import Foundation
import TestSupport
import Testing

/// The memory that processes have used.
enum MemoryUse {
  /// The most of a process that is still alive, in bytes and without its workers, as the kernel keeps it
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
    let (result, kilobytes) = try run(sandbox, arguments, counting: "ru_maxrss")
    return (result, kilobytes * 1024)
  }

  /// Runs `recto` to its end and counts the page faults of all its processes that no disk was read for.
  static func pageFaults(
    _ sandbox: CommandSandbox,
    _ arguments: [String]
  ) throws -> (ProgramResult, Int) {
    try run(sandbox, arguments, counting: "ru_minflt")
  }

  /// Runs `recto` to its end, and reads a field of `getrusage` for it and its workers.
  private static func run(
    _ sandbox: CommandSandbox,
    _ arguments: [String],
    counting field: String
  ) throws -> (ProgramResult, Int) {
    let count = sandbox.cache.url.appending(path: field)
    let result = try Program.run(
      URL(filePath: "/usr/bin/env"),
      ["python3", "-c", script, count.path, field, TestPaths.recto.path] + arguments,
      environment: sandbox.environment,
      folder: sandbox.folder.url
    )
    let text = try String(contentsOf: count, encoding: .utf8)
    return (result, try #require(Int(text)))
  }

  private static let script = """
    import os, resource, subprocess, sys
    code = subprocess.run(sys.argv[3:]).returncode
    with open(sys.argv[1], "w") as file:
        file.write(str(getattr(resource.getrusage(resource.RUSAGE_CHILDREN), sys.argv[2])))
    sys.exit(code if code >= 0 else 128 - code)
    """
}
