internal import Dispatch
internal import Glibc
internal import RectoBase

/// Checks the limits of the process at start: if descriptors or threads run out later, the runtimes of Swift and
/// libdispatch crash or hang.
enum ProcessLimits {
  /// Descriptors that a command needs besides inherited ones: its own, and those of a few workers. If more are needed
  /// and missing, that operation fails with a message.
  private static let files = 64

  /// Threads that a command needs. Worker processes count as well.
  private static let threads = 24

  /// Bytes of address space that a command needs: mostly stacks, which are reserved but not used.
  private static let addressSpace = 1 << 30

  /// If the limit is at least this, it is not tested: that takes time.
  private static let plenty = 4096

  /// Raises the limit of open files to the highest that the system allows, and checks what a command needs.
  ///
  /// - Throws: A failure that names what is missing, with the limit in the terms of `ulimit`.
  static func check() throws(Failure) {
    if let limit = soft(RLIMIT_AS), limit < addressSpace {
      throw missing(
        "the address space is limited to \(limit >> 10) KB (ulimit -v)",
        addressSpace >> 10
      )
    }
    raiseFiles()
    if let limit = soft(RLIMIT_NOFILE), limit < plenty {
      guard canOpen(files) else {
        throw missing(
          "at most \(limit) files may be open (ulimit -n), of which too few are free",
          files
        )
      }
      takeFilesOfTimers()
    }
    if let limit = soft(__RLIMIT_NPROC), limit < plenty, !canStart(threads) {
      throw missing(
        "the user may have at most \(limit) processes (ulimit -u), of which too few are free",
        threads
      )
    }
  }

  private static func missing(_ reason: String, _ needed: Int) -> Failure {
    Failure(
      exitCode: .system,
      code: "fault",
      message: "\(reason); recto needs \(needed)"
    )
  }

  /// The value of a limit; nil for none.
  static func soft(_ resource: __rlimit_resource) -> Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  private static func raiseFiles() {
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(kind, &limit)  // where it is refused, the lower one holds
  }

  /// Whether `count` descriptors can be open at the same time.
  private static func canOpen(_ count: Int) -> Bool {
    let opened = (0..<count).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) }
    for descriptor in opened where descriptor >= 0 { close(descriptor) }
    return opened.allSatisfy { $0 >= 0 }
  }

  /// Makes libdispatch open its timer descriptors while there is room: later it would end the process.
  private static func takeFilesOfTimers() {
    DispatchQueue.global().asyncAfter(deadline: .now()) {}
    Task { try? await Task.sleep(for: .nanoseconds(1)) }
  }

  /// Whether `count` threads can run at the same time.
  private static func canStart(_ count: Int) -> Bool {
    let gate = DispatchSemaphore(value: 0)
    let left = DispatchSemaphore(value: 0)
    let started = (0..<count).prefix { _ in
      DetachedThread.start(stackSize: 1 << 16) {
        gate.wait()
        left.signal()
      }
    }.count
    for _ in 0..<started { gate.signal() }
    for _ in 0..<started { left.wait() }
    return started == count
  }
}
