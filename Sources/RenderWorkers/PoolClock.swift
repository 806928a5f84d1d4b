internal import DocumentModel
internal import Glibc

/// The clock for waiting between attempts to start a worker; tests use their own.
package struct PoolClock: Sendable {
  /// Seconds since some fixed moment.
  package var now: @Sendable () -> Double
  /// Waits for some seconds, or less when the task is cancelled.
  package var sleep: @Sendable (_ seconds: Double) async -> Void

  /// A clock from its two abilities.
  package init(
    now: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (_ seconds: Double) async -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's clock that cannot be set.
  package static let monotonic = PoolClock(
    now: { monotonicSeconds() },
    // It throws when the task is cancelled, which the caller checks next.
    sleep: { try? await Task.sleep(for: .seconds($0)) }
  )
}

/// Seconds of the monotonic clock.
package func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
