internal import FileSystem
internal import SystemPackage
internal import TileRender

/// A directory into which thumbnails are written, on a queue of its own: a disk may be slow, and
/// what waits for it must not keep workers waiting.
actor ThumbnailFolder {
  private let executor = QueueExecutor(label: "recto.thumbnail-folder")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let root: FilePath
  /// Directories that are there.
  private var made: Set<FilePath> = []

  init(_ root: FilePath) {
    self.root = root
  }

  /// Writes a file with the directories above it.
  ///
  /// - Parameter name: its path below the root.
  /// - Returns: the whole path.
  func write(_ bytes: [UInt8], as name: FilePath) throws(FileError) -> FilePath {
    let file = root.appending(name.components)
    let directory = file.removingLastComponent()
    if !made.contains(directory) {
      try Files.createDirectory(directory)
      made.insert(directory)
    }
    try Files.write(bytes, to: file)
    return file
  }
}
