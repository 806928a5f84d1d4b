import RectoBase
import RectoTiles
import Testing

/// The messages between the command and the process that has the connections.
@Suite struct SharedCacheMessageTests {
  private static let addresses: [SharedStoreAddress] = [
    .redis(RedisAddress(endpoint: .network(host: "::1", port: 6379, isEncrypted: true))),
    .redis(
      RedisAddress(
        endpoint: .unix(path: "/run/redis"),
        user: "u",
        password: "sesame",
        database: 3,
        prefix: "p",
        lifetime: 60
      )
    ),
    .s3(
      S3Address(
        bucket: "b",
        prefix: "",
        endpoint: "http://localhost:1",
        region: "r",
        accessKey: "AK",
        secretKey: "sesame",
        sessionToken: "sesame"
      )
    ),
  ]

  private static let requests: [SharedCacheRequest] =
    addresses.map { .connect($0) } + [
      .get(number: 7, names: ["a", ""], limits: [1, 1 << 20]),
      .put(number: 1 << 40, name: "é", value: [0, 255]),
    ]

  private static let replies: [SharedCacheReply] = [
    .values(number: 1, [nil, [], [1, 2, 3]]), .kept(number: 2), .failed(number: 3, "no\nreason"),
  ]

  @Test func `every message is read back as it was written`() throws {
    for request in Self.requests {
      #expect(try SharedCacheRequest(payload: request.payload[...]) == request)
    }
    for reply in Self.replies {
      #expect(try SharedCacheReply(payload: reply.payload[...]) == reply)
    }
  }

  @Test func `a message that is cut or goes on is refused`() {
    for payload in Self.requests.map(\.payload) {
      for length in 0..<payload.count {
        #expect(throws: ByteCodingError.self) {
          try SharedCacheRequest(payload: payload[..<length])
        }
      }
      #expect(throws: ByteCodingError.self) {
        try SharedCacheRequest(payload: (payload + [0])[...])
      }
    }
    for payload in Self.replies.map(\.payload) {
      for length in 0..<payload.count {
        #expect(throws: ByteCodingError.self) { try SharedCacheReply(payload: payload[..<length]) }
      }
      #expect(throws: ByteCodingError.self) { try SharedCacheReply(payload: (payload + [0])[...]) }
    }
  }

  @Test func `a changed byte never traps`() {
    for payload in Self.requests.map(\.payload) + Self.replies.map(\.payload) {
      for index in payload.indices {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
          var changed = payload
          changed[index] = value
          _ = try? SharedCacheRequest(payload: changed[...])
          _ = try? SharedCacheReply(payload: changed[...])
        }
      }
    }
  }

  @Test func `a reply is not longer than its bound`() {
    let limits = [100, 0, 5000]
    let values = limits.map { [UInt8](repeating: 1, count: $0) }
    let bound = SharedCacheReply.largestPayload(limits: limits)
    #expect(SharedCacheReply.values(number: 1, values).payload.count <= bound)
    let reason = String(repeating: "ß", count: 1000)
    let least = SharedCacheReply.largestPayload(limits: [])
    #expect(SharedCacheReply.failed(number: 1, reason).payload.count <= least)
  }

  @Test func `an address in words has no credentials`() {
    for address in Self.addresses { #expect(!"\(address)".contains("sesame")) }
    #expect(
      Self.addresses.map { "\($0)" } == ["rediss://[::1]:6379/0", "unix:///run/redis", "s3://b"]
    )
  }
}
