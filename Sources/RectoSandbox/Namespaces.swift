internal import CLinux
internal import Glibc

/// Private namespaces: no shared memory of other processes, no network interfaces, a user without rights outside, and
/// private mounts.
enum Namespaces {
  /// Moves the process, which must have one thread, into new namespaces.
  ///
  /// - Parameters:
  ///   - hasMounts: Whether it needs private mounts, and a mapped user in them.
  ///   - connects: Whether it keeps the network.
  /// - Throws: The system's error.
  static func enter(hasMounts: Bool, connects: Bool) throws(SandboxFailure) -> String {
    let (user, group) = (geteuid(), getegid())
    let (network, mounts): (Int32, Int32) = (connects ? 0 : 1, hasMounts ? 1 : 0)
    let names = (connects ? "IPC" : "network, IPC") + (hasMounts ? ", mounts" : "")
    if recto_enter_namespaces(network, 1, mounts) == 0 {
      if hasMounts {
        // user_namespaces(7): without them no file can be created, not even in a private file system.
        try write("deny", to: "/proc/self/setgroups")
        try write("\(user) \(user) 1", to: "/proc/self/uid_map")
        try write("\(group) \(group) 1", to: "/proc/self/gid_map")
      }
      return "user, \(names)"
    }
    let error = errno
    // Root needs no user namespace.
    if recto_enter_namespaces(network, 0, mounts) == 0 { return names }
    throw SandboxFailure("unshare", error)
  }

  private static func write(_ text: String, to path: String) throws(SandboxFailure) {
    let file = try SandboxFailure.check(open(path, O_WRONLY | O_CLOEXEC), "open \(path)")
    defer { close(file) }
    guard text.withCString({ Glibc.write(file, $0, strlen($0)) }) == text.utf8.count else {
      throw SandboxFailure("write \(path)", errno)
    }
  }
}
