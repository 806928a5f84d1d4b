internal import Glibc
internal import RectoBase
internal import RectoTiles
internal import RenderWorkers
internal import Synchronization

/// The state shared by tasks and the thread that talks to the process.
final class SharedStoreLink: Sendable {
  private struct State {
    var exchange: Exchange
    /// Whether nothing is asked any more.
    var isClosed = false
    /// Waits until all values were stored or dropped.
    var finishing: (deadline: Double, continuation: CheckedContinuation<Void, Never>)?
  }

  private let settings: SharedStoreProcess.Settings
  private let state: Mutex<State>
  private let bell = Bell()
  /// Tells other processes that the store does not answer.
  private let absence: StoreAbsence?

  init(_ settings: SharedStoreProcess.Settings) {
    self.settings = settings
    absence = settings.cache.flatMap {
      StoreAbsence(of: settings.address, timeout: settings.timeout, in: $0)
    }
    let exchange = Exchange(
      timeout: settings.timeout,
      patience: SharedStoreProcess.patience,
      silence: absence?.age,
      at: monotonicSeconds()
    )
    state = Mutex(State(exchange: exchange))
    let hasThread = DetachedThread.start(stackSize: 1 << 18) { [self] in run() }
    if !hasThread { state.withLock { $0.isClosed = true } }
  }

  /// The first failure.
  var failure: String? {
    state.withLock(\.exchange.failure).map { "\(settings.address): \($0)" }
  }

  // MARK: Tasks

  /// Looks up values; none if the task is cancelled.
  ///
  /// - Parameters:
  ///   - limits: The most bytes of each.
  /// - Returns: One for each name; nil for those that are missing.
  func get(_ names: [String], _ limits: [Int], by deadline: Double) async -> [[UInt8]?] {
    let entered = Mutex<(number: Int?, isCancelled: Bool)>((nil, false))
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let lookup = Exchange.Lookup(names: names, limits: limits, deadline: deadline) {
          continuation.resume(returning: $0)
        }
        let number = state.withLock {
          $0.isClosed ? nil : $0.exchange.enter(lookup, at: monotonicSeconds())
        }
        guard let number else { return continuation.resume(returning: names.map { _ in nil }) }
        bell.ring()
        let isCancelled = entered.withLock { entered in
          entered.number = number
          return entered.isCancelled
        }
        if isCancelled { leave(number) }
      }
    } onCancel: {
      let number = entered.withLock { entered in
        entered.isCancelled = true
        return entered.number
      }
      if let number { leave(number) }
    }
  }

  private func leave(_ number: Int) {
    state.withEffects { $0.exchange.leave(number, &$1) }
  }

  /// Keeps a value in the background.
  func put(_ name: String, _ value: [UInt8]) {
    let isEntered = state.withLock { !$0.isClosed && $0.exchange.put(name, value) }
    if isEntered { bell.ring() }
  }

  /// Waits until all values were stored or dropped.
  ///
  /// - Parameters:
  ///   - seconds: The most seconds to wait.
  ///   - fewer: The most seconds if the last request failed.
  func finish(within seconds: Double, orIfFailing fewer: Double) async {
    await withCheckedContinuation { continuation in
      let now = monotonicSeconds()
      let isDone = state.withLock { state in
        guard !state.isClosed, state.finishing == nil else { return true }
        if state.exchange.isDone, !state.exchange.isSilent { return true }
        let limit = state.exchange.isFailing ? min(fewer, seconds) : seconds
        state.finishing = (now + limit, continuation)
        return false
      }
      if isDone { continuation.resume() } else { bell.ring() }
    }
  }

  /// Ends the process and the thread.
  func close() {
    state.withEffects { state, effects in
      state.isClosed = true
      state.exchange.end(&effects)
    }
    bell.ring()
  }

  // MARK: The thread

  private func run() {
    var process: SharedCacheProcess?
    while true {
      let now = monotonicSeconds()
      var finished: CheckedContinuation<Void, Never>?
      let (isClosed, isUseless, end, isAway) = state.withEffects { state, effects in
        let isUseless = state.exchange.expire(at: now, &effects)
        var end = state.exchange.deadline
        if let finishing = state.finishing {
          if state.exchange.isDone || finishing.deadline <= now {
            state.exchange.rest()
            finished = finishing.continuation
            state.finishing = nil
          } else {
            end = min(end, finishing.deadline)
          }
        }
        return (state.isClosed, isUseless, end, state.exchange.takeNews())
      }
      // Without it, the next process asks, and waits as this one has.
      if let isAway { try? absence?.store(isAway: isAway) }
      finished?.resume()
      if isUseless || isClosed { process = nil }
      if isClosed { return }
      do throws(SharedCacheProcess.ExchangeError) {
        if process == nil, state.withLock(\.exchange.hasMessages) {
          process = try SharedCacheProcess(settings)
        }
        guard let running = process else {
          bell.wait(until: end)
          continue
        }
        try step(running, until: end)
      } catch {
        process = nil
        lost(error)
      }
    }
  }

  /// Waits for an event, then sends and receives.
  private func step(
    _ process: SharedCacheProcess,
    until end: Double
  ) throws(SharedCacheProcess.ExchangeError) {
    let isFree = process.hasSentAll
    let message = isFree ? state.withLock { $0.exchange.nextMessage(at: monotonicSeconds()) } : nil
    if let message { process.send(message) }
    try process.exchange(bell, until: end)
    while true {
      let limit = state.withLock(\.exchange.largestReply)
      guard let reply = try process.nextReply(atMost: limit) else { return }
      do {
        let isUseless = try state.withEffects {
          try $0.exchange.take(reply, at: monotonicSeconds(), &$1)
        }
        if isUseless {
          throw SharedCacheProcess.ExchangeError(description: "it is left alone for a while")
        }
      } catch let failure as SharedCacheProcess.ExchangeError {
        throw failure
      } catch {
        throw SharedCacheProcess.ExchangeError(description: "recto-shared-cache gives no answer")
      }
    }
  }

  private func lost(_ failure: SharedCacheProcess.ExchangeError) {
    state.withEffects { state, effects in
      // An idle process ends by itself.
      guard !state.exchange.isQuiet || state.exchange.hasMessages else { return }
      state.exchange.lost(failure.description, at: monotonicSeconds(), &effects)
    }
  }
}
