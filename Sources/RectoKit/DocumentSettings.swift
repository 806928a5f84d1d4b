public import RenderWorkers
public import SystemPackage
public import TileRender

/// How documents are opened, drawn and kept.
public struct DocumentSettings: Hashable, Sendable {
  /// For encrypted files.
  public var password: String?
  /// Where finished work is kept; nil keeps nothing and looks nothing up.
  public var cache: CacheDirectory?
  /// Worker processes per document.
  public var workers: Int
  /// What each worker may use.
  public var limits: WorkerLimits
  /// The worker program; nil has it found beside the running program (``WorkerProgram/locate()``).
  public var workerProgram: FilePath?

  /// Settings; by default the user's cache, two workers and ordinary limits.
  public init(
    password: String? = nil,
    cache: CacheDirectory? = .ofUser,
    workers: Int = 2,
    limits: WorkerLimits = WorkerLimits(),
    workerProgram: FilePath? = nil
  ) {
    self.password = password
    self.cache = cache
    self.workers = workers
    self.limits = limits
    self.workerProgram = workerProgram
  }
}
