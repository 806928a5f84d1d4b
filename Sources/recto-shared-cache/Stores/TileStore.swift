package import RectoTiles

/// A store that several machines use.
package protocol TileStore: Sendable {
  /// Values by their names.
  ///
  /// - Parameters:
  ///   - limits: The most bytes of each; a longer one counts as missing.
  /// - Returns: One for each name; nil for those that are missing.
  /// - Throws: ``StoreError`` when the store cannot be reached or refuses.
  func get(_ names: [String], limits: [Int]) async throws(StoreError) -> [[UInt8]?]

  /// Keeps a value.
  ///
  /// - Throws: ``StoreError`` when the store cannot be reached or refuses.
  func put(_ name: String, _ value: [UInt8]) async throws(StoreError)
}

/// Why a store failed, without credentials.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The words.
  package let description: String

  /// An error in words.
  package init(_ description: String) { self.description = description }
}

extension SharedStoreAddress {
  /// The store at the address. Nothing is connected yet.
  package func store() -> any TileStore {
    switch self {
    case .redis(let address): RedisStore(address)
    case .s3(let address): S3Store(address)
    }
  }
}
