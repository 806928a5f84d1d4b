/// Detects a process that works while it has no request.
///
/// A compromised process can keep working after it has answered, and the next request may never come.
struct IdleWatch {
  /// How often a process without a request is checked, in seconds.
  static let interval = 0.25
  /// The most seconds of processor time until the next request: a worker cleans up after it has
  /// answered.
  private static let most = 1.0

  /// The processor time at the first check since the last request, in seconds; nil before that.
  private var start: Double?

  /// A watch that begins with the next look.
  init() {}

  /// Checks a process.
  ///
  /// - Parameter processorSeconds: The processor time that it has used since its start.
  mutating func isWorking(_ processorSeconds: Double) -> Bool {
    guard let start else {
      start = processorSeconds
      return false
    }
    return processorSeconds - start > Self.most
  }
}
