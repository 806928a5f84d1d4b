internal import DocumentModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RectoBase

/// An error response: problem details (RFC 9457).
struct Problem: Error {
  var status: HTTPResponse.Status
  var detail: String
  /// The code of a document's error, as in messages of the command; nil for others.
  var code: String?
  /// Seconds until a retry may succeed.
  var retryAfter: Int?

  init(_ status: HTTPResponse.Status, _ detail: String, code: String? = nil, retryAfter: Int? = nil)
  {
    self.status = status
    self.detail = detail
    self.code = code
    self.retryAfter = retryAfter
  }

  /// The problem for an error of a document or a page.
  init(_ error: DocumentError) {
    detail = error.description
    code = error.code.rawValue
    switch error.code {
    case .usage: status = .badRequest
    case .pageMissing, .unreadable: status = .notFound
    case .passwordNeeded, .passwordWrong: status = .forbidden
    case .timeLimit: status = .gatewayTimeout
    case .notAllowed: status = .badGateway
    case .cancelled, .memoryLimit, .changed, .unavailable:
      status = .serviceUnavailable
      retryAfter = 1
    case .notPDF, .damaged, .encryption, .pageSize, .drawing, .crash, .pageMismatch:
      status = .unprocessableContent
    default: status = .internalServerError
    }
  }

  /// Runs a function, and converts document errors.
  ///
  /// - Throws: The problem of the error.
  static func of<Value>(
    _ body: () async throws(DocumentError) -> Value
  ) async throws(Problem) -> Value {
    do throws(DocumentError) {
      return try await body()
    } catch {
      throw Problem(error)
    }
  }

  static let notFound = Problem(.notFound, "there is nothing at this address")

  /// The response.
  var response: Response {
    var json = JSONWriter()
    json.object { object in
      object.member("type", "about:blank")
      object.member("title", status.reasonPhrase)
      object.member("status", status.code)
      object.member("detail", detail)
      if let code { object.member("code", code) }
    }
    var headers: HTTPFields = [
      .contentType: "application/problem+json", .cacheControl: "no-store",
    ]
    if let retryAfter { headers[.retryAfter] = String(retryAfter) }
    return Response(
      status: status,
      headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes))
    )
  }
}
