public import Synchronization

/// The effects of a change under a lock. They are performed after the lock is released.
///
/// Resuming or cancelling a task, calling a closure and releasing an object can all take other locks. The runtime holds
/// a task's lock while its cancellation handlers run, and takes it to resume the task. If a handler waits for a lock
/// under which the task is being resumed, both threads deadlock.
public struct Effects: Sendable {
  private var calls: [@Sendable () -> Void] = []
  private var released: [any Sendable] = []

  /// Nothing to do.
  public init() {}

  /// Whether there is nothing to do.
  public var isEmpty: Bool { calls.isEmpty && released.isEmpty }

  /// Adds something to be done.
  public mutating func add(_ call: @escaping @Sendable () -> Void) { calls.append(call) }

  /// Adds an object to release.
  public mutating func release(_ object: (some Sendable)?) {
    if let object { released.append(object) }
  }

  /// Performs all effects, in the order in which they were added.
  public consuming func carryOut() {
    for call in calls { call() }
    withExtendedLifetime(released) {}
  }
}

extension Mutex where Value: ~Copyable {
  /// Changes the value under the lock, then performs the effects without it.
  ///
  /// - Parameter change: Changes the value and adds effects, which are performed even if this throws.
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
