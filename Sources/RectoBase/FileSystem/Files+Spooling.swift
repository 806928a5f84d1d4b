internal import Glibc
public import SystemPackage

/// An open file that is closed when its last owner releases it.
public final class InputFile: Sendable {
  /// Open for reading at any position.
  public let descriptor: FileDescriptor

  /// Takes over a descriptor.
  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  deinit { try? descriptor.close() }  // opened for reading: closing cannot lose anything
}

/// Why a stream could not be copied.
public enum SpoolingError: Error, Hashable, Sendable {
  /// The stream cannot be opened or read.
  case input(FileError)
  /// The copy cannot be made or written.
  case storage(FileError)
  /// The stream is longer than the limit.
  case tooLarge(limit: Int)
}

/// Streams as files: a pipe can be read only once and in order.
extension Files {
  /// Opens a file for reading, as ``open(_:)`` does.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened.
  public static func openFile(_ path: FilePath) throws(FileError) -> InputFile {
    InputFile(try open(path))
  }

  /// Whether a path leads to a pipe, a FIFO or a socket, which can be read only in order. False for
  /// devices and missing files. Opens nothing.
  public static func isStream(_ path: FilePath) -> Bool {
    // A device such as /dev/zero has no end.
    guard let status = try? Stat(path, followTargetSymlink: true) else { return false }
    return status.isStream && status.type != .characterSpecial
  }

  /// Whether an open file can be read only in order, or has been read in part.
  ///
  /// - Throws: ``FileError`` when the descriptor is not open.
  public static func isStream(
    _ descriptor: FileDescriptor,
    named path: FilePath
  ) throws(FileError) -> Bool {
    try bridge("stat", path) {
      let status = try descriptor.stat()
      return try status.isStream
        || (status.type == .regular && descriptor.seek(offset: 0, from: .current) != 0)
    }
  }

  /// Another descriptor for an open file, read-only and not inherited by child processes.
  ///
  /// - Returns: The descriptor; nil if the file is open for writing, too, and cannot be opened again.
  /// - Throws: ``FileError`` when the descriptor is not open for reading or there are too many.
  public static func duplicate(
    _ descriptor: FileDescriptor,
    named path: FilePath
  ) throws(FileError) -> InputFile? {
    let flags = fcntl(descriptor.rawValue, F_GETFL)
    guard flags >= 0 else { throw FileError("open", path, .current) }
    switch flags & O_ACCMODE {
    case O_RDONLY:
      let number = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 3)
      guard number >= 0 else { throw FileError("open", path, .current) }
      return InputFile(FileDescriptor(rawValue: number))
    case O_RDWR: return try? openFile(FilePath("/proc/self/fd/\(descriptor.rawValue)"))
    default: throw FileError("open", path, .badFileDescriptor)
    }
  }

  /// Copies a stream to a file without a name, which exists as long as it is open. Blocks until the
  /// writer of a pipe closes it.
  ///
  /// - Parameters:
  ///   - path: A pipe, a FIFO, a socket or a device.
  ///   - limit: The most bytes to copy.
  /// - Returns: The copy.
  /// - Throws: ``SpoolingError``.
  public static func spool(
    _ path: FilePath,
    limit: Int
  ) throws(SpoolingError) -> InputFile {
    let stream: FileDescriptor
    do {
      stream = try openStream(path)
    } catch {
      throw .input(error)
    }
    defer { try? stream.close() }  // read only: closing cannot lose anything
    return try spool(stream, named: path, limit: limit)
  }

  /// Copies the rest of an open stream, as above.
  ///
  /// - Parameters:
  ///   - stream: Open for reading.
  ///   - path: The name of the stream, for errors.
  ///   - limit: The most bytes to copy.
  /// - Returns: The copy.
  /// - Throws: ``SpoolingError``.
  public static func spool(
    _ stream: FileDescriptor,
    named path: FilePath,
    limit: Int
  ) throws(SpoolingError) -> InputFile {
    let (writing, copy, folder) = try createUnnamed()
    defer { try? writing.close() }  // `copy` sees all that was written
    var count = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let part = try read(stream, named: path, into: buffer)
      guard !part.isEmpty else { return copy }
      count += part.count
      guard count <= limit else { throw .tooLarge(limit: limit) }
      do {
        try bridge("write", folder) { _ = try writing.writeAll(part) }
      } catch {
        throw .storage(error)
      }
    }
  }

  /// Writes bytes to a file without a name, as above.
  ///
  /// - Parameters:
  ///   - bytes: All of the file.
  /// - Returns: The file.
  /// - Throws: ``SpoolingError/storage(_:)``.
  public static func spool(_ bytes: [UInt8]) throws(SpoolingError) -> InputFile {
    let (writing, copy, folder) = try createUnnamed()
    defer { try? writing.close() }  // `copy` sees all that was written
    do {
      try bridge("write", folder) { _ = try writing.writeAll(bytes) }
    } catch {
      throw .storage(error)
    }
    return copy
  }

  /// Waits for bytes of a stream; none at its end.
  private static func read(
    _ stream: FileDescriptor,
    named path: FilePath,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SpoolingError) -> UnsafeMutableRawBufferPointer {
    do {
      return try bridge("read", path) {
        while true {
          do {
            return .init(rebasing: buffer[..<(try stream.read(into: buffer))])
          } catch Errno.resourceTemporarilyUnavailable {
            // The parent process made the stream non-blocking.
            var polled = pollfd(fd: stream.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, -1) >= 0 || Errno.current == .interrupted else {
              throw Errno.current
            }
          }
        }
      }
    } catch {
      throw .input(error)
    }
  }

  /// A file without a name in the temporary directory, opened twice: for writing, and read-only for
  /// workers.
  static func createUnnamed() throws(SpoolingError) -> (
    writing: FileDescriptor, reading: InputFile, folder: FilePath
  ) {
    let folder = temporaryFolder
    do {
      if let (writing, reading) = try openUnnamed(in: folder) { return (writing, reading, folder) }
      let path = folder.appending(randomName())
      return try bridge("create", folder) {
        let writing = try FileDescriptor.open(
          path,
          .writeOnly,
          options: [.create, .exclusiveCreate, .closeOnExec],
          permissions: privateFile
        )
        defer { path.withPlatformString { _ = Glibc.unlink($0) } }
        do {
          return (writing, InputFile(try open(path)), folder)
        } catch {
          try? writing.close()  // nothing has been written
          throw (error as? FileError)?.errno ?? Errno.ioError
        }
      }
    } catch {
      throw .storage(error)
    }
  }

  /// Nil on file systems without such files.
  private static func openUnnamed(
    in folder: FilePath
  ) throws(FileError) -> (writing: FileDescriptor, reading: InputFile)? {
    let number = folder.withPlatformString {
      Glibc.open($0, O_WRONLY | O_CLOEXEC | unnamedFile, privateFile.rawValue)
    }
    guard number >= 0 else { return nil }
    let writing = FileDescriptor(rawValue: number)
    guard let reading = try? open(FilePath("/proc/self/fd/\(number)")) else {
      try? writing.close()  // nothing has been written
      return nil
    }
    return (writing, InputFile(reading))
  }

  /// `TMPDIR`, else `/tmp`.
  private static var temporaryFolder: FilePath {
    guard let value = getenv("TMPDIR"), value.pointee != 0 else { return "/tmp" }
    return FilePath(platformString: value)
  }
}

extension Stat {
  fileprivate var isStream: Bool {
    switch type {
    case .fifo, .socket, .characterSpecial: true
    default: false
    }
  }
}
