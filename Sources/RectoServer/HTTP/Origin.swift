/// The origin of pages: scheme, host and port (RFC 6454).
struct Origin: Hashable {
  /// `http` or `https`.
  let scheme: String
  /// A name or an address, in lower case.
  let host: String
  let port: Int

  /// An origin from its parts.
  ///
  /// - Parameters:
  ///   - scheme: `http` or `https`; nil is returned for others.
  ///   - authority: `host`, `host:port` or `[address]:port`; nil is returned for anything else.
  init?(scheme: some StringProtocol, authority: some StringProtocol) {
    guard let known = Self.ports[String(scheme)],
      let (host, port) = Self.parts(of: String(authority))
    else { return nil }
    self.scheme = String(scheme)
    self.host = host
    self.port = port ?? known
  }

  /// Reads `scheme://authority`, with any path after it; nil for anything else, such as `null`.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].isEmpty, parts[0].hasSuffix(":") else { return nil }
    self.init(scheme: parts[0].dropLast(), authority: parts[2])
  }

  private static let ports = ["http": 80, "https": 443]

  /// The host, in lower case, and the port of `host:port` or `[address]:port`; nil if the text is neither.
  static func parts(of authority: String) -> (host: String, port: Int?)? {
    let isAddress = authority.hasPrefix("[")
    let host = authority.dropFirst(isAddress ? 1 : 0).prefix { $0 != (isAddress ? "]" : ":") }
    let rest = authority[host.endIndex...].dropFirst(isAddress ? 1 : 0)
    let digits = rest.dropFirst()
    guard !host.isEmpty,
      rest.isEmpty || rest.first == ":" && digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      host.utf8.allSatisfy({ isHostByte($0) || isAddress && $0 == UInt8(ascii: ":") }),
      !isAddress || authority.utf8.contains(UInt8(ascii: "]"))
    else { return nil }
    guard !digits.isEmpty else { return (host.lowercased(), nil) }
    guard let port = Int(digits), port <= 65_535 else { return nil }
    return (host.lowercased(), port)
  }

  /// Whether a byte can be in the name of a host, or in an IPv4 address. Encoded names are not accepted.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
