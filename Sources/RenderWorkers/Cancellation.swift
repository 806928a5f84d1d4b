internal import Glibc
internal import RectoBase
internal import Synchronization

/// Takes back one request, from any thread, whether a worker is at it or not yet.
///
/// poppler cannot be interrupted, so a request is taken back by killing its worker. A process that
/// has been waited for may have left its number to another worker: the lock is held while a signal
/// is sent, and ``release()`` comes before the process is waited for.
final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var worker: pid_t?
    /// Ends a wait for a worker.
    var endWait: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whether the request has been taken back.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Takes the request back; kills the worker that is at it, if there is one.
  func cancel() {
    state.withEffects { state, effects in
      state.isCancelled = true
      if let worker = state.worker { WorkerProcesses.kill(worker) }
      if let endWait = state.endWait { effects.add(endWait) }
    }
  }

  /// Names what ends the wait for a worker; nil when the wait is over. It is called at once if the
  /// request was taken back before, and can be called after the wait is over.
  func whenCancelled(_ endWait: (@Sendable () -> Void)?) {
    state.withEffects { state, effects in
      effects.release(state.endWait)
      state.endWait = endWait
      if state.isCancelled, let endWait { effects.add(endWait) }
    }
  }

  /// Names the worker that is about to be sent the request.
  ///
  /// - Returns: Whether the request may be sent; no when it was taken back before.
  func attach(worker: pid_t) -> Bool {
    state.withLock { state in
      guard !state.isCancelled else { return false }
      state.worker = worker
      return true
    }
  }

  /// The worker cannot be killed from here any more.
  func release() {
    state.withLock { $0.worker = nil }
  }
}
