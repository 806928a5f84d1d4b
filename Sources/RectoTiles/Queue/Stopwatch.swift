/// A clock that counts from its start. The queue's decisions use it.
struct Stopwatch: Sendable {
  /// The time since the start.
  let elapsed: @Sendable () -> Duration
  /// Waits until a time since the start.
  let sleep: @Sendable (Duration) async throws -> Void

  /// Starts counting.
  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
