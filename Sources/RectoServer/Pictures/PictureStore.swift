internal import DocumentModel
internal import NIOCore
internal import RectoTiles
internal import Synchronization

/// A picture with its response fields.
struct StoredPicture: Sendable {
  let body: ByteBuffer
  let format: PictureFormat
  /// The strong validator, with its quotes. The picture at an address with a version never changes, so the version is
  /// enough.
  let tag: String

  init(_ bytes: [UInt8], _ format: PictureFormat, _ version: String) {
    body = ByteBuffer(bytes: bytes)
    self.format = format
    tag = "\"\(version)\""
  }
}

/// Pictures in memory, by their address.
///
/// There are two generations: used pictures move to the younger one, and when that has half of the bytes, the older one
/// is dropped. So every operation is O(1).
final class PictureStore: Sendable {
  private struct State {
    var young: [String: StoredPicture] = [:]
    var old: [String: StoredPicture] = [:]
    var youngBytes = 0
    var oldBytes = 0
    var hits = 0
    var misses = 0
    var tiles: [Tile.Source: Int] = [:]

    /// Stores a picture in the younger generation.
    ///
    /// - Returns: The dropped generation, for freeing outside of the lock: that takes a while.
    mutating func insert(
      _ picture: StoredPicture,
      at address: String,
      limit: Int
    ) -> [String: StoredPicture] {
      let before = young.updateValue(picture, forKey: address)?.body.readableBytes ?? 0
      youngBytes += picture.body.readableBytes - before
      guard youngBytes > limit / 2 else { return [:] }
      defer {
        (old, oldBytes) = (young, youngBytes)
        (young, youngBytes) = ([:], 0)
      }
      return old
    }
  }

  private let state = Mutex(State())
  /// Bytes in both generations.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The picture at an address; nil if it is not in memory.
  subscript(address: String) -> StoredPicture? {
    let (picture, dropped) = state.withLock { state -> (StoredPicture?, [String: StoredPicture]) in
      if let picture = state.young[address] {
        state.hits += 1
        return (picture, [:])
      }
      guard let picture = state.old.removeValue(forKey: address) else {
        state.misses += 1
        return (nil, [:])
      }
      state.hits += 1
      state.oldBytes -= picture.body.readableBytes
      return (picture, state.insert(picture, at: address, limit: limit))
    }
    withExtendedLifetime(dropped) {}
    return picture
  }

  /// Keeps a picture.
  func insert(_ picture: StoredPicture, at address: String) {
    let dropped = state.withLock { $0.insert(picture, at: address, limit: limit) }
    withExtendedLifetime(dropped) {}
  }

  /// Counts a tile of a conversation or a request.
  func count(_ source: Tile.Source) {
    state.withLock { $0.tiles[source, default: 0] += 1 }
  }

  /// Tiles by where they came from.
  var tiles: [Tile.Source: Int] { state.withLock { $0.tiles } }

  /// The bytes in memory and their limit, and the numbers of hits and misses.
  var statistics: (bytes: Int, limit: Int, hits: Int, misses: Int) {
    state.withLock { ($0.youngBytes + $0.oldBytes, limit, $0.hits, $0.misses) }
  }
}
