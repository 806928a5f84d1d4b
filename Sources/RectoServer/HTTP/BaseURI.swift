internal import Hummingbird

/// The URI of the server for clients.
struct BaseURI: Sendable {
  /// The given URI; nil to take it from each request.
  let given: String?
  let isSecure: Bool

  /// The URI, without a slash at its end.
  func uri(for request: Request) -> String {
    if let given { return given.hasSuffix("/") ? String(given.dropLast()) : given }
    return "\(isSecure ? "https" : "http")://\(request.head.authority ?? "localhost")"
  }
}
