internal import DocumentModel
internal import RectoBase
internal import RectoCommand
internal import RectoKit
internal import RectoTiles
internal import Synchronization
internal import SystemPackage

/// The documents that are open, shared by all clients.
///
/// The least recently used ones are closed; a conversation keeps its own open.
actor OpenDocuments {
  private struct Key: Hashable {
    var id: String
    var password: String?
    var shown: ShownContent
  }

  private struct Entry {
    var opening: Task<Result<OpenDocument, DocumentError>, Never>
    var lastUse: Int
    /// When its server was asked for the version last.
    var lastLook: ContinuousClock.Instant
    /// The version in the list of objects at that time; nil if there was none.
    var listed: FileIdentity?
  }

  private let served: Mutex<ServedLibrary>
  private let settings: DocumentSettings
  private let queue: RenderQueue
  private let store: PictureStore
  private var entries: [Key: Entry] = [:]
  private var uses = 0

  /// Within this time a server is not asked again for the version of a document.
  private static let patience = Duration.seconds(1)

  /// The most documents open without a conversation.
  static let limit = 64

  init(
    _ library: ServedLibrary,
    _ settings: DocumentSettings,
    queue: RenderQueue,
    store: PictureStore
  ) {
    served = Mutex(library)
    self.settings = settings
    self.queue = queue
    self.store = store
  }

  /// The documents that are served now.
  nonisolated var library: ServedLibrary {
    get { served.withLock { $0 } }
    set {
      served.withEffects { library, effects in
        effects.release(library)
        library = newValue
      }
    }
  }

  /// Opens a document, or returns the open one.
  ///
  /// - Parameters:
  ///   - entry: The document.
  ///   - settings: The settings to open it with; nil for the common ones.
  ///   - isPresent: Whether a server is asked for the version that it has now; otherwise that of the last list counts.
  /// - Returns: The document.
  /// - Throws: `DocumentError` if it cannot be opened.
  func open(
    _ entry: ServedLibrary.Entry,
    _ settings: DocumentSettings? = nil,
    isPresent: Bool = false
  ) async throws(DocumentError) -> OpenDocument {
    let settings = settings ?? self.settings
    let key = Key(id: entry.id, password: settings.password, shown: settings.shown)
    var document: Document?
    uses += 1
    if let known = entries[key] {
      let result = await known.opening.value
      if case .success(let open) = result, await isUnchanged(open, key, entry, isPresent) {
        entries[key]?.lastUse = uses
        if open.isCurrent { return open }
        document = open.document
      }
      if entries[key]?.opening == known.opening { await forget(key) }
    }
    // Another call may have begun to open it in the meantime.
    let isBegun = entries[key] != nil
    let opening = entries[key]?.opening ?? begin(entry, settings, document)
    entries[key] = Entry(
      opening: opening,
      lastUse: uses,
      lastLook: entries[key]?.lastLook ?? .now,
      listed: entries[key].map(\.listed) ?? entry.item.remote?.identity
    )
    let result = await opening.value
    if !isBegun { entries[key]?.lastLook = .now }
    if case .failure = result, entries[key]?.opening == opening { entries[key] = nil }
    await trim()
    return try result.get()
  }

  /// The document with a version, opened if needed; nil if it has other content now.
  ///
  /// - Returns: The document, whose version is another one if that of the address comes from another build.
  /// - Throws: `DocumentError` if it cannot be opened.
  func document(
    _ id: String,
    version: String
  ) async throws(DocumentError) -> OpenDocument? {
    var similar: (key: Key, open: OpenDocument)?
    for (key, entry) in entries where key.id == id {
      guard case .success(let open) = await entry.opening.value, open.isCurrent,
        open.document.isPresent(nil)
      else { continue }
      if open.version == version { return use(open, key) }
      if open.hasContent(of: version) { similar = (key, open) }
    }
    if let similar { return use(similar.open, similar.key) }
    guard let entry = library[id] else { return nil }
    let open = try await open(entry)
    return open.hasContent(of: version) ? open : nil
  }

  private func use(_ open: OpenDocument, _ key: Key) -> OpenDocument {
    uses += 1
    entries[key]?.lastUse = uses
    return open
  }

  /// The number of open documents, not counting conversations.
  var count: Int { entries.count }

  private func begin(
    _ entry: ServedLibrary.Entry,
    _ settings: DocumentSettings,
    _ known: Document?
  ) -> Task<Result<OpenDocument, DocumentError>, Never> {
    let (queue, store) = (queue, store)
    return Task {
      do throws(DocumentError) {
        guard entry.isInside else {
          throw DocumentError(.unreadable, during: "open", "the file is outside of its folder")
        }
        let document =
          if let known { known } else { try await entry.item.document(settings) }
        return .success(try await OpenDocument(entry.id, document, queue: queue, store: store))
      } catch {
        return .failure(error)
      }
    }
  }

  private func isUnchanged(
    _ open: OpenDocument,
    _ key: Key,
    _ entry: ServedLibrary.Entry,
    _ isPresent: Bool
  ) async -> Bool {
    guard let remote = entry.item.remote else {
      guard let status = try? Files.status(of: entry.item.path) else { return false }
      return FileIdentity(status).holdsBytes(of: open.document.identity)
    }
    guard open.document.isPresent(nil) else { return false }
    if isPresent, let last = entries[key]?.lastLook, .now - last > Self.patience {
      do throws(DocumentError) {
        // Without a version that can be told from others, it is opened again.
        guard let version = try await remote.currentIdentity(), open.document.isPresent(version)
        else { return false }
      } catch {
        // What was fetched can be read while the server is gone.
      }
      entries[key]?.lastLook = .now
      entries[key]?.listed = remote.identity
      return true
    }
    // A list that is older than the document says nothing.
    return remote.identity == entries[key]?.listed || open.document.isPresent(remote.identity)
  }

  private func forget(_ key: Key) async {
    guard let entry = entries.removeValue(forKey: key) else { return }
    if case .success(let open) = await entry.opening.value { await queue.remove(open.source) }
  }

  private func trim() async {
    while entries.count > Self.limit,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      await forget(oldest.key)
    }
  }
}

extension OpenDocuments {
  /// Performs work on a document, and once more if its page reader changes meanwhile.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and the problem of a document that cannot be opened.
  nonisolated func with<Value: Sendable>(
    _ entry: ServedLibrary.Entry,
    _ body: (OpenDocument) async throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    try await opened(entry).document.withOneReader { () throws(Problem) in
      try await body(try await opened(entry))
    }
  }

  private nonisolated func opened(
    _ entry: ServedLibrary.Entry
  ) async throws(Problem) -> OpenDocument {
    try await Problem.of { () async throws(DocumentError) in try await open(entry) }
  }
}
