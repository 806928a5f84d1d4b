internal import HTTPTypes
internal import Synchronization

/// Admits requests to drawing, and bounds the waiting ones. Clients take turns.
final class DrawingGate: Sendable {
  /// How much work requests are.
  enum Work: Int {
    /// A tile; shares the drawing of its page with others.
    case tile = 1
    /// A picture, a search or a manifest.
    case picture = 8
  }

  private struct State {
    var queue: FairQueue
    /// The continuations of waiting requests.
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var lastTicket = 0
    var atWork = 0

    /// Removes the continuations to resume.
    mutating func settle(dropping dropped: Int? = nil) -> [(CheckedContinuation<Bool, Never>, Bool)]
    {
      var answers: [(CheckedContinuation<Bool, Never>, Bool)] = []
      if let dropped, let request = waiting.removeValue(forKey: dropped) {
        answers.append((request, false))
      }
      while let ticket = queue.next() {
        guard let request = waiting.removeValue(forKey: ticket) else { continue }
        atWork += 1
        answers.append((request, true))
      }
      return answers
    }
  }

  private let state: Mutex<State>

  /// An empty gate.
  ///
  /// - Parameters:
  ///   - jobs: The most pictures drawn at the same time for one client.
  ///   - spare: More pictures, for clients for which nothing is drawn.
  init(jobs: Int, spare: Int, limit: Int) {
    let unit = Work.picture.rawValue
    state = Mutex(State(queue: FairQueue(each: jobs * unit, spare: spare * unit, limit: limit)))
  }

  /// Requests that draw, or wait for that.
  var count: Int { state.withLock { $0.queue.count + $0.atWork } }

  /// Performs drawing work when it is the client's turn.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The errors of the work; a problem if too many others are waiting, or the task is
  ///   cancelled.
  func draw<Value>(
    _ work: Work = .picture,
    _ body: () async throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    let client = Client.current
    guard await enter(work, of: client) else {
      throw Problem(.serviceUnavailable, "too many pictures wait to be drawn", retryAfter: 1)
    }
    defer {
      change { state in
        state.queue.leave(client, units: work.rawValue)
        state.atWork -= 1
        return nil
      }
    }
    return try await body()
  }

  private func enter(_ work: Work, of client: Client) async -> Bool {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        change { state in
          state.waiting[ticket] = continuation
          // Cancelled before: it is dropped at once.
          if Task.isCancelled { return ticket }
          return state.queue.enter(ticket, of: client, units: work.rawValue)
        }
      }
    } onCancel: {
      change { $0.queue.takeBack(ticket, of: client) ? ticket : nil }
    }
  }

  /// Changes the state, and resumes requests after releasing the lock.
  private func change(_ change: (inout State) -> Int?) {
    let answers = state.withLock { state in
      let dropped = change(&state)
      return state.settle(dropping: dropped)
    }
    for (request, mayBegin) in answers { request.resume(returning: mayBegin) }
  }
}
