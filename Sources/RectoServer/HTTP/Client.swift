internal import RectoCommand

/// A client, for sharing the server fairly: an IPv4 address, or the 64-bit network prefix of an IPv6 address, since a
/// client can use all addresses of its network.
struct Client: Hashable, Sendable {
  private let bytes: [UInt8]

  /// The client with an address; nil for those whose address is unknown.
  init(_ address: NetworkAddress?) {
    bytes = address.map { $0.isVersion4 ? $0.bytes : Array($0.bytes.prefix(8)) } ?? []
  }

  /// The client of the request that the task answers.
  @TaskLocal static var current = Client(nil)
}
