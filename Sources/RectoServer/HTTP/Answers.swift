internal import DocumentModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RectoBase

/// How long an answer stays valid.
enum Freshness {
  /// The address changes with the content.
  case immutable
  /// The content at the address can change with the document.
  case checked
  /// Must not be kept.
  case none

  var header: String {
    switch self {
    case .immutable: "public, max-age=31536000, immutable"
    case .checked: "public, max-age=0, must-revalidate"
    case .none: "no-store"
    }
  }
}

extension Response {
  /// A representation, the requested range of it, or 304 if the client has it.
  static func answer(
    _ body: ByteBuffer,
    type: String,
    tag: String,
    _ freshness: Freshness,
    to request: Request
  ) -> Response {
    var headers: HTTPFields = [.eTag: tag, .cacheControl: freshness.header]
    if let tags = request.headers[.ifNoneMatch], Self.matches(tags, tag) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = type
    headers[.acceptRanges] = "bytes"
    let isWhole = request.headers[.ifRange].map { $0 != tag } ?? false
    if !isWhole, request.method == .get, let range = request.headers[.range],
      let part = ByteRange(range, of: body.readableBytes)
    {
      guard case .part(let bytes) = part else {
        headers[.contentRange] = "bytes */\(body.readableBytes)"
        return Response(status: .rangeNotSatisfiable, headers: headers)
      }
      headers[.contentRange] =
        "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(body.readableBytes)"
      let slice = body.getSlice(at: body.readerIndex + bytes.lowerBound, length: bytes.count)
      return Response(
        status: .partialContent,
        headers: headers,
        body: ResponseBody(byteBuffer: slice ?? ByteBuffer())
      )
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }

  /// JSON, compressed if the client accepts it and it saves space.
  ///
  /// - Parameters:
  ///   - tag: The entity tag, without quotes; nil if the answer must not be cached.
  static func json(
    _ json: [UInt8],
    type: String = "application/json",
    tag: String?,
    to request: Request
  ) -> Response {
    var bytes = json
    var isCompressed = false
    if json.count > Self.worthCompressing, request.acceptsGzip, var deflater = Deflater(level: 6) {
      bytes = deflater.gzip(json)
      isCompressed = true
    }
    // Each encoding is a separate representation with its own validator.
    var response = Response.answer(
      ByteBuffer(bytes: bytes),
      type: type,
      tag: "\"\(tag ?? "")\(isCompressed ? "-gzip" : "")\"",
      tag == nil ? .none : .checked,
      to: request
    )
    if tag == nil { response.headers[.eTag] = nil }
    if isCompressed { response.headers[.contentEncoding] = "gzip" }
    response.headers[.vary] = "Accept-Encoding"
    return response
  }

  /// Messages with fewer bytes fit into a packet uncompressed.
  private static let worthCompressing = 1400

  /// Redirects a client to another address of the server.
  static func redirect(_ status: HTTPResponse.Status, to location: String) -> Response {
    Response(status: status, headers: [.location: location, .cacheControl: "no-store"])
  }

  /// Whether a list of validators has one, or is `*`. Weak validators match too (RFC 9110, 13.1.2).
  private static func matches(_ list: String, _ tag: String) -> Bool {
    list.split(separator: ",").contains { element in
      let element = element.trimmingSpaces
      return element == "*" || element == tag || element == "W/\(tag)"
    }
  }
}

/// A requested range of bytes. Only one range is supported, since pictures are small.
enum ByteRange: Hashable {
  case part(Range<Int>)
  /// Outside of the content.
  case unsatisfiable

  /// Reads `bytes=a-b`, `bytes=a-` or `bytes=-n`; nil for anything else, which is ignored (RFC 9110, 14.2).
  init?(_ header: String, of count: Int) {
    guard header.hasPrefix("bytes="), !header.contains(",") else { return nil }
    let bounds = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return nil }
    let numbers = bounds.map { text in
      text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
    switch (numbers[0], numbers[1]) {
    case (let first?, let last?):
      guard first <= last else { return nil }
      self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
    case (let first?, nil) where bounds[1].isEmpty:
      self = first < count ? .part(first..<count) : .unsatisfiable
    case (nil, let last?) where bounds[0].isEmpty:
      self = last > 0 && count > 0 ? .part(max(0, count - last)..<count) : .unsatisfiable
    default: return nil
    }
  }
}

extension PictureFormat {
  /// The formats that browsers display, the smallest first.
  private static let ofBrowsers: [PictureFormat] = [.webp, .jpeg, .png]

  /// The format with a file extension, if browsers display it.
  init?(fileExtension: some StringProtocol) {
    guard let format = Self.ofBrowsers.first(where: { $0.fileExtension == fileExtension }) else {
      return nil
    }
    self = format
  }

  /// The format that a client prefers; PNG if it has no preference.
  init(accepting header: String?) {
    var best = (format: PictureFormat.png, quality: 0.0)
    for part in (header ?? "").split(separator: ",") {
      let fields = part.split(separator: ";").map(\.trimmingSpaces)
      let quality = fields.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
        Double($0.dropFirst(2))
      }
      guard let type = fields.first else { continue }
      for format in Self.ofBrowsers where type == format.mediaType[...] {
        if quality ?? 1 > best.quality { best = (format, quality ?? 1) }
      }
    }
    self = best.format
  }
}

extension Request {
  /// Whether the client takes gzip.
  var acceptsGzip: Bool {
    (headers[.acceptEncoding] ?? "").split(separator: ",").contains { part in
      let fields = part.split(separator: ";").map(\.trimmingSpaces)
      return fields.first == "gzip" && !fields.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" }
    }
  }
}

extension StringProtocol {
  /// The text as a number without sign and with at most nine digits; nil for another text.
  var wholeNumber: Int? {
    guard (1...9).contains(utf8.count), utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(self)
  }

  /// The text with each `%` and its two hexadecimal digits replaced by the byte; nil if other characters follow a `%`,
  /// or the bytes are not UTF-8.
  var percentDecoded: String? {
    utf8.percentDecoded.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The text without spaces and tabs around it.
  var trimmingSpaces: Substring {
    var text = Substring(self)
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
