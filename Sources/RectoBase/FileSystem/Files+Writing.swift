internal import Glibc
internal import Synchronization
public import SystemPackage

extension Files {
  /// Writes a file atomically: its name shows either the old or all of the new bytes.
  ///
  /// Replaces whatever has the name, even a link or a device. For paths given by the user see
  /// ``writeOutput(_:to:sparing:)``.
  ///
  /// The bytes go to a file without a name, which the system removes if the process is killed; it
  /// gets its name when it is complete. If the name is taken, or the file system has no such files,
  /// a temporary file in the same directory is renamed instead. There is no `fsync`: after a power
  /// failure the file may be empty or torn, so important files are checked when they are read.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - path: The name of the file.
  ///   - permissions: The permissions of a new file, before the process's mask.
  /// - Throws: ``FileError`` when the file cannot be written; the old file is then unchanged.
  public static func write(
    _ bytes: [UInt8],
    to path: FilePath,
    permissions: FilePermissions = Self.filePermissions
  ) throws(FileError) {
    try write(bytes, to: path, permissions: permissions, naming: randomName)
  }

  /// As above.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - permissions: The permissions of a new file, before the process's mask.
  ///   - naming: Makes a temporary name; asked again when that name is taken.
  /// - Throws: ``FileError`` when the file cannot be written; the old file is then unchanged.
  package static func write(
    _ bytes: [UInt8],
    to path: FilePath,
    permissions: FilePermissions,
    naming: () -> FilePath.Component
  ) throws(FileError) {
    let folder = path.removingLastComponent()
    if try writeUnnamed(bytes, to: path, in: folder, permissions) { return }
    removeLeftovers(in: folder)
    let (file, temporary) = try createTemporary(for: path, in: folder, permissions, naming)
    defer { Self.writes.withLock { $0.temporaries.removeAll { $0 == temporary } } }
    // Locked until it has its name, even after the descriptor is closed, so that no cleanup removes it.
    let lock = fcntl(file.rawValue, F_DUPFD_CLOEXEC, 0)
    defer { if lock >= 0 { close(lock) } }
    do {
      try bridge("write", path) { try file.closeAfter { _ = try file.writeAll(bytes) } }
      try rename(temporary, to: path)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Removes files that are being written and prevents new ones. For a process that is about to
  /// exit.
  public static func abandonWrites() {
    writes.withLock { writes in
      writes.areAbandoned = true
      for path in writes.temporaries { unlink(path) }
    }
  }

  private struct Writes {
    /// One per thread that is writing, so a linear search is cheaper than a hash.
    var temporaries: [FilePath] = []
    var areAbandoned = false
  }

  private static let writes = Mutex(Writes())

  // MARK: Files without a name

  /// Writes a file that has no name until it is complete.
  ///
  /// - Returns: Whether it was written; false if the name is taken or the file system has no such
  ///   files.
  private static func writeUnnamed(
    _ bytes: [UInt8],
    to path: FilePath,
    in folder: FilePath,
    _ permissions: FilePermissions
  ) throws(FileError) -> Bool {
    // A name that is taken cannot be linked to.
    guard !exists(path) else { return false }
    let number = (folder.isEmpty ? FilePath(".") : folder).withPlatformString {
      Glibc.open($0, O_WRONLY | O_CLOEXEC | Self.unnamedFile, permissions.rawValue)
    }
    guard number >= 0 else { return false }
    let file = FileDescriptor(rawValue: number)
    var isNamed = false
    try bridge("write", path) {
      try file.closeAfter {
        _ = try file.writeAll(bytes)
        // Under the lock, as below, so that no file appears after writes were abandoned.
        isNamed = writes.withLock { writes in
          !writes.areAbandoned
            && path.withPlatformString {
              linkat(AT_FDCWD, "/proc/self/fd/\(number)", AT_FDCWD, $0, AT_SYMLINK_FOLLOW) == 0
            }
        }
      }
    }
    return isNamed
  }

  /// O_TMPFILE, which Swift's view of the C library leaves out: its own bit and O_DIRECTORY.
  static let unnamedFile: Int32 = 0o20000000 | O_DIRECTORY

  private static func exists(_ path: FilePath) -> Bool {
    path.withPlatformString { faccessat(AT_FDCWD, $0, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }
  }

  // MARK: Temporary names

  /// Names start with this while a file is being written. Files that no process has locked, and those older than an
  /// hour, are leftovers.
  public static let temporaryPrefix = ".recto-tmp-"

  /// A random temporary name.
  ///
  /// Random digits and a count: process IDs are not unique between containers that share a
  /// directory.
  public static func randomName() -> FilePath.Component {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    // Letters, digits and hyphens: always one component.
    return FilePath.Component("\(randomPrefix)\(number)") ?? "recto-tmp"
  }

  private static let randomPrefix =
    "\(temporaryPrefix)\(String(UInt64.random(in: 0..<(1 << 40)), radix: 36))-"
  private static let count = Atomic<Int>(0)

  /// Creates a file with a temporary name next to `path`.
  private static func createTemporary(
    for path: FilePath,
    in folder: FilePath,
    _ permissions: FilePermissions,
    _ naming: () -> FilePath.Component
  ) throws(FileError) -> (file: FileDescriptor, name: FilePath) {
    var collisions = 0
    while true {
      let temporary = folder.appending(naming())
      do {
        // Under the lock, so that a process that is exiting either removes the file or prevents it.
        let file = try writes.withLock { (writes) throws(FileError) in
          guard !writes.areAbandoned else { throw FileError("create", path, .canceled) }
          let file = try bridge("create", path) {
            try FileDescriptor.open(
              temporary,
              .writeOnly,
              options: [.create, .exclusiveCreate, .closeOnExec],
              permissions: permissions
            )
          }
          // Another process may remove the new file as a leftover before it is locked.
          if isTaken(file.rawValue) {
            try? file.close()  // nothing was written
            throw FileError("create", path, .fileExists)
          }
          writes.temporaries.append(temporary)
          return file
        }
        return (file, temporary)
      } catch {
        collisions += 1
        guard error.errno == .fileExists, collisions < mostCollisions else { throw error }
      }
    }
  }

  /// Locks a new file, unless another process has locked it or removed its name. Without lock support, checks the name
  /// only.
  private static func isTaken(_ descriptor: Int32) -> Bool {
    guard lock(descriptor) else { return Errno.current == .wouldBlock }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }

  /// Random names practically never collide; this many collisions mean that they are not random.
  private static let mostCollisions = 64

  /// Removes temporary files that killed processes left in a directory, once per process. Ignores
  /// files that cannot be removed.
  ///
  /// Called when a temporary name is needed, since only then can such files exist; otherwise the
  /// directory is not searched.
  ///
  /// - Complexity: O(*n* log *n*) in the number of names the first time, else O(1).
  private static func removeLeftovers(in folder: FilePath) {
    let isNew = searched.withLock { searched in
      // A bound on memory; searching again is harmless.
      if searched.count >= mostSearched { searched.removeAll() }
      return searched.insert(folder.digest).inserted
    }
    guard isNew, let entries = try? entries(of: folder.isEmpty ? "." : folder) else { return }
    let now = time(nil)
    for entry in entries
    where !entry.isDirectory && entry.name.string.hasPrefix(temporaryPrefix) {
      let path = folder.appending(entry.name)
      guard let status = try? Stat(path, followTargetSymlink: false), status.type == .regular,
        now - status.rawValue.st_mtim.tv_sec > leftoverAge || isAbandoned(path)
      else { continue }
      unlink(path)
    }
  }

  /// Whether no process is writing a file. Unknown on file systems without locks.
  private static func isAbandoned(_ path: FilePath) -> Bool {
    let number = path.withPlatformString {
      Glibc.open($0, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    guard number >= 0 else { return false }
    // The name is removed while the file is locked, so that a writer that has just created it notices.
    defer { close(number) }
    guard lock(number) else { return false }
    unlink(path)
    return true
  }

  /// Locks an open file for its descriptor; the system releases the lock when that and its duplicates
  /// are closed.
  private static func lock(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Digests of the directories; on a collision one directory is not searched.
  private static let searched = Mutex<Set<UInt64>>([])
  private static let mostSearched = 4096
  /// In seconds.
  private static let leftoverAge = 3600

  private static func unlink(_ path: FilePath) {
    _ = path.withPlatformString { Glibc.unlink($0) }
  }
}

extension FilePath {
  /// FNV-1a of the path's bytes: every replaced file asks for it.
  fileprivate var digest: UInt64 {
    withPlatformString { text in
      var digest: UInt64 = 0xCBF2_9CE4_8422_2325
      var byte = text
      while byte.pointee != 0 {
        digest = (digest ^ UInt64(UInt8(bitPattern: byte.pointee))) &* 0x100_0000_01B3
        byte += 1
      }
      return digest
    }
  }
}
