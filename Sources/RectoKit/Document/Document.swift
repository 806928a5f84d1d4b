public import DocumentModel
public import RectoBase
public import RectoGeometry
internal import RectoTiles
internal import RenderWorkers
internal import Synchronization
public import SystemPackage

/// An open PDF: what it says of itself, the sizes of its pages, and their pixels.
///
/// What is in the cache is answered from there, and no PDF is opened; the rest comes from worker
/// processes that start when they are first needed. The actor runs on a queue of its own, so its
/// file accesses do not block other tasks.
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
  lazy var secondTree = SecondTreeReader(file.descriptor, seconds: settings.limits.open)
  let engine: any DocumentEngine
  /// The worker program; nil for another engine.
  let program: FilePath?
  let settings: DocumentSettings
  /// Opens the path again; nil for the copy of a stream.
  let reopening: (@Sendable () throws(DocumentError) -> Document)?
  /// The cache under the keys of the document. Made when it is first needed, because the contents of a
  /// file may have to be read for it.
  lazy var cache = makeCache()
  var opened: OpenedDocument?
  /// What the cache says of the libraries that draw; nil until it has been found there.
  var recordedEngine: String?
  var knownInfo: DocumentInfo?
  /// What is known of pages, also for those who do not wait for the document.
  let measured = Mutex(MeasuredPages())
  /// What was repaired of pages in subsets, also for those who do not wait for the document.
  let repaired = Mutex<[PageIndex: Repairs]>([:])
  var loadedFiles: Set<Int> = []
  /// The first failure to use the cache.
  var cacheFailure: DocumentError?
  var isCacheFailureTaken = false
  /// Who wants to know of a change of the reader.
  let listeners = Mutex<[Int: AsyncStream<Int>.Continuation]>([:])
  var failsOnMismatch = false

  /// Opens a file. Nothing but its status is read yet.
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

  /// Opens a document from a file that is open already, such as the copy of a stream
  /// (`Files.spool(_:limit:)`). Nothing but its status is read yet.
  ///
  /// The file is read at positions of its own; the descriptor's is neither used nor changed. A copy
  /// has an identity that no later one has: with a cache in the settings, what is kept there is never
  /// found again.
  ///
  /// - Parameters:
  ///   - file: A regular file, open for reading.
  ///   - path: What the document is called.
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
  ///   - path: What the document is called.
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
  ///   - settings: Of which the engine may use what it wants, and nothing else starts workers.
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
      file.descriptor,
      isUsed: settings.pageReader != .poppler,
      seconds: settings.limits.open
    )
    (engine, program) = try makeEngine(file.descriptor)
  }

  /// What the document says of itself.
  ///
  /// - Throws: Whatever keeps it from being opened.
  public func info() async throws(DocumentError) -> DocumentInfo {
    try await withOneReader { () throws(DocumentError) in try requireAgreement() }
    if let knownInfo { return knownInfo }
    if let known = cache?.record?.info(), known.pageCount > 0 {
      knownInfo = known
      return known
    }
    // Nothing of this document was kept, its tiles neither: a worker can start while it is read.
    if settings.workersAhead > 0 {
      if settings.template == nil {
        // Waits until the process exists, which takes less than a millisecond: threads that start while this one reads
        // are often put behind it, on the same core, for three.
        await engine.prepare(subset: nil, workers: settings.workersAhead)
        if let knownInfo { return knownInfo }
      } else {
        // Does not wait for the template. Detached, so as not to wait for this actor's queue either; holding on to the
        // actor keeps the file open that the workers are born with.
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

  /// What the document says of itself beyond ``info()``: who made it, and how the file is made.
  ///
  /// Not kept in the cache. Where poppler reads the page tree it is asked, and cannot tell everything.
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

  /// What was repaired of the pages that were measured or drawn: those without a fault, or from the cache, are not in
  /// it. An object that several pages use is counted for one of them.
  public var repairs: [PageIndex: Repairs] { tree.repairs }

  /// Takes in what the page tree reader has repaired by now.
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
        result = try await engine.open(tree.isRebuilt ? try subset(around: 0) : nil)
      } catch {
        throw final(error)
      }
      try requireGeneration(generation)
      opened = result
      // Kept whatever the document was opened for: the next window may find all its tiles in the
      // cache, and needs only this to name them.
      if let record = cache?.engine, (recordedEngine ?? record.engine) != result.engine {
        keep { () throws(FileError) in try record.store(result.engine) }
      }
      return result
    }
  }
}
