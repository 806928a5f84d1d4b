internal import Glibc

/// An address of the Internet Protocol, version 4 or 6.
package struct NetworkAddress: Hashable, Sendable {
  /// Sixteen bytes; version 4 is mapped to `::ffff:a.b.c.d`.
  package let bytes: [UInt8]

  /// The bytes before an address of version 4.
  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  /// Reads an address; nil for another text, and for a name.
  package init?(_ text: some StringProtocol) {
    var four = in_addr()
    if inet_pton(AF_INET, String(text), &four) == 1 {
      bytes = Self.mapped + withUnsafeBytes(of: &four) { Array($0) }
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, String(text), &six) == 1 else { return nil }
    bytes = withUnsafeBytes(of: &six) { Array($0) }
  }

  /// Whether the address is one of version 4.
  package var isVersion4: Bool { bytes.starts(with: Self.mapped) }
}

extension NetworkAddress: CustomStringConvertible {
  /// The address as text.
  package var description: String {
    if isVersion4 { return bytes.suffix(4).map(String.init).joined(separator: ".") }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return "-" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Addresses that begin with the same bits.
package struct NetworkRange: Hashable, Sendable {
  private let address: NetworkAddress
  /// Of the sixteen bytes.
  private let bits: Int

  /// Reads an address, or `address/bits`; nil for another text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = NetworkAddress(first) else { return nil }
    self.address = address
    let width = address.isVersion4 ? 32 : 128
    guard parts.count == 2 else {
      bits = 128
      return
    }
    guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(parts[1]),
      count <= width
    else { return nil }
    bits = 128 - width + count
  }

  /// Whether an address is in the range.
  package func contains(_ other: NetworkAddress) -> Bool {
    let whole = bits / 8
    guard address.bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
    guard bits % 8 > 0 else { return true }
    return (address.bytes[whole] ^ other.bytes[whole]) >> (8 - bits % 8) == 0
  }
}

extension ValueReader<NetworkRange> {
  /// An address, or those that begin with the same bits.
  static var networkRange: Self {
    Self("must be an address, or address/bits") { NetworkRange($0) }
  }
}
