internal import HTTPTypes

// The names are constants that are valid: the initializer returns nil for others only.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Which host is meant, where it is not the authority.
  static let host = HTTPField.Name("Host")!

  /// The version of the protocol, if it is not 1.1. Clients cannot set it to another one.
  static let noteOfVersion = HTTPField.Name("Recto-HTTP-Version")!

  /// Relations to other addresses (RFC 8288).
  static let link = HTTPField.Name("Link")!

  /// Which addresses other sites are told.
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!

  /// What a browser wants the answer for (Fetch Metadata).
  static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!

  /// How a browser has come to make a request.
  static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!

  /// How the page that makes a request is related to the server.
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!

  /// The addresses for which a request was passed on, the last of them by the proxy that asks.
  static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!

  /// Has nginx pass on a response without waiting for more of it.
  static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
