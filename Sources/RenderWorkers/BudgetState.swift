internal import RectoBase

/// The state and decisions of ``WorkerBudget``, as a value. The caller performs the effects.
struct BudgetState {
  /// The result of a request.
  enum Grant {
    /// The process that it has.
    case same
    /// Start a process with the permit of this number.
    case new(Int)
  }

  /// A request that waits.
  struct Waiting {
    var ticket: Int
    /// The permit of the process that is there.
    var held: Int?
    var purpose: WorkerPurpose
    /// Gets nil if the request was cancelled.
    var answer: @Sendable (Grant?) -> Void
  }

  /// A permit that was handed out.
  private struct Permit {
    /// Bytes of memory after the last request.
    var bytes = 0
    /// The purpose of its process's request; nil without one.
    var purpose: WorkerPurpose?
    /// Ends the process, which has no request; nil if it is about to end.
    var end: (@Sendable () -> Void)?
    /// The number of its last request: the lowest was used least recently.
    var lastUse = 0
  }

  private let limits: WorkerBudget.Limits
  private var permits: [Int: Permit] = [:]
  private var waiting: [Waiting] = []
  private var lastTicket = 0
  private var uses = 0

  init(_ limits: WorkerBudget.Limits) {
    self.limits = limits
  }

  var statistics: WorkerBudget.Statistics {
    WorkerBudget.Statistics(
      processes: permits.count,
      busy: permits.values.count { $0.purpose != nil },
      bytes: bytes
    )
  }

  var waitingCount: Int { waiting.count }

  private var bytes: Int { permits.values.reduce(0) { $0 + $1.bytes } }

  /// Whether a process without a request may be ended now.
  private func isAtRest(_ permit: Permit) -> Bool { permit.purpose == nil && permit.end != nil }

  // MARK: Changes

  mutating func nextTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  mutating func enter(_ request: Waiting) { waiting.append(request) }

  mutating func enterAtOnce(for purpose: WorkerPurpose) -> Int? {
    guard waiting.isEmpty, permits.count < limits.processes else { return nil }
    return newPermit(purpose)
  }

  /// Withdraws a request. Does not affect others, which still wait for the same.
  ///
  /// - Returns: The request; nil if it is not waiting.
  mutating func leave(_ ticket: Int) -> Waiting? {
    waiting.firstIndex { $0.ticket == ticket }.map { waiting.remove(at: $0) }
  }

  /// Records that a request is done.
  mutating func rest(_ number: Int, bytes: Int, end: @escaping @Sendable () -> Void) {
    guard var permit = permits[number] else { return }
    uses += 1
    permit.bytes = bytes
    permit.purpose = nil
    permit.end = end
    permit.lastUse = uses
    permits[number] = permit
  }

  mutating func giveBack(_ number: Int, _ effects: inout Effects) {
    effects.release(permits.removeValue(forKey: number))
  }

  private mutating func newPermit(_ purpose: WorkerPurpose) -> Int {
    let number = nextTicket()
    permits[number] = Permit(purpose: purpose)
    return number
  }

  // MARK: Decisions

  /// Grants permits as far as possible, and chooses processes to end.
  ///
  /// - Complexity: O(waiting requests × processes).
  mutating func settle(_ effects: inout Effects) {
    // Processes that are about to end count as room.
    var room = permits.values.count { $0.purpose == nil && $0.end == nil }
    for request in WorkerPurpose.allCases.flatMap({ purpose in
      waiting.filter { $0.purpose == purpose }
    }) {
      if let grant = grant(request, &effects) {
        waiting.removeAll { $0.ticket == request.ticket }
        effects.add { request.answer(grant) }
      } else if limits.endsIdle, isAdmissible(request) {
        if room > 0 { room -= 1 } else if let end = takeLeastRecent() { effects.add(end) }
      }
    }
    while bytes > limits.memory, let end = takeLeastRecent(countsMemory: false) {
      effects.add(end)
    }
  }

  private func isAdmissible(_ request: Waiting) -> Bool {
    request.purpose != .background
      || permits.values.count { $0.purpose == .background } < limits.background
  }

  private mutating func grant(_ request: Waiting, _ effects: inout Effects) -> Grant? {
    guard isAdmissible(request) else { return nil }
    if let held = request.held, let permit = permits[held], isAtRest(permit) {
      permits[held]?.purpose = request.purpose
      effects.release(permits[held]?.end.take())
      return .same
    }
    // One that is about to end still counts.
    return permits.count < limits.processes ? .new(newPermit(request.purpose)) : nil
  }

  /// Takes the process without a request that was used least recently.
  ///
  /// - Parameter countsMemory: Whether its memory counts until it has ended.
  /// - Returns: A function that ends it; nil if all have requests.
  private mutating func takeLeastRecent(
    countsMemory: Bool = true
  ) -> (@Sendable () -> Void)? {
    guard
      let (number, permit) = permits.filter({ isAtRest($0.value) })
        .min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return nil }
    permits[number]?.end = nil
    if !countsMemory { permits[number]?.bytes = 0 }
    return permit.end
  }
}
