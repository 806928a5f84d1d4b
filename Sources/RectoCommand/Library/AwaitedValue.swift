internal import Synchronization

/// A value to wait for; only the first one given counts.
final class AwaitedValue<Value: Sendable>: Sendable {
  typealias Line = Result<Value?, Failure>

  private enum State {
    case unasked
    case waiting(CheckedContinuation<Line, Never>)
    case given(Line)
  }

  private let state = Mutex(State.unasked)

  /// Resumes the continuation when there is a line.
  func wait(_ continuation: CheckedContinuation<Line, Never>) {
    let line = state.withLock { state -> Line? in
      if case .given(let line) = state { return line }
      state = .waiting(continuation)
      return nil
    }
    if let line { continuation.resume(returning: line) }
  }

  /// Gives a line, unless one has been given.
  func give(_ line: Line) {
    let waiting = state.withLock { state -> CheckedContinuation<Line, Never>? in
      switch state {
      case .given: return nil
      case .unasked:
        state = .given(line)
        return nil
      case .waiting(let continuation):
        state = .given(line)
        return continuation
      }
    }
    waiting?.resume(returning: line)
  }
}
