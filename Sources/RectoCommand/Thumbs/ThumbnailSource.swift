internal import RectoBase
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// Finds the documents of `recto thumbs`: those of the arguments and of a list at once, those of a stream
/// one after the other, so that the memory does not grow with their number.
///
/// Finding reads directories and waits for input, so it happens on a queue of its own.
actor ThumbnailSource {
  /// A document that was found.
  struct FoundDocument: Sendable {
    var item: DocumentLibrary.Item
    /// The path as it was typed.
    var path: [UInt8]
    /// The file as it is; nil if there is none.
    var identity: JournalIdentity?
  }

  /// What was found.
  enum Finding: Sendable {
    /// A document to work on.
    case document(FoundDocument)
    /// A document of which a journal says that nothing has to be done, and what it says.
    case settled(FoundDocument, ThumbnailRecord)
    /// A line that is not a path, and why.
    case refused(line: [UInt8], reason: String)
    /// A directory that cannot be read.
    case unreadable(FileError, path: [UInt8])
    /// A directory without documents.
    case empty(path: [UInt8])
  }

  /// All documents that are known before the first one is worked on.
  struct Overview: Sendable {
    /// The number of documents in the shard; nil if more are found later.
    var count: Int?
    /// The files of the documents of all shards.
    var files: [FilePath]
  }

  private let executor = QueueExecutor(label: "recto.library")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let shard: Shard?
  private let journal: Journal?
  private let desktop: DesktopState?
  /// Where more paths come from.
  private let lines: LineInput?
  private var library: DocumentLibrary
  /// The paths in which the library has last been searched, as they were typed.
  private var paths: [[UInt8]]
  /// The place of the first of them among all paths.
  private var firstPath = 0
  private var nextItem = 0
  /// Findings that are passed on before any document.
  private var pending: [Finding] = []

  /// A source that has not been asked yet.
  ///
  /// - Parameters:
  ///   - refused: Lines that are not paths.
  ///   - lines: Where more paths come from; nil if there are no more.
  ///   - library: An empty library, which finds the documents.
  ///   - shard: The part of the documents that is passed on; nil for all.
  ///   - journal: Says which documents are done; nil if none is.
  ///   - desktop: Says which documents have thumbnails for desktops; nil for files elsewhere.
  init(
    _ paths: [[UInt8]],
    refused: [[UInt8]],
    lines: LineInput?,
    library: DocumentLibrary,
    shard: Shard?,
    journal: Journal?,
    desktop: DesktopState? = nil
  ) {
    self.desktop = desktop
    self.paths = paths
    self.lines = lines
    self.library = library
    self.shard = shard
    self.journal = journal
    pending = refused.map { .refused(line: $0, reason: Self.containsZero) }
  }

  /// Finds the documents of the paths that are known.
  ///
  /// - Complexity: O(*n* log *n*) in the number of files found.
  func overview() -> Overview {
    for path in paths { library.add(FilePath(bytes: path)) }
    notePending()
    let count = library.items.count { isInShard(typed($0.source, $0.pathInFolder)) }
    return Overview(count: lines == nil ? count : nil, files: library.items.map(\.path))
  }

  /// What is found next; nil if there is nothing any more, or the task was cancelled.
  ///
  /// - Throws: A failure if the stream of paths cannot be read.
  func next() async throws(Failure) -> Finding? {
    while true {
      if !pending.isEmpty { return pending.removeFirst() }
      if nextItem < library.items.count {
        let item = library.items[nextItem]
        nextItem += 1
        if let finding = finding(item) { return finding }
        continue
      }
      guard !Task.isCancelled, let line = try await line() else { return nil }
      take(line)
    }
  }

  /// What is to be done with a document; nil if it belongs to another shard.
  private func finding(_ item: DocumentLibrary.Item) -> Finding? {
    let path = typed(item.source, item.pathInFolder)
    guard isInShard(path) else { return nil }
    var document = FoundDocument(item: item, path: path)
    document.identity = identity(of: item.path)
    if let record = journal?.settled(document) { return .settled(document, record) }
    if let record = desktop?.settled(document) { return .settled(document, record) }
    return .document(document)
  }

  /// The identity of a file, such that no later change leaves the same one.
  private func identity(of path: FilePath) -> JournalIdentity? {
    guard let status = try? Files.status(of: path) else { return nil }
    let identity = FileIdentity(status)
    guard journal != nil, !identity.isSettled else { return JournalIdentity(identity) }
    FileIdentity.waitForTick()
    return (try? Files.status(of: path)).map { JournalIdentity(FileIdentity($0)) }
  }

  private func take(_ line: LineInput.Line) {
    guard case .text(let path) = line else {
      pending = [.refused(line: [], reason: "a path has at most \(LineInput.maximumLength) bytes")]
      return
    }
    guard !path.contains(0) else {
      pending = [.refused(line: path, reason: Self.containsZero)]
      return
    }
    library.removeFound()
    firstPath = library.pathCount
    paths = [path]
    nextItem = 0
    library.add(FilePath(bytes: path))
    notePending()
  }

  private static let containsZero = "a path cannot contain U+0000"

  /// Notes the directories that were found to be empty or unreadable.
  private func notePending() {
    pending += library.unreadable.compactMap { folder in
      let path = typed(folder.source, folder.pathInFolder)
      return isInShard(path) ? .unreadable(folder.error, path: path) : nil
    }
    pending += library.emptyFolders.compactMap { source in
      let path = typed(source, FilePath())
      return isInShard(path) ? .empty(path: path) : nil
    }
  }

  private func isInShard(_ path: [UInt8]) -> Bool { shard?.contains(path) ?? true }

  /// The next line. Reading cannot be cancelled, so it is left alone when the task is.
  ///
  /// - Throws: A failure if the stream cannot be read.
  private func line() async throws(Failure) -> LineInput.Line? {
    guard let lines else { return nil }
    let answer = AwaitedLine()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        Task {
          do throws(Errno) {
            answer.give(.success(try await lines.nextPath()))
          } catch {
            answer.give(.failure(error))
          }
        }
      }
    } onCancel: {
      answer.give(.success(nil))
    }
    switch result {
    case .success(let line): return line
    case .failure(let error):
      throw Failure(input: FileError("read", "/dev/stdin", error), path: "/dev/stdin")
    }
  }

  /// A path as it was typed.
  ///
  /// - Parameters:
  ///   - source: The place of the path that was given.
  ///   - path: The path below it; empty for itself.
  /// - Returns: The bytes of the path.
  private func typed(_ source: Int, _ path: FilePath) -> [UInt8] {
    let start = paths[source - firstPath]
    guard !path.isEmpty else { return start }
    let slash = UInt8(ascii: "/")
    return start + (start.last == slash ? [] : [slash]) + path.bytes
  }
}

