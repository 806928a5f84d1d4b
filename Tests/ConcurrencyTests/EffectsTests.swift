import RectoBase
import Synchronization
import Testing

/// What follows from a change of values under a lock.
@Suite struct EffectsTests {
  /// A value, and what was done in turn.
  private final class Subject: Sendable {
    let value = Mutex(0)
    let done = Mutex<[String]>([])

    /// Says whether the lock is free.
    @Sendable func note(_ name: String) {
      let isFree = value.withLockIfAvailable { _ in true } ?? false
      done.withLock { $0.append(isFree ? name : "\(name) under the lock") }
    }
  }

  /// Says when it is released.
  private final class Object: Sendable {
    let subject: Subject
    init(_ subject: Subject) { self.subject = subject }
    deinit { subject.note("released") }
  }

  private struct Failure: Error {}

  private let subject = Subject()

  @Test func `effects are carried out in their order after the lock was left`() {
    let result = subject.value.withEffects { value, effects in
      value = 7
      effects.release(Object(subject))
      for name in ["first", "second"] { effects.add { [subject] in subject.note(name) } }
      subject.done.withLock { $0.append("changed") }
      return value + 1
    }
    #expect(result == 8)
    #expect(subject.value.withLock { $0 } == 7)
    #expect(subject.done.withLock { $0 } == ["changed", "first", "second", "released"])
  }

  @Test func `effects of a change that throws are carried out`() {
    #expect(throws: Failure.self) {
      try subject.value.withEffects { (value, effects) throws(Failure) in
        value = 7
        effects.add { [subject] in subject.note("done") }
        throw Failure()
      }
    }
    #expect(subject.done.withLock { $0 } == ["done"])
  }

  @Test func `an effect can change the value again`() {
    subject.value.withEffects { value, effects in
      value = 1
      effects.add { [subject] in subject.value.withLock { $0 += 1 } }
    }
    #expect(subject.value.withLock { $0 } == 2)
  }
}
