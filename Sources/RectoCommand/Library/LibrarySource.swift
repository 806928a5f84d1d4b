internal import RectoBase
internal import RectoKit
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
    /// A directory that cannot be read, or a list of objects.
    case unreadable(Failure, path: [UInt8])
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
  private var servers: LibraryServers
  /// Prefixes in stores, whose objects are listed when all other documents have been returned.
  private var prefixes: [ListedPrefix] = []

  /// A prefix in a store.
  private struct ListedPrefix {
    var document: RemoteDocument
    var listing: ObjectListing
    /// The index of its path.
    var source: Int
    /// Whether it has documents.
    var hasDocuments = false
  }

  /// A source that has found nothing yet.
  ///
  /// - Parameters:
  ///   - paths: The known paths, and the source of more.
  ///   - library: An empty library, which finds the documents.
  ///   - shard: The part of the documents to return; nil for all.
  ///   - journal: Has the finished documents; nil for none.
  ///   - desktop: Knows which documents have desktop thumbnails; nil for other destinations.
  ///   - remote: How documents on servers are fetched.
  init(
    _ paths: ListOptions.Paths,
    library: DocumentLibrary,
    shard: Shard?,
    journal: Journal?,
    desktop: DesktopState? = nil,
    remote: RemoteOptions
  ) {
    servers = LibraryServers(remote)
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
    let count = library.items.count { isInShard(path(of: $0)) }
    return Overview(
      count: lines == nil && prefixes.isEmpty ? count : nil,
      files: library.items.filter { $0.remote == nil }.map(\.path)
    )
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
        if let finding = await finding(item) { return finding }
        continue
      }
      guard !Task.isCancelled else { return nil }
      if !prefixes.isEmpty {
        await list()
      } else if let contents {
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
    let text = String(decoding: typed, as: UTF8.self)
    if let address = RemoteAddress(text) { return add(address) }
    if let shown = RemoteAddress.malformed(text) {
      let line = Array(shown.utf8)
      paths[library.pathCount - firstPath] = line
      pending.append(.refused(line: line, reason: DocumentInput.noAddress))
      return library.skip()
    }
    let path = FilePath(bytes: FileURI.path(typed) ?? typed)
    guard library.isBelowBase(path) else {
      pending.append(.refused(line: typed, reason: Self.isOutside))
      // So that each typed path has its number.
      return library.skip()
    }
    library.add(path)
  }

  /// Adds a document on a server, or a prefix, whose objects are listed later.
  private func add(_ address: RemoteAddress) {
    let shown = Array(address.shown.utf8)
    // Secrets of an address are shown nowhere.
    paths[library.pathCount - firstPath] = shown
    do throws(Failure) {
      if !library.isBelowBase(address.path) {
        pending.append(.refused(line: shown, reason: Self.isOutside))
      } else if desktop != nil {
        pending.append(.refused(line: shown, reason: Self.isAddress))
      } else {
        let document = RemoteDocument(address, try servers.access(to: address))
        guard address.isPrefix else { return library.add(document) }
        let listing = ObjectListing(document)
        prefixes.append(
          ListedPrefix(document: document, listing: listing, source: library.pathCount)
        )
      }
    } catch {
      var failure = error
      failure.path = failure.path ?? address.path
      pending.append(.unreadable(failure, path: shown))
    }
    library.skip()
  }

  private static let isAddress = "--freedesktop cannot be used with an address"

  /// Adds the documents among the next objects of the first prefix, which is removed at its end. A failure is one of
  /// every shard, because others may have listed all objects.
  private func list() async {
    let (listing, address) = (prefixes[0].listing, prefixes[0].document.address)
    let path = typed(prefixes[0].source, FilePath())
    do throws(Failure) {
      let objects = try await abandoning { () async -> Result<[ListedObject]?, Failure> in
        do throws(DocumentError) {
          return .success(try await listing.next())
        } catch {
          return .failure(Failure(error, path: address.path))
        }
      }
      if let objects { return take(objects) }
      if !prefixes[0].hasDocuments, !Task.isCancelled, isInShard(path) {
        pending.append(.empty(path: path))
      }
    } catch {
      pending.append(.unreadable(error, path: path))
    }
    prefixes.removeFirst()
  }

  /// Adds the documents among objects of the first prefix.
  private func take(_ objects: [ListedObject]) {
    library.removeFound()
    nextItem = 0
    let prefix = prefixes[0]
    let refused = library.add(objects, below: prefix.document, prefix.source)
    prefixes[0].hasDocuments = prefix.hasDocuments || !library.items.isEmpty || !refused.isEmpty
    for path in refused where isInShard(path) {
      pending.append(.refused(line: path, reason: Self.isNoName))
    }
  }

  private static let isNoName = "a key with . or .. between slashes, or with control characters"

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
  private func finding(_ item: DocumentLibrary.Item) async -> Finding? {
    let path = path(of: item)
    guard isInShard(path) else { return nil }
    var document = FoundDocument(item: item, path: path)
    document.file = contentsFile
    guard contentsFile == nil else { return .document(document) }
    if let remote = item.remote {
      document.identity = await identity(of: remote, document)
      // Without one, the version is not known.
      if document.identity == nil { return .document(document) }
    } else {
      document.identity = identity(of: item.path)
    }
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

  /// The version of a document on a server: that of the list it is from. The server is asked only if the journal may
  /// have it; else it is known when the document is opened.
  private func identity(
    of remote: RemoteDocument,
    _ document: FoundDocument
  ) async -> JournalIdentity? {
    if let identity = remote.identity { return JournalIdentity(identity) }
    guard let journal, journal.has(path: document.path, name: document.item.name.bytes) else {
      return nil
    }
    // A failure is met again when the document is opened.
    let identity = try? await abandoning { () async -> Result<FileIdentity?, Failure> in
      .success(try? await remote.currentIdentity())
    }
    return identity.map { JournalIdentity($0) }
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
      let failure = Failure(input: folder.error, path: folder.error.path)
      return isInShard(path) ? .unreadable(failure, path: path) : nil
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

  /// The typed path of a document: for one on a server its address.
  private func path(of item: DocumentLibrary.Item) -> [UInt8] {
    item.remote.map { Array($0.address.shown.utf8) } ?? typed(item.source, item.pathInFolder)
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
