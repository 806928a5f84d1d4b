internal import Synchronization
internal import SystemPackage

/// A folder of entries: those of a kind whose keys begin with the same two digits.
struct CacheShard {
  /// What is kept; the name of its folder.
  enum Kind: String, CaseIterable {
    case tiles
    case documents
    /// Few, and all in one folder.
    case engines
  }

  private let kind: Kind
  /// The first byte of the key.
  private let number: Int

  /// The folder of the entry with a key.
  init(_ kind: Kind, of key: CacheKey) {
    self.kind = kind
    number = kind == .engines ? 0 : key.firstByte
  }

  /// The folder's path.
  func folder(in current: FilePath) -> FilePath {
    let folder = current.appending(kind.rawValue)
    guard kind != .engines else { return folder }
    let digits = String(number, radix: 16)
    return folder.appending(digits.count == 1 ? "0" + digits : digits)
  }

  /// Its index among all folders.
  fileprivate var index: Int {
    switch kind {
    case .tiles: number
    case .documents: 256 + number
    case .engines: 512
    }
  }
}

/// Folders that are known to be there and this user's own: one bit each, for every entry asks.
final class OwnFolders: Sendable {
  private let bits = Mutex<[UInt64]>([])
  private static let words = 3 * 256 / 64

  /// Whether a folder is known.
  func contains(_ shard: CacheShard) -> Bool {
    bits.withLock { !$0.isEmpty && $0[shard.index >> 6] >> UInt64(shard.index & 63) & 1 == 1 }
  }

  /// A folder has been looked at.
  func insert(_ shard: CacheShard) {
    bits.withLock { bits in
      if bits.isEmpty { bits = Array(repeating: 0, count: Self.words) }
      bits[shard.index >> 6] |= 1 << UInt64(shard.index & 63)
    }
  }

  /// A folder has to be looked at again.
  func remove(_ shard: CacheShard) {
    bits.withLock { bits in
      if !bits.isEmpty { bits[shard.index >> 6] &= ~(1 << UInt64(shard.index & 63)) }
    }
  }
}
