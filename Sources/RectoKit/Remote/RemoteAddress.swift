internal import RectoBase
public import SystemPackage

/// The address of a document on a server: `http://` or `https://`.
public struct RemoteAddress: Hashable, Sendable {
  /// As it is sent to the server, with its secrets.
  let text: String
  /// Without user, password, query and fragment, which may be secrets: for messages.
  public let shown: String

  /// The address in a text; nil if the text is a path.
  ///
  /// Spaces and characters beyond ASCII are encoded with percent signs.
  public init?(_ text: String) {
    guard let scheme = Self.scheme(of: text) else { return nil }
    var encoded = scheme
    for byte in text.utf8.dropFirst(scheme.utf8.count) {
      switch byte {
      case 0x21...0x7E: encoded.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x20, 0x80...0xFF: encoded += "%" + String(byte, radix: 16, uppercase: true)
      default: return nil
      }
    }
    let rest = encoded.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !host.isEmpty, host != ":", !authority.contains("\\") else { return nil }
    let path = rest.dropFirst(authority.count).prefix { !"?#".contains($0) }
    self.text = String(encoded.prefix { $0 != "#" })
    shown = scheme + host.lowercased() + path
  }

  /// The address as a path, for messages. A path has one slash where there were two.
  public var path: FilePath { FilePath(shown) }

  /// `http://` or `https://` at the beginning, in lower case.
  private static func scheme(of text: String) -> String? {
    ["http://", "https://"].first { text.prefix($0.count).lowercased() == $0 }
  }
}

extension RemoteAddress: CustomStringConvertible {
  /// Without secrets.
  public var description: String { shown }
}

/// How documents on servers are fetched.
public struct RemoteAccess: Hashable, Sendable {
  /// Lines of the header of requests, such as `Authorization: Bearer …`. They are sent to the host of the address only.
  public var headers: [String]
  /// Seconds for connecting, and without progress.
  public var timeout: Double
  /// The most bytes that are fetched of a document, in parts or as a whole.
  public var largest: Int
  /// The program with the connections; nil for `recto-fetch` next to the running one.
  public var program: FilePath?

  /// Access from its parts.
  ///
  /// - Parameters:
  ///   - headers: Lines of the header of requests.
  ///   - timeout: Seconds for connecting, and without progress.
  ///   - largest: The most bytes that are fetched of a document.
  ///   - program: The program with the connections.
  public init(
    headers: [String] = [],
    timeout: Double = 30,
    largest: Int = 1 << 30,
    program: FilePath? = nil
  ) {
    self.headers = headers
    self.timeout = timeout
    self.largest = largest
    self.program = program
  }
}
