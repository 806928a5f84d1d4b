/// A deadline for an operation, in the time in which this process runs.
struct Deadline {
  /// Seconds of ``RunningTime``.
  private(set) var end: Double
  /// The seconds it was set to, for messages.
  let seconds: Double
  /// Seconds after the end, for a worker that had little processor time until then.
  private(set) var reserve = 0.0

  /// A deadline after some seconds.
  init(after seconds: Double) {
    end = RunningTime.seconds + seconds
    self.seconds = seconds
  }

  /// A deadline before this one, which is in reserve.
  func earlier(by seconds: Double) -> Deadline {
    var earlier = self
    earlier.end -= seconds
    earlier.reserve = seconds
    return earlier
  }

  /// Moves the end to that of the reserve.
  mutating func useReserve() {
    end += reserve
    reserve = 0
  }

  /// The seconds until the end; negative after it.
  var left: Double { end - RunningTime.seconds }

  /// Whether the moment has come.
  var hasPassed: Bool { left <= 0 }

  /// The earlier one of two.
  func orSooner(_ other: Deadline) -> Deadline { other.end < end ? other : self }
}
