internal import Synchronization

/// Limits how many tasks do something at the same time; the others wait in order of arrival.
public final class TaskGate: Sendable {
  private struct State {
    var free: Int
    var lastTicket = 0
    var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// Tasks that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  /// A gate.
  ///
  /// - Parameter count: How many tasks may be inside, at least 1.
  public init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

  /// Waits until there is room. A task that has entered must call ``leave()``.
  ///
  /// - Returns: Whether the task has entered; false when it was cancelled while waiting.
  /// - Complexity: O(tasks that wait) to cancel.
  public func enter() async -> Bool {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    let isInside = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withEffects { state, effects in
          if state.cancelled.contains(ticket) {
            effects.add { continuation.resume(returning: false) }
          } else if state.free > 0 {
            state.free -= 1
            effects.add { continuation.resume(returning: true) }
          } else {
            state.waiting.append((ticket, continuation))
          }
        }
      }
    } onCancel: {
      state.withEffects { state, effects in
        if let place = state.waiting.firstIndex(where: { $0.ticket == ticket }) {
          let continuation = state.waiting.remove(at: place).continuation
          effects.add { continuation.resume(returning: false) }
        } else {
          state.cancelled.insert(ticket)
        }
      }
    }
    state.withLock { _ = $0.cancelled.remove(ticket) }
    return isInside
  }

  /// Lets in the task that has waited longest.
  public func leave() {
    state.withEffects { state, effects in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return
      }
      let continuation = state.waiting.removeFirst().continuation
      effects.add { continuation.resume(returning: true) }
    }
  }
}
