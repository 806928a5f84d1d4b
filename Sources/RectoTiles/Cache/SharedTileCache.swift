internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoPictures
internal import Synchronization

/// A tile store shared between machines. It may be slow or unavailable, and its contents are untrusted.
public protocol SharedStore: Sendable {
  /// Values by their keys. Values that do not arrive within the store's time limit count as
  /// missing.
  ///
  /// - Parameters:
  ///   - keys: The key of each value.
  ///   - limits: The most bytes of each; a longer one counts as missing.
  /// - Returns: One for each key, in order; nil for those that are missing.
  func get(_ keys: [CacheKey], limits: [Int]) async -> [[UInt8]?]

  /// Stores a value in the background, if there is room for it.
  func put(_ key: CacheKey, _ value: [UInt8])

  /// Waits until all values were sent, within the store's time limit.
  func finish() async

  /// The first error, without credentials; nil if there was none.
  var failure: String? { get }
}

/// Tiles that several machines use.
///
/// A value is a row, as in a table of the disk cache, followed by the picture. Everything is checked: the row must
/// belong to the requested tile, and the picture must match the row and have the structure of a tile. Everything else
/// counts as missing. Writers to the store could still forge pictures of the right size.
public final class SharedTileCache: Sendable {
  private struct State {
    /// Invalid values.
    var damaged = 0
    var hasReported = false
  }

  private let store: any SharedStore
  private let state = Mutex(State())

  /// Tiles in a store.
  public init(_ store: any SharedStore) { self.store = store }

  /// The PNG files of tiles, in order; nil for missing ones.
  ///
  /// - Parameter keys: The name of each tile.
  /// - Returns: One for each tile.
  public func tiles(_ keys: [CachedTileKey]) async -> [[UInt8]?] {
    let values = await store.get(keys.map(\.tile), limits: keys.map(TileEnvelope.largest))
    return zip(keys, values).map { key, value in
      guard let value else { return nil }
      let picture = TileEnvelope.picture(in: value, of: key)
      if picture == nil { state.withLock { $0.damaged += 1 } }
      return picture
    }
  }

  /// Shares tiles that were drawn, in the background.
  ///
  /// - Parameter tiles: The name and the PNG file of each tile.
  public func put(_ tiles: [(key: CachedTileKey, bytes: [UInt8])]) {
    for (key, bytes) in tiles { store.put(key.tile, TileEnvelope.value(bytes, of: key)) }
  }

  /// Waits until all values were sent, within the store's time limit.
  public func finish() async { await store.finish() }

  /// Returns the first error, once; nil if there was none.
  public func takeFailure() -> String? {
    let failure = store.failure
    return state.withLock { state in
      guard !state.hasReported, failure != nil || state.damaged > 0 else { return nil }
      state.hasReported = true
      return failure
        ?? "\(state.damaged) \(state.damaged == 1 ? "entry is" : "entries are") damaged"
    }
  }
}

extension SharedTileCache: Hashable {
  /// Whether both are the same instance.
  public static func == (first: SharedTileCache, second: SharedTileCache) -> Bool {
    first === second
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A tile that others can check: a row of 64 bytes, and the picture.
enum TileEnvelope {
  /// The most bytes of the value of a tile.
  static func largest(of key: CachedTileKey) -> Int {
    TileTable.rowLength + PictureStructure.largest(key.part.size, .tile)
  }

  /// The value of a tile.
  static func value(_ picture: [UInt8], of key: CachedTileKey) -> [UInt8] {
    var table = TileTable([])
    table.append(TileTable.Row(of: key, picture))
    return table.bytes + picture
  }

  /// The picture in a value; nil if it belongs to another tile or is damaged.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func picture(in value: [UInt8], of key: CachedTileKey) -> [UInt8]? {
    guard value.count > TileTable.rowLength, value.count <= largest(of: key),
      let row = TileTable(Array(value[..<TileTable.rowLength])).row(of: key.tile)
    else { return nil }
    let picture = Array(value[TileTable.rowLength...])
    guard row == TileTable.Row(of: key, picture),
      PictureStructure.isPicture(picture, size: key.part.size, .tile)
    else { return nil }
    return picture
  }
}

extension TileTable.Row {
  /// The row of a tile with a picture.
  init(of key: CachedTileKey, _ picture: [UInt8]) {
    self.init(
      tile: key.tile,
      picture: .picture(picture),
      length: picture.count,
      checksum: picture.withUnsafeBytes { Checksum.crc32($0) }
    )
  }
}
