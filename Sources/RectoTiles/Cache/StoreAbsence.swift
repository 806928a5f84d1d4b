internal import Glibc
public import RectoBase
internal import SystemPackage

/// That a shared store did not answer, for all processes of this machine that use the cache.
///
/// The entry belongs to the server, the time limit of lookups and the current start of the machine, and counts the
/// seconds since that start: clocks that are set, and other machines with the same cache, do not matter.
public struct StoreAbsence: Sendable {
  private let directory: CacheDirectory
  private let key: CacheKey
  private var path: FilePath { directory.path(.stores, key) }
  private var shard: CacheShard { CacheShard(.stores, of: key) }

  /// The entry of a store.
  ///
  /// - Parameters:
  ///   - address: Where the store is; credentials are not used.
  ///   - timeout: Seconds for a lookup: a store that is too slow for one may be fast enough for another.
  ///   - directory: The cache.
  /// - Returns: Nil if the system does not say when it was started.
  public init?(of address: SharedStoreAddress, timeout: Double, in directory: CacheDirectory) {
    guard let start = Self.start else { return nil }
    var digest = Digest("recto shared store 1")
    digest.add(start)
    digest.add(address.server)
    digest.add(Int((timeout * 1000).rounded()))
    key = digest.key()
    self.directory = directory
  }

  /// The entry with a name.
  init(named key: CacheKey, in directory: CacheDirectory) {
    self.directory = directory
    self.key = key
  }

  /// Whole seconds since the store did not answer; nil if that is not known, or it has answered since.
  public var age: Int? {
    guard let moment, moment > 0 else { return nil }
    let age = Self.now - moment
    return age >= 0 ? age : nil
  }

  /// Whether the entry has its checksum.
  var isWhole: Bool { moment != nil }

  /// Writes whether the store has answered.
  ///
  /// - Parameter isAway: Whether it did not answer just now.
  /// - Throws: `FileError` when the entry cannot be written.
  public func store(isAway: Bool) throws(FileError) {
    var writer = ByteWriter()
    writer.write(isAway ? max(1, Self.now) : 0)
    try directory.write(
      SealedBytes.seal(writer.bytes, as: key.hexadecimal),
      to: path,
      in: shard
    )
  }

  /// When the store did not answer, in seconds since the start of the machine; 0 if it has since.
  private var moment: Int? {
    guard let bytes = directory.read(path, in: shard, limit: 64, noting: nil),
      let content = SealedBytes.open(bytes, as: key.hexadecimal)
    else { return nil }
    var reader = ByteReader(content)
    guard let moment = try? reader.readInt(), moment >= 0, (try? reader.finish()) != nil else {
      return nil
    }
    return moment
  }

  /// What names the current start of the machine.
  private static let start: String? = {
    let lines = try? Files.lines(of: "/proc/sys/kernel/random/boot_id")
    return lines?.first.map { String(decoding: $0, as: UTF8.self) }
  }()

  /// Seconds since the start of the machine, also those in which it was suspended.
  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec
  }
}

extension SharedStoreAddress {
  /// The server, without what is asked of it.
  fileprivate var server: String {
    switch self {
    case .redis(let address):
      switch address.endpoint {
      case .network(let host, let port, let isEncrypted):
        "\(isEncrypted ? "rediss" : "redis") \(host) \(port)"
      case .unix(let path): "unix \(path)"
      }
    case .s3(let address): "s3 \(address.endpoint)"
    }
  }
}
