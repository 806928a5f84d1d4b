internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoPictures
internal import Synchronization

/// A place outside of this machine where others look for tiles too. It may be slow, away, or have anything
/// in it.
public protocol SharedStore: Sendable {
  /// Values by their keys. What has not come within the store's time limit counts as missing.
  ///
  /// - Parameters:
  ///   - keys: The key of each value.
  ///   - limits: The most bytes of each; a longer one counts as missing.
  /// - Returns: One for each key, in order; nil for those that are missing.
  func get(_ keys: [CacheKey], limits: [Int]) async -> [[UInt8]?]

  /// Keeps a value, in the background and if there is room for it.
  func put(_ key: CacheKey, _ value: [UInt8])

  /// Waits until what was put has been sent, within the store's time limit for that.
  func finish() async

  /// What went wrong first, in words without credentials; nil if nothing did.
  var failure: String? { get }
}

/// Tiles that several machines use.
///
/// A value is a row as in a table of the disk cache, and the picture behind it. All of it is checked: the
/// row has to be of the tile that was asked for, and the picture what the row says, and a tile by its
/// structure. Everything else counts as missing. Who may write to the store could still make other
/// pictures of the right size.
public final class SharedTileCache: Sendable {
  private struct State {
    /// Values that were not what they have to be.
    var damaged = 0
    var hasReported = false
  }

  private let store: any SharedStore
  private let state = Mutex(State())

  /// Tiles in a store.
  public init(_ store: any SharedStore) { self.store = store }

  /// The PNG files of tiles, in order; nil for those that are not there.
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

  /// Waits until what was put has been sent, within the store's time limit for that.
  public func finish() async { await store.finish() }

  /// What went wrong first, once; nil if nothing did.
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
  /// Whether both are the same one.
  public static func == (first: SharedTileCache, second: SharedTileCache) -> Bool {
    first === second
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A tile as others can check it: a row of 64 bytes, and the picture.
enum TileEnvelope {
  /// The most bytes that the value of a tile has.
  static func largest(of key: CachedTileKey) -> Int {
    TileTable.rowLength + PictureStructure.largest(key.part.size, .tile)
  }

  /// The value of a tile.
  static func value(_ picture: [UInt8], of key: CachedTileKey) -> [UInt8] {
    var table = TileTable([])
    table.append(TileTable.Row(of: key, picture))
    return table.bytes + picture
  }

  /// The picture in a value; nil if it is not one of this tile, or not whole.
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
