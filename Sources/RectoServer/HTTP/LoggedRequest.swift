internal import HTTPTypes
internal import Hummingbird
internal import RectoBase
internal import RectoCommand

/// A request with its answer, for the access log.
struct LoggedRequest: Sendable {
  let request: Request
  let response: Response
  /// The address of the client; nil if unknown.
  let client: NetworkAddress?
  /// The version of HTTP.
  let version: String
  /// The name of the request.
  let name: String
  let time: Duration

  private var milliseconds: Double {
    Double(time.components.attoseconds / 1_000_000_000_000) / 1000
      + Double(time.components.seconds) * 1000
  }

  /// The line in the Combined Log Format of Apache, followed by the milliseconds and the name, which its readers ignore.
  ///
  /// - Parameter stamp: The time of the answer, as in `28/Nov/2026:12:00:00 +0000`.
  func combined(at stamp: String) -> [UInt8] {
    let line =
      "\(client.map(\.description) ?? "-") - - [\(stamp)] \"\(request.method.rawValue) \(Self.escaped(request.uri.path))"
      + " HTTP/\(version)\" \(response.status.code) \(response.body.contentLength.map(String.init) ?? "-")"
      + " \"\(Self.escaped(request.headers[.referer] ?? "-"))\""
      + " \"\(Self.escaped(request.headers[.userAgent] ?? "-"))\" \(milliseconds) \(name)\n"
    return Array(line.utf8)
  }

  /// The line as JSON.
  ///
  /// - Parameter stamp: The time of the answer, as in `2026-11-28T12:00:00Z`.
  func json(at stamp: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.member("time", stamp)
      object.member("request", name)
      object.member("client", client?.description)
      object.member("method", request.method.rawValue)
      object.member("path", request.uri.path)
      object.member("version", version)
      object.member("status", response.status.code)
      if let bytes = response.body.contentLength { object.member("bytes", bytes) }
      object.member("referer", request.headers[.referer])
      object.member("agent", request.headers[.userAgent])
      object.member("milliseconds", milliseconds)
    }
    writer.newline()
    return writer.bytes
  }

  /// A client's text without characters that could end a field or control a terminal.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        let digits = String(byte, radix: 16)
        result += "\\x" + (digits.count == 1 ? "0" : "") + digits
      } else {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return result
  }
}
