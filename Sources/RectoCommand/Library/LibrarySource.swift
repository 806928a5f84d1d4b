internal import RectoBase
internal import RectoKit
internal import Synchronization
internal import SystemPackage

/// Finds the documents of a command with many of them: those of the arguments and of a list at once, those of a stream one by one,
/// so that memory does not grow with their number.
///
/// Finding reads directories and waits for input, so it uses its own queue.
actor LibrarySource {
  /// A document that was found.
  struct FoundDocument: Sendable {
    var item: DocumentLibrary.Item
    /// The path as it was typed.
    var path: [UInt8]
    /// The identity of the file; nil if there is none.
    var identity: JournalIdentity?
    /// The contents, if they are known already.
    var file: InputFile?
  }

  /// The finding.
  enum Finding: Sendable {
    /// A document to work on.
    case document(FoundDocument)
    /// A document that needs no work according to a journal, and its record.
    case settled(FoundDocument, LibraryRecord)
    /// A line that is not a path, and why.
    case refused(line: [UInt8], reason: String)
    /// A directory that cannot be read.
    case unreadable(FileError, path: [UInt8])
    /// A directory without documents.
    case empty(path: [UInt8])
  }

  /// All documents known before the first one is processed.
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
  /// Where documents come from that are not found by paths.
  private let contents: ContentsInput?
  private var library: DocumentLibrary
  /// The typed paths of the library's last search.
  private var paths: [[UInt8]]
  /// The index of the first of them among all paths.
  private var firstPath = 0
  private var nextItem = 0
  /// The contents of the last document that was received.
  private var contentsFile: InputFile?
  /// Findings to return before any document.
  private var pending: [Finding] = []

  /// A source that has found nothing yet.
  ///
  /// - Parameters:
  ///   - paths: The known paths, and the source of more.
  ///   - library: An empty library, which finds the documents.
  ///   - shard: The part of the documents to return; nil for all.
  ///   - journal: Has the finished documents; nil for none.
  ///   - desktop: Knows which documents have desktop thumbnails; nil for other destinations.
  init(
    _ paths: ListOptions.Paths,
    library: DocumentLibrary,
    shard: Shard?,
    journal: Journal?,
    desktop: DesktopState? = nil
  ) {
    self.desktop = desktop
    self.paths = paths.paths
    lines = paths.lines
    contents = paths.lines.flatMap { lines in
      paths.largestContents.map { ContentsInput(lines, limit: $0) }
    }
    self.library = library
    self.shard = shard
    self.journal = journal
    pending = paths.refused.map { .refused(line: $0, reason: Self.containsZero) }
  }

  /// Finds the documents of the known paths.
  ///
  /// - Complexity: O(*n* log *n*) in the number of files found.
  func overview() -> Overview {
    for path in paths { add(path) }
    notePending()
    let count = library.items.count { isInShard(typed($0.source, $0.pathInFolder)) }
    return Overview(count: lines == nil ? count : nil, files: library.items.map(\.path))
  }

  /// The next finding; nil at the end, or if the task was cancelled.
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
      guard !Task.isCancelled else { return nil }
      if let contents {
        guard let document = try await abandoning({ await contents.next() }) else { return nil }
        take(document)
      } else {
        guard let line = try await line() else { return nil }
        take(line)
      }
    }
  }

  /// Adds the documents at a typed path.
  private func add(_ typed: [UInt8]) {
    let path = FilePath(bytes: FileURI.path(typed) ?? typed)
    guard library.isBelowBase(path) else {
      pending.append(.refused(line: typed, reason: Self.isOutside))
      // So that each typed path has its number.
      return library.skip()
    }
    library.add(path)
  }

  private func take(_ document: ContentsInput.Framed) {
    library.removeFound()
    firstPath = library.pathCount
    nextItem = 0
    paths = [document.name]
    contentsFile = document.file
    let path = FilePath(bytes: document.name)
    guard document.reason == nil, library.isBelowBase(path) else {
      library.skip()
      pending = [.refused(line: document.name, reason: document.reason ?? Self.isOutside)]
      return
    }
    library.add(contentsNamed: path)
  }

  private static let isOutside = "not below --base"

  /// The finding for a document; nil if it belongs to another shard.
  private func finding(_ item: DocumentLibrary.Item) -> Finding? {
    let path = typed(item.source, item.pathInFolder)
    guard isInShard(path) else { return nil }
    var document = FoundDocument(item: item, path: path)
    document.file = contentsFile
    guard contentsFile == nil else { return .document(document) }
    document.identity = identity(of: item.path)
    if let record = journal?.settled(document) { return .settled(document, record) }
    if let record = desktop?.settled(document) { return .settled(document, record) }
    return .document(document)
  }

  /// The identity of a file, which every later change alters.
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
    add(path)
    notePending()
  }

  private static let containsZero = "a path cannot contain U+0000"

  /// Adds findings for empty and unreadable directories.
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

  /// The next line. Reading cannot be cancelled, so it is abandoned if the task is cancelled.
  ///
  /// - Throws: A failure if the stream cannot be read.
  private func line() async throws(Failure) -> LineInput.Line? {
    guard let lines else { return nil }
    return try await abandoning {
      do throws(Errno) {
        return .success(try await lines.nextPath())
      } catch {
        return .failure(Failure(standardInput: error))
      }
    }
  }

  /// What is read. Reading cannot be cancelled, so it is abandoned if the task is cancelled.
  ///
  /// - Throws: The failure that was read.
  private nonisolated func abandoning<Value: Sendable>(
    _ read: @escaping @Sendable () async -> Result<Value?, Failure>
  ) async throws(Failure) -> Value? {
    let answer = AwaitedValue<Value>()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        Task { answer.give(await read()) }
      }
    } onCancel: {
      answer.give(.success(nil))
    }
    return try result.get()
  }

  /// A typed path.
  ///
  /// - Parameters:
  ///   - source: The index of the given path.
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
  /// The journal's record of a document that needs no work.
  fileprivate func settled(_ document: LibrarySource.FoundDocument) -> LibraryRecord? {
    settled(path: document.path, name: document.item.name.bytes, document.identity)
  }
}

extension Failure {
  /// Standard input cannot be read.
  init(standardInput error: Errno) {
    self.init(input: FileError("read", "/dev/stdin", error), path: "/dev/stdin")
  }
}

/// A value to wait for; only the first one given counts.
private final class AwaitedValue<Value: Sendable>: Sendable {
  typealias Line = Result<Value?, Failure>

  private enum State {
    case unasked
    case waiting(CheckedContinuation<Line, Never>)
    case given(Line)
  }

  private let state = Mutex(State.unasked)

  /// Resumes the continuation when there is a line.
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
