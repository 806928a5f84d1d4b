internal import RectoBase
internal import RectoTiles

/// The pending requests to the process, as a value. Times are seconds of the caller's clock. The caller performs the
/// effects, which answer lookups.
struct Exchange {
  /// A lookup, from its beginning to its end.
  struct Lookup {
    /// The names of the values.
    var names: [String]
    /// The most bytes of each.
    var limits: [Int]
    /// When it counts as failed.
    var deadline: Double
    /// Receives the values; nil for missing ones.
    var answer: @Sendable ([[UInt8]?]) -> Void
  }

  /// A value that waits to be sent or stored.
  private struct Put {
    var name: String
    var value: [UInt8]
    /// When it counts as failed, set when it is sent.
    var deadline = Double.infinity
  }

  /// The most bytes that wait to be sent; further values are dropped.
  static let mostWaiting = 16 << 20
  /// The most bytes that are sent but not stored yet, so that a lookup does not wait for more.
  static let mostSent = 1 << 20

  private var breaker = CircuitBreaker()
  /// Seconds since the store did not answer another process, at the beginning; nil if it did.
  private let silence: Int?
  /// Whether the last request was not answered in time, nor any since.
  private(set) var isSilent = false
  /// Whether other processes may know that the store does not answer.
  private var isKnownAway: Bool
  /// What they have to know: whether the store does not answer, or does again; nil for nothing new.
  private var news: Bool?
  /// Seconds that a lookup has.
  private let timeout: Double
  private var lastNumber = 0
  /// Seconds until a value that was sent counts as failed.
  private let patience: Double
  /// Lookups that were not sent yet.
  private var unsent: [Int] = []
  private var lookups: [Int: Lookup] = [:]
  /// The longest replies to unanswered lookups, even if their callers have given up.
  private var expected: [Int: Int] = [:]
  private var waiting: [Put] = []
  /// How many of ``waiting`` have been sent.
  private var waitingStart = 0
  private var waitingBytes = 0
  private var sent: [Int: Put] = [:]
  private var sentBytes = 0
  /// The first failure.
  private(set) var failure: String?

  /// An exchange without requests.
  ///
  /// - Parameters:
  ///   - timeout: The time limit of a lookup in seconds, for messages.
  ///   - patience: Seconds until a value that was sent counts as failed.
  ///   - silence: Seconds since the store did not answer another process; nil if it did.
  ///   - now: The current time.
  init(timeout: Double, patience: Double, silence: Int? = nil, at now: Double = 0) {
    self.timeout = timeout
    self.patience = patience
    let rest = silence.map { CircuitBreaker.longestPause - Double($0) } ?? 0
    isKnownAway = silence != nil
    self.silence = rest > 0 ? silence : nil
    if rest > 0 { breaker = CircuitBreaker(pausedUntil: now + rest) }
  }

  // MARK: Requests

  /// Adds a lookup.
  ///
  /// - Parameters:
  ///   - lookup: The lookup; of at most `SharedCacheRequest.mostNames` names.
  /// - Returns: Its number; nil if the service is paused, and the lookup will not be answered.
  mutating func enter(_ lookup: Lookup, at now: Double) -> Int? {
    guard breaker.admits(at: now) else {
      if failure == nil, let silence {
        let rest = Int(CircuitBreaker.longestPause) - silence
        failure = "no answer \(silence) s ago; it is asked again in \(rest) s"
      }
      return nil
    }
    lastNumber += 1
    lookups[lastNumber] = lookup
    unsent.append(lastNumber)
    return lastNumber
  }

  /// Ends a lookup that its caller no longer wants.
  mutating func leave(_ number: Int, _ effects: inout Effects) {
    guard let lookup = lookups.removeValue(forKey: number) else { return }
    unsent.removeAll { $0 == number }
    lookup.miss(&effects)
    breaker.gaveUp()
  }

  /// Queues a value, or drops it if too much is waiting or the service is paused.
  ///
  /// - Returns: Whether it was queued.
  mutating func put(_ name: String, _ value: [UInt8]) -> Bool {
    guard breaker.isClosed, waitingBytes + value.count <= Self.mostWaiting else { return false }
    waiting.append(Put(name: name, value: value))
    waitingBytes += value.count
    return true
  }

  /// Whether there is something to send.
  var hasMessages: Bool { !unsent.isEmpty || waitingStart < waiting.count }

  /// Whether all values were stored or dropped.
  var isDone: Bool { waitingStart == waiting.count && sent.isEmpty }

  /// Whether the last request failed.
  var isFailing: Bool { breaker.isFailing }

  /// Nothing more is asked for now: a store that has not answered by then is away.
  mutating func rest() {
    if isSilent { (news, isKnownAway) = (true, true) }
  }

  /// Returns what other processes have to know, once: whether the store does not answer, or does again.
  mutating func takeNews() -> Bool? { news.take() }

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

  /// The longest possible reply, in bytes.
  var largestReply: Int {
    max(SharedCacheReply.largestPayload(limits: []), expected.values.max() ?? 0)
  }

  /// Handles a reply.
  ///
  /// - Returns: Whether to end the process, because the service is paused.
  /// - Throws: `ByteCodingError` for a reply to no request.
  mutating func take(
    _ reply: SharedCacheReply,
    at now: Double,
    _ effects: inout Effects
  ) throws(ByteCodingError) -> Bool {
    isSilent = false
    switch reply {
    case .values(let number, let values):
      guard expected.removeValue(forKey: number) != nil else { throw .unknown }
      // A late reply already counted as a failure.
      guard let lookup = lookups.removeValue(forKey: number) else { return false }
      guard values.count == lookup.names.count,
        zip(values, lookup.limits).allSatisfy({ ($0?.count ?? 0) <= $1 })
      else {
        lookup.miss(&effects)
        throw .unknown
      }
      answered()
      effects.add { lookup.answer(values) }
      return false
    case .kept(let number):
      if let put = sent.removeValue(forKey: number) {
        sentBytes -= put.value.count
        answered()
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

  /// Ends requests that have taken too long.
  ///
  /// - Returns: Whether to end the process, because the service is paused.
  mutating func expire(at now: Double, _ effects: inout Effects) -> Bool {
    let late =
      lookups.filter { $0.value.deadline <= now }.map(\.key)
      + sent.filter { $0.value.deadline <= now }.map(\.key)
    guard let first = late.min() else { return false }
    let milliseconds = Int(1000 * (lookups[first] == nil ? patience : timeout))
    // One that was not sent says nothing of the store.
    isSilent = isSilent || late.contains { !unsent.contains($0) }
    let isUseless = fails(late.sorted(), "no answer within \(milliseconds) ms", at: now, &effects)
    if isUseless { rest() }
    return isUseless
  }

  /// The store has answered.
  private mutating func answered() {
    breaker.succeeded()
    if isKnownAway { (news, isKnownAway) = (false, false) }
  }

  /// The earliest deadline of a request; infinite without requests.
  var deadline: Double {
    min(
      lookups.values.map(\.deadline).min() ?? .infinity,
      sent.values.map(\.deadline).min() ?? .infinity
    )
  }

  /// The process has ended: its requests will not be answered.
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
  /// - Returns: Whether to end the process, because the service is paused.
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
