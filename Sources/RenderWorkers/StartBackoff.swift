internal import DocumentModel

/// How long to wait before restarting a worker that died before it opened its document.
///
/// Each consecutive failure doubles the delay. The first few requests wait for it, because the cause may be temporary:
/// the machine is out of processes, or the program is being replaced. After that, requests fail at once until the delay
/// is over, so that a document that kills every worker causes errors, not minutes of waiting.
struct StartBackoff: Sendable {
  private var failures = 0
  private var last: DocumentError?
  private var end = 0.0

  /// Seconds after the first failure.
  static let firstDelay = 0.0625
  /// The longest delay in seconds.
  static let longestDelay = 4.0
  /// Consecutive failures after which requests no longer wait: half a second in all.
  static let patience = 3

  /// Whether to start a worker.
  enum Advice: Equatable {
    /// Start it after that many seconds; 0 for now.
    case start(after: Double)
    /// Do not try yet: fail with the last error.
    case fail(DocumentError)
  }

  /// The action at a moment, in seconds.
  func advice(at now: Double) -> Advice {
    guard let last, now < end else { return .start(after: 0) }
    return failures > Self.patience ? .fail(last) : .start(after: end - now)
  }

  /// Records that a worker died before opening the document, at a time in seconds.
  mutating func failed(_ error: DocumentError, at now: Double) {
    // Far more doublings than it takes to reach the longest delay.
    failures = min(failures + 1, 30)
    last = error
    end = now + min(Self.longestDelay, Self.firstDelay * Double(1 << (failures - 1)))
  }

  /// A worker has opened the document.
  mutating func succeeded() { self = StartBackoff() }
}
