public import DocumentModel
public import RectoTiles
public import RenderWorkers
public import SystemPackage

/// Who finds pages and their sizes in a document.
public enum PageReader: String, Hashable, Sendable, CaseIterable {
  /// Recto's own reader, which reaches any page at once; the engine for what that cannot read, and from when it finds
  /// other pages.
  case auto
  /// Recto's own reader alone; a document it cannot read is an error.
  case tree
  /// The engine alone, which reaches a page through all those before it.
  case poppler
}

/// How documents are opened, drawn and kept.
public struct DocumentSettings: Hashable, Sendable {
  /// For encrypted files.
  public var password: String?
  /// Where finished work is kept; nil keeps nothing and looks nothing up.
  public var cache: CacheDirectory?
  /// Where several machines keep tiles, behind ``cache``; nil, the default, for none. It is used if
  /// ``identity`` is the content, and for documents that are opened without a password.
  public var shared: SharedTileCache?
  /// What tells a document apart from others in the cache.
  public var identity: DocumentIdentity
  /// Worker processes per document.
  public var workers: Int
  /// Workers to start as soon as a document turns out to be new to the cache; 0, the default,
  /// where nothing may be drawn.
  public var workersAhead: Int
  /// What each worker may use.
  public var limits: WorkerLimits
  /// What bounds the worker processes of all documents that share it; nil, the default, bounds
  /// nothing but ``workers``.
  public var budget: WorkerBudget?
  /// What starts worker processes by copying itself, for all documents that share it; nil, the
  /// default, starts each by itself. Of no use with another ``workerProgram``.
  public var template: WorkerTemplate?
  /// Whether workers work without a sandbox. ``template`` has one of its own.
  public var sandbox: SandboxPolicy
  /// Where glyphs are drawn.
  public var text: TextPlacement
  /// What makes pixels.
  public var rasterizer: Rasterizer
  /// Who reads the page tree.
  public var pageReader: PageReader
  /// The worker program; nil has it found beside the running program (`WorkerProgram.locate()`).
  public var workerProgram: FilePath?

  /// Settings; by default the user's cache, two workers and ordinary limits.
  ///
  /// - Parameters:
  ///   - password: For encrypted files.
  ///   - cache: Where finished work is kept; nil keeps nothing.
  ///   - shared: Where several machines keep tiles; nil for none.
  ///   - identity: What tells a document apart from others in the cache.
  ///   - workers: Worker processes per document.
  ///   - workersAhead: Workers to start as soon as a document turns out to be new to the cache.
  ///   - limits: What each worker may use.
  ///   - budget: What bounds the worker processes of several documents together; nil for none.
  ///   - template: What starts worker processes by copying itself; nil starts each by itself.
  ///   - sandbox: Whether workers work without a sandbox.
  ///   - text: Where glyphs are drawn.
  ///   - rasterizer: What makes pixels.
  ///   - pageReader: Who reads the page tree.
  ///   - workerProgram: The worker program; nil has it found beside the running program.
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
    self.pageReader = pageReader
    self.workerProgram = workerProgram
  }
}
