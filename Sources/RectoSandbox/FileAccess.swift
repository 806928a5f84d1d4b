internal import CLinux
internal import Glibc
internal import SystemPackage

/// Landlock: which files a process can open.
///
/// Denies all rights that the kernel knows, except reading some directories. Does not affect open descriptors.
enum FileAccess {
  // linux/landlock.h
  private static let readFile: UInt64 = 1 << 2
  private static let readDirectory: UInt64 = 1 << 3

  /// The rights known to a version of the interface.
  private static func denied(by version: Int32, connects: Bool) -> recto_landlock_rights {
    var rights = recto_landlock_rights(files: (1 << 13) - 1, network: 0, scopes: 0)
    // Linking and renaming between directories; truncating; controlling devices.
    if version >= 2 { rights.files |= 1 << 13 }
    if version >= 3 { rights.files |= 1 << 14 }
    if version >= 5 { rights.files |= 1 << 15 }
    // Binding and connecting by TCP.
    if version >= 4 { rights.network = connects ? 0b01 : 0b11 }
    // Abstract sockets, and signals, to processes outside.
    if version >= 6 { rights.scopes = 0b11 }
    return rights
  }

  /// Whether the kernel has Landlock.
  static var isAvailable: Bool { recto_landlock_version() > 0 }

  /// Denies everything except reading some paths. Applies to the calling thread and its descendants, and cannot be
  /// undone.
  ///
  /// - Parameters:
  ///   - paths: Directories and files; missing ones are ignored.
  ///   - connects: Whether connections by TCP are allowed.
  /// - Returns: The version of the interface.
  /// - Throws: The system's error.
  static func restrict(
    toReading paths: [FilePath],
    connects: Bool
  ) throws(SandboxFailure) -> Int32 {
    let version = try SandboxFailure.check(recto_landlock_version(), "landlock_create_ruleset")
    var rights = denied(by: version, connects: connects)
    let rules = try SandboxFailure.check(recto_landlock_create(&rights), "landlock_create_ruleset")
    defer { close(rules) }
    for path in paths { try grant(path, rules) }
    try SandboxFailure.check(recto_drop_privileges(), "prctl")
    try SandboxFailure.check(recto_landlock_enter(rules), "landlock_restrict_self")
    return version
  }

  private static func grant(_ path: FilePath, _ rules: Int32) throws(SandboxFailure) {
    let file = path.withPlatformString { recto_open_place($0) }
    guard file >= 0 else { return }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return }
    let isDirectory = status.st_mode & S_IFMT == S_IFDIR
    let rights = isDirectory ? readFile | readDirectory : readFile
    try SandboxFailure.check(recto_landlock_grant(rules, rights, file), "landlock_add_rule")
  }
}
