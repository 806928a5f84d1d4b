internal import Glibc

/// A deadline for an operation.
struct Deadline {
  /// Seconds on the clock of ``monotonicSeconds()``.
  let end: Double
  /// The seconds it was set to, for messages.
  let seconds: Double

  /// A deadline after some seconds.
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
