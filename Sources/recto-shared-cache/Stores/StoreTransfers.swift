internal import CCurl
internal import Glibc
internal import RectoBase
internal import Synchronization

/// Requests to a service, made by libcurl in a thread of their own.
final class StoreTransfers: Sendable {
  /// A request.
  struct Request: Sendable {
    /// The address.
    var address: String
    /// The lines of the header.
    var headers: [String]
    /// What is sent with PUT; nil for GET.
    var body: [UInt8]?
    /// The region and the credentials to sign with.
    var region: String
    var key: String
    var secret: String
    /// The most bytes of the answer.
    var limit = 0
  }

  /// An answer.
  struct Answer: Sendable {
    /// The status.
    var status: Int
    /// The body; nil if it is too long.
    var body: [UInt8]?
  }

  private struct Waiting {
    var request: Request
    var continuation: CheckedContinuation<Result<Answer, StoreError>, Never>
  }

  private let waiting = Mutex<[Waiting]>([])
  /// The ends of a socket, which wakes the thread.
  private let bell: (read: Int32, write: Int32)

  /// The most connections.
  private static let mostConnections = 16
  private static let longestWait: Int32 = 1000

  /// Starts the thread. If that is impossible, the process ends, which the parent notices.
  init() {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let isOpen = socketpair(AF_UNIX, type, 0, &ends) == 0
    bell = (ends[0], ends[1])
    guard isOpen, curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
      DetachedThread.start(stackSize: 1 << 20, { [self] in run() })
    else { exit(70) }
  }

  /// Makes a request.
  ///
  /// - Throws: ``StoreError`` when the service cannot be reached.
  func answer(to request: Request) async throws(StoreError) -> Answer {
    let result = await withCheckedContinuation { continuation in
      waiting.withLock { $0.append(Waiting(request: request, continuation: continuation)) }
      // One that is full has been rung already.
      var byte: UInt8 = 1
      _ = write(bell.write, &byte, 1)
    }
    return try result.get()
  }

  private func run() {
    guard let transfers = curl_multi_init() else { exit(70) }
    recto_curl_multi_set_number(
      transfers,
      CURLMOPT_MAX_TOTAL_CONNECTIONS,
      Self.mostConnections
    )
    var running: [UnsafeMutableRawPointer: (transfer: StoreTransfer, waiting: Waiting)] = [:]
    while true {
      let new = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for next in new {
        guard let transfer = StoreTransfer(next.request),
          curl_multi_add_handle(transfers, transfer.handle) == CURLM_OK
        else {
          next.continuation.resume(returning: .failure(StoreError("a request cannot be made")))
          continue
        }
        running[transfer.handle] = (transfer, next)
      }
      var count: Int32 = 0
      curl_multi_perform(transfers, &count)
      var result = CURLE_OK
      while let handle = recto_curl_next_end(transfers, &result) {
        curl_multi_remove_handle(transfers, handle)
        guard let ended = running.removeValue(forKey: handle) else { continue }
        ended.waiting.continuation.resume(returning: ended.transfer.ended(result))
      }
      var socket = curl_waitfd(fd: bell.read, events: Int16(CURL_WAIT_POLLIN), revents: 0)
      curl_multi_poll(transfers, &socket, 1, Self.longestWait, nil)
      var rings: [UInt8] = Array(repeating: 0, count: 64)
      while read(bell.read, &rings, rings.count) == rings.count {}
    }
  }
}

/// A request that libcurl makes, which has its address while it runs.
private final class StoreTransfer {
  let handle: UnsafeMutableRawPointer
  private let headers: UnsafeMutablePointer<curl_slist>?
  private let limit: Int
  private var body: [UInt8] = []
  private var isTooLong = false

  /// Seconds for a connection, and for a whole request; the caller gives up sooner.
  private static let patience = (connection: 5, request: 30)

  init?(_ request: StoreTransfers.Request) {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    limit = request.limit
    var headers: UnsafeMutablePointer<curl_slist>?
    for line in request.headers { headers = curl_slist_append(headers, line) }
    self.headers = headers
    recto_curl_set_text(handle, CURLOPT_URL, request.address)
    recto_curl_set_text(handle, CURLOPT_AWS_SIGV4, "aws:amz:\(request.region):s3")
    recto_curl_set_text(handle, CURLOPT_USERNAME, request.key)
    recto_curl_set_text(handle, CURLOPT_PASSWORD, request.secret)
    recto_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    recto_curl_set_text(handle, CURLOPT_USERAGENT, "recto")
    recto_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    recto_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, Self.patience.connection)
    recto_curl_set_number(handle, CURLOPT_TIMEOUT, Self.patience.request)
    // A large value is sent at once. An empty line for `Expect` would be signed, but not sent.
    recto_curl_set_number(handle, CURLOPT_EXPECT_100_TIMEOUT_MS, 1)
    recto_curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    if let body = request.body { recto_curl_set_body(handle, "PUT", body, body.count) }
    recto_curl_set_sinks(
      handle,
      { _, size, count, _ in size * count },
      { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        return Unmanaged<StoreTransfer>.fromOpaque(context).takeUnretainedValue()
          .read(UnsafeRawBufferPointer(start: bytes, count: size * count))
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
  }

  private func read(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard body.count + bytes.count <= limit else {
      isTooLong = true
      return 0
    }
    body += bytes
    return bytes.count
  }

  /// The answer.
  ///
  /// - Parameter result: What libcurl says.
  func ended(_ result: CURLcode) -> Result<StoreTransfers.Answer, StoreError> {
    let status = recto_curl_number(handle, CURLINFO_RESPONSE_CODE)
    if isTooLong { return .success(.init(status: status, body: nil)) }
    guard result == CURLE_OK else {
      let words = String(cString: curl_easy_strerror(result))
      return .failure(StoreError(words.prefix(1).lowercased() + words.dropFirst()))
    }
    return .success(.init(status: status, body: body))
  }
}
