internal import DocumentModel

/// How long to wait before a worker is started again that did not live to open its document.
///
/// Each failure in a row doubles the delay. The first few requests wait for it, because what keeps a
/// worker from starting may pass: the machine is out of processes, or the program is being replaced.
/// After that a request fails at once until the delay is over, so that a document on which every
/// worker dies costs its user errors and not minutes.
struct StartBackoff: Sendable {
  private var failures = 0
  private var last: DocumentError?
  private var end = 0.0

  /// Seconds after the first failure.
  static let firstDelay = 0.0625
  /// The longest delay in seconds.
  static let longestDelay = 4.0
  /// Failures in a row after which requests no longer wait: half a second in all.
  static let patience = 3

  /// What to do about a worker that has to be started.
  enum Advice: Equatable {
    /// Start it after so many seconds; 0 for now.
    case start(after: Double)
    /// Do not try yet: fail as the last one did.
    case fail(DocumentError)
  }

  /// What to do at a moment, in seconds.
  func advice(at now: Double) -> Advice {
    guard let last, now < end else { return .start(after: 0) }
    return failures > Self.patience ? .fail(last) : .start(after: end - now)
  }

  /// A worker died before it had opened the document, at a moment in seconds.
  mutating func failed(_ error: DocumentError, at now: Double) {
    // Far beyond the number of doublings that reach the longest delay.
    failures = min(failures + 1, 30)
    last = error
    end = now + min(Self.longestDelay, Self.firstDelay * Double(1 << (failures - 1)))
  }

  /// A worker has opened the document.
  mutating func succeeded() { self = StartBackoff() }
}
