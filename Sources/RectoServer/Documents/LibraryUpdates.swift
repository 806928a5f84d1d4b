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

  /// Seconds after which the folders are searched without a reason.
  private static let longestWait = 60.0
  /// From a change to the search, at least: files that are copied together are found together.
  private static let pause = Duration.milliseconds(250)
  /// A pause has so many times the duration of the last search: folders that change all the time take little work.
  private static let restShare = 9

  init(_ command: ServerCommand) { self.command = command }

  /// Watches the folders, from the moment of the call; nil if only files are served.
  func watcher() -> FolderWatcher? {
    let folders = command.inputs.filter { (try? Files.status(of: $0))?.type == .directory }
    guard !folders.isEmpty else { return nil }
    return FolderWatcher(folders, isOfInterest: DocumentLibrary.isDocument)
  }

  /// The documents in the folders now.
  func library() -> ServedLibrary {
    ServedLibrary(command.inputs, followsLinks: command.followsLinks) { path, reason in
      if warnings.insert("\(path): \(reason)").inserted { command.warn(path, reason) }
    }
  }

  /// Keeps the served documents up to date until the task is cancelled.
  ///
  /// - Parameter watcher: Watches since before the documents were found.
  func run(_ watcher: FolderWatcher?, _ documents: OpenDocuments) async {
    var watcher = watcher
    var pause = Self.pause
    while let current = watcher, !Task.isCancelled {
      await current.change(within: Self.longestWait)
      // It throws only when it is cancelled.
      try? await Task.sleep(for: pause)
      guard !Task.isCancelled else { return }
      let duration = ContinuousClock().measure {
        // Before the search, so that no change is missed.
        watcher = self.watcher()
        documents.library = library()
      }
      pause = max(Self.pause, duration * Self.restShare)
    }
  }
}
