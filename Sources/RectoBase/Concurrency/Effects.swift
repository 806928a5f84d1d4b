public import Synchronization

/// What follows from a change of values under a lock, and is done after the lock was left.
///
/// To resume a task, to cancel one and to call a closure can wait for other locks, and so can the `deinit` of an object
/// that is released. The runtime holds a lock of a task while the handlers of its cancellation run, and takes it to resume
/// that task: if the handler waits for a lock under which the task is resumed, both threads wait for ever.
public struct Effects: Sendable {
  private var calls: [@Sendable () -> Void] = []
  private var released: [any Sendable] = []

  /// Nothing to do.
  public init() {}

  /// Whether there is nothing to do.
  public var isEmpty: Bool { calls.isEmpty && released.isEmpty }

  /// Adds something to be done.
  public mutating func add(_ call: @escaping @Sendable () -> Void) { calls.append(call) }

  /// Adds something that is not needed any more.
  public mutating func release(_ object: (some Sendable)?) {
    if let object { released.append(object) }
  }

  /// Does everything, in the order in which it was added.
  public consuming func carryOut() {
    for call in calls { call() }
    withExtendedLifetime(released) {}
  }
}

extension Mutex where Value: ~Copyable {
  /// Changes the value under the lock, then does what follows from that.
  ///
  /// - Parameter change: Changes the value, and adds what is to be done without the lock; that is done also if this
  ///   throws.
  /// - Returns: What `change` returns.
  /// - Throws: What `change` throws.
  public borrowing func withEffects<Result: ~Copyable, Failure: Error>(
    _ change: (inout sending Value, inout Effects) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    var effects = Effects()
    defer { effects.carryOut() }
    return try withLock { (value) throws(Failure) in try change(&value, &effects) }
  }
}
