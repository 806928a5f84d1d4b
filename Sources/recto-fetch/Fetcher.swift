internal import CCurl
internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import SystemPackage

/// Connections to servers, and the requests on them.
final class Fetcher {
  private let output: Int32
  private let transfers: UnsafeMutableRawPointer
  private let certificates: FilePath?
  private var isParentGone = false
  /// Where the document of an address turned out to be, so that its redirects are followed once.
  private var known: (address: String, place: DocumentLocation)?

  /// Where a document is.
  private struct DocumentLocation {
    var address: String
    /// Whether it is on the host that the user named.
    var isNamed = true
    var redirects = 0
  }

  private static let mostRedirects = 5
  private static let mostTries = 3
  /// Seconds before the second and the third try.
  private static let pauses = [0.25, 1.0]
  /// The most seconds to wait because a server asks for it.
  private static let longestPause = 20

  /// Connections that do not exist yet.
  ///
  /// - Parameters:
  ///   - output: The socket for replies.
  ///   - certificates: The file with the certificates of authorities; nil for that of the system.
  init?(output: Int32, certificates: FilePath?) {
    guard let transfers = curl_multi_init() else { return nil }
    self.output = output
    self.certificates = certificates
    self.transfers = transfers
    recto_curl_multi_set_number(transfers, CURLMOPT_MAX_HOST_CONNECTIONS, 6)
    recto_curl_multi_set_number(transfers, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
  }

  /// Sends a reply.
  ///
  /// - Returns: Whether the parent reads it.
  @discardableResult
  func send(_ reply: FetchReply) -> Bool {
    let bytes = Frame.framed(reply.payload)
    var rest = bytes[...]
    while !rest.isEmpty, !isParentGone {
      let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        isParentGone = true
      }
    }
    return !isParentGone
  }

  /// Fetches all that is asked for, at the same time.
  ///
  /// - Returns: The last reply; the others have been sent.
  func perform(_ request: FetchRequest) -> FetchReply {
    if known?.address != request.address { known = nil }
    let wasKnown = known != nil
    let reply = perform(request, at: known?.place ?? DocumentLocation(address: request.address))
    guard wasKnown, case .failed(let failure) = reply, failure.kind != .changed else {
      return reply
    }
    // The address that the redirects led to may have been valid for a while only.
    known = nil
    return perform(request, at: DocumentLocation(address: request.address))
  }

  private func perform(_ request: FetchRequest, at place: DocumentLocation) -> FetchReply {
    var running: [UnsafeMutableRawPointer: (transfer: Transfer, place: DocumentLocation)] = [:]
    var waiting: [(part: FetchRequest.Part, place: DocumentLocation, tries: Int, time: Double)] =
      request.parts.map { ($0, place, 0, 0) }
    defer {
      for handle in running.keys { curl_multi_remove_handle(transfers, handle) }
    }
    while !running.isEmpty || !waiting.isEmpty {
      let now = Self.now
      for next in waiting where next.time <= now {
        guard let transfer = start(next.part, request, at: next.place, tries: next.tries) else {
          return .failed(FetchFailure(.unavailable, "a transfer cannot be started"))
        }
        running[transfer.handle] = (transfer, next.place)
      }
      waiting.removeAll { $0.time <= now }
      var count: Int32 = 0
      guard curl_multi_perform(transfers, &count) == CURLM_OK else {
        return .failed(FetchFailure(.unavailable, "the transfers failed"))
      }
      var result = CURLE_OK
      while let handle = recto_curl_next_end(transfers, &result) {
        curl_multi_remove_handle(transfers, handle)
        guard let (transfer, place) = running.removeValue(forKey: handle) else { continue }
        switch transfer.ended(result) {
        case .complete: known = (request.address, place)
        case .noRanges: return .done
        case .redirect(let address):
          switch Self.redirected(place, to: address) {
          case .success(let next): waiting.append((transfer.part, next, transfer.tries, 0))
          case .failure(let failure): return .failed(failure)
          }
        case .retry(var failure, let seconds):
          let tries = transfer.tries + 1
          if let seconds, seconds > Self.longestPause {
            failure.detail += ", and asks to wait \(seconds) s"
            return .failed(failure)
          }
          guard tries < Self.mostTries else {
            failure.detail += ", \(tries) times"
            return .failed(failure)
          }
          let pause = max(seconds.map(Double.init) ?? 0, Self.pauses[tries - 1])
          waiting.append((transfer.part, place, tries, Self.now + pause))
        case .failed(let failure): return .failed(failure)
        }
      }
      // Nothing would end the wait.
      if running.isEmpty, waiting.isEmpty { break }
      // At most 0.1 s, so that a parent that has ended is noticed.
      curl_multi_poll(transfers, nil, 0, waiting.isEmpty || !running.isEmpty ? 100 : 20, nil)
      if isParentGone || hasParentEnded { exit(0) }
    }
    return .done
  }

  private func start(
    _ part: FetchRequest.Part,
    _ request: FetchRequest,
    at place: DocumentLocation,
    tries: Int
  ) -> Transfer? {
    let transfer = Transfer(
      part,
      of: request,
      at: place.address,
      hasSecrets: place.isNamed,
      refusesLinkLocal: !Self.isLinkLocal(request.address) || !place.isNamed,
      certificates: certificates,
      tries: tries
    ) { [unowned self] in send($0) }
    guard let transfer, curl_multi_add_handle(transfers, transfer.handle) == CURLM_OK else {
      return nil
    }
    return transfer
  }

  private var hasParentEnded: Bool {
    var socket = pollfd(fd: output, events: 0, revents: 0)
    return poll(&socket, 1, 0) > 0 && socket.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Seconds by a clock that is never set.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Addresses

  private static func redirected(_ place: DocumentLocation, to address: String) -> Result<
    DocumentLocation, FetchFailure
  > {
    guard place.redirects < mostRedirects else {
      return .failure(FetchFailure(.unreadable, "more than \(mostRedirects) redirects"))
    }
    guard let from = origin(of: place.address), let to = origin(of: address),
      to.scheme == "https" || to.scheme == from.scheme
    else {
      return .failure(FetchFailure(.unreadable, "a redirect to an address that is not allowed"))
    }
    return .success(
      DocumentLocation(
        address: address,
        isNamed: place.isNamed && from == to,
        redirects: place.redirects + 1
      )
    )
  }

  private struct HostOrigin: Equatable {
    var scheme: String
    var host: String
    var port: String
  }

  /// What libcurl connects to.
  private static func origin(of address: String) -> HostOrigin? {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    guard curl_url_set(parts, CURLUPART_URL, address, 0) == CURLUE_OK else { return nil }
    func part(_ which: CURLUPart) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, which, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text
      else { return nil }
      defer { curl_free(text) }
      return String(cString: text).lowercased()
    }
    guard let scheme = part(CURLUPART_SCHEME), ["http", "https"].contains(scheme),
      let host = part(CURLUPART_HOST), let port = part(CURLUPART_PORT)
    else { return nil }
    return HostOrigin(scheme: scheme, host: host, port: port)
  }

  /// Whether the host of an address is a link-local one in digits.
  private static func isLinkLocal(_ address: String) -> Bool {
    guard let host = origin(of: address)?.host else { return false }
    return host.hasPrefix("169.254.") || (host.hasPrefix("[fe") && host.contains(":"))
  }
}
