internal import Dispatch

/// Runs an actor on its own dispatch queue, so that blocking calls do not occupy the cooperative
/// pool.
///
/// Dispatch on Linux has no `DispatchSerialQueue`, which would be an executor by itself.
public final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor over a new serial queue.
  public init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Runs a job of the actor.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Traps when called from elsewhere; the runtime calls it to check `assumeIsolated`.
  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
