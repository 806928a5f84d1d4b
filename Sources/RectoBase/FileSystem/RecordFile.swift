internal import Glibc
internal import Synchronization
public import SystemPackage

/// A file of fixed-size records that several processes and threads update at the same time.
///
/// A record is read and written under a lock on only its bytes, which the system releases when a
/// process is killed. No call waits for a lock, so a stopped process does not block others. The
/// file is created when it is first used, and again if it was removed.
public final class RecordFile: Sendable {
  /// The path of the file.
  public let path: FilePath
  /// Bytes in a record.
  public let recordSize: Int
  /// The number of records.
  public let count: Int
  /// The descriptor, and a lock for the threads of this process: the system's locks belong to the
  /// descriptor, which the threads share.
  private let file = Mutex<FileDescriptor?>(nil)

  /// Records in the file at a path.
  ///
  /// - Parameters:
  ///   - path: The path of the file; nothing is opened yet.
  ///   - recordSize: Bytes in a record.
  ///   - count: The number of records.
  public init(_ path: FilePath, recordSize: Int, count: Int) {
    self.path = path
    self.recordSize = recordSize
    self.count = count
  }

  deinit {
    // Errors were reported by each write.
    file.withLock { try? $0?.close() }
  }

  /// All records, concatenated. A record that another process is writing may be torn.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened or read.
  public func contents() throws(FileError) -> [UInt8] {
    try withFile { (file) throws(FileError) in
      try bridge("read", path) {
        let size = recordSize * count
        return try [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
          let buffer = UnsafeMutableRawBufferPointer(buffer)
          let got = try file.read(fromAbsoluteOffset: 0, into: buffer)
          // Missing bytes at the end are zero, as in a sparse file.
          UnsafeMutableRawBufferPointer(rebasing: buffer[got...]).initializeMemory(
            as: UInt8.self,
            repeating: 0
          )
          initialized = size
        }
      }
    }
  }

  /// Changes a record, unless another process is changing it.
  ///
  /// - Parameters:
  ///   - index: The number of the record.
  ///   - body: Receives the bytes and changes them.
  /// - Returns: Whether it was changed; false if another process did not release the record in
  ///   time.
  /// - Throws: ``FileError`` when the file cannot be opened, read or written.
  public func update(_ index: Int, _ body: (inout [UInt8]) -> Void) throws(FileError) -> Bool {
    try withFile { (file) throws(FileError) in
      let offset = index * recordSize
      guard Self.lock(file, offset, recordSize) else { return false }
      defer { Self.unlock(file, offset, recordSize) }
      try bridge("write", path) {
        var record = [UInt8](repeating: 0, count: recordSize)
        _ = try record.withUnsafeMutableBytes {
          try file.read(fromAbsoluteOffset: Int64(offset), into: $0)
        }
        body(&record)
        let written = try record.withUnsafeBytes {
          try file.write(toAbsoluteOffset: Int64(offset), $0)
        }
        guard written == recordSize else { throw Errno.noSpace }
      }
      return true
    }
  }

  /// Acquires an advisory lock, by its number, if it is free. This process holds it until
  /// ``release(_:)`` or its end. The lock does not exclude other threads of the process.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened.
  public func tryAcquire(_ number: Int) throws(FileError) -> Bool {
    try withFile { (file) throws(FileError) in Self.lock(file, Self.firstAdvisory + number, 1) }
  }

  /// Releases an advisory lock.
  public func release(_ number: Int) {
    file.withLock { file in
      if let file { Self.unlock(file, Self.firstAdvisory + number, 1) }
    }
  }

  /// After the last record: locked bytes need not exist.
  private static let firstAdvisory = 1 << 40
}

extension RecordFile {
  private func withFile<Result>(
    _ body: (FileDescriptor) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try file.withLock { (file) throws(FileError) in
      if let open = file {
        // The file was removed: writes would be lost.
        if (try? open.stat().isOwnFile) == true { return try body(open) }
        file = nil
        try? open.close()  // its name and contents are gone
      }
      let opened = try self.opened()
      file = opened
      return try body(opened)
    }
  }

  /// Opens the file; something else at its path is removed.
  private func opened() throws(FileError) -> FileDescriptor {
    do throws(FileError) {
      return try openedOnce()
    } catch {
      // A file with a second name may belong to another program.
      guard let status = Files.entryStatus(of: path), !status.isOwnFile else { throw error }
      try Files.removeEntry(path)
      return try openedOnce()
    }
  }

  private func openedOnce() throws(FileError) -> FileDescriptor {
    let file = try bridge("open", path) {
      try FileDescriptor.open(
        path,
        .readWrite,
        options: [.create, .nonBlocking, .closeOnExec, .noFollow],
        permissions: Files.privateFile
      )
    }
    do {
      try file.requireOwnFile()
      return file
    } catch {
      try? file.close()  // nothing was written
      throw FileError("open", path, error as? Errno ?? .ioError)
    }
  }

  /// Locks bytes of a file, if they are free or become free at once.
  private static func lock(_ file: FileDescriptor, _ offset: Int, _ length: Int) -> Bool {
    for _ in 0..<attempts {
      if setLock(file, Int16(F_WRLCK), offset, length) { return true }
      let error = Errno.current
      // Without lock support nothing can be excluded.
      guard error == .resourceTemporarilyUnavailable || error == .permissionDenied else {
        return true
      }
      sched_yield()
    }
    return false
  }

  private static func unlock(_ file: FileDescriptor, _ offset: Int, _ length: Int) {
    // It cannot fail for bytes that are locked.
    _ = setLock(file, Int16(F_UNLCK), offset, length)
  }

  private static func setLock(
    _ file: FileDescriptor,
    _ type: Int16,
    _ offset: Int,
    _ length: Int
  ) -> Bool {
    var lock = flock()
    lock.l_type = type
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = offset
    lock.l_len = length
    return fcntl(file.rawValue, openFileLock, &lock) == 0
  }

  /// F_OFD_SETLK, which Swift's view of the C library leaves out.
  private static let openFileLock: Int32 = 37
  private static let attempts = 16
}
