internal import HTTPTypes
internal import Synchronization

/// Bounds the requests that wait for something to be drawn.
final class DrawingGate: Sendable {
  private let waiting = Mutex(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Requests that are waiting.
  var count: Int { waiting.withLock { $0 } }

  /// Does work that draws.
  ///
  /// - Throws: What the work throws; a problem if too many others wait.
  func draw<Value>(_ body: () async throws(Problem) -> Value) async throws(Problem) -> Value {
    let isFull = waiting.withLock { count in
      guard count < limit else { return true }
      count += 1
      return false
    }
    if isFull {
      throw Problem(.serviceUnavailable, "too many pictures wait to be drawn", retryAfter: 1)
    }
    defer { waiting.withLock { $0 -= 1 } }
    return try await body()
  }
}
