internal import ArgumentParser
internal import RectoBase
internal import SystemPackage

/// How `recto serve --http` listens, and what it allows.
struct HTTPOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Serve a viewer, pictures and IIIF over HTTP at this address, by default of this machine only; \
      port 0 takes a free one.
      """,
      valueName: "[host:]port"
    ),
    reading: .address
  )
  var http: ListeningAddress?

  @Flag(name: .customLong("open"), help: "Open the viewer in a browser.")
  var opensBrowser = false

  @Flag(help: "Serve what links inside of a folder lead to outside of it.")
  var followLinks = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Name by which clients may reach the server, besides that of --http; can be repeated.",
      valueName: "name"
    )
  )
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "Origin whose pages may read pictures and IIIF (CORS), or * for all; can be repeated.",
      valueName: "origin"
    ),
    reading: .origin
  )
  var allowOrigin: [String] = []

  @Option(
    help: ArgumentHelp(
      "Proxy whose X-Forwarded-For says which client it asks for; can be repeated.",
      valueName: "address[/bits]"
    ),
    reading: .networkRange
  )
  var trustedProxy: [NetworkRange] = []

  @Option(
    help: ArgumentHelp("File whose first line is a token that clients need.", valueName: "file"),
    completion: .file()
  )
  var tokenFile: String?

  @Option(
    help: ArgumentHelp("Certificates in PEM; with --tls-key, HTTPS and HTTP/2.", valueName: "file"),
    completion: .file()
  )
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("Private key in PEM.", valueName: "file"),
    completion: .file()
  )
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "URI under which clients reach the server, for IIIF behind a proxy (default: from the request).",
      valueName: "uri"
    ),
    reading: .webURI
  )
  var baseURI: String?

  @Option(
    help: ArgumentHelp("Connections at the same time, 1 to 65,536.", valueName: "number"),
    reading: .number(1...65_536)
  )
  var connections: Int = 1024

  @Option(
    help: ArgumentHelp("Largest picture, in millions of pixels.", valueName: "number"),
    reading: .number(1...300)
  )
  var megapixels: Int = 50

  @Option(
    help: ArgumentHelp(
      "File to which each request is appended; - for standard output.",
      valueName: "file"
    ),
    completion: .file()
  )
  var accessLog: String?

  @Option(
    help: ArgumentHelp(
      """
      combined: a line in the Combined Log Format for each request, followed by milliseconds and the \
      name of the request; json: a line of JSON.
      """,
      valueName: "format"
    ),
    reading: .choice
  )
  var accessLogFormat: AccessLogFormat = .combined

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that need others.
  func validate() throws {
    if (tlsCertificate == nil) != (tlsKey == nil) {
      throw ValidationError("--tls-certificate and --tls-key need each other")
    }
    if accessLogFormat != .combined, accessLog == nil {
      throw ValidationError("--access-log-format needs --access-log")
    }
    guard http == nil, let option = options.first else { return }
    throw ValidationError("\(option) needs --http")
  }

  /// The options that were given, other than `--http`.
  private var options: [String] {
    var names: [String] = []
    if opensBrowser { names.append("--open") }
    if followLinks { names.append("--follow-links") }
    if !allowHost.isEmpty { names.append("--allow-host") }
    if !allowOrigin.isEmpty { names.append("--allow-origin") }
    if !trustedProxy.isEmpty { names.append("--trusted-proxy") }
    if tokenFile != nil { names.append("--token-file") }
    if tlsCertificate != nil { names.append("--tls-certificate") }
    if baseURI != nil { names.append("--base-uri") }
    if accessLog != nil { names.append("--access-log") }
    return names
  }

  /// The token that clients need; nil for none.
  ///
  /// - Throws: A failure if the file cannot be read, or its first line is not a token.
  func token() throws(Failure) -> String? {
    guard let tokenFile else { return nil }
    let path = FilePath(argument: tokenFile)
    let line: [UInt8]
    do {
      line = try Files.firstLine(of: path, limit: 1024)
    } catch {
      throw Failure(input: error, path: path)
    }
    let token = String(
      decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line,
      as: UTF8.self
    )
    guard token.utf8.count >= 16, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Failure(
        usage: "--token-file: the token must have at least 16 characters of ASCII, without spaces",
        path: path
      )
    }
    return token
  }
}

/// Where a server listens.
package struct ListeningAddress: Hashable, Sendable {
  /// A name or an address; that of the loopback interface unless another was given.
  package var host = "127.0.0.1"
  /// 0 for a free one.
  package var port: Int

  /// Reads `port`, `host:port` or `[address]:port`.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last, !last.isEmpty,
      last.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(last), port <= 65_535
    else { return nil }
    self.port = port
    guard parts.count > 1 else { return }
    var name = text.dropLast(last.count + 1)
    if name.hasPrefix("["), name.hasSuffix("]") {
      name = name.dropFirst().dropLast()
    } else if parts.count > 2 {
      return nil
    }
    guard !name.isEmpty else { return nil }
    host = name == "*" ? "0.0.0.0" : String(name)
  }
}

extension ValueReader<ListeningAddress> {
  /// Where a server listens.
  static var address: Self {
    Self("must be a port from 0 to 65535, or host:port") { ListeningAddress($0) }
  }
}

extension ValueReader<String> {
  /// An origin of pages, or all of them.
  fileprivate static var origin: Self {
    value("must be an origin such as https://viewer.example, or *") { text in
      guard text != "*" else { return true }
      return isWebURI(text) && text.split(separator: "/").count == 2 && !text.hasSuffix("/")
    }
  }

  /// An address of HTTP.
  fileprivate static var webURI: Self {
    value("must be a URI that begins with http:// or https://") { isWebURI($0) }
  }

  private static func isWebURI(_ text: String) -> Bool {
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
    return text.utf8.count > scheme.utf8.count
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
  }
}
