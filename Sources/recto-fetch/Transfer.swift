internal import CCurl
internal import DocumentModel
internal import Glibc
internal import SystemPackage

/// A request to a server for some bytes of a document.
///
/// libcurl has its address while it runs: the owner keeps it until it has been removed from the other transfers.
final class Transfer {
  /// How it ended.
  enum TransferEnd {
    /// All bytes were sent.
    case complete
    /// The server sends the whole document instead, of which nothing was read.
    case noRanges
    /// The document is elsewhere.
    case redirect(String)
    /// It failed, and may succeed later, in so many seconds if the server says so.
    case retry(FetchFailure, after: Int?)
    /// It failed.
    case failed(FetchFailure)
  }

  let part: FetchRequest.Part
  let handle: OpaqueHandle
  /// How many times it was tried before.
  let tries: Int
  private let send: (FetchReply) -> Bool
  private let limit: Int
  private let lines: UnsafeMutablePointer<curl_slist>?
  private var header = AnswerHeader()
  private var failure: FetchFailure?
  private var hasBegun = false
  private var hasNoRanges = false
  /// The range of bytes of the answer; without an end if it is unknown.
  private var position = 0
  private var end: Int?
  private var skipped = 0

  /// A transfer of libcurl.
  typealias OpaqueHandle = UnsafeMutableRawPointer

