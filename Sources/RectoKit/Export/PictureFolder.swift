internal import RectoBase
internal import RectoGeometry
internal import Synchronization
package import SystemPackage

/// Writes pictures of pages on its own queue, because a disk may be slow, and workers must not wait for it.
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
  ///   - root: The path of the folder; empty if paths are complete.
  ///   - inputs: Files that are not overwritten.
  init(_ root: FilePath, sparing inputs: SparedFiles) {
    self.root = root
    self.inputs = inputs
  }

  /// The complete path of a file.
  nonisolated func path(of name: FilePath) -> FilePath {
    root.isEmpty ? name : root.appending(name.components)
  }

  /// Removes an output file that will be rewritten.
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
  ///   - bytes: The whole content.
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

/// The destination of the pictures of one document.
protocol PictureDestination: Sendable {
  /// The path of a picture, as far as it is known.
  ///
  /// - Parameters:
  ///   - size: The length of the longer side in pixels, if there are several.
  func path(of page: PageIndex, label: String?, size: Int) -> FilePath

  /// Writes a picture.
  ///
  /// - Parameters:
  ///   - size: The length of the longer side in pixels, if there are several.
  /// - Throws: The error of a file that cannot be written.
  func write(
    _ bytes: [UInt8],
    of page: PageIndex,
    label: String?,
    size: Int
  ) async throws(FileError) -> WrittenFile
}

/// A file that has been written.
struct WrittenFile: Sendable {
  /// Its path.
  var path: FilePath
  /// Its size in bytes.
  var byteCount: Int
  /// Its contents, if they are in no file.
  var data: [UInt8]?
}

/// Pictures that are not in files.
struct InlinePictures: PictureDestination {
  func path(of page: PageIndex, label: String?, size: Int) -> FilePath { FilePath() }

  func write(
    _ bytes: [UInt8],
    of page: PageIndex,
    label: String?,
    size: Int
  ) async throws(FileError) -> WrittenFile {
    WrittenFile(path: FilePath(), byteCount: bytes.count, data: bytes)
  }
}

/// Files in a folder, named by a template.
struct NamedPictures: PictureDestination {
  /// The folder.
  let folder: PictureFolder
  /// The paths of the files.
  let paths: PagePaths
  /// The files of all documents; nil if their paths always differ.
  var names: TakenNames?
  /// The document as an owner of names; unique.
  var owner = FilePath()

  func path(of page: PageIndex, label: String?, size: Int) -> FilePath {
    folder.path(of: paths.path(of: page, label: label, size: size))
  }

  func write(
    _ bytes: [UInt8],
    of page: PageIndex,
    label: String?,
    size: Int
  ) async throws(FileError) -> WrittenFile {
    let path = paths.path(of: page, label: label, size: size)
    if let names, !names.take(path, for: owner) {
      throw FileError("write", folder.path(of: path), refusal: .isOutput)
    }
    return WrittenFile(
      path: try await folder.write(bytes, as: path),
      byteCount: bytes.count
    )
  }
}

/// The names of files that a run has written, so that none is written for two documents. Two digests, 16 bytes, are
/// stored for each.
final class TakenNames: Sendable {
  private let owners = Mutex<[StableDigest: StableDigest]>([:])

  /// Reserves a name for a document; returns false if another document has it.
  func take(_ path: FilePath, for document: FilePath) -> Bool {
    let name = StableDigest(path.lexicallyNormalized())
    let owner = StableDigest(document)
    return owners.withLock { owners in
      if let other = owners[name] { return other == owner }
      owners[name] = owner
      return true
    }
  }
}

/// The files of a run with many documents: those that it reads, and the names of those that it writes.
package struct LibraryFiles: Sendable {
  let inputs = SparedFiles()
  let names = TakenNames()

  /// No files.
  package init() {}

  /// Adds a file that is not overwritten.
  package func spare(_ path: FilePath) { inputs.add(path) }
}

/// Files and objects of stores that are not overwritten; more may be added while others are written.
final class SparedFiles: Sendable {
  private struct State {
    var nodes: Set<FileNode>
    /// The paths without a file of this machine.
    var objects: Set<StableDigest> = []
  }

  private let state: Mutex<State>

  /// The files to begin with.
  init(_ nodes: Set<FileNode> = []) { state = Mutex(State(nodes: nodes)) }

  /// Adds the file at a path, or the object at an address.
  func add(_ path: FilePath) {
    let node = Files.node(of: path)
    let object = StableDigest(path.lexicallyNormalized())
    state.withLock { state in
      if let node { state.nodes.insert(node) } else { state.objects.insert(object) }
    }
  }

  /// Whether a file is one of them.
  func contains(_ node: FileNode) -> Bool { state.withLock { $0.nodes.contains(node) } }

  /// Whether an object of a store is one of them.
  func contains(object: FilePath) -> Bool {
    let object = StableDigest(object.lexicallyNormalized())
    return state.withLock { $0.objects.contains(object) }
  }
}
