internal import ArgumentParser
internal import Glibc
internal import RectoTiles
internal import SystemPackage

/// How much the cache may hold.
struct CacheLimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Size limit of the cache, such as 500M or 2G; 0 for no cache, unlimited for no limit \
      (default: $RECTO_CACHE_SIZE, else 2G).
      """,
      valueName: "size"
    ),
    reading: CacheSize.reader
  )
  var cacheSize: CacheSize?

  @Option(
    help: ArgumentHelp(
      """
      Days after which unused entries are removed from the cache, or unlimited (default: \
      $RECTO_CACHE_AGE, else 90).
      """,
      valueName: "days"
    ),
    reading: CacheAge.reader
  )
  var cacheAge: CacheAge?

  /// Checks the environment.
  ///
  /// - Throws: A validation error that names the variable.
  func validate() throws {
    _ = try Environment.value("RECTO_CACHE_SIZE", CacheSize.reader)
    _ = try Environment.value("RECTO_CACHE_AGE", CacheAge.reader)
  }

  /// The limits by option, environment or default.
  var limits: CacheLimits {
    let size = cacheSize ?? (try? Environment.value("RECTO_CACHE_SIZE", CacheSize.reader))
    let age = cacheAge ?? (try? Environment.value("RECTO_CACHE_AGE", CacheAge.reader))
    return CacheLimits(
      size: size.map(\.bytes) ?? CacheLimits.defaultSize,
      age: age.map(\.seconds) ?? CacheLimits.defaultAge
    )
  }
}

/// The variables that the command was started with.
enum Environment {
  /// The text of a variable; nil if it is not set.
  static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The value of a variable; nil if it is not set, or empty.
  ///
  /// - Throws: A validation error that names the variable.
  static func value<Value>(
    _ name: String,
    _ reader: ValueReader<Value>
  ) throws(ValidationError) -> Value? {
    guard let text = text(name), !text.isEmpty else { return nil }
    do throws(InvalidValue) {
      return try reader.read(text)
    } catch {
      throw ValidationError("\(name): \(error), is \(text)")
    }
  }
}

/// A size in bytes in the syntax of GNU programs: `500M`, `1.5G`, `2GiB`, `500MB`, `unlimited`.
struct CacheSize: Hashable, Sendable {
  /// Bytes; nil for no limit.
  var bytes: Int?

  /// Reads a size.
  static let reader = ValueReader(
    "must be a number of bytes, with K, M, G or T for more, or unlimited"
  ) { CacheSize($0) }

  /// The size that a text states; nil for anything else.
  private init?(_ argument: String) {
    guard argument != "unlimited" else { return }
    let form = /([0-9]{1,15}(?:\.[0-9]{1,6})?)(?:([KkMGT])(iB|B)?)?/
    guard let match = argument.wholeMatch(of: form), let number = Double(match.1) else {
      return nil
    }
    let power = match.2.flatMap { "KMGT".firstIndex(of: $0 == "k" ? "K" : $0.first ?? "K") }
    let exponent = power.map { "KMGT".distance(from: "KMGT".startIndex, to: $0) + 1 } ?? 0
    let base = match.3 == "B" ? 1000.0 : 1024.0
    let value = (0..<exponent).reduce(number) { value, _ in value * base }
    guard value < 0x1p62 else { return nil }
    bytes = Int(value)
  }
}

/// A number of days, or `unlimited`.
struct CacheAge: Hashable, Sendable {
  /// Seconds; nil for no limit.
  var seconds: Int?

  /// Reads a number of days.
  static let reader = ValueReader(
    "must be a number of days above 0 and at most 100000, or unlimited"
  ) { CacheAge($0) }

  /// The age that a text states; nil for anything else.
  private init?(_ argument: String) {
    guard argument != "unlimited" else { return }
    guard let days = Double(argument), days > 0, days <= 100_000 else { return nil }
    seconds = Int(days * Double(CacheLimits.day))
  }
}
