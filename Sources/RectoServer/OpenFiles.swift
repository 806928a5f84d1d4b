internal import Glibc
internal import NIOCore

/// How many files the server may have open, and for what: each connection is one.
struct OpenFiles {
  /// Files that may be open at the same time.
  let limit: Int

  /// The limit of the process, which is raised when it starts.
  static func ofProcess() -> OpenFiles {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &limit) == 0 else { return OpenFiles(limit: 1024) }
    return OpenFiles(limit: Int(clamping: limit.rlim_cur))
  }

  /// How many connections may be open beside documents and workers.
  ///
  /// - Parameters:
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
