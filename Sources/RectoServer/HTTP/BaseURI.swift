internal import Hummingbird

/// The URI under which clients reach the server.
struct BaseURI: Sendable {
  /// The URI that was given; nil: the one of each request.
  let given: String?
  let isSecure: Bool

  /// The URI, without a slash at its end.
  func uri(for request: Request) -> String {
    if let given { return given.hasSuffix("/") ? String(given.dropLast()) : given }
    return "\(isSecure ? "https" : "http")://\(request.head.authority ?? "localhost")"
  }
}
