internal import Concurrency
internal import FileSystem
internal import Synchronization
internal import SystemPackage

/// Writes pictures of pages, on a queue of its own: a disk may be slow, and what waits for it must not
/// keep workers waiting.
actor PictureFolder {
  private let executor = QueueExecutor(label: "recto.picture-folder")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let root: FilePath
  private let inputs: SparedFiles
  /// The directory of the file that was written last.
  private var lastParent: FilePath?

  /// A folder; it is made when the first file is written.
  ///
  /// - Parameters:
  ///   - root: The path of the folder; empty for paths that are complete.
  ///   - inputs: Files that are not overwritten.
  init(_ root: FilePath, sparing inputs: SparedFiles) {
    self.root = root
    self.inputs = inputs
  }

  /// The complete path of a file.
  nonisolated func path(of name: FilePath) -> FilePath {
    root.isEmpty ? name : root.appending(name.components)
  }

  /// Removes an output file that will be written again.
  ///
  /// - Throws: The error of a file that is not overwritten, or cannot be removed.
  func remove(_ file: FilePath) throws(FileError) {
    guard let node = Files.node(of: file) else { return }
    guard !inputs.contains(node) else { throw FileError("write", file, refusal: .isInput) }
    try Files.remove(file)
  }

  /// Writes a file, and makes the directories above it if they are missing.
  ///
  /// - Parameters:
  ///   - bytes: All that the file is to hold.
  ///   - name: Its path below the root.
  /// - Returns: The complete path.
  /// - Throws: The error of the file or directory that cannot be written.
  func write(_ bytes: [UInt8], as name: FilePath) throws(FileError) -> FilePath {
    let file = path(of: name)
    let parent = file.removingLastComponent()
    if !parent.isEmpty, parent != lastParent {
      try Files.createDirectory(parent)
      lastParent = parent
    }
    try Files.writeOutput(bytes, to: file) { inputs.contains($0) }
    return file
  }
}

/// Files that are not overwritten; more may be added while others are written.
final class SparedFiles: Sendable {
  private let nodes: Mutex<Set<FileNode>>

  /// The files to begin with.
  init(_ nodes: Set<FileNode> = []) { self.nodes = Mutex(nodes) }

  /// Adds the file at a path, if there is one.
  func add(_ path: FilePath) {
    guard let node = Files.node(of: path) else { return }
    nodes.withLock { _ = $0.insert(node) }
  }

  /// Whether a file is one of them.
  func contains(_ node: FileNode) -> Bool { nodes.withLock { $0.contains(node) } }
}
