public import DocumentModel
public import RectoBase
public import RectoGeometry
internal import RectoTiles
internal import RenderWorkers
internal import Synchronization
public import SystemPackage

/// An open PDF: its properties, the sizes of its pages, and their pixels.
///
/// Answers come from the cache if possible, without opening the PDF; the rest comes from worker
/// processes, which start when first needed. The actor runs on its own queue, so its file accesses
/// do not block other tasks.
public actor Document {
  /// The path as given.
  public nonisolated let path: FilePath
  /// The file as it was when it was opened.
  public nonisolated let identity: FileIdentity

  private let executor = QueueExecutor(label: "recto.document")
  /// The actor's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let file: OpenFile
  let tree: PageTreeGateway
  /// The pages that a reader sees; nil without a reader.
  let seenPages = Mutex<Range<PageIndex>?>(nil)
  /// Reads many pages along with `tree`.
  lazy var secondTree = SecondTreeReader(
    file,
    shown: settings.shown,
    seconds: settings.limits.open
  )
  let engine: any DocumentEngine
  /// The worker program; nil for another engine.
  let program: FilePath?
  let settings: DocumentSettings
  /// Opens the path again; nil for the copy of a stream.
  let reopening: (@Sendable () throws(DocumentError) -> Document)?
  /// The cache under the keys of the document. Created when first needed, because it may require reading the whole
  /// file.
  lazy var cache = makeCache()
  var opened: OpenedDocument?
  /// The page whose subset is opened where the document is not opened as a whole.
  var openingPage: PageIndex = 0
  /// The drawing libraries according to the cache; nil until they were found there.
  var recordedEngine: String?
  var knownInfo: DocumentInfo?
  /// The known pages, also readable without waiting for the document.
  let measured = Mutex(MeasuredPages())
  /// Repairs of pages in subsets, also readable without waiting for the document.
  let repaired = Mutex<[PageIndex: Repairs]>([:])
  var loadedFiles: Set<Int> = []
  /// The first failure to use the cache.
  var cacheFailure: DocumentError?
  var isCacheFailureTaken = false
  /// Whether the document has been found to have what is to be shown, as long as the page tree reader reads it.
  var isShownChecked = false
  /// The streams that report changes of the reader.
  let listeners = Mutex<[Int: AsyncStream<Int>.Continuation]>([:])
  var failsOnMismatch = false

  /// Opens a file. Reads only its status.
  ///
  /// - Throws: `unreadable` when there is no such file, it may not be read, or is not a regular
  ///   file; `fault` when the worker program is missing.
  public init(_ path: FilePath, settings: DocumentSettings = DocumentSettings())
    throws(DocumentError)
  {
    try self.init(
      path,
      try OpenFile(path),
      settings: settings,
      reopening: { () throws(DocumentError) in try Document(path, settings: settings) },
      engine: Self.pool(settings)
    )
  }

  /// Opens a document from an open file, such as the copy of a stream (`Files.spool(_:limit:)`).
  /// Reads only its status.
  ///
  /// Reads do not use or change the descriptor's position. Each copy has a new identity: if the settings have a cache,
  /// its entries are never found again.
  ///
  /// - Parameters:
  ///   - file: A regular file, open for reading.
  ///   - path: The name of the document.
  ///   - settings: How it is opened, drawn and kept.
  /// - Throws: `unreadable` when it is not a regular file; `fault` when the worker program is missing.
  public init(
    _ file: InputFile,
    path: FilePath,
    settings: DocumentSettings = DocumentSettings()
  ) throws(DocumentError) {
    try self.init(
      path,
      try OpenFile(file),
      settings: settings,
      reopening: nil,
      engine: Self.pool(settings)
    )
  }

  /// Opens a document from bytes, which are written to a file without a name in `TMPDIR`, else `/tmp`.
  ///
  /// - Parameters:
  ///   - data: All bytes of the file.
  ///   - path: The name of the document.
  ///   - settings: How it is opened, drawn and kept.
  /// - Throws: `output` when the file cannot be written; `fault` when the worker program is missing.
  public init(
    data: [UInt8],
    path: FilePath = "document.pdf",
    settings: DocumentSettings = DocumentSettings()
  ) throws(DocumentError) {
    let file: InputFile
    do throws(SpoolingError) {
      file = try Files.spool(data)
    } catch .storage(let reason) {
      throw DocumentError(.output, during: "copy the document", "\(reason)")
    } catch {
      throw DocumentError(.output, during: "copy the document", "\(error)")
    }
    try self.init(file, path: path, settings: settings)
  }

  /// Makes the worker processes of a document, and finds their program.
  private static func pool(
    _ settings: DocumentSettings
  ) -> (FileDescriptor) throws(DocumentError) -> (any DocumentEngine, FilePath?) {
    { file throws(DocumentError) in
      let program: FilePath
      if let named = settings.workerProgram {
        program = named
      } else {
        program = try WorkerProgram.locate()
      }
      let pool = WorkerPool(
        WorkerPool.Settings(
          executable: program,
          password: settings.password,
          workers: settings.workers,
          limits: settings.limits,
          budget: settings.budget,
          template: settings.template,
          reuse: settings.reuse,
          sandbox: settings.sandbox,
          text: settings.text,
          rasterizer: settings.rasterizer
        ),
        document: file
      )
      return (pool, program)
    }
  }

  /// Opens a file that is drawn by another engine than worker processes, such as `InProcessEngine`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - settings: Settings. Those of workers are ignored unless the engine uses them.
  ///   - makeEngine: Makes the engine over the open file, which stays open as long as the document.
  /// - Throws: `unreadable` as for any file, and what `makeEngine` throws.
  public init(
    _ path: FilePath,
    settings: DocumentSettings = DocumentSettings(),
    engine makeEngine:
      @escaping @Sendable (FileDescriptor) throws(DocumentError) -> any DocumentEngine
  ) throws(DocumentError) {
    try self.init(
      path,
      try OpenFile(path),
      settings: settings,
      reopening: { () throws(DocumentError) in
        try Document(path, settings: settings, engine: makeEngine)
      },
      engine: { file throws(DocumentError) in (try makeEngine(file), nil) }
    )
  }

  /// Opens a document on a server.
  ///
  /// - Throws: `fault` when the worker program is missing.
  init(
    _ remote: RemoteFile,
    of address: RemoteAddress,
    settings: DocumentSettings
  ) throws(DocumentError) {
    try self.init(
      address.path,
      OpenFile(remote),
      settings: settings,
      reopening: nil,
      engine: { file throws(DocumentError) in
        let (engine, program) = try Self.pool(settings)(file)
        return (RemoteEngine(engine, remote), program)
      }
    )
  }

  private init(
    _ path: FilePath,
    _ file: OpenFile,
    settings: DocumentSettings,
    reopening: (@Sendable () throws(DocumentError) -> Document)?,
    engine makeEngine: (FileDescriptor) throws(DocumentError) -> (any DocumentEngine, FilePath?)
  ) throws(DocumentError) {
    self.path = path
    self.reopening = reopening
    self.file = file
    identity = file.identity
    self.settings = settings
    tree = PageTreeGateway(
      file,
      isUsed: settings.pageReader != .poppler,
      shown: settings.shown,
      seconds: settings.limits.open
    )
    (engine, program) = try makeEngine(file.descriptor)
  }

  /// The document's info.
  ///
  /// - Throws: Whatever keeps it from being opened.
  public func info() async throws(DocumentError) -> DocumentInfo {
    try await withOneReader { () throws(DocumentError) in try requireAgreement() }
    if let knownInfo { return knownInfo }
    if let known = cache?.record?.info(), known.pageCount > 0 {
      knownInfo = known
      return known
    }
    try requireShown()
    // The document is not in the cache, so its tiles are not either: a worker can start while it is
    // read.
    if settings.workersAhead > 0 {
      if settings.template == nil {
        // Waits less than a millisecond until the process exists. Otherwise its threads are often scheduled after this
        // one, on the same core, which takes three.
        await engine.prepare(subset: nil, workers: settings.workersAhead)
        if let knownInfo { return knownInfo }
      } else {
        // Does not wait for the template. Detached, so that it does not wait for this actor's queue either. It retains
        // the actor, which keeps the workers' file open.
        Task.detached { [self] in
          await engine.prepare(subset: nil, workers: settings.workersAhead)
        }
      }
    }
    let info = try await answer({ tree.info() }) { () throws(DocumentError) in
      try await open().info
    }
    knownInfo = info
    guard let record = cache?.record else { return info }
    keep { () throws(FileError) in try record.store(info) }
    return info
  }

  /// Properties that are not in ``info()``: who made the document, and how the file is structured.
  ///
  /// Not cached. If poppler reads the page tree, they come from poppler, which does not know all of them.
  ///
  /// - Throws: Whatever keeps the document from being opened.
  public func properties() async throws(DocumentError) -> DocumentProperties {
    try await answer({ tree.properties() }) { () throws(DocumentError) in
      var properties = try await engine.properties()
      if tree.isEncrypted { properties.isEncrypted = true }
      return properties
    }
  }

  /// The libraries that draw, with their versions.
  ///
  /// - Throws: Whatever keeps the document from being opened.
  public func engineVersion() async throws(DocumentError) -> String {
    if let engine = knownEngine() { return engine }
    return try await open().engine
  }

  /// Repairs of pages that were measured or drawn, without pages from the cache. An object used by several pages is
  /// counted for one of them.
  public var repairs: [PageIndex: Repairs] { tree.repairs }

  /// Adds the repairs of the page tree reader so far.
  func noteRepairs() {
    let repairs = tree.repairs
    guard !repairs.isEmpty else { return }
    repaired.withLock { $0 = repairs }
  }

  func open() async throws(DocumentError) -> OpenedDocument {
    try await withOneReader { () throws(DocumentError) in
      if let opened { return opened }
      let generation = generation
      let result: OpenedDocument
      do throws(DocumentError) {
        let isPart = tree.isRebuilt || file.remote != nil
        result = try await engine.open(isPart ? try subset(around: openingPage) : nil)
      } catch {
        throw final(error)
      }
      try requireGeneration(generation)
      opened = result
      // Stored in any case: the next window may find all its tiles in the cache, and needs only
      // this for their keys.
      if let record = cache?.engine, (recordedEngine ?? record.engine) != result.engine {
        keep { () throws(FileError) in try record.store(result.engine) }
      }
      return result
    }
  }
}
