internal import FoundationEssentials
internal import RectoTiles

/// The URL of a shared cache.
struct SharedCacheURL: Hashable, Sendable {
  /// Where the store is.
  var address: SharedStoreAddress
  /// The time limit for a lookup of the tiles of a page, in seconds.
  var timeout = 0.25

  private static let requirement = """
    must be redis://host:port/database, rediss:// for TLS, unix:///path or s3://bucket/prefix
    """

  /// Days as in the disk cache.
  private static let defaultLifetime = 90 * 86_400

  /// Reads a URL.
  ///
  /// - Parameters:
  ///   - variables: The value of an environment variable; nil if it is not set.
  /// - Throws: ``InvalidValue`` for another text, and when credentials are missing.
  init(_ text: String, variables: @escaping (String) -> String?) throws(InvalidValue) {
    guard let parts = URLComponents(string: text), parts.fragment == nil,
      let scheme = parts.scheme?.lowercased()
    else { throw InvalidValue(Self.requirement) }
    let set = { (name: String) in variables(name).flatMap { $0.isEmpty ? nil : $0 } }
    var query = try Query(parts)
    if let text = query.take("timeout") { timeout = try Self.timeout(text) }
    switch scheme {
    case "redis", "rediss", "unix":
      address = .redis(try Self.redis(parts, scheme, &query, set("RECTO_SHARED_CACHE_PASSWORD")))
    case "s3": address = .s3(try Self.s3(parts, &query, set))
    default: throw InvalidValue(Self.requirement)
    }
    if let name = query.values.keys.min() { throw Self.wrong("\(name) has no meaning here") }
  }

  /// A URL without user and password.
  static func redacted(_ text: String) -> String {
    guard let end = text.lastIndex(of: "@") else { return text }
    let start = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
    guard start <= end else { return text }
    return text[..<start] + "***" + text[end...]
  }

  private static func wrong(_ detail: String) -> InvalidValue {
    InvalidValue(requirement, detail: detail)
  }

  /// The parameters after the question mark, by name.
  private struct Query {
    var values: [String: String] = [:]

    init(_ parts: URLComponents) throws(InvalidValue) {
      for item in parts.queryItems ?? [] {
        guard let value = item.value, values.updateValue(value, forKey: item.name) == nil else {
          throw wrong("\(item.name) must have one value")
        }
      }
    }

    mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }
  }

  // MARK: Parts

  private static func redis(
    _ parts: URLComponents,
    _ scheme: String,
    _ query: inout Query,
    _ password: String?
  ) throws(InvalidValue) -> RedisAddress {
    let endpoint: RedisAddress.Endpoint
    var database = 0
    if scheme == "unix" {
      guard (parts.host ?? "").isEmpty, parts.path.hasPrefix("/") else {
        throw wrong("there must be three slashes in front of the path of a socket")
      }
      guard parts.path.utf8.count < 108 else { throw wrong("the path of a socket is too long") }
      endpoint = .unix(path: parts.path)
      if let text = query.take("db") { database = try self.database(text) }
    } else {
      guard let host = parts.host, !host.isEmpty else { throw wrong("there is no host") }
      let port = parts.port ?? 6379
      guard (1...65_535).contains(port) else { throw wrong("a port is between 1 and 65535") }
      let plain = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
      endpoint = .network(host: plain, port: port, isEncrypted: scheme == "rediss")
      let path = parts.path.drop { $0 == "/" }
      if !path.isEmpty { database = try self.database(String(path)) }
    }
    return RedisAddress(
      endpoint: endpoint,
      user: parts.user.flatMap { $0.isEmpty ? nil : $0 },
      password: parts.password.flatMap { $0.isEmpty ? nil : $0 } ?? password,
      database: database,
      prefix: try prefix(query.take("prefix") ?? "recto"),
      lifetime: try lifetime(query.take("ttl"))
    )
  }

  private static func s3(
    _ parts: URLComponents,
    _ query: inout Query,
    _ variable: (String) -> String?
  ) throws(InvalidValue) -> S3Address {
    guard let bucket = parts.host, bucket.wholeMatch(of: /[A-Za-z0-9._-]{1,255}/) != nil,
      parts.port == nil, parts.user == nil
    else { throw wrong("there is no bucket of that name") }
    let path = parts.path.drop { $0 == "/" }
    let region =
      query.take("region") ?? variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION")
      ?? "us-east-1"
    guard region.wholeMatch(of: /[A-Za-z0-9-]{1,64}/) != nil else {
      throw wrong("region is letters, digits and hyphens")
    }
    let endpoint = query.take("endpoint") ?? "https://s3.\(region).amazonaws.com"
    guard endpoint.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\-\[\]:]{1,255}\/?/) != nil else {
      throw wrong("endpoint must be http:// or https:// with a host and no path")
    }
    guard let accessKey = variable("AWS_ACCESS_KEY_ID"),
      let secretKey = variable("AWS_SECRET_ACCESS_KEY")
    else { throw wrong("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set") }
    return S3Address(
      bucket: bucket,
      prefix: path.isEmpty
        ? "" : try prefix(path.last == "/" ? String(path.dropLast()) : String(path)),
      endpoint: endpoint.last == "/" ? String(endpoint.dropLast()) : endpoint,
      region: region,
      accessKey: accessKey,
      secretKey: secretKey,
      sessionToken: variable("AWS_SESSION_TOKEN")
    )
  }

  // MARK: Values

  private static func database(_ text: String) throws(InvalidValue) -> Int {
    guard let number = Int(text), (0...99_999).contains(number), text.first?.isNumber == true else {
      throw wrong("a database is a number between 0 and 99999")
    }
    return number
  }

  private static func prefix(_ text: String) throws(InvalidValue) -> String {
    guard text.wholeMatch(of: /[A-Za-z0-9._:\/-]{1,128}/) != nil else {
      throw wrong("a prefix is 1 to 128 of the characters A-Z a-z 0-9 . _ : / -")
    }
    return text
  }

  private static func timeout(_ text: String) throws(InvalidValue) -> Double {
    guard let match = text.wholeMatch(of: /([0-9]{1,6})(ms|s)/), let number = Double(match.1) else {
      throw wrong("timeout must be like 250ms or 2s")
    }
    let seconds = match.2 == "s" ? number : number / 1000
    guard seconds > 0, seconds <= 60 else { throw wrong("timeout must be above 0 and at most 60s") }
    return seconds
  }

  private static func lifetime(_ text: String?) throws(InvalidValue) -> Int? {
    guard let text else { return defaultLifetime }
    if text == "unlimited" { return nil }
    guard let match = text.wholeMatch(of: /([0-9]{1,9})([smhd])/), let number = Int(match.1),
      number > 0
    else { throw wrong("ttl must be like 90d, 12h, 5m or 30s, or unlimited") }
    let units = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    return number * (units[String(match.2)] ?? 1)
  }
}
