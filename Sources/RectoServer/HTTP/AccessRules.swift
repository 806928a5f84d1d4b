internal import HTTPTypes
internal import Hummingbird
internal import RectoCommand

/// Which requests are answered.
struct AccessRules: Sendable {
  /// Host names that clients may use, without port, in lower case; nil allows any name: the server does not listen on
  /// the loopback interface, and no names are given.
  private let hosts: Set<String>?
  private let origins: Set<String>
  /// The origin of the server for clients, if given.
  private let base: Origin?
  /// The scheme of the server's addresses.
  private let scheme: String
  private let token: String?

  /// The rules for a server.
  ///
  /// On the loopback interface, only its own host names are accepted, because the host name of another site can resolve
  /// to 127.0.0.1 (DNS rebinding).
  init(_ command: ServerCommand) {
    var names = Set(command.hosts.map { $0.lowercased() })
    let host = command.address.host.lowercased()
    let isLoopback = host == "localhost" || host == "::1" || host.hasPrefix("127.")
    if isLoopback { names.formUnion(["localhost", "127.0.0.1", "::1"]) }
    names.insert(host)
    let isEverywhere = ["0.0.0.0", "::"].contains(host)
    hosts = isEverywhere && command.hosts.isEmpty ? nil : names
    origins = Set(command.origins)
    base = command.baseURI.flatMap { Origin($0) }
    scheme = command.certificate == nil ? "http" : "https"
    token = command.token
  }

  /// The name of the cookie that has the token.
  private static let cookie = "recto-token"

  /// Refuses forbidden requests.
  ///
  /// - Returns: A response that replaces the answer; nil if the request is allowed.
  /// - Throws: A problem for a request with another host, another origin, or without the token.
  func check(_ request: Request) throws(Problem) -> Response? {
    try checkOrigin(of: request, to: try authority(of: request))
    guard let token, !Self.isForMonitoring(request) else { return nil }
    if let given = request.uri.queryParameters["token"], request.method == .get {
      guard Self.areEqual(String(given), token) else { throw Self.noToken }
      // Relative, since a proxy may have the server below a path of its own.
      let name = request.uri.path.split(separator: "/", omittingEmptySubsequences: false).last
      var response = Response.redirect(.seeOther, to: "./\(name ?? "")")
      let secure = (base?.scheme ?? scheme) == "https" ? "; Secure" : ""
      response.headers[.setCookie] =
        "\(Self.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict\(secure)"
      return response
    }
    if let given = Self.bearer(request.headers[.authorization]), Self.areEqual(given, token) {
      return nil
    }
    let cookies = (request.headers[.cookie] ?? "").split(separator: ";").map(\.trimmingSpaces)
    let prefix = "\(Self.cookie)="
    guard let cookie = cookies.first(where: { $0.hasPrefix(prefix) }),
      Self.areEqual(String(cookie.dropFirst(prefix.count)), token)
    else { throw Self.noToken }
    return nil
  }

  /// Whether a request asks only how the server is.
  private static func isForMonitoring(_ request: Request) -> Bool {
    request.uri.path == "/health" || request.uri.path == "/ready"
  }

  private static let noToken = Problem(.unauthorized, "a token is needed: Authorization: Bearer …")

  /// The host and port that a request is for.
  ///
  /// - Throws: A problem if there is none, or it is that of another server.
  private func authority(of request: Request) throws(Problem) -> String {
    guard let authority = request.head.authority, let (host, _) = Origin.parts(of: authority) else {
      throw Problem(.badRequest, "the request has no host, or one that is none")
    }
    // The first of several Host fields is the authority; in HTTP/2 there may be an equal one.
    if let other = request.headers[.host], other != authority {
      throw Problem(.badRequest, "the request has two hosts")
    }
    if let hosts, !hosts.contains(host) {
      throw Problem(
        HTTPResponse.Status(code: 421, reasonPhrase: "Misdirected Request"),
        "this server is not \(host); --allow-host names others"
      )
    }
    return authority
  }

  /// Refuses expensive requests from pages of other sites. Allows navigation by links, and clients other than browsers,
  /// which do not send their origin.
  ///
  /// - Parameters:
  ///   - authority: The host and port that it is for.
  /// - Throws: A problem for a request from a page of another origin that is not allowed.
  private func checkOrigin(of request: Request, to authority: String) throws(Problem) {
    let site = request.headers[.secFetchSite]
    guard !Self.isForMonitoring(request), request.method != .options, site != "same-origin" else {
      return
    }
    if let text = request.headers[.origin] {
      if let origin = Origin(text),
        origin == base || origin == Origin(scheme: scheme, authority: authority)
      {
        return
      }
      if origins.contains(text) || origins.contains("*") && !isOfConversation(request) { return }
      throw Problem(.forbidden, "requests from pages of \(text) are not allowed")
    }
    // Browsers send this with each request; "none" means a request by the user.
    guard let site, site != "none" else { return }
    let isReading = request.method == .get || request.method == .head
    if isReading, request.headers[.secFetchMode] == "navigate",
      request.headers[.secFetchDest] == "document"
    {
      return
    }
    // The request for a picture in a page of another site does not name that site.
    if isReading, !origins.isEmpty, !isOfConversation(request) { return }
    throw Problem(.forbidden, "requests from pages of other sites are not allowed")
  }

  /// Whether a request belongs to a conversation: `*` allows none.
  private func isOfConversation(_ request: Request) -> Bool {
    (try? Routes.parts(of: request.uri.path))?.dropFirst().starts(with: ["api", "sessions"]) ?? true
  }

  /// What pages of the viewer may load: nothing from other origins, and no inline code or styles; compiled code
  /// (WebAssembly) is the server's own. Pages of the allowed origins may have the viewer in a frame; `*` allows no
  /// conversations, and so none.
  var contentSecurityPolicy: String {
    let embedders = origins.filter { Origin($0) != nil }.sorted()
    return [
      "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
      "img-src 'self' blob:",
      "connect-src 'self'", "base-uri 'none'", "form-action 'self'",
      "frame-ancestors \(embedders.isEmpty ? "'none'" : embedders.joined(separator: " "))",
    ].joined(separator: "; ")
  }

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

  /// The answer to a preflight request (CORS).
  func preflight(_ request: Request) throws(Problem) -> Response {
    var headers: HTTPFields = [.allow: "GET, HEAD, OPTIONS"]
    if !origins.isEmpty, request.headers[.accessControlRequestMethod] != nil {
      headers[.accessControlAllowMethods] = "GET, HEAD"
      headers[.accessControlAllowHeaders] = "Accept, Authorization, If-None-Match, Range"
      headers[.accessControlMaxAge] = "86400"
    }
    return Response(status: .noContent, headers: headers)
  }

  /// The token of a header; nil for another scheme. Schemes are case-insensitive (RFC 9110, 11.1).
  private static func bearer(_ header: String?) -> String? {
    let parts = (header ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1].trimmingSpaces)
  }

  /// Compares two texts in constant time.
  private static func areEqual(_ first: String, _ second: String) -> Bool {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    var difference = first.count ^ second.count
    for index in 0..<min(first.count, second.count) {
      difference |= Int(first[index] ^ second[index])
    }
    return difference == 0
  }
}
