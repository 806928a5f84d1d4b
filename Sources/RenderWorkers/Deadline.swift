internal import Glibc

/// A moment by which something has to be done.
struct Deadline {
  /// Seconds on the clock of ``monotonicSeconds()``.
  let end: Double
  /// Seconds that there were when it was set, for messages.
  let seconds: Double

  /// A deadline so many seconds from now.
  init(after seconds: Double) {
    end = monotonicSeconds() + seconds
    self.seconds = seconds
  }

  /// A deadline before this one.
  func earlier(by seconds: Double) -> Deadline { Deadline(end: end - seconds, self.seconds) }

  private init(end: Double, _ seconds: Double) {
    self.end = end
    self.seconds = seconds
  }

  /// Whether the moment has come.
  var hasPassed: Bool { monotonicSeconds() >= end }

  /// The earlier one of two.
  func orSooner(_ other: Deadline) -> Deadline { other.end < end ? other : self }
}
