internal import HTTPTypes
internal import Hummingbird
internal import RectoCommand

/// Which address a request comes from, and its name.
struct ClientAddresses: Sendable {
  /// Proxies that are trusted to report the addresses of their clients.
  let trusted: [NetworkRange]

  /// The address of the client that has made a request.
  ///
  /// Each proxy appends the address of its client to `X-Forwarded-For`. Takes the last address that is not a trusted
  /// proxy; anybody may have written those before it.
  ///
  /// - Returns: The address; nil if there is none.
  func client(of request: Request, from peer: NetworkAddress?) -> NetworkAddress? {
    guard var client = peer, !trusted.isEmpty else { return peer }
    let forwarded = request.headers[values: .xForwardedFor].joined(separator: ",")
    for text in forwarded.split(separator: ",").reversed() where isTrusted(client) {
      guard let next = Self.address(text.trimmingSpaces) else { break }
      client = next
    }
    return client
  }

  /// The name of a request, by which logs can be compared: that of a trusted proxy, else a random one.
  func name(of request: Request, from peer: NetworkAddress?) -> String {
    if let peer, isTrusted(peer), let given = request.headers[.xRequestID], Self.isName(given) {
      return given
    }
    return [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// At most 64 letters, digits, `-`, `_` and `.`.
  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  private func isTrusted(_ address: NetworkAddress) -> Bool {
    trusted.contains { $0.contains(address) }
  }

  /// Some proxies add the port.
  private static func address(_ text: Substring) -> NetworkAddress? {
    NetworkAddress(text) ?? Origin.parts(of: String(text)).flatMap { NetworkAddress($0.host) }
  }
}
