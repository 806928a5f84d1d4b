internal import Glibc

/// The variables that a worker inherits: for finding fonts and libraries, for debugging, and those that begin with
/// `RECTO_WORKER_`. So a compromised worker cannot read secrets of other programs.
enum WorkerEnvironment {
  private static let names: Set<String> = [
    // Where fontconfig looks, and the language it prefers fonts for.
    "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
    "FONTCONFIG_SYSROOT", "FC_LANG", "LANG", "LC_ALL", "LC_CTYPE",
    // Where the dynamic linker looks.
    "LD_LIBRARY_PATH", "LD_PRELOAD",
    // Debugging.
    "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "G_MESSAGES_DEBUG", "FC_DEBUG",
    "SWIFT_BACKTRACE",
  ]

  /// The entries, `NAME=value`. Copies, which the caller frees.
  static func entries() -> [UnsafeMutablePointer<CChar>?] {
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let entry = next.pointee {
      let name = UnsafeBufferPointer(start: entry, count: strlen(entry))
        .prefix { $0 != CChar(UInt8(ascii: "=")) }
      let text = String(decoding: name.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if names.contains(text) || text.hasPrefix("RECTO_WORKER_") {
        entries.append(strdup(entry))
      }
      next += 1
    }
    return entries
  }
}
