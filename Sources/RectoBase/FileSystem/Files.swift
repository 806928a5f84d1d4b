internal import Glibc
public import SystemPackage

/// Whole-file operations. All of them block, so do not call them on the cooperative pool.
public enum Files {
  /// The status of a file, following symbolic links.
  ///
  /// - Throws: ``FileError`` when the file is missing or cannot be reached.
  public static func status(of path: FilePath) throws(FileError) -> Stat {
    try bridge("stat", path) { try Stat(path, followTargetSymlink: true) }
  }

  /// Opens a file for reading. Does not block on a FIFO, and child processes do not inherit the
  /// descriptor.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened.
  public static func open(_ path: FilePath) throws(FileError) -> FileDescriptor {
    try bridge("open", path) {
      try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    }
  }

  /// The current name of an open file, even if it was moved; nil if the system does not know it.
  public static func name(of file: FileDescriptor) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = readlink("/proc/self/fd/\(file.rawValue)", base, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
    }
  }

  /// All bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The most bytes that the file may have.
  /// - Returns: The bytes.
  /// - Throws: ``FileError`` when the file cannot be read; `fileTooLarge` when it is longer than
  ///   `limit`.
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

  /// The lines of a file or stream, without their ends and without empty lines. Lines can have any bytes but the end.
  /// If lines end with a line break, a carriage return before it belongs to the end.
  ///
  /// - Parameters:
  ///   - path: The file or stream.
  ///   - end: The byte that ends a line.
  /// - Returns: The bytes of each line.
  /// - Throws: ``FileError`` when the file cannot be opened or read.
  public static func lines(
    of path: FilePath,
    endingWith end: UInt8 = UInt8(ascii: "\n")
  ) throws(FileError) -> [[UInt8]] {
    let file = try openStream(path)
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
    let lines = bytes.split(separator: end)
    guard end == UInt8(ascii: "\n") else { return lines.map(Array.init) }
    return lines.map { $0.last == UInt8(ascii: "\r") ? Array($0.dropLast()) : Array($0) }
      .filter { !$0.isEmpty }
  }

  /// Readable and writable only by the owner, as caches should be.
  public static let privateFile = FilePermissions(rawValue: 0o600)
  /// The owner's alone.
  public static let privateDirectory = FilePermissions(rawValue: 0o700)
  /// For everybody, minus the user's umask.
  public static let filePermissions = FilePermissions(rawValue: 0o666)
  /// For everybody, minus the user's umask.
  public static let directoryPermissions = FilePermissions(rawValue: 0o777)

  /// Renames, replacing an existing file.
  ///
  /// - Throws: ``FileError`` when the system refuses.
  public static func rename(_ from: FilePath, to path: FilePath) throws(FileError) {
    let status = from.withPlatformString { source in
      path.withPlatformString { Glibc.rename(source, $0) }
    }
    guard status == 0 else { throw FileError("rename", path, .current) }
  }

  /// The first line of a file or stream, without its end; everything if there is no line end.
  ///
  /// Reads byte by byte, so that the rest stays in the stream for its next reader.
  ///
  /// - Parameters:
  ///   - path: The file or stream.
  ///   - limit: The most bytes that the line may have.
  /// - Returns: The bytes of the line.
  /// - Throws: ``FileError`` when the file cannot be read; `fileTooLarge` when the line is longer
  ///   than `limit`.
  public static func firstLine(of path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    let file = try openStream(path)
    defer { try? file.close() }  // read only: closing cannot lose anything
    return try bridge("read", path) {
      var line: [UInt8] = []
      try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
        while try file.read(into: byte) == 1, byte[0] != UInt8(ascii: "\n") {
          guard line.count < limit else { throw Errno.fileTooLarge }
          line.append(byte[0])
        }
      }
      return line
    }
  }

  /// Opens a file or pipe. Unlike ``open(_:)``, blocks until a pipe has a writer.
  static func openStream(_ path: FilePath) throws(FileError) -> FileDescriptor {
    try bridge("open", path) {
      try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    }
  }

  /// Creates a directory and its parents, if they do not exist.
  ///
  /// - Throws: ``FileError`` for the first directory that cannot be created.
  public static func createDirectory(
    _ path: FilePath,
    permissions: FilePermissions = Self.directoryPermissions
  ) throws(FileError) {
    if make(path, permissions) == nil { return }
    let parent = path.removingLastComponent()
    if !parent.isEmpty, parent != path { try createDirectory(parent, permissions: permissions) }
    if let error = make(path, permissions) { throw FileError("create", path, error) }
  }

  /// Removes a file; it is not an error if the file is missing.
  ///
  /// - Throws: ``FileError`` when the file is there and cannot be removed.
  public static func remove(_ path: FilePath) throws(FileError) {
    guard path.withPlatformString({ Glibc.unlink($0) }) == 0 || Errno.current.isGone else {
      throw FileError("remove", path, .current)
    }
  }

  /// Removes a directory and its contents; missing files are fine. Symbolic links are removed and
  /// not followed, even at the path itself.
  ///
  /// If another process adds files meanwhile, the directory is emptied again, a limited number of
  /// times.
  ///
  /// - Throws: ``FileError`` for the first entry that cannot be listed or removed.
  public static func removeTree(_ path: FilePath) throws(FileError) {
    var emptied = 0
    while true {
      var names: [(name: FilePath.Component, isDirectory: Bool)] = []
      try forEachEntry(of: path) { names.append(($0, $1.type == .directory)) }
      for (name, isDirectory) in names {
        if isDirectory {
          try removeTree(path.appending(name))
        } else {
          try remove(path.appending(name))
        }
      }
      if path.withPlatformString({ rmdir($0) }) == 0 { return }
      let error = Errno.current
      if error.isGone { return }
      if error == .notDirectory { return try remove(path) }
      emptied += 1
      guard error == .directoryNotEmpty, emptied < Self.mostEmptyings else {
        throw FileError("remove", path, error)
      }
    }
  }

  private static let mostEmptyings = 64

  /// Sets a file's modification time to now if it is older than `seconds`. Ignores failures: the
  /// file may be missing or the directory read-only.
  public static func touch(_ path: FilePath, ifOlderThan seconds: Int) {
    guard let status = try? Stat(path, followTargetSymlink: true) else { return }
    guard status.isModified(before: seconds) else { return }
    _ = path.withPlatformString { utimensat(AT_FDCWD, $0, nil, 0) }
  }

  private static func make(_ path: FilePath, _ permissions: FilePermissions) -> Errno? {
    guard path.withPlatformString({ mkdir($0, permissions.rawValue) }) != 0 else { return nil }
    let failure = Errno.current
    guard failure == .fileExists else { return failure }
    if (try? Stat(path, followTargetSymlink: true))?.type == .directory { return nil }
    // The existing entry may be a directory that another process has removed meanwhile.
    do throws(Errno) {
      _ = try Stat(path, followTargetSymlink: false)
    } catch {
      return error
    }
    return failure
  }
}

extension Errno {
  static var current: Errno { Errno(rawValue: Glibc.errno) }
  var isGone: Bool { self == .noSuchFileOrDirectory }
}

/// The one bridge from swift-system's untyped errors to ``FileError``.
///
/// - Parameters:
///   - operation: The operation, for the error.
/// - Returns: What `body` returns.
/// - Throws: ``FileError`` with the reason for which `body` failed.
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
