/// Whether to use a service again that has recently failed.
///
/// After three consecutive failures the service is not used for a second. Then one request tries it; each time that
/// fails, the pause doubles, up to a minute. Times are seconds of the caller's clock.
struct CircuitBreaker: Hashable, Sendable {
  /// Consecutive failures after which the service is not used.
  static let patience = 3
  /// The first pause in seconds.
  static let firstPause = 1.0
  /// The longest pause in seconds.
  static let longestPause = 60.0

  private var failures = 0
  private var pause = firstPause
  /// When the pause ends; nil as long as requests pass.
  private var end: Double?
  /// Whether a request is trying the service after a pause.
  private var isTrying = false

  /// A breaker that lets all requests pass.
  init() {}

  /// A breaker with a pause.
  init(pausedUntil end: Double) { self.end = end }

  /// Whether all requests pass.
  var isClosed: Bool { end == nil }

  /// Whether the last request failed.
  var isFailing: Bool { failures > 0 || !isClosed }

  /// Whether a request may be made now; after a pause, only the first one may.
  mutating func admits(at now: Double) -> Bool {
    guard let end else { return true }
    guard !isTrying, now >= end else { return false }
    isTrying = true
    return true
  }

  /// A request was answered.
  mutating func succeeded() { self = CircuitBreaker() }

  /// A request was cancelled, without a result: another one may try the service.
  mutating func gaveUp() { isTrying = false }

  /// A request was not answered.
  ///
  /// - Returns: Whether a pause begins.
  mutating func failed(at now: Double) -> Bool {
    if isTrying {
      isTrying = false
      pause = min(2 * pause, Self.longestPause)
      end = now + pause
      return true
    }
    guard isClosed else { return false }
    failures += 1
    guard failures >= Self.patience else { return false }
    end = now + pause
    return true
  }
}