extension Journal {
  /// What the journal says of a document of which nothing has to be done.
  fileprivate func settled(_ document: ThumbnailSource.FoundDocument) -> ThumbnailRecord? {
    settled(path: document.path, name: document.item.name.bytes, document.identity)
  }
}

/// A line that is waited for; the first one that is given counts.
private final class AwaitedLine: Sendable {
  typealias Line = Result<LineInput.Line?, Errno>

  private enum State {
    case unasked
    case waiting(CheckedContinuation<Line, Never>)
    case given(Line)
  }

  private let state = Mutex(State.unasked)

  /// Resumes the continuation as soon as there is a line.
  func wait(_ continuation: CheckedContinuation<Line, Never>) {
    let line = state.withLock { state -> Line? in
      if case .given(let line) = state { return line }
      state = .waiting(continuation)
      return nil
    }
    if let line { continuation.resume(returning: line) }
  }

  /// Gives a line, unless one has been given.
  func give(_ line: Line) {
    let waiting = state.withLock { state -> CheckedContinuation<Line, Never>? in
      switch state {
      case .given: return nil
      case .unasked:
        state = .given(line)
        return nil
      case .waiting(let continuation):
        state = .given(line)
        return continuation
      }
    }
    waiting?.resume(returning: line)
  }
}
