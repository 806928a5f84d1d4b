internal import RectoBase

/// The address of a shared store, with credentials.
public enum SharedStoreAddress: Hashable, Sendable {
  /// A Redis server.
  case redis(RedisAddress)
  /// A bucket of a service with the interface of Amazon S3.
  case s3(S3Address)
}

/// A database of a Redis server.
public struct RedisAddress: Hashable, Sendable {
  /// Where the server listens.
  public enum Endpoint: Hashable, Sendable {
    /// A port of a host, with or without TLS.
    case network(host: String, port: Int, isEncrypted: Bool)
    /// A socket of this machine.
    case unix(path: String)
  }

  /// Where the server listens.
  public var endpoint: Endpoint
  /// The user; nil for `default`.
  public var user: String?
  /// The password; nil if none is asked for.
  public var password: String?
  /// The number of the database.
  public var database: Int
  /// The prefix of the names of all tiles.
  public var prefix: String
  /// Seconds until a tile is dropped; nil for never.
  public var lifetime: Int?

  /// An address from its parts.
  ///
  /// - Parameters:
  ///   - endpoint: Where the server listens.
  ///   - user: The user; nil for `default`.
  ///   - password: The password; nil if none is required.
  ///   - database: The number of the database.
  ///   - prefix: The prefix of the names of all tiles.
  ///   - lifetime: Seconds until a tile is dropped; nil for never.
  public init(
    endpoint: Endpoint,
    user: String? = nil,
    password: String? = nil,
    database: Int = 0,
    prefix: String = "recto",
    lifetime: Int? = nil
  ) {
    self.endpoint = endpoint
    self.user = user
    self.password = password
    self.database = database
    self.prefix = prefix
    self.lifetime = lifetime
  }
}

/// A bucket.
public struct S3Address: Hashable, Sendable {
  /// The name of the bucket.
  public var bucket: String
  /// The prefix of the names of all tiles; may be empty.
  public var prefix: String
  /// The service: `https://s3.eu-central-1.amazonaws.com`, without a path.
  public var endpoint: String
  /// The region, which is part of every signature.
  public var region: String
  /// The identifier of the access key.
  public var accessKey: String
  /// The secret access key.
  public var secretKey: String
  /// The token of temporary credentials.
  public var sessionToken: String?

  /// An address from its parts.
  ///
  /// - Parameters:
  ///   - bucket: The name of the bucket.
  ///   - prefix: The prefix of the names of all tiles; may be empty.
  ///   - endpoint: The service, without a path.
  ///   - region: The region.
  ///   - accessKey: The identifier of the access key.
  ///   - secretKey: The secret access key.
  ///   - sessionToken: The token of temporary credentials.
  public init(
    bucket: String,
    prefix: String,
    endpoint: String,
    region: String,
    accessKey: String,
    secretKey: String,
    sessionToken: String? = nil
  ) {
    self.bucket = bucket
    self.prefix = prefix
    self.endpoint = endpoint
    self.region = region
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }
}

// MARK: Messages

extension SharedStoreAddress: CustomStringConvertible {
  /// Where it is, without credentials.
  public var description: String {
    switch self {
    case .redis(let address):
      switch address.endpoint {
      case .network(let host, let port, let isEncrypted):
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(isEncrypted ? "rediss" : "redis")://\(host):\(port)/\(address.database)"
      case .unix(let path): return "unix://\(path)"
      }
    case .s3(let address):
      return "s3://\(address.bucket)\(address.prefix.isEmpty ? "" : "/")\(address.prefix)"
    }
  }
}

// MARK: Bytes

extension ByteReader {
  /// Reads an address.
  ///
  /// - Throws: `ByteCodingError` for invalid bytes.
  mutating func readAddress() throws(ByteCodingError) -> SharedStoreAddress {
    switch try readByte() {
    case 1: .redis(try readRedisAddress())
    case 2:
      .s3(
        S3Address(
          bucket: try readString(),
          prefix: try readString(),
          endpoint: try readString(),
          region: try readString(),
          accessKey: try readString(),
          secretKey: try readString(),
          sessionToken: try readOptional { reader throws(ByteCodingError) in
            try reader.readString()
          }
        )
      )
    default: throw .unknown
    }
  }

  private mutating func readRedisAddress() throws(ByteCodingError) -> RedisAddress {
    let endpoint: RedisAddress.Endpoint
    switch try readByte() {
    case 1:
      endpoint = .network(
        host: try readString(),
        port: try readInt(),
        isEncrypted: try readBool()
      )
    case 2: endpoint = .unix(path: try readString())
    default: throw .unknown
    }
    return RedisAddress(
      endpoint: endpoint,
      user: try readOptional { reader throws(ByteCodingError) in try reader.readString() },
      password: try readOptional { reader throws(ByteCodingError) in try reader.readString() },
      database: try readInt(),
      prefix: try readString(),
      lifetime: try readOptional { reader throws(ByteCodingError) in try reader.readInt() }
    )
  }
}

extension ByteWriter {
  /// Writes an address.
  mutating func write(_ address: SharedStoreAddress) {
    switch address {
    case .redis(let address):
      write(UInt8(1))
      switch address.endpoint {
      case .network(let host, let port, let isEncrypted):
        write(UInt8(1))
        write(host)
        write(port)
        write(isEncrypted)
      case .unix(let path):
        write(UInt8(2))
        write(path)
      }
      write(address.user) { $0.write($1) }
      write(address.password) { $0.write($1) }
      write(address.database)
      write(address.prefix)
      write(address.lifetime) { $0.write($1) }
    case .s3(let address):
      write(UInt8(2))
      for text in [
        address.bucket, address.prefix, address.endpoint, address.region, address.accessKey,
        address.secretKey,
      ] { write(text) }
      write(address.sessionToken) { $0.write($1) }
    }
  }
}
