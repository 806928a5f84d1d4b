internal import Dispatch
internal import DocumentModel
internal import RectoBase
internal import Synchronization

/// The thread that starts all workers. It runs as long as the process.
///
/// A worker ends with its parent thread (`PR_SET_PDEATHSIG` in prctl(2)), and threads of a dispatch
/// queue are temporary.
enum SpawnThread {
  /// The work for the thread, and a semaphore that counts it.
  private final class Jobs: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void) {
      waiting.withLock { $0.append(job) }
      count.signal()
    }

    func next() -> @Sendable () -> Void {
      count.wait()
      return waiting.withLock { $0.removeFirst() }
    }
  }

  private static let jobs = Jobs()
  private static let hasStarted = DetachedThread.start(stackSize: 1 << 18) {
    while true { jobs.next()() }
  }

  /// Runs work on the thread and waits for it.
  ///
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws; `fault` if there is no thread.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value {
    guard hasStarted else {
      throw DocumentError(.fault, during: "start a worker", "cannot start a thread")
    }
    let result = Mutex<Result<Value, DocumentError>?>(nil)
    let done = DispatchSemaphore(value: 0)
    jobs.add {
      let value = Result { () throws(DocumentError) in try work() }
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    guard let value = result.withLock({ $0 }) else {
      throw DocumentError(.fault, during: "start a worker", "no result")
    }
    return try value.get()
  }
}
