internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// A connection with TLS: what is encrypted also has to leave before a connection is closed.
struct EncryptedConnection<Protocols: ServerChildChannel>: ServerChildChannel {
  let protocols: Protocols

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Protocols.Value> {
    do {
      try channel.pipeline.syncOperations.addHandler(SlowReaderHandler())
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return protocols.setup(channel: channel, logger: logger)
  }

  func handle(value: Protocols.Value, logger: Logger) async {
    await protocols.handle(value: value, logger: logger)
  }
}
