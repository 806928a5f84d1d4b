import Testing

@testable import RectoKit

/// When a service that fails is left alone, and for how long.
@Suite struct CircuitBreakerTests {
  /// The value under test, which macros cannot change in place.
  private final class Subject {
    private(set) var value = CircuitBreaker()

    func admits(at now: Double) -> Bool { value.admits(at: now) }
    func failed(at now: Double) -> Bool { value.failed(at: now) }
    func succeeded() { value.succeeded() }
    func gaveUp() { value.gaveUp() }
  }

  private let breaker = Subject()

  @Test func `requests pass until three in a row have failed`() {
    #expect(!breaker.failed(at: 0))
    #expect(!breaker.failed(at: 0))
    breaker.succeeded()
    #expect(!breaker.failed(at: 0))
    #expect(!breaker.failed(at: 0))
    #expect(breaker.admits(at: 0))
    #expect(breaker.failed(at: 0))
    #expect(!breaker.admits(at: 0.999))
  }

  @Test func `one request tries after a pause, and the pause doubles up to a minute`() {
    for _ in 0..<3 { _ = breaker.failed(at: 0) }
    var now = 0.0
    for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
      #expect(!breaker.admits(at: now + pause - 0.001), "\(pause)")
      now += pause
      #expect(breaker.admits(at: now), "\(pause)")
      #expect(!breaker.admits(at: now), "only one tries")
      #expect(breaker.failed(at: now))
    }
  }

  @Test func `a request that succeeds after a pause lets all pass again`() {
    for _ in 0..<3 { _ = breaker.failed(at: 0) }
    #expect(breaker.admits(at: 1))
    breaker.succeeded()
    #expect(breaker.value == CircuitBreaker())
  }

  @Test func `a request that is taken back while it tries leaves that to the next one`() {
    for _ in 0..<3 { _ = breaker.failed(at: 0) }
    #expect(breaker.admits(at: 1))
    breaker.gaveUp()
    #expect(breaker.admits(at: 1))
  }
}
