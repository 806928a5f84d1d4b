public import RectoTiles
internal import RenderWorkers
public import SystemPackage

/// A shared store with its connections in another process, `recto-shared-cache`.
///
/// The process is started at the first lookup, and again after it has ended or failed, when the circuit breaker allows.
/// A thread talks to it; no call here blocks.
public final class SharedStoreProcess: SharedStore {
  private let link: SharedStoreLink
  private let timeout: Double

  /// How a store is used.
  public struct Settings: Sendable {
    /// Where the store is.
    public var address: SharedStoreAddress
    /// Seconds for a lookup of the tiles of a page.
    public var timeout: Double
    /// The program; nil to find it next to the running one.
    public var program: FilePath?
    /// The cache that tells other processes for a minute that the store does not answer; nil, the default, for none.
    public var cache: CacheDirectory?

    /// Settings from their parts.
    ///
    /// - Parameters:
    ///   - address: Where the store is.
    ///   - timeout: Seconds for a lookup of the tiles of a page.
    ///   - program: The program; nil to find it next to the running one.
    public init(address: SharedStoreAddress, timeout: Double = 0.25, program: FilePath? = nil) {
      self.address = address
      self.timeout = timeout
      self.program = program
    }
  }

  /// A store that nothing was asked of yet.
  public init(_ settings: Settings) {
    link = SharedStoreLink(settings)
    timeout = settings.timeout
  }

  deinit { link.close() }

  /// Values by their keys; values that do not arrive within the time limit count as missing.
  public func get(_ keys: [CacheKey], limits: [Int]) async -> [[UInt8]?] {
    let deadline = monotonicSeconds() + timeout
    let names = keys.map(\.hexadecimal)
    let most = SharedCacheRequest.mostNames
    return await withTaskGroup(of: (Int, [[UInt8]?]).self) { group in
      for start in stride(from: 0, to: names.count, by: most) {
        let range = start..<min(start + most, names.count)
        group.addTask { [link] in
          (start, await link.get(Array(names[range]), Array(limits[range]), by: deadline))
        }
      }
      var values = [[UInt8]?](repeating: nil, count: names.count)
      for await (start, part) in group {
        values.replaceSubrange(start..<(start + part.count), with: part)
      }
      return values
    }
  }

  /// Stores a value in the background, unless too much is waiting to be sent.
  public func put(_ key: CacheKey, _ value: [UInt8]) { link.put(key.hexadecimal, value) }

  /// Waits until all values were sent: at most two seconds, and no longer than the time limit of a lookup if the store
  /// recently failed.
  public func finish() async { await link.finish(within: Self.patience, orIfFailing: timeout) }

  /// The first failure and its location.
  public var failure: String? { link.failure }

  /// Seconds for sending at the end, and until a sent value counts as failed.
  static let patience = 2.0
}
