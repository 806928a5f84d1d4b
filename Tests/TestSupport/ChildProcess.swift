internal import CLinux
package import Foundation
internal import Glibc

/// A process that a test has started.
///
/// `posix_spawn` and not Foundation's `Process`: a child gets its three descriptors and no other, so
/// that a pipe ends with the process it was made for, and every wait has a limit, so that a program
/// that does not end fails a test and never stops the run.
package final class ChildProcess {
  /// What the process inherits as a standard stream.
  package enum Stream {
    case null
    case file(URL)
    case descriptor(Int32)
  }

  /// Seconds that are given to a program before it is killed.
  package static let patience = 300.0

  /// The process.
  package let processIdentifier: Int32
  private var status: Int32?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The executable file.
  ///   - arguments: Its arguments.
  ///   - environment: Variables added to those of the test.
  ///   - folder: Its working directory; that of the test if nil.
  ///   - input: Standard input.
  ///   - output: Standard output; a file is created or truncated.
  ///   - errors: Standard error; a file is created or truncated.
  /// - Throws: `ChildProcessError` when it cannot be started.
  package init(
    _ program: URL,
    _ arguments: [String],
    environment: [String: String] = [:],
    folder: URL? = nil,
    input: Stream = .null,
    output: Stream = .null,
    errors: Stream = .descriptor(2)
  ) throws {
    var actions = posix_spawn_file_actions_t()
    try Self.check(posix_spawn_file_actions_init(&actions), program)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [input, output, errors].enumerated() {
      let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
      let target = Int32(number)
      let code =
        switch stream {
        case .null:
          posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
        case .file(let url):
          posix_spawn_file_actions_addopen(&actions, target, url.path, flags, 0o600)
        case .descriptor(let descriptor):
          posix_spawn_file_actions_adddup2(&actions, descriptor, target)
        }
      try Self.check(code, program)
    }
    try Self.check(posix_spawn_file_actions_addclosefrom_np(&actions, 3), program)
    if let folder {
      try Self.check(posix_spawn_file_actions_addchdir_np(&actions, folder.path), program)
    }
    var attributes = posix_spawnattr_t()
    try Self.check(posix_spawnattr_init(&attributes), program)
    defer { posix_spawnattr_destroy(&attributes) }
    // What the test ignores is not ignored by the program.
    var noSignals = sigset_t()
    var allSignals = sigset_t()
    sigemptyset(&noSignals)
    sigfillset(&allSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setsigdefault(&attributes, &allSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      .map { "\($0)=\($1)" }
    var pid: pid_t = 0
    let code = Self.withStrings([program.path] + arguments) { arguments in
      Self.withStrings(variables) { variables in
        posix_spawn(&pid, program.path, &actions, &attributes, arguments, variables)
      }
    }
    try Self.check(code, program)
    processIdentifier = pid
  }

  deinit {
    guard status == nil else { return }
    kill(processIdentifier, SIGTERM)
    _ = wait(seconds: 10)
  }

  /// Sends a signal, unless the process has been waited for.
  package func send(_ signal: Int32) {
    if status == nil { kill(processIdentifier, signal) }
  }

  /// Waits for the end; kills the process when the time is over.
  ///
  /// - Returns: The exit code; 128 plus the signal's number when a signal ended it.
  package func wait(seconds: Double = patience) -> Int32 {
    if let status { return status }
    let pid = processIdentifier
    let queue = DispatchQueue(label: "end of process \(pid)")
    let end = DispatchWorkItem { kill(pid, SIGKILL) }
    queue.asyncAfter(deadline: .now() + seconds, execute: end)
    // The number stays that of the process until `waitpid`, so the kill cannot hit another one.
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    end.cancel()
    queue.sync {}
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
    let code = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
    status = code
    return code
  }

  private static func withStrings<Result>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }

  private static func check(_ code: Int32, _ program: URL) throws {
    guard code == 0 else {
      throw ChildProcessError("cannot start \(program.path): \(String(cString: strerror(code)))")
    }
  }
}

/// Why a process could not be started or talked to.
package struct ChildProcessError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A moment that may not be passed.
package struct TestDeadline: Sendable {
  private let end: ContinuousClock.Instant

  package init(after seconds: Double) {
    end = .now + .seconds(seconds)
  }

  package var hasPassed: Bool { .now > end }

  /// The time left, as `poll` takes it.
  package var milliseconds: Int32 {
    let left = (end - .now).components
    return Int32(clamping: max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000))
  }
}
