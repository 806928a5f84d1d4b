internal import Glibc

/// Hard limits of a process that works on a document. The parent process watches its memory and time.
enum ResourceLimits {
  /// Seconds of processor time: more than all requests of a worker can take together, a thousand pages of half a
  /// minute.
  private static let processorSeconds = 30_000

  /// Sets the limits.
  ///
  /// - Parameter allowsThreads: Whether the process starts threads, which count as processes.
  /// - Throws: The system's error.
  static func set(allowingThreads allowsThreads: Bool) throws(SandboxFailure) {
    // Makes the file size limit of zero cause an error instead of a signal.
    signal(SIGXFSZ, SIG_IGN)
    try limit(RLIMIT_FSIZE, to: 0)
    try limit(RLIMIT_CORE, to: 0)
    if !allowsThreads { try limit(__RLIMIT_NPROC, to: 0) }
    try limit(RLIMIT_NOFILE, to: 256)
    try limit(__RLIMIT_MEMLOCK, to: 0)
    try limit(RLIMIT_CPU, to: processorSeconds)
    // Of the first thread, which only waits.
    try limit(RLIMIT_STACK, to: 8 << 20)
  }

  private static func limit(
    _ resource: __rlimit_resource,
    to value: Int
  ) throws(SandboxFailure) {
    var limit = rlimit()
    let kind = __rlimit_resource_t(resource.rawValue)
    try SandboxFailure.check(getrlimit(kind, &limit), "getrlimit")
    // Raising is refused.
    limit.rlim_max = min(limit.rlim_max, rlim_t(value))
    limit.rlim_cur = min(limit.rlim_cur, limit.rlim_max)
    try SandboxFailure.check(setrlimit(kind, &limit), "setrlimit")
  }
}
