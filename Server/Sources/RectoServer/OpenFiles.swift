internal import Glibc
internal import NIOCore

/// How many files the server may have open, and for what: each connection is one.
struct OpenFiles {
  /// Files that may be open at the same time.
  let limit: Int

  /// Raises the limit of the process to the highest that the system allows it.
  static func raised() -> OpenFiles {
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return OpenFiles(limit: 1024) }
    let highest = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
    let isRaised = withUnsafePointer(to: highest) { setrlimit(kind, $0) == 0 }
    return OpenFiles(limit: Int(clamping: isRaised ? highest.rlim_cur : limit.rlim_cur))
  }

  /// How many connections may be open beside documents and workers.
  ///
  /// - Parameters:
  ///   - wanted: How many are wanted.
  ///   - workers: Worker processes; each has sockets and pipes.
  ///   - documents: Documents that are open without a conversation.
  /// - Returns: At most the number that is wanted, at least one.
  func connections(wanted: Int, workers: Int, documents: Int) -> Int {
    // An event loop has three, what is listened to, logged, watched and cached a few more.
    let others = 64 + 3 * System.coreCount + 8 * workers + documents
    // For every four connections there can be a conversation, which has a document open.
    return max(1, min(wanted, (limit - others) / 5 * 4))
  }
}
