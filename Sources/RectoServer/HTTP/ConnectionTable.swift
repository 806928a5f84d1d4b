/// The connections of clients, as a value. If there are too many, the client with most connections loses the one that
/// has been idle longest.
struct ConnectionTable {
  private struct Connection {
    var client: Client
    /// Requests that are being answered.
    var requests = 0
    /// The logical time of the last use.
    var lastUse: Int
    /// Ends it.
    var end: @Sendable () -> Void
  }

  private let limit: Int
  private var connections: [ObjectIdentifier: Connection] = [:]
  private var counts: [Client: Int] = [:]
  private var uses = 0

  /// A table without connections.
  init(limit: Int) { self.limit = limit }

  /// The number of connections.
  var count: Int { connections.count }

  /// Adds a connection.
  mutating func add(
    _ connection: ObjectIdentifier,
    of client: Client,
    end: @escaping @Sendable () -> Void
  ) {
    uses += 1
    connections[connection] = Connection(client: client, lastUse: uses, end: end)
    counts[client, default: 0] += 1
  }

  /// Records that a request of a connection is being answered.
  mutating func begin(_ connection: ObjectIdentifier) { use(connection, 1) }

  /// Records that a request was answered.
  mutating func end(_ connection: ObjectIdentifier) { use(connection, -1) }

  private mutating func use(_ connection: ObjectIdentifier, _ change: Int) {
    uses += 1
    connections[connection]?.requests += change
    connections[connection]?.lastUse = uses
  }

  /// Removes a connection that is closed or being closed.
  ///
  /// - Returns: Whether it was in the table.
  @discardableResult
  mutating func remove(_ connection: ObjectIdentifier) -> Bool {
    guard let removed = connections.removeValue(forKey: connection) else { return false }
    let left = (counts[removed.client] ?? 0) - 1
    counts[removed.client] = left > 0 ? left : nil
    return true
  }

  /// Takes a surplus connection to end; nil if there is none, or all have requests.
  ///
  /// - Complexity: O(connections) if there are too many.
  mutating func takeSurplus() -> (@Sendable () -> Void)? {
    guard connections.count > limit else { return nil }
    // The last answer may not have left.
    let idle = connections.filter { $0.value.requests == 0 && $0.value.lastUse < uses }
    let most = idle.values.map { counts[$0.client] ?? 0 }.max()
    let surplus = idle.filter { counts[$0.value.client] == most }
      .min { $0.value.lastUse < $1.value.lastUse }
    guard let surplus else { return nil }
    remove(surplus.key)
    return surplus.value.end
  }
}
