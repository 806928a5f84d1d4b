internal import Glibc

/// The limits of this machine.
struct Machine {
  /// A limit of the system.
  struct Limit {
    /// Its name in text, and in JSON.
    var name: String
    var key: String
    /// Its value; nil for none.
    var value: Int?

    var text: String { value.map(String.init) ?? "none" }
  }

  /// The kernel, its version and the architecture.
  let system: String
  /// The limits of the system, and of this process.
  let limits: [Limit]

  init() {
    var names = utsname()
    if uname(&names) == 0 {
      system = [Self.text(names.sysname), Self.text(names.release), Self.text(names.machine)]
        .joined(separator: " ")
    } else {
      system = "unknown"
    }
    limits = [
      Limit(
        name: "processors",
        key: "processors",
        value: Self.processorCount
      ),
      Limit(
        name: "bytes of memory",
        key: "memory",
        value: sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
      ),
      Limit(name: "open files", key: "openFiles", value: ProcessLimits.soft(RLIMIT_NOFILE)),
      Limit(name: "processes", key: "processes", value: ProcessLimits.soft(__RLIMIT_NPROC)),
      Limit(name: "bytes of a file", key: "fileSize", value: ProcessLimits.soft(RLIMIT_FSIZE)),
      Limit(
        name: "bytes of address space",
        key: "addressSpace",
        value: ProcessLimits.soft(RLIMIT_AS)
      ),
    ]
  }

  /// The processors that are online.
  static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The text of an array of characters.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
