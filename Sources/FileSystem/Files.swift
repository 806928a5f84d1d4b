internal import Glibc
internal import Synchronization
public import SystemPackage

/// Whole-file operations. Every one blocks; none is for the cooperative pool.
public enum Files {
  /// What `stat` says, following symbolic links.
  public static func status(of path: FilePath) throws(FileError) -> Stat {
    try bridge("stat", path) { try Stat(path, followTargetSymlink: true) }
  }

  /// Opens a file for reading. Never blocks on a fifo and never inherits into a child process.
  public static func open(_ path: FilePath) throws(FileError) -> FileDescriptor {
    try bridge("open", path) {
      try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    }
  }

  /// All bytes of a file.
  ///
  /// - Parameter limit: a longer file is an error (`fileTooLarge`).
  public static func contents(of path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    let file = try open(path)
    defer { try? file.close() }  // read only: closing cannot lose anything
    return try bridge("read", path) {
      let size = Int(try file.stat().size)
      guard size <= limit else { throw Errno.fileTooLarge }
      return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let rest = UnsafeMutableRawBufferPointer(buffer)[count...]
          let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: rest))
          if got == 0 { break }
          count += got
        }
      }
    }
  }

  /// The lines of a file or stream, without their ends and without empty ones. Any bytes but a
  /// newline can stand in a line.
  public static func lines(of path: FilePath) throws(FileError) -> [[UInt8]] {
    // Blocking, unlike `open`: a pipe whose writer is slow is waited for.
    let file = try bridge("open", path) {
      try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    }
    defer { try? file.close() }  // read only: closing cannot lose anything
    let bytes = try bridge("read", path) {
      var bytes: [UInt8] = []
      try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
        while true {
          let count = try file.read(into: buffer)
          if count == 0 { break }
          bytes += buffer[..<count]
        }
      }
      return bytes
    }
    return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
  }

  /// Writes a file so that its name only ever shows all of the bytes or what was there before.
  ///
  /// The bytes go to a file without a name, which the system removes by itself if the process is
  /// killed; it is named when it is complete. Only where the name is taken, and on file systems
  /// without such files, a temporary name in the same directory is renamed. There is no `fsync`:
  /// after a power cut the name may show an empty or torn file, so what matters is checked when it
  /// is read.
  public static func write(
    _ bytes: [UInt8],
    to path: FilePath,
    permissions: FilePermissions = Self.filePermissions
  ) throws(FileError) {
    if try writeUnnamed(bytes, to: path, permissions) { return }
    let temporary = path.removingLastComponent().appending(Self.temporaryName())
    defer { Self.writes.withLock { _ = $0.temporaries.remove(temporary) } }
    // Under the lock, so that a process that is ending either knows of the file or prevents it.
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
      writes.temporaries.insert(temporary)
      return file
    }
    do {
      try bridge("write", path) { try file.closeAfter { _ = try file.writeAll(bytes) } }
      try rename(temporary, to: path)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Writes a file that has no name until it is complete.
  ///
  /// - Returns: whether that was possible; no when the name is taken or the file system has no such
  ///   files.
  private static func writeUnnamed(
    _ bytes: [UInt8],
    to path: FilePath,
    _ permissions: FilePermissions
  ) throws(FileError) -> Bool {
    // A name that is taken cannot be linked to.
    guard !exists(path) else { return false }
    let folder = path.removingLastComponent()
    let number = (folder.isEmpty ? FilePath(".") : folder).withPlatformString {
      Glibc.open($0, O_WRONLY | O_CLOEXEC | Self.unnamedFile, permissions.rawValue)
    }
    guard number >= 0 else { return false }
    let file = FileDescriptor(rawValue: number)
    var isNamed = false
    try bridge("write", path) {
      try file.closeAfter {
        _ = try file.writeAll(bytes)
        // As above: nothing appears any more once writes are abandoned.
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
  private static let unnamedFile: Int32 = 0o20000000 | O_DIRECTORY

  private static func exists(_ path: FilePath) -> Bool {
    path.withPlatformString { faccessat(AT_FDCWD, $0, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }
  }

  /// Removes what is being written at this moment and lets nothing more be written: for a process
  /// that is about to end.
  public static func abandonWrites() {
    writes.withLock { writes in
      writes.areAbandoned = true
      for path in writes.temporaries { unlink(path) }
    }
  }

  private struct Writes {
    var temporaries: Set<FilePath> = []
    var areAbandoned = false
  }

  private static let writes = Mutex(Writes())

  /// Names start with this while a file is being written; older ones than an hour are rubbish.
  public static let temporaryPrefix = ".recto-tmp-"
  /// Readable and writable by the owner alone, as caches should be.
  public static let privateFile = FilePermissions(rawValue: 0o600)
  /// The owner's alone.
  public static let privateDirectory = FilePermissions(rawValue: 0o700)
  /// What the user's umask leaves of "everybody".
  public static let filePermissions = FilePermissions(rawValue: 0o666)
  /// What the user's umask leaves of "everybody".
  public static let directoryPermissions = FilePermissions(rawValue: 0o777)

  /// Renames, replacing what is there.
  public static func rename(_ from: FilePath, to path: FilePath) throws(FileError) {
    let status = from.withPlatformString { source in
      path.withPlatformString { Glibc.rename(source, $0) }
    }
    guard status == 0 else { throw FileError("rename", path, .current) }
  }

  /// Creates a directory and those above it. One that is there already is fine.
  public static func createDirectory(
    _ path: FilePath,
    permissions: FilePermissions = Self.directoryPermissions
  ) throws(FileError) {
    if make(path, permissions) == nil { return }
    let parent = path.removingLastComponent()
    if !parent.isEmpty, parent != path { try createDirectory(parent, permissions: permissions) }
    if let error = make(path, permissions) { throw FileError("create", path, error) }
  }

  /// Removes a file; one that is gone already is fine.
  public static func remove(_ path: FilePath) throws(FileError) {
    guard path.withPlatformString({ Glibc.unlink($0) }) == 0 || Errno.current.isGone else {
      throw FileError("remove", path, .current)
    }
  }

  /// Removes a directory and all in it; what is gone already is fine. Symbolic links are removed,
  /// not followed.
  public static func removeTree(_ path: FilePath) throws(FileError) {
    for entry in try entries(of: path) {
      if entry.isDirectory {
        try removeTree(path.appending(entry.name))
      } else {
        try remove(path.appending(entry.name))
      }
    }
    guard path.withPlatformString({ rmdir($0) }) == 0 || Errno.current.isGone else {
      throw FileError("remove", path, .current)
    }
  }

  /// Sets a file's time of modification to now if it is older than `seconds`. Whether that worked
  /// makes no difference to anybody: the file may be gone or the directory read-only.
  public static func touch(_ path: FilePath, ifOlderThan seconds: Int) {
    guard let status = try? Stat(path, followTargetSymlink: true) else { return }
    guard time(nil) - status.rawValue.st_mtim.tv_sec > seconds else { return }
    _ = path.withPlatformString { utimensat(AT_FDCWD, $0, nil, 0) }
  }

  private static func make(_ path: FilePath, _ permissions: FilePermissions) -> Errno? {
    guard path.withPlatformString({ mkdir($0, permissions.rawValue) }) != 0 else { return nil }
    let error = Errno.current
    guard error == .fileExists, let status = try? Stat(path, followTargetSymlink: true),
      status.type == .directory
    else { return error }
    return nil
  }

  private static func unlink(_ path: FilePath) {
    _ = path.withPlatformString { Glibc.unlink($0) }
  }

  private static let counter = Atomic<Int>(0)

  private static func temporaryName() -> FilePath.Component {
    let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
    // Letters, digits and hyphens: always one component.
    return FilePath.Component("\(temporaryPrefix)\(getpid())-\(number)") ?? "recto-tmp"
  }
}

extension Errno {
  static var current: Errno { Errno(rawValue: Glibc.errno) }
  var isGone: Bool { self == .noSuchFileOrDirectory }
}

/// The one bridge from swift-system's untyped errors to ``FileError``.
func bridge<Result>(
  _ operation: String,
  _ path: FilePath,
  _ body: () throws -> Result
) throws(FileError) -> Result {
  do {
    return try body()
  } catch {
    throw FileError(operation, path, error as? Errno ?? .ioError)
  }
}
