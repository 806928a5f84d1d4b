internal import Dispatch
internal import Glibc
internal import Synchronization
public import SystemPackage

/// Reports when files are written to or replaced, using inotify(7).
///
/// Directories are watched instead of files, so that a file renamed over the path is noticed. For a
/// symbolic link, its directory and that of its target are watched. Changes that another machine
/// makes on a network file system are not reported.
public final class FileWatcher: Sendable {
  /// A directory entry that is watched.
  private struct Entry: Hashable {
    var directory: Int32
    var name: [UInt8]
  }

  /// An observer of a path.
  private struct Watch {
    var path: FilePath
    var entries: Set<Entry>
    var changes: AsyncStream<FileIdentity>.Continuation
  }

  private struct State {
    var watches: [Int: Watch] = [:]
    var lastWatch = 0
    /// Reads while anything is watched.
    var source: DispatchSource?
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "recto.file-watcher")
  private let state = Mutex(State())

  /// A watcher that watches nothing yet.
  ///
  /// - Throws: `FileError` if the system has no more watchers.
  public init() throws(FileError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      throw FileError("watch", "inotify", Errno(rawValue: errno))
    }
  }

  /// The states of the file at a path: the present one, then one each time a program writes and closes it, or replaces
  /// it. A slow reader gets only the newest.
  ///
  /// It ends at once if the directory cannot be watched.
  public func changes(of path: FilePath) -> AsyncStream<FileIdentity> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: FileIdentity.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let number = state.withLock { state in
      state.lastWatch += 1
      return state.lastWatch
    }
    continuation.onTermination = { _ in self.queue.async { self.remove(number) } }
    // Everything that touches the file system happens on the queue.
    queue.async { self.add(Watch(path: path, entries: [], changes: continuation), number) }
    return stream
  }

  deinit {
    // A source retains the watcher, so none is left.
    close(descriptor)
  }

  // MARK: Watching

  /// Events of closing, renaming and linking. A file that was just created is empty, or a link.
  private static let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR)

  private func add(_ watch: Watch, _ number: Int) {
    var watch = watch
    var paths = [watch.path]
    if let target = Self.target(of: watch.path), target != watch.path { paths.append(target) }
    for path in paths {
      guard let name = path.lastComponent else { continue }
      let folder = path.removingLastComponent()
      let directory = (folder.isEmpty ? "." : folder).withPlatformString {
        inotify_add_watch(descriptor, $0, Self.mask)
      }
      guard directory >= 0 else { continue }
      watch.entries.insert(Entry(directory: directory, name: FilePath(root: nil, [name]).bytes))
    }
    guard !watch.entries.isEmpty else { return watch.changes.finish() }
    let isFirst = state.withLock { [watch] state in
      state.watches[number] = watch
      return state.source == nil
    }
    if isFirst { start() }
    // Reports changes made before the watch began.
    if let identity = Self.identity(of: watch.path) { watch.changes.yield(identity) }
  }

  /// Reads as long as anything is watched.
  private func start() {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { self.read() }
    source.activate()
    // The class, because a value of the protocol cannot leave the lock.
    let object = source as? DispatchSource
    state.withLock { $0.source = object }
  }

  private func remove(_ number: Int) {
    let (watch, used, source) = state.withLock { state in
      let watch = state.watches.removeValue(forKey: number)
      let used = state.watches.values.flatMap(\.entries).map(\.directory)
      return (watch, used, state.watches.isEmpty ? state.source.take() : nil)
    }
    source?.cancel()
    guard let watch else { return }
    // Fails only for a directory that no longer exists.
    for directory in Set(watch.entries.map(\.directory)).subtracting(used) {
      _ = inotify_rm_watch(descriptor, directory)
    }
  }

  private static func target(of path: FilePath) -> FilePath? {
    path.withPlatformString { text in
      guard let resolved = realpath(text, nil) else { return nil }
      defer { free(resolved) }
      return FilePath(platformString: resolved)
    }
  }

  // MARK: Events

  /// Reads all pending events, and reports the files they are about.
  private func read() {
    var touched: Set<Entry> = []
    var isEverything = false
    FileEvent.readAll(from: descriptor) { event in
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isEverything = true }
      touched.insert(Entry(directory: event.directory, name: event.name))
    }
    let watches = state.withLock { state in
      state.watches.values.filter { isEverything || !$0.entries.isDisjoint(with: touched) }
    }
    for watch in watches {
      if let identity = Self.identity(of: watch.path) { watch.changes.yield(identity) }
    }
  }

  /// The file at the path; nil if it is missing or still empty.
  private static func identity(of path: FilePath) -> FileIdentity? {
    guard let status = try? path.stat(), status.type == .regular, status.size > 0 else {
      return nil
    }
    return FileIdentity(status)
  }
}
