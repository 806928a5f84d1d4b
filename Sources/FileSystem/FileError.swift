public import SystemPackage

/// A call to the file system that failed.
public struct FileError: Error, Hashable, Sendable {
  /// What was being done: "open", "rename".
  public var operation: String
  /// The file it was done to.
  public var path: FilePath
  /// The system's reason.
  public var errno: Errno

  /// An error from its parts.
  public init(_ operation: String, _ path: FilePath, _ errno: Errno) {
    self.operation = operation
    self.path = path
    self.errno = errno
  }

  /// Whether there was simply nothing there.
  public var isMissing: Bool { errno == .noSuchFileOrDirectory || errno == .notDirectory }

  /// Whether the device is at fault or full, rather than the name or the permissions.
  public var isDevice: Bool {
    errno == .noSpace || errno == .diskQuotaExceeded || errno == .ioError || errno == .fileTooLarge
  }
}

extension FileError: CustomStringConvertible {
  /// The system's words.
  public var description: String { errno.description }
}
