internal import Glibc
internal import RectoBase
internal import Synchronization

/// Cancels one request, from any thread, whether or not a worker has started on it.
///
/// poppler cannot be interrupted, so a request is cancelled by killing its worker. After a process
/// was waited for, its ID may belong to another worker. So the lock is held while a signal is sent,
/// and ``release()`` is called before the process is waited for.
final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var worker: pid_t?
    /// Ends a wait for a worker.
    var endWait: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whether the request has been cancelled.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Cancels the request; kills its worker, if there is one.
  func cancel() {
    state.withEffects { state, effects in
      state.isCancelled = true
      if let worker = state.worker { WorkerProcesses.kill(worker) }
      if let endWait = state.endWait { effects.add(endWait) }
    }
  }

  /// Sets a function that ends the wait for a worker; nil after the wait. It is called at once if
  /// the request was already cancelled, and may be called after the wait.
  func whenCancelled(_ endWait: (@Sendable () -> Void)?) {
    state.withEffects { state, effects in
      effects.release(state.endWait)
      state.endWait = endWait
      if state.isCancelled, let endWait { effects.add(endWait) }
    }
  }

  /// Sets the worker that will get the request.
  ///
  /// - Returns: Whether the request may be sent; false if it was already cancelled.
  func attach(worker: pid_t) -> Bool {
    state.withLock { state in
      guard !state.isCancelled else { return false }
      state.worker = worker
      return true
    }
  }

  /// From here on the worker cannot be killed by this.
  func release() {
    state.withLock { $0.worker = nil }
  }
}
