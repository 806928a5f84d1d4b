public import SystemPackage

/// A call to the file system that failed, or one that Recto itself does not make.
public struct FileError: Error, Hashable, Sendable {
  /// What was being done: "open", "rename".
  public var operation: String
  /// The file it was done to.
  public var path: FilePath
  /// The system's reason; `notPermitted` for a ``refusal``.
  public var errno: Errno
  /// What Recto has against the file; nil when the system had.
  public var refusal: Refusal?

  /// Why Recto leaves a file alone that the system would give it.
  public enum Refusal: Hashable, Sendable {
    /// Output would go over what it is made from.
    case isInput
    /// The file has been written for something else in the same run.
    case isOutput
    /// A directory that is to be this user's own is another user's.
    case otherOwner
    /// A directory that is to be this user's own may be written by others.
    case writableByOthers
    /// What is to be a directory is a link or something else.
    case noDirectory
    /// What is read as a file is a directory, a stream or a device.
    case noRegularFile
  }

  /// An error from its parts.
  ///
  /// - Parameters:
  ///   - operation: What was being done: "open", "rename".
  ///   - path: The file it was done to.
  ///   - errno: The system's reason.
  public init(_ operation: String, _ path: FilePath, _ errno: Errno) {
    self.operation = operation
    self.path = path
    self.errno = errno
  }

  /// A file that is left alone.
  ///
  /// - Parameters:
  ///   - operation: What was to be done.
  ///   - path: The file it was to be done to.
  ///   - refusal: Why it is not done.
  public init(_ operation: String, _ path: FilePath, refusal: Refusal) {
    self.init(operation, path, .notPermitted)
    self.refusal = refusal
  }

  /// Whether there was simply nothing there.
  public var isMissing: Bool { errno == .noSuchFileOrDirectory || errno == .notDirectory }

  /// Whether the device is at fault or full, rather than the name or the permissions.
  public var isDevice: Bool {
    errno == .noSpace || errno == .diskQuotaExceeded || errno == .ioError || errno == .fileTooLarge
      || errno == .brokenPipe
  }
}

extension FileError: CustomStringConvertible {
  /// The system's words, or what Recto has against the file.
  public var description: String {
    switch refusal {
    case nil: errno.description
    case .isInput: "this is the document itself"
    case .isOutput: "another thumbnail of this run has this name"
    case .otherOwner: "it belongs to another user"
    case .writableByOthers: "other users may write to it"
    case .noDirectory: "it is not a directory"
    case .noRegularFile: "it is not a regular file"
    }
  }
}
