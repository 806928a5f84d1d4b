package import Foundation
internal import Glibc

/// Information about processes from /proc.
package enum ProcessTable {
  /// Processes started by `parent`.
  package static func children(of parent: pid_t) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter {
      fields(of: $0).map { $0[1] == String(parent) } ?? false
    }
  }

  /// Whether the process starts workers by copying itself.
  package static func isTemplate(_ process: pid_t) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    // A copy of it has a document there.
    let document = target(of: "/proc/\(process)/fd/3")
    guard text?.hasSuffix("--template\0") == true else { return false }
    return document.map { $0 == "/dev/null" || $0.hasPrefix("/memfd:") } ?? true
  }

  /// Processes started by `parent`, without the template of workers.
  package static func workers(startedBy parent: pid_t) -> [pid_t] {
    children(of: parent).filter { !isTemplate($0) }
  }

  /// The workers started by this process for a document: they have it open. A process that is being started still runs
  /// this program, and has all that is open here.
  package static func workers(of document: URL) -> Set<pid_t> {
    let path = document.resolvingSymlinksInPath().path
    let own = target(of: "/proc/self/exe")
    return Set(
      children(of: getpid()).filter { process in
        guard target(of: "/proc/\(process)/exe") != own else { return false }
        let folder = "/proc/\(process)/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.contains { target(of: "\(folder)/\($0)") == path }
      }
    )
  }

  private static func target(of link: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  /// Processes that were started with this value in their environment, directly or indirectly.
  package static func processes(marked mark: String) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let environment = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ"))
      return environment?.range(of: Data(mark.utf8)) != nil
    }
  }

  /// The peak resident size in bytes; nil if the process is gone.
  package static func peakBytes(of process: pid_t) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let number = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    return number * 1024
  }

  /// Processor time used so far; nil when the process is gone.
  package static func processorSeconds(of process: pid_t) -> Double? {
    guard let fields = fields(of: process), let user = Double(fields[11]),
      let system = Double(fields[12])
    else { return nil }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The threads of a process that have not ended.
  package static func runningThreads(of process: pid_t) -> Set<pid_t> {
    let folder = "/proc/\(process)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(
      names.compactMap { pid_t($0) }.filter { thread in
        let state = fields(in: "\(folder)/\(thread)/stat")?[0]
        return state != nil && state != "Z" && state != "X"
      }
    )
  }

  /// Whether the process has ended, with all its threads; one that only waits to be reaped has.
  package static func isGone(_ process: pid_t) -> Bool {
    guard let fields = fields(of: process) else { return true }
    return (fields[0] == "Z" || fields[0] == "X") && (Int(fields[17]) ?? 0) <= 1
  }

  /// Whether the kernel knows of the process at all.
  package static func exists(_ process: pid_t) -> Bool { fields(of: process) != nil }

  /// The fields of /proc/PID/stat from the state on, which is the first after the name.
  private static func fields(of process: pid_t) -> [Substring]? {
    fields(in: "/proc/\(process)/stat")
  }

  private static func fields(in file: String) -> [Substring]? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8),
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[name...].dropFirst(2).split(separator: " ")
    return fields.count > 17 ? fields : nil
  }
}

/// Looks at a condition until it is true.
///
/// With ``eventually(seconds:_:)`` the only wait of the tests that is no gate. The kernel gives no notice of the
/// memory and the processor time of a process, and of its children.
///
/// - Parameters:
///   - seconds: How long at most.
///   - isTrue: The condition.
/// - Returns: Whether it has become true.
package func poll(seconds: Double = 60, _ isTrue: () -> Bool) -> Bool {
  let deadline = TestDeadline(after: seconds)
  while !isTrue() {
    if deadline.hasPassed { return isTrue() }
    usleep(2000)
  }
  return true
}

/// ``poll(seconds:_:)`` for tests that share their thread with the tasks they wait for.
package func eventually(
  seconds: Double = 60,
  _ isTrue: () async -> Bool
) async -> Bool {
  let deadline = TestDeadline(after: seconds)
  while await !isTrue() {
    if deadline.hasPassed { return await isTrue() }
    // It throws when the test is cancelled, which then ends sooner.
    try? await Task.sleep(for: .milliseconds(5))
  }
  return true
}
