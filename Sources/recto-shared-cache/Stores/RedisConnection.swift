internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import RectoTiles

/// A connection to a Redis server. Commands are pipelined.
actor RedisConnection {
  private typealias Stream = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// Commands that were sent together.
  private struct Pending {
    var missing: Int
    var limit: Int
    var replies: [RedisReply] = []
    var continuation: CheckedContinuation<[RedisReply], any Error>
  }

  private let channel: any Channel
  private var parser = RedisReplyParser()
  private var pending: [Pending] = []
  private var failure: StoreError?

  private init(_ channel: any Channel) { self.channel = channel }

  /// Whether the connection is there.
  var isUsable: Bool { failure == nil }

  /// Connects, authenticates, and selects the database.
  ///
  /// - Throws: Why that is not possible.
  static func connect(to address: RedisAddress) async throws -> RedisConnection {
    let stream = try await stream(to: address.endpoint)
    let connection = RedisConnection(stream.channel)
    Task { await connection.read(stream) }
    var commands: [RedisCommand] = []
    if let password = address.password {
      commands.append(
        address.user.map { RedisCommand("AUTH", $0, password) } ?? RedisCommand("AUTH", password)
      )
    }
    if address.database != 0 { commands.append(RedisCommand("SELECT", "\(address.database)")) }
    for reply in try await connection.send(commands, limit: 0) {
      guard case .status = reply else {
        stream.channel.close(promise: nil)
        throw StoreError("the server answers \(reply.words)")
      }
    }
    return connection
  }

  private static func stream(to endpoint: RedisAddress.Endpoint) async throws -> Stream {
    let bootstrap = ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
      .connectTimeout(.seconds(5))
    switch endpoint {
    case .unix(let path):
      return try await bootstrap.connect(unixDomainSocketPath: path) { channel in
        channel.eventLoop.makeCompletedFuture { try Stream(wrappingChannelSynchronously: channel) }
      }
    case .network(let host, let port, let isEncrypted):
      let context = isEncrypted ? try NIOSSLContext(configuration: .makeClientConfiguration()) : nil
      return try await bootstrap.connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          if let context {
            // TLS does not allow an address as the server name.
            let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
            let handler = try NIOSSLClientHandler(
              context: context,
              serverHostname: isAddress ? nil : host
            )
            try channel.pipeline.syncOperations.addHandler(handler)
          }
          return try Stream(wrappingChannelSynchronously: channel)
        }
      }
    }
  }

  /// Sends commands and waits for their replies.
  ///
  /// - Parameters:
  ///   - limit: The most bytes of a value in a reply.
  /// - Returns: A reply for each command.
  /// - Throws: Why the connection was lost.
  func send(_ commands: [RedisCommand], limit: Int) async throws -> [RedisReply] {
    if let failure { throw failure }
    guard !commands.isEmpty else { return [] }
    var buffer = ByteBuffer()
    for command in commands { buffer.writeBytes(command.bytes) }
    let bytes = buffer
    return try await withCheckedThrowingContinuation { continuation in
      pending.append(Pending(missing: commands.count, limit: limit, continuation: continuation))
      // A failure closes the connection, which the reader notices.
      channel.writeAndFlush(bytes, promise: nil)
    }
  }

  /// Reads until the connection ends.
  private func read(_ stream: Stream) async {
    do {
      try await stream.executeThenClose { inbound, _ in
        for try await buffer in inbound { try take(buffer) }
      }
      end(StoreError("the server has closed the connection"))
    } catch {
      end(StoreError(of: error))
    }
  }

  private func take(_ buffer: ByteBuffer) throws {
    parser.append(buffer.readableBytesView)
    while let first = pending.first, let reply = try parser.next(atMost: first.limit) {
      pending[0].replies.append(reply)
      pending[0].missing -= 1
      if pending[0].missing == 0 {
        let done = pending.removeFirst()
        done.continuation.resume(returning: done.replies)
      }
    }
    if pending.isEmpty, !parser.isEmpty { throw RedisReplyError.malformed }
  }

  private func end(_ error: StoreError) {
    failure = error
    let abandoned = pending
    pending = []
    for pending in abandoned { pending.continuation.resume(throwing: error) }
  }
}

extension StoreError {
  /// An error of a library in words.
  init(of error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as RedisReplyError:
      self.init(
        error == .tooLong
          ? "the server sends more than it was asked for"
          : "the server does not speak the protocol of Redis"
      )
    case let error as IOError: self.init(Self.words(error.errnoCode))
    case let error as NIOConnectionError:
      // There is an error for each address; the last one will do.
      let reason = error.connectionErrors.last.map { StoreError(of: $0.error).description }
      self.init("cannot connect to \(error.host):\(error.port): \(reason ?? "unknown host")")
    case let error as ChannelError:
      if case .connectTimeout = error {
        self.init("no connection within 5 s")
      } else {
        self.init("\(error)")
      }
    default: self.init("\(error)")
    }
  }

  private static func words(_ code: CInt) -> String { String(cString: strerror(code)) }
}
