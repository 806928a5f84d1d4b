internal import RectoBase
package import RectoTiles

/// A bucket of a service with the interface of Amazon S3, addressed by path. libcurl signs the requests.
package struct S3Store: TileStore {
  private let address: S3Address
  private let transfers = StoreTransfers()

  /// The bucket at an address. Nothing is connected yet.
  package init(_ address: S3Address) { self.address = address }

  /// Values by their names, all at once.
  ///
  /// - Parameters:
  ///   - limits: The most bytes of each; a longer one counts as missing.
  /// - Returns: One for each name; nil for those that are missing.
  /// - Throws: ``StoreError`` when the service cannot be reached or refuses.
  package func get(_ names: [String], limits: [Int]) async throws(StoreError) -> [[UInt8]?] {
    let results = await withTaskGroup(of: (Int, Result<[UInt8]?, StoreError>).self) { group in
      for (index, (name, limit)) in zip(names, limits).enumerated() {
        group.addTask { (index, await get(name, limit: limit)) }
      }
      var results = [Result<[UInt8]?, StoreError>](repeating: .success(nil), count: names.count)
      for await (index, result) in group { results[index] = result }
      return results
    }
    var values: [[UInt8]?] = []
    for result in results { values.append(try result.get()) }
    return values
  }

  private func get(_ name: String, limit: Int) async -> Result<[UInt8]?, StoreError> {
    do throws(StoreError) {
      // The reason of a service that refuses fits into a small limit, too.
      var request = request(name, body: nil)
      request.limit = max(limit, Self.longestReason)
      let answer = try await transfers.answer(to: request)
      switch answer.status {
      case 200: return .success(answer.body.flatMap { $0.count <= limit ? $0 : nil })
      case 404: return .success(nil)
      default:
        return .failure(StoreError("the service answers with status \(answer.status)"))
      }
    } catch {
      return .failure(error)
    }
  }

  /// Keeps a value.
  ///
  /// - Throws: ``StoreError`` when the service cannot be reached or refuses.
  package func put(_ name: String, _ value: [UInt8]) async throws(StoreError) {
    var request = request(name, body: value)
    request.limit = Self.longestReason
    let answer = try await transfers.answer(to: request)
    guard (200..<300).contains(answer.status) else {
      throw StoreError("the service does not keep a tile: status \(answer.status)")
    }
  }

  /// Bytes of the words of a service, which are read so that the connection can be used again.
  private static let longestReason = 1 << 16

  private func request(_ name: String, body: [UInt8]?) -> StoreTransfers.Request {
    let parts = [address.bucket, address.prefix, name].filter { !$0.isEmpty }
    let path = parts.joined(separator: "/")
    var headers = ["x-amz-content-sha256: \((body ?? []).sha256)"]
    if let token = address.sessionToken { headers.append("x-amz-security-token: \(token)") }
    if body != nil { headers.append("Content-Type: application/octet-stream") }
    return StoreTransfers.Request(
      address: address.endpoint + "/" + path.utf8.percentEncoded(sparing: "-._~/"),
      headers: headers,
      body: body,
      region: address.region,
      key: address.accessKey,
      secret: address.secretKey
    )
  }
}
