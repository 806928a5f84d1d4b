internal import RectoBase
internal import RectoTiles

/// What has been asked of the process and what waits to be, as a value. Times are seconds on a clock that
/// the caller has. Lookups are answered by who has changed it.
struct Exchange {
  /// A lookup, from its beginning to its end.
  struct Lookup {
    /// The names of the values.
    var names: [String]
    /// The most bytes of each.
    var limits: [Int]
    /// When it counts as failed.
    var deadline: Double
    /// Gets the values, nil for each that is missing.
    var answer: @Sendable ([[UInt8]?]) -> Void
  }

  /// A value that waits to be sent, or to be kept.
  private struct Put {
    var name: String
    var value: [UInt8]
    /// When it counts as failed, from the moment at which it was sent.
    var deadline = Double.infinity
  }

  /// The most bytes that wait to be sent; beyond, values are dropped.
  static let mostWaiting = 16 << 20
  /// The most bytes that are sent and not kept yet, so that a lookup does not have to wait behind more.
  static let mostSent = 1 << 20

  private var breaker = CircuitBreaker()
  /// Seconds that a lookup has.
  private let timeout: Double
  private var lastNumber = 0
  /// Seconds until a value that was sent counts as failed.
  private let patience: Double
  /// Lookups that were entered and not sent yet.
  private var unsent: [Int] = []
  private var lookups: [Int: Lookup] = [:]
  /// The longest reply to lookups that were sent and not answered, waited for or not.
  private var expected: [Int: Int] = [:]
  private var waiting: [Put] = []
  /// How many of ``waiting`` have been sent.
  private var waitingStart = 0
  private var waitingBytes = 0
  private var sent: [Int: Put] = [:]
  private var sentBytes = 0
  /// What went wrong first.
  private(set) var failure: String?

  /// An exchange in which nothing was said yet.
  ///
  /// - Parameters:
  ///   - timeout: Seconds that a lookup has, for messages.
  ///   - patience: Seconds until a value that was sent counts as failed.
  init(timeout: Double, patience: Double) {
    self.timeout = timeout
    self.patience = patience
  }

  // MARK: Requests

  /// Enters a lookup.
  ///
  /// - Parameters:
  ///   - lookup: The lookup; of at most `SharedCacheRequest.mostNames` names.
  /// - Returns: Its number; nil if the service is left alone, and the lookup is not answered.
  mutating func enter(_ lookup: Lookup, at now: Double) -> Int? {
    guard breaker.admits(at: now) else { return nil }
    lastNumber += 1
    lookups[lastNumber] = lookup
    unsent.append(lastNumber)
    return lastNumber
  }

  /// Ends a lookup whose caller does not want it any more.
  mutating func leave(_ number: Int, _ effects: inout Effects) {
    guard let lookup = lookups.removeValue(forKey: number) else { return }
    unsent.removeAll { $0 == number }
    lookup.miss(&effects)
    breaker.gaveUp()
  }

  /// Enters a value, or drops it when too much waits or the service is left alone.
  ///
  /// - Returns: Whether it was entered.
  mutating func put(_ name: String, _ value: [UInt8]) -> Bool {
    guard breaker.isClosed, waitingBytes + value.count <= Self.mostWaiting else { return false }
    waiting.append(Put(name: name, value: value))
    waitingBytes += value.count
    return true
  }

  /// Whether there is something to send.
  var hasMessages: Bool { !unsent.isEmpty || waitingStart < waiting.count }

  /// Whether all that was put has been kept or dropped.
  var isDone: Bool { waitingStart == waiting.count && sent.isEmpty }

  /// Whether what was asked last was not answered.
  var isFailing: Bool { breaker.isFailing }

  /// Whether no answer is awaited.
  var isQuiet: Bool { lookups.isEmpty && sent.isEmpty }

  // MARK: Sending

  /// The next message, lookups first; nil if none is to be sent now.
  mutating func nextMessage(at now: Double) -> SharedCacheRequest? {
    while !unsent.isEmpty {
      let number = unsent.removeFirst()
      guard let lookup = lookups[number] else { continue }
      expected[number] = SharedCacheReply.largestPayload(limits: lookup.limits)
      return .get(number: number, names: lookup.names, limits: lookup.limits)
    }
    guard waitingStart < waiting.count, sentBytes < Self.mostSent else { return nil }
    var put = waiting[waitingStart]
    waiting[waitingStart].value = []
    waitingStart += 1
    if waitingStart == waiting.count || waitingStart >= 1024 {
      waiting.removeFirst(waitingStart)
      waitingStart = 0
    }
    waitingBytes -= put.value.count
    sentBytes += put.value.count
    lastNumber += 1
    put.deadline = now + patience
    sent[lastNumber] = put
    return .put(number: lastNumber, name: put.name, value: put.value)
  }

