internal import Dispatch
internal import Glibc
internal import Synchronization
public import SystemPackage

/// Watches for files that appear, change or disappear below folders, using inotify(7).
public enum FolderWatcher {
  /// Changes below folders: an element after each, and one a minute in any case, since changes that another machine
  /// makes on a network file system, and folders beyond the system's limit of watches, are not noticed.
  ///
  /// Watching begins before the function returns, and ends when the stream is released or its iteration is cancelled.
  /// Folders that appear later are watched, too; symbolic links are not followed. Changes that come faster than the
  /// stream is iterated make one element.
  ///
  /// - Parameters:
  ///   - folders: The folders.
  ///   - includesHidden: Whether folders whose names begin with a dot are watched too.
  ///   - isOfInterest: Whether a change of a file with this name counts; that of a folder always does.
  /// - Returns: The stream, which does not end. Only one task may iterate it.
  /// - Complexity: O(*n*) in the number of entries of the folders.
  public static func changes(
    below folders: [FilePath],
    includesHidden: Bool = false,
    isOfInterest: @escaping @Sendable ([UInt8]) -> Bool
  ) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let queue = DispatchQueue(label: "recto.folder-watcher")
    let watches = FolderWatches(folders, includesHidden: includesHidden, isOfInterest)
    watches?.addAll()
    let events = watches.map {
      DispatchSource.makeReadSource(fileDescriptor: $0.descriptor, queue: queue)
    }
    if let watches, let events {
      events.setEventHandler { if watches.takeEvents() { continuation.yield() } }
      events.setCancelHandler { Glibc.close(watches.descriptor) }
      events.activate()
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + longestWait, repeating: longestWait)
    timer.setEventHandler {
      // A given folder may have been replaced, or a limit raised.
      watches?.addAll()
      continuation.yield()
    }
    timer.activate()
    let sources = [events as? DispatchSource, timer as? DispatchSource].compactMap(\.self)
    continuation.onTermination = { _ in for source in sources { source.cancel() } }
    return stream
  }

  /// Seconds between elements without a change.
  private static let longestWait = 60.0
}

/// Watches of folders by inotify(7). The source that reads the descriptor closes it.
private final class FolderWatches: Sendable {
  let descriptor: Int32
  private let folders: [FilePath]
  private let includesHidden: Bool
  private let isOfInterest: @Sendable ([UInt8]) -> Bool
  private let watched = Mutex<[Int32: FilePath]>([:])

  /// No watches yet; nil if the system allows none.
  init?(
    _ folders: [FilePath],
    includesHidden: Bool,
    _ isOfInterest: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.folders = folders
    self.includesHidden = includesHidden
    self.isOfInterest = isOfInterest
  }

  /// A file was closed after writing, or got or lost its name; folders appear by creation or renaming.
  private static let mask = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR
      | IN_DONT_FOLLOW
  )

  /// Watches all folders that are not watched yet.
  func addAll() { folders.forEach(add) }

  /// Watches a folder and those below it. One that is watched already gets its present path.
  private func add(_ folder: FilePath) {
    var waiting = [folder]
    while let folder = waiting.popLast() {
      let watch = folder.withPlatformString { inotify_add_watch(descriptor, $0, Self.mask) }
      if watch >= 0 { watched.withLock { $0[watch] = folder } }
      guard watch >= 0, let entries = try? Files.entries(of: folder) else { continue }
      for entry in entries where entry.isDirectory && (includesHidden || !entry.isHidden) {
        waiting.append(folder.appending(entry.name))
      }
    }
  }

  /// Reads the pending events, and watches the folders that appeared.
  ///
  /// - Returns: Whether an event counts.
  func takeEvents() -> Bool {
    var hasChange = false
    FileEvent.readAll(from: descriptor) { event in
      // Not `||` with the left side first: each event is taken.
      hasChange = take(event) || hasChange
    }
    return hasChange
  }

  /// Takes an event; returns whether it counts.
  private func take(_ event: FileEvent) -> Bool {
    if event.mask & UInt32(IN_IGNORED) != 0 {
      watched.withLock { $0[event.directory] = nil }
      return false
    }
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      addAll()
      return true
    }
    let path = watched.withLock { $0[event.directory] }?
      .appending(FilePath(bytes: event.name).components)
    if event.mask & UInt32(IN_ISDIR) != 0 {
      let isHidden = event.name.first == UInt8(ascii: ".")
      let hasAppeared = event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
      if let path, hasAppeared, includesHidden || !isHidden { add(path) }
      return true
    }
    guard isOfInterest(event.name) else { return false }
    return event.mask & UInt32(IN_CREATE) == 0 || path.map(Self.isLink) ?? false
  }

  /// Whether a file that was just created is a symbolic or a hard link. Any other one is still empty.
  private static func isLink(_ path: FilePath) -> Bool {
    guard let status = try? Stat(path, followTargetSymlink: false) else { return false }
    return status.type == .symbolicLink || status.rawValue.st_nlink > 1
  }
}
