/// How much a cache may hold.
public struct CacheLimits: Hashable, Sendable {
  /// The most bytes, each file counted in whole blocks of 4 KiB; nil for no limit.
  public var size: Int?
  /// The longest time since the last use of an entry, in seconds; nil for no limit.
  public var age: Int?

  /// Limits; by default 2 GiB, and 90 days like cargo.
  public init(size: Int? = CacheLimits.defaultSize, age: Int? = CacheLimits.defaultAge) {
    self.size = size
    self.age = age
  }

  /// 2 GiB.
  public static let defaultSize = 2 << 30
  /// 90 days.
  public static let defaultAge = 90 * day
  /// Seconds in a day.
  public static let day = 86_400
}

/// Nanoseconds since 1970.
typealias CacheTime = Int

extension CacheLimits {
  /// Entries used before this are removed; 0 removes none.
  func expiry(at now: CacheTime) -> CacheTime {
    guard let age else { return 0 }
    let (span, overflow) = age.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? 0 : max(0, now - span)
  }
}
