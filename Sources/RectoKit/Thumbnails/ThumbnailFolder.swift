internal import Concurrency
internal import FileSystem
internal import SystemPackage

/// A directory into which the thumbnails of one document are written, on a queue of its own: a disk
/// may be slow, and what waits for it must not keep workers waiting.
actor ThumbnailFolder {
  private let executor = QueueExecutor(label: "recto.thumbnail-folder")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let root: FilePath
  private let inputs: Set<FileNode>

  /// A folder; it is made when the first file is written.
  ///
  /// - Parameters:
  ///   - root: The path of the folder.
  ///   - inputs: Files that are not overwritten.
  init(_ root: FilePath, sparing inputs: Set<FileNode>) {
    self.root = root
    self.inputs = inputs
  }

  /// Writes a file, and makes the directories above it if they are missing.
  ///
  /// - Parameters:
  ///   - bytes: All that the file is to hold.
  ///   - name: Its path below the root.
  /// - Returns: The complete path.
  /// - Throws: The error of the file or directory that cannot be written.
  func write(_ bytes: [UInt8], as name: FilePath) throws(FileError) -> FilePath {
    let file = root.appending(name.components)
    try Files.createDirectory(file.removingLastComponent())
    try Files.writeOutput(bytes, to: file, sparing: inputs)
    return file
  }
}
