internal import Concurrency
internal import FileSystem
internal import SystemPackage

/// Writes pictures of pages, on a queue of its own: a disk may be slow, and what waits for it must not
/// keep workers waiting.
actor PictureFolder {
  private let executor = QueueExecutor(label: "recto.picture-folder")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let root: FilePath
  private let inputs: Set<FileNode>

  /// A folder; it is made when the first file is written.
  ///
  /// - Parameters:
  ///   - root: The path of the folder; empty for paths that are complete.
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
    let file = root.isEmpty ? name : root.appending(name.components)
    let parent = file.removingLastComponent()
    if !parent.isEmpty { try Files.createDirectory(parent) }
    try Files.writeOutput(bytes, to: file, sparing: inputs)
    return file
  }
}
