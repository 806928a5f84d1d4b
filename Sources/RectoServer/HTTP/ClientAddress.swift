internal import HTTPTypes
internal import Hummingbird
internal import RectoCommand

/// Which address a request comes from.
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

  private func isTrusted(_ address: NetworkAddress) -> Bool {
    trusted.contains { $0.contains(address) }
  }

  /// Some proxies add the port.
  private static func address(_ text: Substring) -> NetworkAddress? {
    NetworkAddress(text) ?? Origin.parts(of: String(text)).flatMap { NetworkAddress($0.host) }
  }
}
