public import SystemPackage

/// A file system call that failed, or that Recto refuses to make.
public struct FileError: Error, Hashable, Sendable {
  /// The operation: "open", "rename".
  public var operation: String
  /// The file it was done to.
  public var path: FilePath
  /// The system's reason; `notPermitted` for a ``refusal``.
  public var errno: Errno
  /// Why Recto refuses the file; nil for an error of the system.
  public var refusal: Refusal?
  /// What a server says about it, in place of the system; nil for files.
  public var detail: String?

  /// Why Recto refuses a file that the system would allow.
  public enum Refusal: Hashable, Sendable {
    /// Output would overwrite its input.
    case isInput
    /// The file was already written in the same run.
    case isOutput
    /// A directory that must be this user's own belongs to another user.
    case otherOwner
    /// A directory that must be this user's own is writable by others.
    case writableByOthers
    /// Not a directory, but a link or something else.
    case noDirectory
    /// Not a regular file, but a directory, a stream or a device.
    case noRegularFile
    /// A name that no object of a store has.
    case noKey
  }

  /// An error from its parts.
  ///
  /// - Parameters:
  ///   - operation: The operation: "open", "rename".
  ///   - path: The file it was done to.
  ///   - errno: The system's reason.
  public init(_ operation: String, _ path: FilePath, _ errno: Errno) {
    self.operation = operation
    self.path = path
    self.errno = errno
  }

  /// An error for a refused file.
  ///
  /// - Parameters:
  ///   - operation: The operation that was refused.
  ///   - path: The file.
  ///   - refusal: Why it was refused.
  public init(_ operation: String, _ path: FilePath, refusal: Refusal) {
    self.init(operation, path, .notPermitted)
    self.refusal = refusal
  }

  /// Whether there was simply nothing there.
  public var isMissing: Bool { errno == .noSuchFileOrDirectory || errno == .notDirectory }

  /// Whether the device failed or is full, rather than a problem of the name or permissions.
  public var isDevice: Bool {
    errno == .noSpace || errno == .diskQuotaExceeded || errno == .ioError || errno == .fileTooLarge
      || errno == .brokenPipe
  }
}

extension FileError: CustomStringConvertible {
  /// The system's message, that of a server, or why Recto refuses the file.
  public var description: String {
    switch refusal {
    case nil: detail ?? errno.description
    case .isInput: "this is the document itself"
    case .isOutput: "another thumbnail of this run has this name"
    case .otherOwner: "it belongs to another user"
    case .writableByOthers: "other users may write to it"
    case .noDirectory: "it is not a directory"
    case .noRegularFile: "it is not a regular file"
    case .noKey: "an object of a store needs a name in UTF-8, without control characters"
    }
  }
}
