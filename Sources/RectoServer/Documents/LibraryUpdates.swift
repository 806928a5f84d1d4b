internal import RectoBase
internal import RectoCommand
internal import RectoKit
internal import SystemPackage

/// Serves documents that appear in the folders, and no longer those that are gone.
///
/// Folders are searched on its own queue, after each change and once a minute.
actor LibraryUpdates {
  private let executor = QueueExecutor(label: "recto.served-library")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let command: ServerCommand
  /// What was warned about already.
  private var warnings: Set<String> = []

  /// From a change to the search, at least: files that are copied together are found together.
  private static let pause = Duration.milliseconds(250)
  /// A pause has so many times the duration of the last search: folders that change all the time take little work.
  private static let restShare = 9

  init(_ command: ServerCommand) { self.command = command }

  /// The changes below the folders from the moment of the call; nil if only files are served.
  func changes() -> AsyncStream<Void>? {
    let folders = command.inputs.filter { (try? Files.status(of: $0))?.type == .directory }
    guard !folders.isEmpty else { return nil }
    return FolderWatcher.changes(below: folders, isOfInterest: DocumentLibrary.isDocument)
  }

  /// The documents in the folders now.
  func library() -> ServedLibrary {
    ServedLibrary(command.inputs, followsLinks: command.followsLinks) { path, reason in
      if warnings.insert("\(path): \(reason)").inserted { command.warn(path, reason) }
    }
  }

  /// Keeps the served documents up to date until the task is cancelled.
  ///
  /// - Parameter changes: The changes since before the documents were found.
  func run(_ changes: AsyncStream<Void>, _ documents: OpenDocuments) async {
    var pause = Self.pause
    for await _ in changes {
      // It throws only when it is cancelled.
      try? await Task.sleep(for: pause)
      guard !Task.isCancelled else { return }
      let duration = ContinuousClock().measure { documents.library = library() }
      pause = max(Self.pause, duration * Self.restShare)
    }
  }
}
