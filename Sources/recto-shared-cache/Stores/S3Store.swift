internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
package import RectoTiles

/// A bucket of a service with the interface of Amazon S3, addressed by path.
package struct S3Store: TileStore {
  private let address: S3Address
  private let client: HTTPClient

  /// The bucket at an address. Nothing is connected yet.
  package init(_ address: S3Address) {
    self.address = address
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    // The caller decides about retries.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout = .init(connect: .seconds(5), read: .seconds(30))
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Values by their names, all at once.
  ///
  /// - Parameters:
  ///   - limits: The most bytes of each; a longer one counts as missing.
  /// - Returns: One for each name; nil for those that are missing.
  /// - Throws: ``StoreError`` when the service cannot be reached or refuses.
  package func get(_ names: [String], limits: [Int]) async throws(StoreError) -> [[UInt8]?] {
    do {
      return try await withThrowingTaskGroup(of: (Int, [UInt8]?).self) { group in
        for (index, (name, limit)) in zip(names, limits).enumerated() {
          group.addTask { (index, try await get(name, limit: limit)) }
        }
        var values: [[UInt8]?] = Array(repeating: nil, count: names.count)
        for try await (index, value) in group { values[index] = value }
        return values
      }
    } catch {
      throw StoreError(of: error)
    }
  }

  private func get(_ name: String, limit: Int) async throws -> [UInt8]? {
    let response = try await client.execute(request(.GET, name, body: nil), timeout: Self.patience)
    guard response.status == .ok else {
      let isMissing = response.status == .notFound
      if !isMissing { throw StoreError("the service answers \(response.status)") }
      // So that the connection can be used again.
      _ = try? await response.body.collect(upTo: 1 << 16)
      return nil
    }
    if let text = response.headers.first(name: "content-length"), let length = Int(text),
      length > limit
    {
      return nil
    }
    do {
      let body = try await response.body.collect(upTo: limit)
      return Array(body.readableBytesView)
    } catch is NIOTooManyBytesError {
      return nil
    }
  }

  /// Keeps a value.
  ///
  /// - Throws: ``StoreError`` when the service cannot be reached or refuses.
  package func put(_ name: String, _ value: [UInt8]) async throws(StoreError) {
    do {
      let request = request(.PUT, name, body: value)
      let response = try await client.execute(request, timeout: Self.patience)
      guard (200..<300).contains(response.status.code) else {
        throw StoreError("the service does not keep a tile: \(response.status)")
      }
      _ = try? await response.body.collect(upTo: 1 << 16)
    } catch {
      throw StoreError(of: error)
    }
  }

  /// For a whole request; the caller gives up sooner.
  private static let patience = TimeAmount.seconds(30)

  /// A signed request.
  private func request(_ method: HTTPMethod, _ name: String, body: [UInt8]?) -> HTTPClientRequest {
    let parts = [address.bucket, address.prefix, name].filter { !$0.isEmpty }
    let path = "/" + parts.joined(separator: "/")
    let time = Self.now()
    let digest = SignedRequest.digest(body ?? [])
    var headers = [
      "host": String(address.endpoint.split(separator: "/").last ?? ""),
      "x-amz-content-sha256": digest,
      "x-amz-date": time,
    ]
    if let token = address.sessionToken { headers["x-amz-security-token"] = token }
    let signed = SignedRequest(
      method: method.rawValue,
      path: path,
      headers: headers,
      bodyDigest: digest
    )
    let key = SigningKey(
      accessKey: address.accessKey,
      secretKey: address.secretKey,
      region: address.region
    )
    var request = HTTPClientRequest(url: address.endpoint + SignedRequest.encoded(path: path))
    request.method = method
    for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
    request.headers.replaceOrAdd(name: "authorization", value: signed.authorization(key, at: time))
    if let body {
      request.headers.replaceOrAdd(name: "content-type", value: "application/octet-stream")
      request.body = .bytes(ByteBuffer(bytes: body))
    }
    return request
  }

  /// The time in UTC: `20130524T000000Z`.
  private static func now() -> String {
    var seconds = time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
