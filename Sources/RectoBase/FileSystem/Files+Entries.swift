internal import Glibc
public import SystemPackage

/// Files of a directory that belongs to a program alone, such as a cache.
extension Files {
  /// All bytes of a regular file; a symbolic link is not followed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The most bytes that the file may have.
  ///   - seconds: Its time of modification is set to now if it is older than that, and the file has no
  ///     other name; nil leaves it. Whether that worked makes no difference: the directory may be
  ///     read-only.
  /// - Returns: The bytes.
  /// - Throws: ``FileError`` when the file cannot be read, is not a regular one (`invalidArgument`) or
  ///   has more bytes than `limit` (`fileTooLarge`).
  public static func entry(
    at path: FilePath,
    limit: Int,
    touchingIfOlderThan seconds: Int?
  ) throws(FileError) -> [UInt8] {
    let file = try openEntry(path)
    defer { try? file.close() }  // read only: closing cannot lose anything
    return try bridge("read", path) {
      let status = try file.stat()
      guard status.type == .regular else { throw Errno.invalidArgument }
      let size = Int(status.size)
      guard size <= limit else { throw Errno.fileTooLarge }
      let bytes = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let rest = UnsafeMutableRawBufferPointer(buffer)[count...]
          let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: rest))
          if got == 0 { break }
          count += got
        }
      }
      if let seconds, status.isModified(before: seconds), status.rawValue.st_nlink == 1 {
        futimens(file.rawValue, nil)
      }
      return bytes
    }
  }

  /// Opens a file for reading. A symbolic link is not followed, and a FIFO not waited for.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened.
  public static func openEntry(_ path: FilePath) throws(FileError) -> FileDescriptor {
    try bridge("open", path) {
      try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec, .noFollow])
    }
  }

  /// Appends to a regular file in one write, which other processes that append see as a whole or not
  /// at all. Makes the file if it is missing. A symbolic link is not followed.
  ///
  /// - Parameters:
  ///   - bytes: What is appended; at most a page, or a power of two bytes for each part that has to
  ///     stay whole if the process is killed.
  ///   - path: The file.
  ///   - permissions: The permissions of a new file.
  /// - Throws: ``FileError`` when the file cannot be opened or written, or is not a regular one with
  ///   one name (`invalidArgument`): with another, it is perhaps not the program's own. One that was
  ///   removed meanwhile is `noSuchFileOrDirectory`.
  public static func append(
    _ bytes: [UInt8],
    to path: FilePath,
    permissions: FilePermissions
  ) throws(FileError) {
    let file = try bridge("open", path) {
      try FileDescriptor.open(
        path,
        .writeOnly,
        options: [.append, .create, .nonBlocking, .closeOnExec, .noFollow],
        permissions: permissions
      )
    }
    try bridge("write", path) {
      try file.closeAfter {
        try file.requireOwnFile()
        guard try bytes.withUnsafeBytes({ try file.write($0) }) == bytes.count else {
          throw Errno.noSpace
        }
      }
    }
  }

  /// Calls a closure with each name in a directory, in no order, and what is known of it without
  /// following a symbolic link. Nothing is there when the directory is missing or is a link.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - body: Receives the name and the status.
  /// - Throws: ``FileError`` when the directory cannot be read.
  /// - Complexity: O(*n*) in the number of names.
  public static func forEachEntry(
    of path: FilePath,
    _ body: (FilePath.Component, Stat) -> Void
  ) throws(FileError) {
    let number = path.withPlatformString {
      Glibc.open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard number >= 0 else {
      let error = Errno.current
      if error.isGone || error == .notDirectory || error == .tooManySymbolicLinkLevels { return }
      throw FileError("list", path, error)
    }
    guard let stream = fdopendir(number) else {
      let error = Errno.current
      close(number)
      throw FileError("list", path, error)
    }
    defer { closedir(stream) }
    while true {
      // readdir tells its end from its failure only by errno.
      Glibc.errno = 0
      guard let record = readdir(stream) else { break }
      let found = withUnsafePointer(to: &record.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { text in
          entry(named: text, in: number)
        }
      }
      if let found { body(found.name, found.status) }
    }
    guard Glibc.errno == 0 else { throw FileError("list", path, .current) }
  }

  /// A name in an open directory and its status; nil for the directory itself, the one above, and what
  /// has been removed meanwhile.
  private static func entry(
    named text: UnsafePointer<CChar>,
    in directory: Int32
  ) -> (name: FilePath.Component, status: Stat)? {
    guard let name = FilePath.Component(platformString: text), name.kind == .regular else {
      return nil
    }
    var status = stat()
    guard fstatat(directory, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return (name, Stat(rawValue: status))
  }

  /// What is known of a path without following a symbolic link at its end; nil when nothing is there
  /// or it cannot be told.
  public static func entryStatus(of path: FilePath) -> Stat? {
    try? Stat(path, followTargetSymlink: false)
  }

  /// Removes what is at a path, whatever it is; a symbolic link is removed and not followed.
  ///
  /// - Throws: ``FileError`` when it cannot be removed.
  public static func removeEntry(_ path: FilePath) throws(FileError) {
    if entryStatus(of: path)?.type == .directory {
      try removeTree(path)
    } else {
      try remove(path)
    }
  }
}

extension Stat {
  /// The time of modification in nanoseconds since 1970.
  public var modified: Int {
    rawValue.st_mtim.tv_sec &* 1_000_000_000 &+ rawValue.st_mtim.tv_nsec
  }

  /// Whether this is a regular file with one name.
  var isOwnFile: Bool { type == .regular && rawValue.st_nlink == 1 }

  /// Whether the time of modification is earlier than some seconds ago.
  func isModified(before seconds: Int) -> Bool {
    let (age, overflow) = time(nil).subtractingReportingOverflow(rawValue.st_mtim.tv_sec)
    return overflow || age > seconds
  }
}

extension FileDescriptor {
  /// Makes sure that this is a file of the program alone, which still has its name.
  ///
  /// - Throws: `Errno.noSuchFileOrDirectory` if it was removed since it was opened, and
  ///   `Errno.invalidArgument` if it is not a regular file with one name.
  func requireOwnFile() throws {
    let status = try stat()
    guard !status.isOwnFile else { return }
    throw status.rawValue.st_nlink == 0 ? Errno.noSuchFileOrDirectory : Errno.invalidArgument
  }
}
