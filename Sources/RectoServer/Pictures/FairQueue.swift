internal import RectoCommand

/// Who may draw next: clients take turns, and each has its requests in the order of asking. A value: what
/// follows is done by who has changed it.
///
/// Work is counted in units. One client has at most ``each`` units at work; all together have no more either,
/// except that a client of which nothing is at work gets up to ``spare`` further ones. So a client that asks
/// for much has all of the machine while it is alone, and another one need not wait for what is at work.
struct FairQueue {
  /// A request that waits.
  private struct Request {
    var ticket: Int
    var units: Int
  }

  /// Units that one client may have at work.
  private let each: Int
  /// Units beyond these, for clients of which nothing is at work.
  private let spare: Int
  /// Requests that may wait.
  private let limit: Int
  private var atWork: [Client: Int] = [:]
  private var waiting: [Client: [Request]] = [:]
  /// The clients of requests that wait, the next one first.
  private var turns: [Client] = []
  /// Requests that wait.
  private(set) var count = 0

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - each: Units that one client may have at work.
  ///   - spare: Units beyond these, for clients of which nothing is at work.
  init(each: Int, spare: Int, limit: Int) {
    self.each = each
    self.spare = spare
    self.limit = limit
  }

  /// Adds a request. If too many wait, the last one of the client with most of them is dropped.
  ///
  /// - Parameters:
  ///   - ticket: What it is called; no other one is called so.
  ///   - units: How much work it is, at most what one client may have.
  /// - Returns: The request that is dropped, which may be this one; nil if none is.
  /// - Complexity: O(clients of which requests wait).
  mutating func enter(_ ticket: Int, of client: Client, units: Int) -> Int? {
    if waiting[client] == nil { turns.append(client) }
    waiting[client, default: []].append(Request(ticket: ticket, units: units))
    count += 1
    guard count > limit else { return nil }
    let counts = waiting.mapValues(\.count)
    // This client, unless another one has more.
    guard let most = counts.values.max(),
      let greedy = counts[client] == most ? client : counts.first(where: { $0.value == most })?.key,
      let last = waiting[greedy]?.last
    else { return nil }
    takeBack(last.ticket, of: greedy)
    return last.ticket
  }

  /// Takes back a request that waits.
  @discardableResult
  mutating func takeBack(_ ticket: Int, of client: Client) -> Bool {
    guard let index = waiting[client]?.lastIndex(where: { $0.ticket == ticket }) else {
      return false
    }
    remove(at: index, of: client)
    return true
  }

  /// Takes the request that is to begin now; nil if none may.
  ///
  /// - Complexity: O(clients of which requests wait).
  mutating func next() -> Int? {
    let total = atWork.values.reduce(0, +)
    for (place, client) in turns.enumerated() {
      guard let request = waiting[client]?.first else { continue }
      let own = atWork[client] ?? 0
      let room = own > 0 ? min(each - own, each - total) : each + spare - total
      guard request.units <= room else {
        // Smaller ones behind it would keep it waiting for ever.
        if own == 0 { return nil } else { continue }
      }
      turns.append(turns.remove(at: place))
      remove(at: 0, of: client)
      atWork[client] = own + request.units
      return request.ticket
    }
    return nil
  }

  /// Records that a request is done.
  mutating func leave(_ client: Client, units: Int) {
    let left = (atWork[client] ?? 0) - units
    atWork[client] = left > 0 ? left : nil
  }

  private mutating func remove(at index: Int, of client: Client) {
    waiting[client]?.remove(at: index)
    count -= 1
    guard waiting[client]?.isEmpty == true else { return }
    waiting[client] = nil
    turns.removeAll { $0 == client }
  }
}
