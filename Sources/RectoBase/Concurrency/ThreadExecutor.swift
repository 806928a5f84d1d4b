internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs an actor on its own thread, for libraries that are tied to one thread or need a deep stack.
///
/// The thread ends with the executor.
public final class ThreadExecutor: SerialExecutor {
  private let work = ThreadJobs()

  /// An executor with a new thread; nil if the system does not start one.
  ///
  /// - Parameter stackSize: Bytes of address space for the thread's stack; only used pages take memory.
  public init?(stackSize: Int) {
    let started = DetachedThread.start(stackSize: stackSize) { [work] in work.run() }
    guard started else { return nil }
  }

  deinit { work.end() }

  /// Runs a job of the actor.
  public func enqueue(_ job: consuming ExecutorJob) { work.add(UnownedJob(job), of: self) }

  /// Traps when called from elsewhere; the runtime calls it to check `assumeIsolated`.
  public func checkIsolated() { precondition(work.isCurrentThread, "not on the actor's thread") }
}

/// The jobs of one executor. The thread retains this, and retains the executor only while there are jobs.
private final class ThreadJobs: Sendable {
  private struct State {
    var jobs: [(job: UnownedJob, executor: ThreadExecutor)] = []
    var isEnded = false
    var thread: pthread_t?
  }

  private let state = Mutex(State())
  private let pending = DispatchSemaphore(value: 0)

  /// Whether the calling thread is the one that runs the jobs.
  var isCurrentThread: Bool {
    state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Adds a job at the end.
  func add(_ job: UnownedJob, of executor: ThreadExecutor) {
    state.withLock { $0.jobs.append((job, executor)) }
    pending.signal()
  }

  /// Ends the thread; no jobs are left by then.
  func end() {
    state.withLock { $0.isEnded = true }
    pending.signal()
  }

  /// Runs the jobs as they come, until the executor has ended.
  func run() {
    state.withLock { $0.thread = pthread_self() }
    while true {
      pending.wait()
      let next = state.withLock { state -> (job: UnownedJob, executor: ThreadExecutor)? in
        state.jobs.isEmpty ? nil : state.jobs.removeFirst()
      }
      if let next {
        next.job.runSynchronously(on: next.executor.asUnownedSerialExecutor())
      } else if state.withLock({ $0.isEnded }) {
        return
      }
    }
  }
}
