internal import Synchronization

/// The time in which this process runs, for limits.
///
/// Seconds in which the process is stopped, frozen or gets no processor do not count: its workers may have waited as
/// well, and the answer may have arrived. Threads that wait for a worker look at the time every few hundredths of a
/// second. If none of them has for a second, the process did not run.
struct RunningTime {
  /// The longest time between two looks that counts, in seconds.
  static let longestGap = 1.0

  /// The threads that look.
  private var watchers = 0
  /// The last look, in seconds of the monotonic clock.
  private var last = 0.0
  /// The seconds that do not count.
  private(set) var lost = 0.0

  /// A thread begins to look.
  mutating func begin(at now: Double) {
    // Without a thread that looks, nothing is known of the time before.
    if watchers == 0 { last = now } else { look(at: now) }
    watchers += 1
  }

  /// A thread looks.
  mutating func look(at now: Double) {
    if now - last > Self.longestGap { lost += now - last }
    last = max(last, now)
  }

  /// A thread does not look any more.
  mutating func end() { watchers -= 1 }
}

extension RunningTime {
  private static let ofProcess = Mutex(RunningTime())

  /// The seconds in which this process has run, from some moment on.
  static var seconds: Double { ofProcess.withLock { monotonicSeconds() - $0.lost } }

  /// Calls a closure in which the thread looks at the time again and again.
  ///
  /// - Parameter body: What to do. It must call the function that it gets at least ten times in ``longestGap``.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  static func watching<Result, Failure: Error>(
    _ body: (_ look: () -> Double) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    ofProcess.withLock { $0.begin(at: monotonicSeconds()) }
    defer { ofProcess.withLock { $0.end() } }
    return try body {
      ofProcess.withLock { time in
        let now = monotonicSeconds()
        time.look(at: now)
        return now - time.lost
      }
    }
  }
}
