internal import Synchronization

/// A value to wait for; only the first one given counts.
final class AwaitedValue<Value: Sendable>: Sendable {
  typealias Answer = Result<Value?, Failure>

  private enum State {
    case unasked
    case waiting(CheckedContinuation<Answer, Never>)
    case given(Answer)
  }

  private let state = Mutex(State.unasked)

  /// Resumes the continuation when there is an answer.
  func wait(_ continuation: CheckedContinuation<Answer, Never>) {
    let answer = state.withLock { state -> Answer? in
      if case .given(let answer) = state { return answer }
      state = .waiting(continuation)
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }

  /// Gives an answer, unless one has been given.
  func give(_ answer: Answer) {
    let waiting = state.withLock { state -> CheckedContinuation<Answer, Never>? in
      switch state {
      case .given: return nil
      case .unasked:
        state = .given(answer)
        return nil
      case .waiting(let continuation):
        state = .given(answer)
        return continuation
      }
    }
    waiting?.resume(returning: answer)
  }
}
