/// A reply of a Redis server in RESP2, of the kinds that the used commands have.
package enum RedisReply: Hashable, Sendable {
  /// `OK` and the like.
  case status(String)
  /// Why a command failed.
  case error(String)
  /// A number.
  case integer(Int)
  /// Bytes; nil for a value that is not there.
  case bytes([UInt8]?)
}

/// Invalid bytes, or a reply that is too long. The connection is then unusable.
package enum RedisReplyError: Error, Hashable, Sendable {
  /// Invalid bytes in a reply.
  case malformed
  /// A line or a value is longer than its limit.
  case tooLong
}

/// Parses the replies of a Redis server.
///
/// A length is checked as soon as it arrives, so the buffer has at most the limit plus the last chunk.
package struct RedisReplyParser: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0
  /// Where the search for the end of a line continues.
  private var searched = 0

  /// The most bytes in a line: a status, a reason, or a length.
  package static let longestLine = 4096

  /// A parser that has seen nothing yet.
  package init() {}

  /// Whether all bytes were consumed.
  package var isEmpty: Bool { start == buffer.count }

  /// Takes in bytes as they arrive.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole reply; nil until all of it has arrived.
  ///
  /// - Parameter limit: The most bytes of a value.
  /// - Throws: ``RedisReplyError``.
  package mutating func next(atMost limit: Int) throws(RedisReplyError) -> RedisReply? {
    guard let end = try endOfLine() else { return nil }
    guard let kind = buffer[start..<end].first else { throw .malformed }
    let line = buffer[(start + 1)..<end]
    let next = end + 2
    switch kind {
    case UInt8(ascii: "+"): return taking(.status(String(decoding: line, as: UTF8.self)), next)
    case UInt8(ascii: "-"): return taking(.error(String(decoding: line, as: UTF8.self)), next)
    case UInt8(ascii: ":"): return taking(.integer(try Self.number(line)), next)
    case UInt8(ascii: "$"):
      let length = try Self.number(line)
      guard length >= 0 else {
        guard length == -1 else { throw .malformed }
        return taking(.bytes(nil), next)
      }
      guard length <= limit else { throw .tooLong }
      guard buffer.count - next >= length + 2 else { return nil }
      let value = buffer[next..<(next + length)]
      guard buffer[next + length] == 13, buffer[next + length + 1] == 10 else { throw .malformed }
      return taking(.bytes(Array(value)), next + length + 2)
    default: throw .malformed
    }
  }

  private mutating func taking(_ reply: RedisReply, _ next: Int) -> RedisReply {
    start = next
    searched = next
    return reply
  }

  /// The end of the first line, before its CR LF; nil if that has not arrived yet.
  private mutating func endOfLine() throws(RedisReplyError) -> Int? {
    var index = max(start, searched)
    while index + 1 < buffer.count {
      if buffer[index] == 13 {
        guard buffer[index + 1] == 10 else { throw .malformed }
        guard index - start <= Self.longestLine else { throw .tooLong }
        searched = index
        return index
      }
      index += 1
    }
    searched = index
    guard index - start <= Self.longestLine else { throw .tooLong }
    return nil
  }

  /// A decimal number of at most 18 digits.
  private static func number(_ digits: ArraySlice<UInt8>) throws(RedisReplyError) -> Int {
    let isNegative = digits.first == UInt8(ascii: "-")
    let digits = isNegative ? digits.dropFirst() : digits
    guard (1...18).contains(digits.count),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw .malformed }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return isNegative ? -number : number
  }
}

/// A command of Redis: a list of counted strings.
package struct RedisCommand: Hashable, Sendable {
  /// The name of the command and its arguments.
  package var parts: [[UInt8]]

  /// A command of texts.
  package init(_ parts: String...) { self.parts = parts.map { Array($0.utf8) } }

  /// The bytes to send.
  package var bytes: [UInt8] {
    var bytes = Array("*\(parts.count)\r\n".utf8)
    bytes.reserveCapacity(parts.reduce(64) { $0 + $1.count + 16 })
    for part in parts {
      bytes += Array("$\(part.count)\r\n".utf8)
      bytes += part
      bytes += [13, 10]
    }
    return bytes
  }
}
