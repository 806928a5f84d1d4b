internal import RectoCommand

/// Decides which request may draw next: clients take turns, and the requests of each are in order of arrival. A value;
/// the caller performs the effects.
///
/// Work is counted in units. A client has at most ``each`` active units. All clients together have no more either,
/// except that a client without active units gets up to ``spare`` more. So a single client can use the whole machine,
/// and another one need not wait for its active units.
struct FairQueue {
  /// A request that waits.
  private struct Request {
    var ticket: Int
    var units: Int
  }

  /// The most active units of one client.
  private let each: Int
  /// More units, for clients without active ones.
  private let spare: Int
  /// Requests that may wait.
  private let limit: Int
  private var atWork: [Client: Int] = [:]
  private var waiting: [Client: [Request]] = [:]
  /// The clients of waiting requests, the next one first.
  private var turns: [Client] = []
  /// Requests that wait.
  private(set) var count = 0

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - each: The most active units of one client.
  ///   - spare: More units, for clients without active ones.
  init(each: Int, spare: Int, limit: Int) {
    self.each = each
    self.spare = spare
    self.limit = limit
  }

  /// Adds a request. If too many are waiting, drops the last one of the client with the most.
  ///
  /// - Parameters:
  ///   - ticket: Its unique number.
  ///   - units: Its amount of work, at most ``each``.
  /// - Returns: The dropped request, which may be this one; nil if there is none.
  /// - Complexity: O(clients with waiting requests).
  mutating func enter(_ ticket: Int, of client: Client, units: Int) -> Int? {
    if waiting[client] == nil { turns.append(client) }
    waiting[client, default: []].append(Request(ticket: ticket, units: units))
    count += 1
    guard count > limit else { return nil }
    let counts = waiting.mapValues(\.count)
    // Drops from this client, unless another one has more.
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

  /// Takes the request to start now; nil if there is none.
  ///
  /// - Complexity: O(clients with waiting requests).
  mutating func next() -> Int? {
    let total = atWork.values.reduce(0, +)
    for (place, client) in turns.enumerated() {
      guard let request = waiting[client]?.first else { continue }
      let own = atWork[client] ?? 0
      let room = own > 0 ? min(each - own, each - total) : each + spare - total
      guard request.units <= room else {
        // Smaller requests after it would keep it waiting forever.
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
