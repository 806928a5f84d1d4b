internal import RectoBase
internal import Synchronization
internal import SystemPackage

/// A folder of the entries of a kind whose keys begin with the same two digits.
struct CacheShard: Hashable {
  /// The kind of entries; the name of its folder.
  enum Kind: String, CaseIterable {
    /// One file for each distinct picture, named by its digest.
    case pictures
    /// Which pictures the tiles of a page have.
    case tables
    /// A folder for each document, with its record.
    case documents
    /// The text of pages.
    case texts
    /// The digests of documents' contents, by file identity.
    case contents
    /// Parts of documents on servers.
    case parts
    /// Shared stores that did not answer.
    case stores
    /// Engines: few, and all in one folder.
    case engines
  }

  let kind: Kind
  /// The first byte of the key; entries of all kinds that share it are counted together.
  let number: Int

  /// The number of values of the first byte.
  static let count = 256

  /// The numbers of shards, and one for their common folder.
  fileprivate static let numbers = count + 1

  /// The folder of the entry with a key.
  init(_ kind: Kind, of key: CacheKey) {
    self.init(kind, kind == .engines ? 0 : key.firstByte)
  }

  /// The folder of a kind with a number.
  init(_ kind: Kind, _ number: Int) {
    self.kind = kind
    self.number = number
  }

  /// The folder's path.
  func folder(in current: FilePath) -> FilePath {
    let folder = current.appending(kind.rawValue)
    return kind == .engines || number == Self.count ? folder : folder.appending(Self.name(number))
  }

  /// Two hexadecimal digits.
  static func name(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  /// The shard that stands for the folder of its kind.
  var ofKind: CacheShard { CacheShard(kind, Self.count) }

  /// Its index among all folders.
  fileprivate var index: Int {
    switch kind {
    case .pictures: number
    case .tables: Self.numbers + number
    case .documents: 2 * Self.numbers + number
    case .contents: 3 * Self.numbers + number
    case .engines: 4 * Self.numbers + number
    case .texts: 5 * Self.numbers + number
    case .parts: 6 * Self.numbers + number
    case .stores: 7 * Self.numbers + number
    }
  }
}

/// Folders that are known to exist and to be this user's own. One bit each, because it is checked
/// for every entry.
final class OwnFolders: Sendable {
  private let bits = Mutex<[UInt64]>([])
  private let lasting = Mutex<FileError?>(nil)
  private static let words = CacheShard.Kind.allCases.count * CacheShard.numbers / 64 + 1

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

  /// Why no folder can be created, after enough attempts.
  var failure: FileError? { lasting.withLock { $0 } }

  /// No folder can be made, and none will be.
  func giveUp(_ failure: FileError) { lasting.withLock { $0 = failure } }

  /// A folder must be checked again.
  func remove(_ shard: CacheShard) {
    bits.withLock { bits in
      if !bits.isEmpty { bits[shard.index >> 6] &= ~(1 << UInt64(shard.index & 63)) }
    }
  }
}
