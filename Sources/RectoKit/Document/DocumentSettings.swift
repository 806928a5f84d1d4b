public import DocumentModel
public import RectoTiles
public import RenderWorkers
public import SystemPackage

/// The reader that finds pages and their sizes in a document.
public enum PageReader: String, Hashable, Sendable, CaseIterable {
  /// Recto's own reader, which finds any page directly; the engine for documents that it cannot read, and after the
  /// two have found different pages.
  case auto
  /// Recto's own reader alone; a document it cannot read is an error.
  case tree
  /// The engine alone, which walks through all earlier pages.
  case poppler
}

/// How documents are opened, drawn and kept.
public struct DocumentSettings: Hashable, Sendable {
  /// For encrypted files.
  public var password: String?
  /// The cache; nil for none.
  public var cache: CacheDirectory?
  /// The tile store shared between machines, used after ``cache``; nil, the default, for none. It
  /// is used if ``identity`` is the content, for documents without a password.
  public var shared: SharedTileCache?
  /// How a document is identified in the cache.
  public var identity: DocumentIdentity
  /// Worker processes per document.
  public var workers: Int
  /// Workers to start as soon as a document is not found in the cache; 0, the default, if nothing
  /// may be drawn.
  public var workersAhead: Int
  /// The limits of each worker.
  public var limits: WorkerLimits
  /// The budget of worker processes, shared by documents; nil, the default, for only the limit
  /// ``workers``.
  public var budget: WorkerBudget?
  /// Starts worker processes by forking, for all documents that share it; nil, the default, starts
  /// each from scratch. Ignored with another ``workerProgram``.
  public var template: WorkerTemplate?
  /// Passes worker processes on from one document to the next, for documents that are trusted as much as each other;
  /// nil, the default, for processes of their own. With it, ``cache`` and ``shared`` are not used: a document could
  /// falsify what is drawn of others.
  public var reuse: WorkerReuse?
  /// Whether workers may work without a sandbox. ``template`` has its own setting.
  public var sandbox: SandboxPolicy
  /// Where glyphs are drawn.
  public var text: TextPlacement
  /// The rasterizer.
  public var rasterizer: Rasterizer
  /// What is shown of pages. Anything but the usual needs the page tree reader: a document that it cannot read, such as
  /// an encrypted one, is an error.
  public var shown: ShownContent
  /// The reader of the page tree.
  public var pageReader: PageReader
  /// The worker program; nil to find it next to the running program (`WorkerProgram.locate()`).
  public var workerProgram: FilePath?

  /// Settings; by default the user's cache, two workers and ordinary limits.
  ///
  /// - Parameters:
  ///   - password: For encrypted files.
  ///   - cache: The cache; nil for none.
  ///   - shared: The tile store shared between machines; nil for none.
  ///   - identity: How a document is identified in the cache.
  ///   - workers: Worker processes per document.
  ///   - workersAhead: Workers to start as soon as a document is not found in the cache.
  ///   - limits: The limits of each worker.
  ///   - budget: The budget of worker processes, shared by documents; nil for none.
  ///   - template: Starts worker processes by forking; nil starts each from scratch.
  ///   - sandbox: Whether workers may work without a sandbox.
  ///   - text: Where glyphs are drawn.
  ///   - rasterizer: The rasterizer.
  ///   - shown: What is shown of pages.
  ///   - pageReader: What reads the page tree.
  ///   - workerProgram: The worker program; nil to find it next to the running program.
  public init(
    password: String? = nil,
    cache: CacheDirectory? = .ofUser,
    shared: SharedTileCache? = nil,
    identity: DocumentIdentity = .file,
    workers: Int = 2,
    workersAhead: Int = 0,
    limits: WorkerLimits = WorkerLimits(),
    budget: WorkerBudget? = nil,
    template: WorkerTemplate? = nil,
    sandbox: SandboxPolicy = .auto,
    text: TextPlacement = .precise,
    rasterizer: Rasterizer = .auto,
    shown: ShownContent = ShownContent(),
    pageReader: PageReader = .auto,
    workerProgram: FilePath? = nil
  ) {
    self.password = password
    self.cache = cache
    self.shared = shared
    self.identity = identity
    self.workers = workers
    self.workersAhead = workersAhead
    self.limits = limits
    self.budget = budget
    self.template = template
    self.sandbox = sandbox
    self.text = text
    self.rasterizer = rasterizer
    self.shown = shown
    self.pageReader = pageReader
    self.workerProgram = workerProgram
  }
}
