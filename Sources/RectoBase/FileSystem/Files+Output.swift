internal import Glibc
public import SystemPackage

/// The device and inode of a file: paths with equal nodes are the same file.
public struct FileNode: Hashable, Sendable {
  /// Device number.
  public var device: Int
  /// Inode number.
  public var inode: Int

  /// A node from its numbers.
  public init(device: Int, inode: Int) {
    self.device = device
    self.inode = inode
  }

  /// The node from a `stat`.
  public init(_ status: Stat) {
    self.init(
      device: Int(truncatingIfNeeded: status.rawValue.st_dev),
      inode: Int(truncatingIfNeeded: status.rawValue.st_ino)
    )
  }
}

/// Output to paths given by the user: pictures, tiles, thumbnails.
extension Files {
  /// Writes output to a path given by the user.
  ///
  /// | what is there | what happens |
  /// |---|---|
  /// | nothing, or a regular file | the name shows the old or all of the new bytes (``write(_:to:permissions:)``) |
  /// | a symbolic link | it is kept; this table applies to its target, even if that does not exist yet |
  /// | a device, a FIFO | it is opened and written to; a FIFO waits for its reader |
  /// | a directory, a socket | an error |
  /// | one of `inputs` | an error (``FileError/Refusal/isInput``), and nothing is written |
  ///
  /// - Parameters:
  ///   - bytes: The whole output.
  ///   - path: Where it goes.
  ///   - inputs: Files that are not overwritten.
  /// - Throws: ``FileError`` for a path that cannot be written, or an error in the table.
  public static func writeOutput(
    _ bytes: [UInt8],
    to path: FilePath,
    sparing inputs: Set<FileNode> = []
  ) throws(FileError) {
    try writeOutput(bytes, to: path) { inputs.contains($0) }
  }

  /// As above.
  ///
  /// - Parameters:
  ///   - bytes: The whole output.
  ///   - isInput: Whether an existing file is an input, which is not overwritten.
  /// - Throws: ``FileError`` for a path that cannot be written, or an error in the table.
  package static func writeOutput(
    _ bytes: [UInt8],
    to path: FilePath,
    sparing isInput: (FileNode) -> Bool
  ) throws(FileError) {
    let target = try followingLinks(path)
    guard let status = try existing(path) else { return try write(bytes, to: target) }
    switch status.type {
    case .regular:
      let node = FileNode(status)
      guard !isInput(node) else { throw FileError("write", path, refusal: .isInput) }
      if try existing(target).map(FileNode.init) == node {
        try write(bytes, to: target)
      } else {
        // A /proc link to an open file that was removed.
        try write(bytes, into: path, options: [.truncate])
      }
    case .directory: throw FileError("write", path, .isDirectory)
    default: try write(bytes, into: path, options: [])
    }
  }

  /// The node of the file at a path, following links; nil if it is missing or cannot be read.
  public static func node(of path: FilePath) -> FileNode? {
    (try? Stat(path, followTargetSymlink: true)).map(FileNode.init)
  }

  /// The node of an open file; nil if the descriptor is not open.
  public static func node(of descriptor: FileDescriptor) -> FileNode? {
    (try? descriptor.stat()).map(FileNode.init)
  }

  /// The status of the file at a path, following links; nil if it is missing.
  private static func existing(_ path: FilePath) throws(FileError) -> Stat? {
    do {
      return try status(of: path)
    } catch {
      guard error.errno.isGone else { throw error }
      return nil
    }
  }

  /// Opens an existing file and writes to it.
  private static func write(
    _ bytes: [UInt8],
    into path: FilePath,
    options: FileDescriptor.OpenOptions
  ) throws(FileError) {
    let file = try bridge("open", path) {
      // A terminal must not become the controlling terminal.
      try FileDescriptor.open(
        path,
        .writeOnly,
        options: options.union([.closeOnExec, FileDescriptor.OpenOptions(rawValue: O_NOCTTY)])
      )
    }
    try bridge("write", path) { try file.closeAfter { _ = try file.writeAll(bytes) } }
  }

  /// The path with the links at its end resolved; the target need not exist.
  private static func followingLinks(_ path: FilePath) throws(FileError) -> FilePath {
    var path = path
    for _ in 0..<mostLinks {
      guard let target = linkTarget(path) else { return path }
      // The directory is kept as written: only the system can resolve ".." there.
      path = path.removingLastComponent().pushing(target)
    }
    throw FileError("open", path, .tooManySymbolicLinkLevels)
  }

  /// The system's own limit.
  private static let mostLinks = 40

  private static func linkTarget(_ path: FilePath) -> FilePath? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = path.withPlatformString { readlink($0, &buffer, buffer.count - 1) }
    // Not a link, or missing.
    return count > 0 ? FilePath(platformString: buffer) : nil
  }
}
