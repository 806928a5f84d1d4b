internal import ArgumentParser

/// How requests are written to the access log.
package enum AccessLogFormat: String, NamedChoice, Sendable {
  /// The Combined Log Format of Apache, followed by milliseconds and the name of the request.
  case combined
  /// A JSON object.
  case json
}
