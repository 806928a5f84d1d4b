internal import ArgumentParser
internal import Glibc
internal import SystemPackage
internal import Tiles

/// How much the cache may hold.
struct CacheLimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Size limit of the cache, such as 500M or 2G; 0 for no cache, unlimited for no limit \
      (default: $RECTO_CACHE_SIZE, else 2G).
      """,
      valueName: "size"
    )
  )
  var cacheSize: CacheSize?

  @Option(
    help: ArgumentHelp(
      """
      Days after which unused entries are removed from the cache, or unlimited (default: \
      $RECTO_CACHE_AGE, else 90).
      """,
      valueName: "days"
    )
  )
  var cacheAge: CacheAge?

  /// Checks the environment.
  ///
  /// - Throws: A validation error that names the variable.
  func validate() throws {
    for (name, isValid) in [
      ("RECTO_CACHE_SIZE", { CacheSize(argument: $0) != nil }),
      ("RECTO_CACHE_AGE", { CacheAge(argument: $0) != nil }),
    ] {
      guard let value = Environment.value(name), !value.isEmpty, !isValid(value) else { continue }
      throw ValidationError("\(name): the value '\(value)' is invalid")
    }
  }

  /// The limits by option, environment or default.
  var limits: CacheLimits {
    let size = cacheSize ?? Environment.value("RECTO_CACHE_SIZE").flatMap(CacheSize.init(argument:))
    let age = cacheAge ?? Environment.value("RECTO_CACHE_AGE").flatMap(CacheAge.init(argument:))
    return CacheLimits(
      size: size.map(\.bytes) ?? CacheLimits.defaultSize,
      age: age.map(\.seconds) ?? CacheLimits.defaultAge
    )
  }
}

/// The variables that the command was started with.
enum Environment {
  /// The value of a variable; nil if it is not set.
  static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// A size in bytes, as GNU programs take it: `500M`, `1.5G`, `2GiB`, `500MB`, `unlimited`.
struct CacheSize: ExpressibleByArgument {
  /// Bytes; nil for no limit.
  var bytes: Int?

  /// The size that a text states; nil for anything else.
  init?(argument: String) {
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
struct CacheAge: ExpressibleByArgument {
  /// Seconds; nil for no limit.
  var seconds: Int?

  /// The age that a text states; nil for anything else.
  init?(argument: String) {
    guard argument != "unlimited" else { return }
    guard let days = Double(argument), days > 0, days <= 100_000 else { return nil }
    seconds = Int(days * Double(CacheLimits.day))
  }
}
