internal import ArgumentParser
internal import Dispatch
internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RenderWorkers
internal import Synchronization

/// Ends the process early without leaving files or processes behind.
enum Shutdown {
  /// Whether ``end(with:)`` has been called.
  private static let isEnding = Atomic(false)

  /// Makes all workers and their child processes end with this process. After SIGKILL, workers
  /// detect that their parent is gone, and exit.
  static func superviseWorkers() {
    do throws(DocumentError) {
      try WorkerProcesses.adoptOrphans()
      try WorkerProcesses.hideMemory()
      let status = atexit {
        Shutdown.waitIfEnding()
        WorkerProcesses.endAll()
      }
      guard status == 0 else {
        throw DocumentError(.fault, during: "start", "cannot register an exit handler")
      }
    } catch {
      MessagePrinter(style: .text).print(
        code: error.code.rawValue,
        path: nil,
        page: nil,
        "\(error)"
      )
      end(with: ExitCode.fault.rawValue)
    }
  }

  /// Makes writes to a closed pipe, or beyond the file size limit, return errors instead of killing the process.
  static func ignoreFailingWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Makes Ctrl-C and similar signals remove incomplete files and end the process with 128 plus the
  /// signal's number.
  static func installSignalHandlers() {
    ignoreFailingWrites()
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(number) {
      // Do not ignore the signal first, as Darwin requires: a signal before the source is
      // registered, which happens on another thread, would be lost. This way it ends the process.
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { receive(number) }
      source.resume()
      // A source stops when its last reference is released; these live as long as the process. Cast to the class first:
      // otherwise the Swift runtime looks up conformances.
      _ = Unmanaged.passRetained(source as? DispatchSource ?? source as AnyObject)
    }
  }

  /// Makes a crash end the process at once in release builds, unless `SWIFT_BACKTRACE` is set: the runtime would start
  /// an interactive program on the terminal.
  static func endOnCrash() {
    #if !DEBUG
      guard getenv("SWIFT_BACKTRACE") == nil else { return }
      for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP]
      where !isIgnored(number) {
        signal(number, SIG_DFL)
      }
    #endif
  }

  /// Work that a signal ends in an orderly way.
  private struct Interruptible {
    /// Cancels the work.
    var cancel: (@Sendable () -> Void)?
    /// The signal that has done so.
    var signal: Int32?
    /// The seconds that the work has to end after a signal.
    var patience = 2.0
    /// The line that is printed to a terminal after a signal.
    var notice: String?
  }

  private static let interruptible = Mutex(Interruptible())
  /// What SIGHUP does; nil if it ends the process.
  private static let hangUp = Mutex<(@Sendable () -> Void)?>(nil)

  /// Makes SIGHUP call a function instead of ending the process.
  static func onHangUp(_ body: @escaping @Sendable () -> Void) { hangUp.withLock { $0 = body } }

  /// Does work that a signal cancels, so that it can still report its results. Then the process ends with 128 plus the
  /// signal's number. It ends at once after another signal, or if the work does not end in time.
  ///
  /// - Parameters:
  ///   - patience: The seconds that the work has to end after a signal.
  ///   - notice: The line that is printed to a terminal after a signal.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  static func cancelling<Value: Sendable>(
    patience: Double = 2,
    notice: String? = nil,
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let task = Task { () async -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    interruptible.withEffects { work, effects in
      effects.release(work.cancel)
      work.cancel = task.cancel
      work.patience = patience
      work.notice = notice
    }
    let result = await task.value
    let signal = interruptible.withEffects { work, effects in
      effects.release(work.cancel.take())
      return work.signal
    }
    if let signal { end(with: 128 + signal) }
    return try result.get()
  }

  /// Whether a signal has cancelled the work. Workers may have received the signal, too.
  static var isCancelled: Bool { interruptible.withLock { $0.signal != nil } }

  private static func receive(_ signal: Int32) {
    if signal == SIGHUP, let body = hangUp.withLock({ $0 }) { return body() }
    let (cancel, patience, notice) = interruptible.withLock { work in
      let cancel = work.signal == nil ? work.cancel : nil
      if cancel != nil { work.signal = signal }
      return (cancel, work.patience, work.notice)
    }
    guard let cancel else { end(with: 128 + signal) }
    if let notice, StandardStreams.canShowProgress {
      ProgressBar.erase()
      StandardStreams.writeError(notice)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) { end(with: 128 + signal) }
    cancel()
  }

  /// Whether a signal was ignored when the process started, for example by `nohup`.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    return sigaction(number, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process now.
  static func end(with code: Int32) -> Never {
    ProgressBar.erase()
    if isEnding.exchange(true, ordering: .relaxed) { waitForEnd() }
    Files.abandonWrites()
    WorkerProcesses.endAll()
    _exit(code)
  }

  /// Does not return if another thread ends the process: otherwise failures of killed workers would be printed and
  /// determine the exit code.
  static func waitIfEnding() {
    if isEnding.load(ordering: .relaxed) { waitForEnd() }
  }

  private static func waitForEnd() -> Never {
    while true { pause() }
  }
}