  // MARK: Replies

  /// The longest reply that can come, in bytes.
  var largestReply: Int {
    max(SharedCacheReply.largestPayload(limits: []), expected.values.max() ?? 0)
  }

  /// Takes in a reply.
  ///
  /// - Returns: Whether the process is to be ended, because the service is left alone.
  /// - Throws: `ByteCodingError` for a reply that is no answer to anything.
  mutating func take(
    _ reply: SharedCacheReply,
    at now: Double,
    _ effects: inout Effects
  ) throws(ByteCodingError) -> Bool {
    switch reply {
    case .values(let number, let values):
      guard expected.removeValue(forKey: number) != nil else { throw .unknown }
      // One that comes too late was a failure then.
      guard let lookup = lookups.removeValue(forKey: number) else { return false }
      guard values.count == lookup.names.count,
        zip(values, lookup.limits).allSatisfy({ ($0?.count ?? 0) <= $1 })
      else {
        lookup.miss(&effects)
        throw .unknown
      }
      breaker.succeeded()
      effects.add { lookup.answer(values) }
      return false
    case .kept(let number):
      if let put = sent.removeValue(forKey: number) {
        sentBytes -= put.value.count
        breaker.succeeded()
      } else if number > lastNumber {
        throw .unknown
      }
      return false
    case .failed(let number, let reason):
      guard number <= lastNumber else { throw .unknown }
      expected[number] = nil
      return fails([number], reason, at: now, &effects)
    }
  }

  /// Ends what has taken too long.
  ///
  /// - Returns: Whether the process is to be ended, because the service is left alone.
  mutating func expire(at now: Double, _ effects: inout Effects) -> Bool {
    let late =
      lookups.filter { $0.value.deadline <= now }.map(\.key)
      + sent.filter { $0.value.deadline <= now }.map(\.key)
    guard let first = late.min() else { return false }
    let milliseconds = Int(1000 * (lookups[first] == nil ? patience : timeout))
    return fails(late.sorted(), "no answer within \(milliseconds) ms", at: now, &effects)
  }

  /// When something will have taken too long; infinite if nothing can.
  var deadline: Double {
    min(
      lookups.values.map(\.deadline).min() ?? .infinity,
      sent.values.map(\.deadline).min() ?? .infinity
    )
  }

  /// The process is gone: nothing that it was asked is answered.
  mutating func lost(_ reason: String, at now: Double, _ effects: inout Effects) {
    expected = [:]
    let all = lookups.keys.sorted() + sent.keys.sorted()
    failure = failure ?? reason
    // One failure, however much it was asked.
    if breaker.failed(at: now) { dropPuts() }
    for number in all { drop(number, &effects) }
  }

  /// Nothing is asked any more.
  mutating func end(_ effects: inout Effects) {
    for number in lookups.keys { drop(number, &effects) }
    dropPuts()
  }

  /// Ends requests that were not answered.
  ///
  /// - Returns: Whether the process is to be ended, because the service is left alone.
  private mutating func fails(
    _ numbers: [Int],
    _ reason: String,
    at now: Double,
    _ effects: inout Effects
  ) -> Bool {
    var opens = false
    for number in numbers where lookups[number] != nil || sent[number] != nil {
      failure = failure ?? reason
      drop(number, &effects)
      if breaker.failed(at: now) { opens = true }
    }
    guard opens else { return false }
    for number in lookups.keys.sorted() { drop(number, &effects) }
    dropPuts()
    expected = [:]
    return true
  }

  private mutating func drop(_ number: Int, _ effects: inout Effects) {
    lookups.removeValue(forKey: number)?.miss(&effects)
    unsent.removeAll { $0 == number }
    if let put = sent.removeValue(forKey: number) { sentBytes -= put.value.count }
  }

  private mutating func dropPuts() {
    (waiting, waitingStart, waitingBytes) = ([], 0, 0)
    (sent, sentBytes) = ([:], 0)
  }
}

extension Exchange.Lookup {
  /// Answers that nothing is there.
  fileprivate func miss(_ effects: inout Effects) {
    effects.add { answer(names.map { _ in nil }) }
  }
}
