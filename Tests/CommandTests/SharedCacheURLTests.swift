import RectoTiles
import Testing

@testable import RectoCommand

/// The URL of `--shared-cache`, parsed without a process.
@Suite struct SharedCacheURLTests {
  private static let credentials = ["AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "SK"]

  private static func read(
    _ text: String,
    _ variables: [String: String] = credentials
  ) throws -> SharedCacheURL {
    try SharedCacheURL(text) { variables[$0] }
  }

  private static func redis(_ text: String, _ variables: [String: String] = [:]) throws
    -> RedisAddress?
  {
    guard case .redis(let address) = try read(text, variables).address else { return nil }
    return address
  }

  private static func s3(_ text: String, _ more: [String: String] = [:]) throws -> S3Address? {
    let variables = credentials.merging(more) { $1 }
    guard case .s3(let address) = try read(text, variables).address else { return nil }
    return address
  }

  @Test func `a Redis server has a host, and defaults for the rest`() throws {
    let expected = RedisAddress(
      endpoint: .network(host: "cache", port: 6379, isEncrypted: false),
      lifetime: 90 * 86_400
    )
    #expect(try Self.redis("redis://cache") == expected)
    #expect(try Self.redis("REDIS://cache/") == expected)
    #expect(try Self.read("redis://cache").timeout == 0.25)
  }

  @Test func `a URL can state all there is of a Redis server`() throws {
    let text = "rediss://u:p%40ss@[::1]:7000/12?ttl=2h&prefix=a:b&timeout=3s"
    #expect(
      try Self.redis(text)
        == RedisAddress(
          endpoint: .network(host: "::1", port: 7000, isEncrypted: true),
          user: "u",
          password: "p@ss",
          database: 12,
          prefix: "a:b",
          lifetime: 7200
        )
    )
    #expect(try Self.read(text).timeout == 3)
    let socket = try Self.redis("unix:///run/redis.sock?db=2&ttl=unlimited")
    #expect(socket?.endpoint == .unix(path: "/run/redis.sock"))
    #expect(socket?.database == 2)
    #expect(socket?.lifetime == nil)
  }

  @Test func `the password can come from the environment, and the URL precedes it`() throws {
    let variables = ["RECTO_SHARED_CACHE_PASSWORD": "env"]
    #expect(try Self.redis("redis://h", variables)?.password == "env")
    #expect(try Self.redis("redis://:url@h", variables)?.password == "url")
    #expect(try Self.redis("redis://:url@h", variables)?.user == nil)
  }

  @Test func `a bucket has a region, an endpoint and credentials from the environment`() throws {
    let plain = try #require(try Self.s3("s3://tiles"))
    #expect(plain.bucket == "tiles")
    #expect(plain.prefix == "")
    #expect(plain.endpoint == "https://s3.us-east-1.amazonaws.com")
    #expect(plain.sessionToken == nil)
    let far = try #require(
      try Self.s3("s3://tiles/a/b/", ["AWS_REGION": "eu-west-1", "AWS_SESSION_TOKEN": "t"])
    )
    #expect(far.prefix == "a/b")
    #expect(far.endpoint == "https://s3.eu-west-1.amazonaws.com")
    #expect(far.sessionToken == "t")
    let own = try #require(
      try Self.s3("s3://tiles?endpoint=http://localhost:9000/&region=r", ["AWS_REGION": "x"])
    )
    #expect(own.endpoint == "http://localhost:9000")
    #expect(own.region == "r")
  }

  @Test(arguments: [
    "", "wrong", "http://h", "redis:", "redis://", "redis://h:0", "redis://h:65536", "redis://h:x",
    "redis://h/x", "redis://h/-1", "redis://h/100000", "redis://h?x=1", "redis://h?ttl=1&ttl=2",
    "redis://h?ttl", "redis://h?ttl=0d", "redis://h?ttl=1w", "redis://h?timeout=0ms",
    "redis://h?timeout=61s", "redis://h?timeout=1", "redis://h?prefix=a%20b", "redis://h#f",
    "redis://h?endpoint=http://x", "unix://h/s", "s3://", "s3://b:1", "s3://b?ttl=1d", "s3://u@b",
    "s3://b?endpoint=ftp://h", "s3://b?endpoint=http://h/p", "s3://b?region=a/b", "s3://b/a b",
  ])
  func `anything else is refused`(text: String) {
    #expect(throws: InvalidValue.self) { try Self.read(text) }
  }

  @Test func `a bucket without credentials is refused`() {
    #expect(throws: InvalidValue.self) { try Self.read("s3://b", [:]) }
    #expect(throws: InvalidValue.self) { try Self.read("s3://b", ["AWS_ACCESS_KEY_ID": "AK"]) }
  }

  @Test func `messages have no credentials`() {
    #expect(SharedCacheURL.redacted("redis://u:p@h/x") == "redis://***@h/x")
    #expect(SharedCacheURL.redacted("redis://u:p@q@h") == "redis://***@h")
    #expect(SharedCacheURL.redacted("u:p@h") == "***@h")
    #expect(SharedCacheURL.redacted("redis://h/0") == "redis://h/0")
  }
}
