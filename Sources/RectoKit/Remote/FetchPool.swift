internal import DocumentModel
internal import Synchronization
internal import SystemPackage

/// The `recto-fetch` processes that wait for work, so that documents of one server share its connections.
///
/// A process is used by one thread at a time, and no lock is held meanwhile. Those that wait end with the last document
/// that uses them.
enum FetchPool {
  private struct State {
    var documents = 0
    var idle: [FetchProcess] = []
  }

  private static let state = Mutex(State())
  /// The most processes that wait.
  private static let mostIdle = 16

  /// A document begins to use processes.
  static func enter() { state.withLock { $0.documents += 1 } }

  /// A document needs no process any more.
  static func leave() {
    // They end after the lock is released.
    _ = state.withLock { state -> [FetchProcess] in
      state.documents -= 1
      guard state.documents == 0 else { return [] }
      defer { state.idle = [] }
      return state.idle
    }
  }

  /// Makes a request with a process that waits, else with a new one.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - program: The program.
  ///   - take: Receives each reply but the last.
  /// - Throws: Why not all was fetched, and what `take` throws.
  static func exchange(
    _ request: FetchRequest,
    _ program: FilePath,
    _ take: (FetchReply) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    var waiting: FetchProcess?
    repeat {
      waiting = state.withLock { state in
        state.idle.lastIndex { $0.program == program }.map { state.idle.remove(at: $0) }
      }
    } while waiting?.isWaiting == false
    let process: FetchProcess
    if let waiting { process = waiting } else { process = try FetchProcess(program) }
    // After an error it is not used again: it may still send.
    try process.exchange(request, take)
    state.withLock { state in
      if state.documents > 0, state.idle.count < mostIdle { state.idle.append(process) }
    }
  }
}
