import RectoBase
import RectoTiles
import Synchronization
import Testing

@testable import RectoKit

/// What is asked, sent and answered, without a process.
@Suite struct ExchangeTests {
  /// What lookups were answered, by their names.
  private final class Answers: Sendable {
    private let all = Mutex<[String: [[UInt8]?]]>([:])

    func lookup(_ name: String, limit: Int = 10, deadline: Double = 1) -> Exchange.Lookup {
      Exchange.Lookup(names: [name], limits: [limit], deadline: deadline) { values in
        self.all.withLock { all in
          #expect(all[name] == nil, "a lookup is answered once")
          all[name] = values
        }
      }
    }

    subscript(name: String) -> [[UInt8]?]? { all.withLock { $0[name] } }
  }

  private let answers = Answers()
  private let exchange = Subject()

  /// The value under test, which macros cannot change in place.
  private final class Subject {
    private var value: Exchange

    init(silence: Int? = nil) {
      value = Exchange(timeout: 0.25, patience: 2, silence: silence, at: 100)
    }

    var failure: String? { value.failure }
    var deadline: Double { value.deadline }
    var isDone: Bool { value.isDone }
    var isSilent: Bool { value.isSilent }
    var largestReply: Int { value.largestReply }

    func enter(_ lookup: Exchange.Lookup, at now: Double) -> Int? { value.enter(lookup, at: now) }
    func rest() { value.rest() }
    func takeNews() -> Bool? { value.takeNews() }
    func leave(_ number: Int) { change { $0.leave(number, &$1) } }
    func put(_ name: String, _ bytes: [UInt8]) -> Bool { value.put(name, bytes) }
    func expire(at now: Double) -> Bool { change { $0.expire(at: now, &$1) } }
    func lost(_ reason: String, at now: Double) { change { $0.lost(reason, at: now, &$1) } }

    func take(_ reply: SharedCacheReply, at now: Double) throws(ByteCodingError) -> Bool {
      try change { (value, effects) throws(ByteCodingError) in
        try value.take(reply, at: now, &effects)
      }
    }

    private func change<Result, Failure: Error>(
      _ body: (inout Exchange, inout Effects) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      var effects = Effects()
      defer { effects.carryOut() }
      return try body(&value, &effects)
    }

    /// All messages that can be sent.
    func sendAll(at now: Double = 0) -> [SharedCacheRequest] {
      var all: [SharedCacheRequest] = []
      while let message = value.nextMessage(at: now) { all.append(message) }
      return all
    }
  }

  @Test func `a lookup gets the values that come back`() throws {
    let number = try #require(exchange.enter(answers.lookup("a"), at: 0))
    #expect(exchange.sendAll() == [.get(number: number, names: ["a"], limits: [10])])
    #expect(try !exchange.take(.values(number: number, [[1, 2]]), at: 0))
    #expect(answers["a"] == [[1, 2]])
    #expect(exchange.failure == nil)
  }

