internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import RectoCommand
internal import Synchronization

/// A connection with its protocols: limits connections per client, and sends all written data, including TLS data,
/// before closing.
struct ServedConnection<Protocols: ServerChildChannel>: ServerChildChannel {
  let protocols: Protocols
  let connections: Connections

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Protocols.Value> {
    let handler = SlowReaderHandler()
    do {
      try channel.pipeline.syncOperations.addHandler(handler)
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    connections.add(channel, handler)
    return protocols.setup(channel: channel, logger: logger)
  }

  func handle(value: Protocols.Value, logger: Logger) async {
    await protocols.handle(value: value, logger: logger)
  }
}

/// The connections that are open.
final class Connections: Sendable {
  /// The most connections.
  let limit: Int
  private let table: Mutex<ConnectionTable>

  /// No connections.
  init(limit: Int) {
    self.limit = limit
    table = Mutex(ConnectionTable(limit: limit))
  }

  /// The number of connections.
  var count: Int { table.withLock { $0.count } }

  /// Adds a connection until it is closed. Called on its event loop.
  func add(_ channel: any Channel, _ handler: SlowReaderHandler) {
    let name = ObjectIdentifier(channel)
    let client = Client(channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) })
    let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    change {
      $0.add(name, of: client) { bound.eventLoop.execute { bound.value.abandon() } }
    }
    channel.closeFuture.whenComplete { _ in self.change { _ = $0.remove(name) } }
  }

  /// Records that a request of a connection is being answered.
  func begin(_ connection: any Channel) { change { $0.begin(ObjectIdentifier(connection)) } }

  /// Records that a request was answered.
  func end(_ connection: any Channel) { change { $0.end(ObjectIdentifier(connection)) } }

  /// Changes the table, and ends a surplus connection after releasing the lock.
  private func change(_ change: (inout ConnectionTable) -> Void) {
    let surplus = table.withLock { table in
      change(&table)
      return table.takeSurplus()
    }
    surplus?()
  }
}
