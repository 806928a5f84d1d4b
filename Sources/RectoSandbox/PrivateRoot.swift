internal import CLinux
internal import Glibc
internal import SystemPackage

/// A root directory with only the files that a process may read, for kernels without Landlock.
///
/// An empty file system becomes the root, with the directories bind-mounted into it. The process must have private
/// mounts (``Namespaces``).
enum PrivateRoot {
  /// Where the new root is made; any directory will do.
  private static let place: FilePath = "/tmp"

  /// `MS_…` of mount(2).
  private enum Flag {
    static let readOnly: UInt = 1
    static let noPrivileges: UInt = 2
    static let noDevices: UInt = 4
    static let remount: UInt = 32
    static let bind: UInt = 4096
    static let recursive: UInt = 16384
    static let isPrivate: UInt = 1 << 18
  }

  /// Changes the root of the process.
  ///
  /// - Parameter paths: Directories and files, absolute; missing ones are ignored.
  /// - Throws: The system's error.
  static func enter(reading paths: [FilePath]) throws(SandboxFailure) {
    // The following mounts must not propagate to other processes.
    try mount(nil, "/", nil, Flag.recursive | Flag.isPrivate)
    let folder = getcwd(nil, 0)
    defer { free(folder) }
    // Opened before `place` is mounted over: some of them may be in it.
    let sources = paths.sorted { "\($0)" < "\($1)" }.map { path in
      (path: path, file: path.withPlatformString { recto_open_place($0) })
    }
    defer { for source in sources where source.file >= 0 { close(source.file) } }
    try mount("none", place, "tmpfs", Flag.noPrivileges | Flag.noDevices)
    for (path, file) in sources where file >= 0 && path.isAbsolute {
      let target = place.appending(path.components)
      // A parent directory may already be there.
      guard target.withPlatformString({ access($0, F_OK) }) != 0 else { continue }
      try prepare(target, likewise: file)
      try mount("/proc/self/fd/\(file)", target, nil, Flag.bind | Flag.recursive)
      // Fails if the directory has locked mount flags. Other layers prevent writing, too.
      try? mount(
        nil,
        target,
        nil,
        Flag.bind | Flag.remount | Flag.readOnly | Flag.noPrivileges | Flag.noDevices
      )
    }
    try SandboxFailure.check(place.withPlatformString { chdir($0) }, "chdir")
    // pivot_root(2): both names may be the same; the old root is then mounted over the new one.
    try SandboxFailure.check(recto_pivot_root(".", "."), "pivot_root")
    try SandboxFailure.check(recto_leave_mount("."), "umount2")
    try SandboxFailure.check(chdir("/"), "chdir")
    // For relative names, if the directory can be read.
    if let folder { _ = chdir(folder) }
  }

  /// Creates an empty directory or file, and its parents.
  private static func prepare(
    _ path: FilePath,
    likewise original: Int32
  ) throws(SandboxFailure) {
    var status = stat()
    try SandboxFailure.check(fstat(original, &status), "fstat")
    let isDirectory = status.st_mode & S_IFMT == S_IFDIR
    var folder = path.removingLastComponent()
    var missing = isDirectory ? [path] : []
    while folder.withPlatformString({ access($0, F_OK) }) != 0 {
      missing.append(folder)
      folder.removeLastComponent()
    }
    for folder in missing.reversed() {
      try SandboxFailure.check(folder.withPlatformString { mkdir($0, 0o755) }, "mkdir")
    }
    guard !isDirectory else { return }
    let file = path.withPlatformString { open($0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644) }
    close(try SandboxFailure.check(file, "open"))
  }

  private static func mount(
    _ source: String?,
    _ target: FilePath,
    _ kind: String?,
    _ flags: UInt
  ) throws(SandboxFailure) {
    let status = target.withPlatformString { recto_mount(source, $0, kind, flags) }
    try SandboxFailure.check(status, "mount")
  }
}
