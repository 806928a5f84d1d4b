import Testing
import recto_shared_cache

/// What a Redis server may send, and anything else.
@Suite struct RedisReplyTests {
  private static let replies: [(reply: RedisReply, bytes: [UInt8])] = [
    (.status("OK"), Array("+OK\r\n".utf8)),
    (.error("ERR no\tsuch thing"), Array("-ERR no\tsuch thing\r\n".utf8)),
    (.integer(-12), Array(":-12\r\n".utf8)),
    (.bytes(nil), Array("$-1\r\n".utf8)),
    (.bytes([]), Array("$0\r\n\r\n".utf8)),
    (.bytes([13, 10, 0, 255]), Array("$4\r\n".utf8) + [13, 10, 0, 255, 13, 10]),
    (
      .bytes(Array(repeating: 36, count: 5000)),
      Array("$5000\r\n\(String(repeating: "$", count: 5000))\r\n".utf8)
    ),
    (.status(""), Array("+\r\n".utf8)),
  ]

  /// All replies that come out of portions of bytes.
  private static func read(
    _ portions: [ArraySlice<UInt8>],
    limit: Int = 5000
  ) throws -> [RedisReply] {
    var parser = RedisReplyParser()
    var replies: [RedisReply] = []
    for portion in portions {
      parser.append(portion)
      while let reply = try parser.next(atMost: limit) { replies.append(reply) }
    }
    #expect(parser.isEmpty)
    return replies
  }

  @Test func `any split of the bytes gives the same replies`() throws {
    let bytes = Self.replies.flatMap(\.bytes)
    let expected = Self.replies.map(\.reply)
    for step in 1...64 {
      let portions = stride(from: 0, to: bytes.count, by: step).map {
        bytes[$0..<min($0 + step, bytes.count)]
      }
      #expect(try Self.read(portions) == expected, "portions of \(step)")
    }
    for cut in bytes.indices { #expect(try Self.read([bytes[..<cut], bytes[cut...]]) == expected) }
  }

  @Test func `a length beyond the limit is refused before the value comes`() {
    for text in ["$11\r\n", "$999999999999999999\r\n", "$9999999999999999999\r\n"] {
      var parser = RedisReplyParser()
      parser.append(Array(text.utf8))
      #expect(throws: RedisReplyError.self) { try parser.next(atMost: 10) }
    }
  }

  @Test func `a line without an end is refused`() throws {
    var parser = RedisReplyParser()
    parser.append([UInt8](repeating: UInt8(ascii: "+"), count: RedisReplyParser.longestLine))
    #expect(try parser.next(atMost: 10) == nil)
    parser.append([UInt8](repeating: UInt8(ascii: "+"), count: 100))
    #expect(throws: RedisReplyError.tooLong) { try parser.next(atMost: 10) }
  }

  @Test(arguments: [
    "\r\n", "x\r\n", "*1\r\n+OK\r\n", "$\r\n", "$-2\r\n", "$+1\r\n", "$1\r\nab\r\n", "$1x\r\na\r\n",
    ":\r\n", ":1.5\r\n", ": 1\r\n", "+a\rb\r\n", "HTTP/1.1 400 Bad Request\r\n", "_\r\n", "%1\r\n",
  ])
  func `what is no reply is refused`(text: String) {
    var parser = RedisReplyParser()
    parser.append(Array(text.utf8))
    #expect(throws: RedisReplyError.self) {
      while try parser.next(atMost: 100) != nil {}
    }
  }

  @Test func `any changed byte gives replies, a wait or an error, and no trap`() {
    let bytes = Self.replies.filter { $0.bytes.count < 100 }.flatMap(\.bytes)
    for index in bytes.indices {
      for value in UInt8.min...UInt8.max {
        var changed = bytes
        changed[index] = value
        var parser = RedisReplyParser()
        parser.append(changed)
        while let reply = try? parser.next(atMost: 100) {
          if case .bytes(let value?) = reply { #expect(value.count <= 100) }
        }
      }
    }
  }

  @Test func `a command is a list of counted strings`() {
    var command = RedisCommand("SET", "ké")
    command.parts.append([13, 10])
    #expect(
      command.bytes == Array("*3\r\n$3\r\nSET\r\n$3\r\nké\r\n$2\r\n".utf8) + [13, 10, 13, 10]
    )
  }
}
