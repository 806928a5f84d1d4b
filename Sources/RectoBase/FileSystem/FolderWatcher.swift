internal import Dispatch
internal import Glibc
public import SystemPackage

/// Waits for files to appear, change or disappear below folders, using inotify(7).
///
/// The folders that exist when it is made are watched. Changes that another machine makes on a network file system,
/// and folders beyond the system's limit of watches, are not noticed: who waits also looks again after a while.
public final class FolderWatcher: Sendable {
  private let events: AsyncStream<Void>
  private let source: DispatchSource?

  /// A watcher of folders and those below them, symbolic links excepted.
  ///
  /// - Parameters:
  ///   - folders: The folders.
  ///   - includesHidden: Whether names that begin with a dot are watched too.
  ///   - isOfInterest: Whether a change of a file with this name counts; that of a folder always does.
  /// - Complexity: O(*n*) in the number of entries of the folders.
  public init(
    _ folders: [FilePath],
    includesHidden: Bool = false,
    isOfInterest: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    events = stream
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      source = nil
      return
    }
    var watched: [Int32: FilePath] = [:]
    var waiting = folders
    while let folder = waiting.popLast() {
      let watch = folder.withPlatformString { inotify_add_watch(descriptor, $0, Self.mask) }
      if watch >= 0 { watched[watch] = folder }
      guard watch >= 0, let entries = try? Files.entries(of: folder) else { continue }
      for entry in entries where entry.isDirectory && (includesHidden || !entry.isHidden) {
        waiting.append(folder.appending(entry.name))
      }
    }
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor,
      queue: DispatchQueue(label: "recto.folder-watcher")
    )
    source.setEventHandler { [watched] in
      if Self.hasChange(descriptor, watched, isOfInterest) { continuation.yield() }
    }
    source.setCancelHandler {
      Glibc.close(descriptor)
      continuation.finish()
    }
    source.activate()
    self.source = source as? DispatchSource
  }

  deinit { source?.cancel() }

  /// Waits for a change, at most so many seconds, or until the task is cancelled. A change since the last call counts.
  public func change(within seconds: Double) async {
    await withTaskGroup { group in
      if source != nil {
        group.addTask { [events] in for await _ in events { break } }
      }
      // It throws only when it is cancelled, which ends the waiting too.
      group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
      await group.next()
      group.cancelAll()
    }
  }

  /// A file was closed after writing, or got or lost its name; folders appear by creation or renaming.
  private static let mask = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR
      | IN_DONT_FOLLOW
  )

  /// Reads the pending events; whether one of them counts.
  private static func hasChange(
    _ descriptor: Int32,
    _ folders: [Int32: FilePath],
    _ isOfInterest: ([UInt8]) -> Bool
  ) -> Bool {
    var hasChange = false
    FileEvent.readAll(from: descriptor) { event in
      if event.mask & UInt32(IN_ISDIR | IN_Q_OVERFLOW) != 0 {
        hasChange = true
      } else if !hasChange, isOfInterest(event.name) {
        let folder = folders[event.directory]
        hasChange =
          event.mask & UInt32(IN_CREATE) == 0
          || folder.map { isLink($0.appending(FilePath(bytes: event.name).components)) } ?? false
      }
    }
    return hasChange
  }

  /// Whether a file that was just created is a symbolic or a hard link. Any other one is still empty.
  private static func isLink(_ path: FilePath) -> Bool {
    guard let status = try? Stat(path, followTargetSymlink: false) else { return false }
    return status.type == .symbolicLink || status.rawValue.st_nlink > 1
  }
}