  /// Prepares a transfer.
  ///
  /// - Parameters:
  ///   - address: Where the document is.
  ///   - hasSecrets: Whether the lines of the request are sent to there.
  ///   - refusesLinkLocal: Whether the address must not lead to a link-local one.
  ///   - certificates: The file with the certificates of authorities; nil for that of the system.
  ///   - send: Sends a reply; returns whether the parent still reads.
  init?(
    _ part: FetchRequest.Part,
    of request: FetchRequest,
    at address: String,
    hasSecrets: Bool,
    refusesLinkLocal: Bool,
    certificates: FilePath?,
    tries: Int,
    send: @escaping (FetchReply) -> Bool
  ) {
    guard let handle = curl_easy_init() else { return nil }
    self.part = part
    self.handle = handle
    self.tries = tries
    self.send = send
    limit = request.limit
    var lines: UnsafeMutablePointer<curl_slist>?
    // Ranges of compressed bytes cannot be used.
    let signing = hasSecrets ? request.signing : nil
    let encoding = signing == nil ? ["Accept-Encoding: identity"] : []
    for line in encoding + (hasSecrets ? request.headers : []) {
      lines = curl_slist_append(lines, line)
    }
    if let signing {
      let digest = part.upload?.digest ?? Self.digestOfNothing
      lines = curl_slist_append(lines, "x-amz-content-sha256: \(digest)")
      if let token = signing.token {
        lines = curl_slist_append(lines, "x-amz-security-token: \(token)")
      }
    }
    if let upload = part.upload {
      lines = curl_slist_append(lines, "Content-Type: \(upload.mediaType)")
    }
    if let validator = request.validator, validator.isStrong {
      lines = curl_slist_append(lines, "If-Match: \(validator.text)")
    }
    self.lines = lines
    recto_curl_set_text(handle, CURLOPT_URL, address)
    // `..` is part of a key, and would lead to another bucket.
    recto_curl_set_number(handle, CURLOPT_PATH_AS_IS, 1)
    if let signing {
      recto_curl_set_text(handle, CURLOPT_AWS_SIGV4, "aws:amz:\(signing.region):s3")
      recto_curl_set_text(handle, CURLOPT_USERNAME, signing.key)
      recto_curl_set_text(handle, CURLOPT_PASSWORD, signing.secret)
    }
    recto_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    recto_curl_set_text(handle, CURLOPT_USERAGENT, "recto")
    recto_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    recto_curl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    recto_curl_set_number(handle, CURLOPT_PIPEWAIT, address.hasPrefix("https") ? 1 : 0)
    recto_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(request.timeout * 1000))
    recto_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, Self.slowest)
    recto_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(request.timeout)))
    recto_curl_set_list(handle, CURLOPT_HTTPHEADER, lines)
    if let certificates {
      recto_curl_set_text(handle, CURLOPT_CAINFO, certificates.string)
    }
    recto_curl_refuse_link_local(handle, refusesLinkLocal ? 1 : 0)
    switch part {
    case .range(let range):
      recto_curl_set_text(handle, CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound - 1)")
    case .tail(let count): recto_curl_set_text(handle, CURLOPT_RANGE, "-\(count)")
    case .whole: break
    case .upload(let upload):
      // A long one is sent at once. An empty line for `Expect` would be signed, but not sent.
      recto_curl_set_number(handle, CURLOPT_EXPECT_100_TIMEOUT_MS, 1)
      recto_curl_set_body(handle, "PUT", upload.bytes, upload.bytes.count)
    }
    recto_curl_set_sinks(
      handle,
      { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
          .read(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
      },
      { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
          .read(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(lines)
  }

  /// Bytes a second below which a transfer makes no progress.
  private static let slowest = 1024
  /// SHA-256 of the body of a request without one.
  private static let digestOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  /// Bytes of an answer without the document that are read, so that the connection can be used again.
  private static let mostSkipped = 1 << 14

  private func read(line: UnsafeRawBufferPointer) -> Int {
    guard header.read(line) else {
      failure = FetchFailure(.unreadable, "the server sends a header without an end")
      return 0
    }
    return line.count
  }

  private func read(body: UnsafeRawBufferPointer) -> Int {
    guard header.status == 200 || header.status == 206, part.upload == nil else {
      skipped += body.count
      return skipped <= Self.mostSkipped ? body.count : 0
    }
    guard begin() else { return 0 }
    guard body.count <= (end ?? limit) - position else {
      failure = FetchFailure(.unreadable, end == nil ? tooLarge : "the server sends too many bytes")
      return 0
    }
    var rest = body[...]
    while !rest.isEmpty {
      let part = rest.prefix(FetchReply.mostBytes)
      guard send(.bytes(at: position, Array(part))) else { return 0 }
      position += part.count
      rest = rest.dropFirst(part.count)
    }
    return body.count
  }

  private var tooLarge: String {
    "more than \(limit / 1_000_000) MB; --max-download sets the limit"
  }

  /// Checks the header, and reports what it says.
  ///
  /// - Returns: Whether the body is wanted.
  private func begin() -> Bool {
    if hasBegun { return true }
    if header.isEncoded {
      failure = FetchFailure(
        .unreadable,
        "the server sends compressed bytes that were not asked for"
      )
      return false
    }
    let size: Int?
    if header.status == 206 {
      guard let (bytes, total) = header.contentRange, isAnswer(bytes, of: total) else {
        failure = FetchFailure(.unreadable, "the server sends other bytes than those asked for")
        return false
      }
      (position, end, size) = (bytes.lowerBound, bytes.upperBound, total)
    } else {
      size = header.contentLength
      hasNoRanges = part != .whole
      if !hasNoRanges, let size, size > limit {
        failure = FetchFailure(.unreadable, tooLarge)
        return false
      }
      end = size
    }
    hasBegun = send(.about(size: size, header.validator, hasRanges: !hasNoRanges))
    return hasBegun && !hasNoRanges
  }

  private func isAnswer(_ bytes: Range<Int>, of size: Int?) -> Bool {
    switch part {
    case .range(let range):
      bytes.lowerBound == range.lowerBound
        && bytes.upperBound == min(range.upperBound, size ?? .max)
    case .tail(let count): bytes.upperBound == size && bytes.count == min(count, size ?? 0)
    case .whole, .upload: false
    }
  }

  /// How it ended.
  ///
  /// - Parameter result: What libcurl says.
  func ended(_ result: CURLcode) -> TransferEnd {
    if let failure { return .failed(failure) }
    guard header.isComplete else { return broken(result == CURLE_OK ? CURLE_RECV_ERROR : result) }
    if hasNoRanges { return .noRanges }
    if part.upload != nil, let end = endOfUpload(result) { return end }
    if let region = header.bucketRegion, header.status == 301 || header.status == 400 {
      return .failed(
        FetchFailure(.unreadable, "the bucket is in the region \(region); AWS_REGION names it")
      )
    }
    switch header.status {
    case 200, 206:
      guard result == CURLE_OK else { return broken(result) }
      // Without a body, nothing was checked yet.
      guard begin() else {
        if let failure { return .failed(failure) }
        return hasNoRanges ? .noRanges : .failed(FetchFailure(.unavailable, "the parent has ended"))
      }
      if let end, position != end {
        return .retry(FetchFailure(.unreadable, "the server sends too few bytes"), after: nil)
      }
      return .complete
    case 301, 302, 303, 307, 308:
      guard let address = recto_curl_text(handle, CURLINFO_REDIRECT_URL) else { break }
      return .redirect(String(cString: address))
    case 401, 403, 407:
      return .failed(FetchFailure(.notAllowed, "the server does not allow it (\(header.status))"))
    case 404, 410: return .failed(FetchFailure(.unreadable, "not found on the server"))
    case 412: return .failed(FetchFailure(.changed, "the document was changed meanwhile"))
    case 416 where part != .whole: return .noRanges
    case 429, 500...599:
      let failure = FetchFailure(.unavailable, "the server answers with status \(header.status)")
      return .retry(failure, after: header.retryAfter)
    case 0: return broken(result)
    default: break
    }
    return .failed(FetchFailure(.unreadable, "the server answers with status \(header.status)"))
  }

  /// How an upload ended; nil if it ended as others do.
  private func endOfUpload(_ result: CURLcode) -> TransferEnd? {
    switch header.status {
    // The words of the store may be longer than what is read of them.
    case 200...299: result == CURLE_OK || result == CURLE_WRITE_ERROR ? .complete : broken(result)
    case 300...399 where header.bucketRegion == nil:
      .failed(FetchFailure(.unavailable, "the store sends writers to another address"))
    default: nil
    }
  }

  private func broken(_ result: CURLcode) -> TransferEnd {
    let words = String(cString: curl_easy_strerror(result))
    let failure = FetchFailure(.unavailable, words.prefix(1).lowercased() + words.dropFirst())
    switch result {
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
      return .failed(FetchFailure(.unreadable, "this is not an address"))
    case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING,
      CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SSL_CONNECT_ERROR:
      return .retry(failure, after: nil)
    default: return .failed(failure)
    }
  }
}

extension FetchRequest.Part {
  /// What is written; nil for parts that are fetched.
  fileprivate var upload: FetchRequest.Upload? {
    if case .upload(let upload) = self { upload } else { nil }
  }
}
