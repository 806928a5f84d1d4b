internal import Glibc
internal import NIOCore

/// Divides the limit of open files, because each connection is one.
struct OpenFiles {
  /// Files that may be open at the same time.
  let limit: Int

  /// The limit of the process, which was raised at start.
  static func ofProcess() -> OpenFiles {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &limit) == 0 else { return OpenFiles(limit: 1024) }
    return OpenFiles(limit: Int(clamping: limit.rlim_cur))
  }

  /// The number of connections that may be open besides documents and workers.
  ///
  /// - Parameters:
  ///   - workers: Worker processes; each has sockets and pipes.
  ///   - documents: Documents that are open without a conversation.
  /// - Returns: At most the wanted number, at least one.
  func connections(wanted: Int, workers: Int, documents: Int) -> Int {
    // An event loop has three; sockets, logs, watches and the cache need a few more.
    let others = 64 + 3 * System.coreCount + 8 * workers + documents
    // One in four connections can be a conversation, with an open document.
    return max(1, min(wanted, (limit - others) / 5 * 4))
  }
}
