internal import HTTPTypes

// The names are valid constants; the initializer returns nil only for invalid ones.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// The requested host, if it is not the authority.
  static let host = HTTPField.Name("Host")!

  /// An internal note of the protocol version, if it is not 1.1. Clients cannot set it.
  static let noteOfVersion = HTTPField.Name("Recto-HTTP-Version")!

  /// Relations to other addresses (RFC 8288).
  static let link = HTTPField.Name("Link")!

  /// Which addresses other sites are told.
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!

  /// What a browser uses the answer for (Fetch Metadata).
  static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!

  /// The mode of a browser's request.
  static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!

  /// The relation of the requesting page to the server.
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!

  /// The addresses that a request was forwarded for; the sending proxy has added the last one.
  static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!

  /// The name of a request, for logs.
  static let xRequestID = HTTPField.Name("X-Request-ID")!

  /// Makes nginx forward a response without buffering.
  static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
