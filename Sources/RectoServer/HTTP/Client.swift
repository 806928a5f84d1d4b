internal import RectoCommand

/// Who shares the server with others: an address of version 4, or the 64 bits of one of version 6 that name a
/// network, since a client with one of its addresses can use all of them.
struct Client: Hashable, Sendable {
  private let bytes: [UInt8]

  /// The client with an address; nil for those whose address is unknown.
  init(_ address: NetworkAddress?) {
    bytes = address.map { $0.isVersion4 ? $0.bytes : Array($0.bytes.prefix(8)) } ?? []
  }

  /// The client whose request the task answers.
  @TaskLocal static var current = Client(nil)
}
