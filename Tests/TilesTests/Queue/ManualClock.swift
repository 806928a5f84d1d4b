import Synchronization

/// A clock that stands still until a test moves it.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var time: Duration

    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (first: Instant, second: Instant) -> Bool { first.time < second.time }
  }

  private struct State {
    var now = Instant(time: .zero)
    var lastID = 0
    var cancelled: Set<Int> = []
    var sleepers: [Int: (until: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
    var watchers: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
        state.withLock { state in
          if state.cancelled.contains(id) {
            wake.resume(throwing: CancellationError())
          } else if deadline <= state.now {
            wake.resume()
          } else {
            state.sleepers[id] = (deadline, wake)
            for watcher in state.watchers { watcher.resume() }
            state.watchers = []
          }
        }
      }
    } onCancel: {
      state.withLock { state in
        state.cancelled.insert(id)
        state.sleepers.removeValue(forKey: id)?.wake.resume(throwing: CancellationError())
      }
    }
  }

  /// Returns when a task sleeps.
  func sleeper() async {
    await withCheckedContinuation { watcher in
      state.withLock { state in
        if state.sleepers.isEmpty { state.watchers.append(watcher) } else { watcher.resume() }
      }
    }
  }

  /// Advances the clock and wakes the tasks that are due.
  func advance(by duration: Duration) {
    state.withLock { state in
      state.now.time += duration
      for (id, sleeper) in state.sleepers where sleeper.until <= state.now {
        state.sleepers[id] = nil
        sleeper.wake.resume()
      }
    }
  }
}
