internal import Glibc
public import SystemPackage

/// Files in a directory that only one program uses, such as a cache.
extension Files {
  /// All bytes of a regular file; a symbolic link is not followed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The most bytes that the file may have.
  ///   - seconds: If the file's modification time is older than that and it has no other name, the time is set to now;
  ///     nil leaves it. Failures are ignored: the directory may be read-only.
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

  /// Opens a file for reading. Does not follow symbolic links or wait for FIFOs.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened.
  public static func openEntry(_ path: FilePath) throws(FileError) -> FileDescriptor {
    try bridge("open", path) {
      try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec, .noFollow])
    }
  }

  /// Appends to a regular file in one write, which is atomic for other processes that append. Creates the file if it is
  /// missing. Does not follow symbolic links.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to append; at most a page, or a power of two for each part that must stay
  ///     whole if the process is killed.
  ///   - path: The file.
  ///   - permissions: The permissions of a new file.
  /// - Throws: ``FileError`` when the file cannot be opened or written, or is not a regular file with exactly one name
  ///   (`invalidArgument`): with two, it may belong to another program. `noSuchFileOrDirectory` if it was removed
  ///   meanwhile.
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

  /// Calls a closure with each name in a directory, in any order, and its status without following
  /// symbolic links. A missing directory, or a link to one, counts as empty.
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
      // Only errno tells the end of readdir from a failure.
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

  /// A name in an open directory and its status; nil for `.`, `..` and entries that were removed meanwhile.
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

  /// The status of a path, without following a symbolic link at its end; nil if it is missing or cannot be read.
  public static func entryStatus(of path: FilePath) -> Stat? {
    try? Stat(path, followTargetSymlink: false)
  }

  /// Removes a file, directory or symbolic link; links are not followed.
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

  /// Whether the modification time is more than `seconds` ago.
  func isModified(before seconds: Int) -> Bool {
    let (age, overflow) = time(nil).subtractingReportingOverflow(rawValue.st_mtim.tv_sec)
    return overflow || age > seconds
  }
}

extension FileDescriptor {
  /// Checks that the file is used only by this program, and still has its name.
  ///
  /// - Throws: `Errno.noSuchFileOrDirectory` if it was removed after it was opened, and
  ///   `Errno.invalidArgument` if it is not a regular file with one name.
  func requireOwnFile() throws {
    let status = try stat()
    guard !status.isOwnFile else { return }
    throw status.rawValue.st_nlink == 0 ? Errno.noSuchFileOrDirectory : Errno.invalidArgument
  }
}
