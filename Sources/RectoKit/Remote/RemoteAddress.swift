internal import DocumentModel
internal import RectoBase
public import SystemPackage

/// The address of a document on a server: `http://`, `https://`, or `s3://BUCKET/KEY` for an object in a store.
public struct RemoteAddress: Hashable, Sendable {
  /// As it was given, with its secrets. Characters of a URL are encoded.
  let text: String
  /// Without user, password, query and fragment, which may be secrets: for messages.
  public let shown: String
  /// The bucket and the key of an object; nil for other addresses.
  let object: StoredObject?

  /// An object in a store.
  struct StoredObject: Hashable {
    var bucket: String
    var key: String
  }

  /// The address in a text; nil if the text is a path.
  ///
  /// Spaces and characters beyond ASCII are encoded with percent signs. The key of an object is taken as it is.
  public init?(_ text: String) {
    guard let scheme = Self.scheme(of: text) else { return nil }
    let given = text.dropFirst(scheme.count)
    if scheme == Self.objectScheme {
      let bucket = given.prefix { $0 != "/" }
      let key = given.dropFirst(bucket.count + 1)
      guard !bucket.isEmpty, bucket.utf8.allSatisfy(Self.isOfBucket),
        key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { return nil }
      object = StoredObject(bucket: String(bucket), key: String(key))
      self.text = scheme + given
      shown = self.text
      return
    }
    object = nil
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

  /// What messages show of a text that begins as an address but is none: its scheme, because the rest may be secret. Nil
  /// for paths and addresses.
  public static func malformed(_ text: String) -> String? {
    RemoteAddress(text) == nil ? scheme(of: text).map { $0 + "…" } : nil
  }

  /// The address as a path, for messages. A path has one slash where there were two.
  public var path: FilePath { FilePath(shown) }

  /// Whether it names an object in a store.
  public var isObject: Bool { object != nil }

  /// Whether it names all objects whose keys begin with a text, instead of a document: `s3://BUCKET` and
  /// `s3://BUCKET/PREFIX/`.
  public var isPrefix: Bool { object.map { $0.key.isEmpty || $0.key.hasSuffix("/") } ?? false }

  /// The address of an object below a prefix; nil for a key that no object has.
  func object(_ key: String) -> RemoteAddress? {
    RemoteAddress("\(text)\(text.hasSuffix("/") ? "" : "/")\(key)")
  }

  private static let objectScheme = "s3://"

  /// The scheme at the beginning, in lower case.
  private static func scheme(of text: String) -> String? {
    ["http://", "https://", objectScheme].first { text.prefix($0.count).lowercased() == $0 }
  }

  private static func isOfBucket(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}

extension RemoteAddress: CustomStringConvertible {
  /// Without secrets.
  public var description: String { shown }
}

extension RemoteAddress {
  /// A request for nothing yet.
  ///
  /// - Parameter query: What the bucket is asked instead of an object; nil for the document.
  func request(_ access: RemoteAccess, query: String? = nil) -> FetchRequest {
    let store = object == nil ? nil : access.store
    let url = object.map { object in
      access.store.url(of: query == nil ? object.key : "", in: object.bucket)
    }
    return FetchRequest(
      address: (url ?? text) + (query.map { "?\($0)" } ?? ""),
      headers: access.headers,
      signing: store.flatMap { store in
        store.credentials.map {
          FetchRequest.Signing(
            region: store.region,
            key: $0.key,
            secret: $0.secret,
            token: $0.token
          )
        }
      },
      parts: [],
      timeout: access.timeout,
      limit: access.largest
    )
  }
}

/// How documents on servers are fetched.
public struct RemoteAccess: Hashable, Sendable {
  /// Lines of the header of requests, such as `Authorization: Bearer …`. They are sent to the host of the address only.
  public var headers: [String]
  /// The store that `s3://` addresses are in; by default Amazon's, for anyone.
  public var store = RemoteStore()
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
