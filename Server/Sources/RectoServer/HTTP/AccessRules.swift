internal import HTTPTypes
internal import Hummingbird
internal import RectoCommand

/// Which requests are answered.
struct AccessRules: Sendable {
  /// Names by which clients may reach the server, without port, in lower case; nil for any: it listens
  /// elsewhere than on the loopback interface, and no names were given.
  private let hosts: Set<String>?
  private let origins: Set<String>
  private let token: String?

  /// The rules for a server.
  ///
  /// On the loopback interface only its own names are answered: a page of another site whose name leads to
  /// 127.0.0.1 (DNS rebinding) gets nothing.
  init(_ command: ServerCommand) {
    var names = Set(command.hosts.map { $0.lowercased() })
    let host = command.address.host.lowercased()
    let isLoopback = host == "localhost" || host == "::1" || host.hasPrefix("127.")
    if isLoopback { names.formUnion(["localhost", "127.0.0.1", "::1"]) }
    names.insert(host)
    let isEverywhere = ["0.0.0.0", "::"].contains(host)
    hosts = isEverywhere && command.hosts.isEmpty ? nil : names
    origins = Set(command.origins)
    token = command.token
  }

  /// The name of the cookie that has the token.
  private static let cookie = "recto-token"

  /// Refuses a request that is not to be answered.
  ///
  /// - Returns: A response in place of an answer; nil if the request is answered.
  /// - Throws: A problem for a request with another host, another origin, or without the token.
  func check(_ request: Request) throws(Problem) -> Response? {
    guard let authority = request.head.authority, let host = Self.name(of: authority) else {
      throw Problem(.badRequest, "the request has no host, or one that is none")
    }
    // The first of several Host fields is the authority; in HTTP/2 there may be one that says the same.
    if let other = request.headers[.host], other != authority {
      throw Problem(.badRequest, "the request has two hosts")
    }
    if let hosts, !hosts.contains(host) {
      throw Problem(
        HTTPResponse.Status(code: 421, reasonPhrase: "Misdirected Request"),
        "this server is not \(host); --allow-host names others"
      )
    }
    if request.method != .get, request.method != .head, request.method != .options,
      let origin = request.headers[.origin], Self.name(ofOrigin: origin) != host,
      !origins.contains(origin)
    {
      throw Problem(.forbidden, "requests from pages of \(origin) are not allowed")
    }
    guard let token, request.uri.path != "/health" else { return nil }
    if let given = request.uri.queryParameters["token"], request.method == .get {
      guard Self.areEqual(String(given), token) else { throw Self.noToken }
      var response = Response.redirect(.seeOther, to: request.uri.path)
      response.headers[.setCookie] = "\(Self.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
      return response
    }
    if let header = request.headers[.authorization], header.hasPrefix("Bearer "),
      Self.areEqual(String(header.dropFirst(7)), token)
    {
      return nil
    }
    let cookies = (request.headers[.cookie] ?? "").split(separator: ";").map(\.trimmingSpaces)
    let prefix = "\(Self.cookie)="
    guard let cookie = cookies.first(where: { $0.hasPrefix(prefix) }),
      Self.areEqual(String(cookie.dropFirst(prefix.count)), token)
    else { throw Self.noToken }
    return nil
  }

  private static let noToken = Problem(.unauthorized, "a token is needed: Authorization: Bearer …")

  /// Adds the headers that every response has.
  func finish(_ response: inout Response, _ request: Request) {
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.referrerPolicy] = "same-origin"
    response.headers[.crossOriginResourcePolicy] = origins.isEmpty ? "same-origin" : "cross-origin"
    if response.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
    guard !origins.isEmpty else { return }
    if origins.contains("*") {
      response.headers[.accessControlAllowOrigin] = "*"
    } else {
      let vary = response.headers[.vary]
      response.headers[.vary] = vary.map { "\($0), Origin" } ?? "Origin"
      guard let origin = request.headers[.origin], origins.contains(origin) else { return }
      response.headers[.accessControlAllowOrigin] = origin
    }
    response.headers[.accessControlExposeHeaders] = "ETag, Link, Content-Range"
  }

  /// The answer to a request of a browser that asks what it may do (CORS).
  func preflight(_ request: Request) throws(Problem) -> Response {
    var headers: HTTPFields = [.allow: "GET, HEAD, OPTIONS"]
    if !origins.isEmpty, request.headers[.accessControlRequestMethod] != nil {
      headers[.accessControlAllowMethods] = "GET, HEAD"
      headers[.accessControlAllowHeaders] = "Accept, Authorization, If-None-Match, Range"
      headers[.accessControlMaxAge] = "86400"
    }
    return Response(status: .noContent, headers: headers)
  }

  /// The host of `host:port` or `[address]:port`, in lower case; nil if the text is neither.
  static func name(of authority: String) -> String? {
    let isAddress = authority.hasPrefix("[")
    let host = authority.dropFirst(isAddress ? 1 : 0).prefix { $0 != (isAddress ? "]" : ":") }
    let rest = authority[host.endIndex...].dropFirst(isAddress ? 1 : 0)
    let hasPort =
      rest.first == ":" && rest.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard !host.isEmpty, rest.isEmpty || hasPort,
      host.utf8.allSatisfy({ isHostByte($0) || isAddress && $0 == UInt8(ascii: ":") }),
      !isAddress || authority.utf8.contains(UInt8(ascii: "]"))
    else { return nil }
    return host.lowercased()
  }

  /// Whether a byte can be in the name of a host, or in an IPv4 address. Encoded names are not taken.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func name(ofOrigin origin: String) -> String? {
    let parts = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? name(of: String(parts[2])) : nil
  }

  /// Compares in a time that does not depend on where two texts differ.
  private static func areEqual(_ first: String, _ second: String) -> Bool {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    var difference = first.count ^ second.count
    for index in 0..<min(first.count, second.count) {
      difference |= Int(first[index] ^ second[index])
    }
    return difference == 0
  }
}
