package import RectoTiles

/// A database of a Redis server, over one connection that is restored when it is lost.
package actor RedisStore: TileStore {
  private let address: RedisAddress
  private var connecting: Task<RedisConnection, any Error>?

  /// The database at an address. Nothing is connected yet.
  package init(_ address: RedisAddress) { self.address = address }

  /// Values by their names.
  ///
  /// Uses `GETRANGE` instead of `MGET`, so that the server truncates values that are too long.
  ///
  /// - Parameters:
  ///   - limits: The most bytes of each; a longer one counts as missing.
  /// - Returns: One for each name; nil for those that are missing.
  /// - Throws: ``StoreError`` when the server cannot be reached or refuses.
  package func get(_ names: [String], limits: [Int]) async throws(StoreError) -> [[UInt8]?] {
    let commands = zip(names, limits).map { name, limit in
      RedisCommand("GETRANGE", key(name), "0", "\(limit)")
    }
    let replies = try await send(commands, limit: (limits.max() ?? 0) + 1)
    var values: [[UInt8]?] = []
    for (reply, limit) in zip(replies, limits) {
      switch reply {
      // Something else has the name.
      case .error(let reason) where reason.hasPrefix("WRONGTYPE"): values.append(nil)
      case .error(let reason): throw StoreError("the server answers \(reason)")
      case .bytes(let bytes?) where !bytes.isEmpty && bytes.count <= limit: values.append(bytes)
      case .bytes: values.append(nil)
      default: throw StoreError("the server gives no answer to the command")
      }
    }
    return values
  }

  /// Stores a value for the lifetime in the address.
  ///
  /// - Throws: ``StoreError`` when the server cannot be reached or refuses.
  package func put(_ name: String, _ value: [UInt8]) async throws(StoreError) {
    var command = RedisCommand("SET", key(name))
    command.parts.append(value)
    if let lifetime = address.lifetime {
      command.parts += [Array("EX".utf8), Array("\(lifetime)".utf8)]
    }
    for reply in try await send([command], limit: 0) {
      guard case .status = reply else {
        throw StoreError("the server does not keep a tile: \(reply.words)")
      }
    }
  }

  private func key(_ name: String) -> String { "\(address.prefix):\(name)" }

  private func send(
    _ commands: [RedisCommand],
    limit: Int
  ) async throws(StoreError) -> [RedisReply] {
    do {
      return try await connection().send(commands, limit: limit)
    } catch {
      throw StoreError(of: error)
    }
  }

  /// The connection, opened when first needed and after it was lost.
  private func connection() async throws -> RedisConnection {
    if let connecting {
      if let connection = try? await connecting.value, await connection.isUsable {
        return connection
      }
      // Another request may have begun to connect meanwhile.
      if self.connecting == connecting { self.connecting = nil }
      if let newer = self.connecting { return try await newer.value }
    }
    let address = address
    let task = Task { try await RedisConnection.connect(to: address) }
    connecting = task
    return try await task.value
  }
}

extension RedisReply {
  /// The server's message.
  var words: String {
    switch self {
    case .status(let text), .error(let text): text
    case .integer(let number): "\(number)"
    case .bytes: "a value"
    }
  }
}