  @Test func `lookups go before values, of which a megabyte is under way at a time`() throws {
    let value = [UInt8](repeating: 7, count: 1 << 19)
    for index in 0..<4 { #expect(exchange.put("\(index)", value)) }
    let number = try #require(exchange.enter(answers.lookup("a"), at: 0))
    let sent = exchange.sendAll()
    #expect(sent.count == 3)
    #expect(sent.first == .get(number: number, names: ["a"], limits: [10]))
    #expect(exchange.sendAll().isEmpty)
    guard case .put(let first, "0", _) = sent[1] else { throw ByteCodingError.unknown }
    #expect(try !exchange.take(.kept(number: first), at: 0))
    #expect(exchange.sendAll().count == 1)
    #expect(!exchange.isDone)
  }

  @Test func `values beyond 16 MiB are dropped`() {
    let value = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<16 { #expect(exchange.put("a", value)) }
    #expect(!exchange.put("a", [1]))
    #expect(exchange.sendAll().count == 1)
    #expect(exchange.put("a", value))
  }

  @Test func `what takes too long is a miss, and an answer that comes later is ignored`()
    throws
  {
    let number = try #require(exchange.enter(answers.lookup("a"), at: 0))
    _ = exchange.sendAll()
    #expect(exchange.deadline == 1)
    #expect(!exchange.expire(at: 0.999))
    #expect(answers["a"] == nil)
    #expect(!exchange.expire(at: 1))
    #expect(answers["a"] == [nil])
    #expect(exchange.failure == "no answer within 250 ms")
    #expect(try !exchange.take(.values(number: number, [[1]]), at: 1))
    #expect(exchange.deadline == .infinity)
  }

  @Test func `after three failures nothing is asked and nothing waits`() throws {
    for index in 0..<3 {
      #expect(exchange.enter(answers.lookup("\(index)", deadline: 1), at: 0) != nil)
    }
    #expect(exchange.enter(answers.lookup("later", deadline: 9), at: 0) != nil)
    #expect(exchange.put("value", [1]))
    _ = exchange.sendAll()
    #expect(exchange.expire(at: 1), "the process is of no use")
    for name in ["0", "1", "2", "later"] { #expect(answers[name] == [nil], "\(name)") }
    #expect(exchange.isDone)
    #expect(exchange.enter(answers.lookup("b"), at: 1) == nil)
    #expect(!exchange.put("value", [1]))
    let trial = try #require(exchange.enter(answers.lookup("trial", deadline: 3), at: 2))
    #expect(exchange.enter(answers.lookup("c"), at: 2) == nil)
    _ = exchange.sendAll()
    #expect(try !exchange.take(.values(number: trial, [nil]), at: 2))
    #expect(exchange.enter(answers.lookup("d"), at: 2) != nil)
  }

  @Test func `a store that was silent for others is left alone for the rest of a minute`() throws {
    let exchange = Subject(silence: 12)
    #expect(exchange.failure == nil)
    #expect(exchange.enter(answers.lookup("a"), at: 147.9) == nil)
    #expect(!exchange.put("value", [1]))
    #expect(exchange.failure == "no answer 12 s ago; it is asked again in 48 s")
    #expect(exchange.takeNews() == nil)
    let number = try #require(exchange.enter(answers.lookup("b", deadline: 149), at: 148))
    _ = exchange.sendAll(at: 148)
    #expect(try !exchange.take(.values(number: number, [[1]]), at: 148))
    #expect(exchange.takeNews() == false, "it is there again")
    #expect(exchange.takeNews() == nil)
    #expect(Subject(silence: 60).enter(answers.lookup("c"), at: 100) != nil)
  }

  @Test(arguments: [1, 3])
  func `others are told of a store that has not answered by the end, or three times`(
    count: Int
  ) throws {
    let exchange = Subject()
    for index in 0..<count {
      #expect(exchange.enter(answers.lookup("\(index)"), at: 0) != nil)
    }
    _ = exchange.sendAll()
    #expect(exchange.expire(at: 1) == (count == 3))
    #expect(exchange.isSilent)
    #expect(exchange.takeNews() == (count == 3 ? true : nil))
    exchange.rest()
    #expect(exchange.takeNews() == true)
  }

  @Test func `a lookup that was not sent in time says nothing of the store`() {
    #expect(exchange.enter(answers.lookup("unsent"), at: 0) != nil)
    #expect(!exchange.expire(at: 1))
    #expect(!exchange.isSilent)
  }

  @Test func `an answer that comes too late shows that the store is there`() throws {
    let number = try #require(exchange.enter(answers.lookup("late"), at: 0))
    _ = exchange.sendAll()
    #expect(!exchange.expire(at: 1))
    #expect(try !exchange.take(.values(number: number, [nil]), at: 1.5))
    exchange.rest()
    #expect(exchange.takeNews() == nil)
  }

  @Test func `a value that is not kept in time is a failure`() {
    for _ in 0..<3 { #expect(exchange.put("a", [1])) }
    #expect(exchange.sendAll(at: 5).count == 3)
    #expect(!exchange.expire(at: 6.9))
    #expect(exchange.expire(at: 7))
    #expect(exchange.isDone)
    #expect(exchange.failure == "no answer within 2000 ms")
  }

  @Test func `the end of the process ends what it was asked, as one failure`() {
    for index in 0..<5 {
      #expect(exchange.enter(answers.lookup("\(index)"), at: 0) != nil)
    }
    _ = exchange.sendAll()
    exchange.lost("gone", at: 0)
    for index in 0..<5 { #expect(answers["\(index)"] == [nil]) }
    #expect(exchange.failure == "gone")
    #expect(exchange.enter(answers.lookup("again"), at: 0) != nil)
    #expect(exchange.sendAll().count == 1)
  }

  @Test func `a lookup that is taken back is answered and not sent`() throws {
    let number = try #require(exchange.enter(answers.lookup("a"), at: 0))
    exchange.leave(number)
    exchange.leave(number)
    #expect(answers["a"] == [nil])
    #expect(exchange.sendAll().isEmpty)
  }

  @Test func `lookups are answered by who has changed the exchange`() throws {
    var exchange = Exchange(timeout: 0.25, patience: 2)
    var numbers: [Int] = []
    for index in 0..<4 {
      let number = exchange.enter(answers.lookup("\(index)"), at: 0)
      numbers.append(try #require(number))
    }
    while exchange.nextMessage(at: 0) != nil {}
    var effects = Effects()
    exchange.leave(numbers[0], &effects)
    _ = try exchange.take(.values(number: numbers[1], [[1]]), at: 0, &effects)
    _ = try exchange.take(.failed(number: numbers[2], "no"), at: 0, &effects)
    exchange.end(&effects)
    for index in 0..<4 { #expect(answers["\(index)"] == nil) }
    effects.carryOut()
    #expect((0..<4).map { answers["\($0)"] } == [[nil], [[1]], [nil], [nil]])
  }

  @Test func `an answer to nothing, of another length or too long is an error`() throws {
    #expect(throws: ByteCodingError.self) { try exchange.take(.values(number: 9, []), at: 0) }
    #expect(throws: ByteCodingError.self) { try exchange.take(.kept(number: 9), at: 0) }
    #expect(throws: ByteCodingError.self) { try exchange.take(.failed(number: 9, ""), at: 0) }
    let wrong: [[[UInt8]?]] = [[], [nil, nil], [Array(repeating: 0, count: 11)]]
    for (index, values) in wrong.enumerated() {
      let number = try #require(exchange.enter(answers.lookup("\(index)"), at: 0))
      _ = exchange.sendAll()
      #expect(throws: ByteCodingError.self) {
        try exchange.take(.values(number: number, values), at: 0)
      }
      #expect(answers["\(index)"] == [nil])
    }
  }

  @Test func `the longest reply is that of the lookups that were sent`() throws {
    let least = exchange.largestReply
    let number = try #require(exchange.enter(answers.lookup("a", limit: 1 << 20), at: 0))
    #expect(exchange.largestReply == least)
    _ = exchange.sendAll()
    #expect(exchange.largestReply >= 1 << 20)
    #expect(try !exchange.take(.failed(number: number, "no"), at: 0))
    #expect(exchange.largestReply == least)
    #expect(answers["a"] == [nil])
  }
}
