import RectoBase
import Synchronization
import TestSupport
import Testing

@testable import RenderWorkers

/// The decisions of a budget, without processes.
@Suite struct BudgetStateTests {
  /// What was done after changes.
  private final class Log: Sendable {
    struct Entries {
      /// The permits that requests got, by ticket; nil for the one that they had.
      var granted: [Int: Int?] = [:]
      /// Those whose processes were ended.
      var ended: [Int] = []
    }

    let entries = Mutex(Entries())
  }

  /// Random changes of a budget, as pools would make them.
  private struct Run {
    private let log = Log()
    private var state: BudgetState
    private var random: SeededGenerator
    private let limits: WorkerBudget.Limits
    /// Requests that wait, and the permits they hold.
    private var waiting: [Int: Int?] = [:]
    private var busy: [Int] = []
    private var resting: [Int] = []
    /// Whether all was as it has to be.
    private(set) var isRight = true

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      limits = WorkerBudget.Limits(
        processes: Int.random(in: 1...4, using: &random),
        background: Int.random(in: 1...4, using: &random),
        memory: Int.random(in: 0...4, using: &random) * 100,
        endsIdle: Bool.random(using: &random)
      )
      state = BudgetState(limits)
    }

    mutating func step() {
      switch Int.random(in: 0..<6, using: &random) {
      case 0...1: enter()
      case 2: leave()
      case 3: rest()
      case 4: giveBack()
      default: if let number = state.enterAtOnce(for: purpose()) { busy.append(number) }
      }
      isRight =
        isRight && state.statistics.processes <= limits.processes
        && state.statistics.busy == busy.count && state.waitingCount == waiting.count
    }

    private mutating func purpose() -> WorkerPurpose {
      WorkerPurpose.allCases.randomElement(using: &random) ?? .background
    }

    private mutating func change(_ body: (inout BudgetState, inout Effects) -> Void) {
      var effects = Effects()
      body(&state, &effects)
      state.settle(&effects)
      let before = log.entries.withLock { $0.granted.count + $0.ended.count }
      effects.carryOut()
      let entries = log.entries.withLock { entries in
        defer { entries = Log.Entries() }
        return entries
      }
      // Nothing was done before.
      isRight = isRight && before == 0
      for (ticket, granted) in entries.granted {
        guard let held = waiting.removeValue(forKey: ticket) else {
          isRight = false
          continue
        }
        if let number = granted ?? held { busy.append(number) }
        if granted == nil { resting.removeAll { $0 == held } }
      }
      for number in entries.ended {
        isRight = isRight && resting.contains(number)
      }
    }

    private mutating func enter() {
      let ticket = state.nextTicket()
      let held = Bool.random(using: &random) ? resting.randomElement(using: &random) : nil
      guard !waiting.values.contains(where: { held != nil && $0 == held }) else { return }
      waiting[ticket] = held
      let request = BudgetState.Waiting(ticket: ticket, held: held, purpose: purpose()) {
        [log] grant in
        log.entries.withLock { entries in
          switch grant {
          case nil: break
          case .same: entries.granted[ticket] = .some(nil)
          case .new(let number): entries.granted[ticket] = number
          }
        }
      }
      change { state, _ in state.enter(request) }
    }

    private mutating func leave() {
      guard let ticket = waiting.keys.sorted().randomElement(using: &random) else { return }
      waiting[ticket] = nil
      isRight = isRight && state.leave(ticket)?.ticket == ticket && state.leave(ticket) == nil
      var effects = Effects()
      state.settle(&effects)
      isRight = isRight && effects.isEmpty
    }

    private mutating func rest() {
      guard let index = busy.indices.randomElement(using: &random) else { return }
      let number = busy.remove(at: index)
      resting.append(number)
      let bytes = Int.random(in: 0...200, using: &random)
      change { [log] state, _ in
        state.rest(number, bytes: bytes) { log.entries.withLock { $0.ended.append(number) } }
      }
    }

    private mutating func giveBack() {
      guard let number = (busy + resting).randomElement(using: &random) else { return }
      busy.removeAll { $0 == number }
      resting.removeAll { $0 == number }
      change { $0.giveBack(number, &$1) }
    }
  }

  @Test(arguments: 0..<100)
  func `a request that is taken back changes nothing for the others`(seed: Int) {
    var run = Run(seed: UInt64(seed))
    for _ in 0..<200 { run.step() }
    let isRight = run.isRight
    #expect(isRight)
  }
}
