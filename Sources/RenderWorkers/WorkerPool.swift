public import DocumentModel
public import Geometry
internal import Glibc
public import SystemPackage
public import TileRender

/// Draws and measures one document in worker processes.
///
/// The pool decides who works and never blocks; each worker is waited for on a queue of its own. A
/// request goes to the idle worker that drew the same page last, because it still has the page's
/// recording. A worker that crashes, hangs or grows too large costs the page it was drawing.
public actor WorkerPool: DocumentEngine {
  /// What a pool is made of.
  public struct Settings: Hashable, Sendable {
    /// The path of the worker program.
    public var executable: FilePath
    /// For encrypted documents.
    public var password: String?
    /// How many workers at the most; at least one.
    public var workers: Int
    /// What each may use.
    public var limits: WorkerLimits

    /// Settings from their parts.
    public init(
      executable: FilePath,
      password: String? = nil,
      workers: Int = 2,
      limits: WorkerLimits = WorkerLimits()
    ) {
      self.executable = executable
      self.password = password
      self.workers = max(1, workers)
      self.limits = limits
    }
  }

  private let lanes: [WorkerLane]
  private var idle: [Int]
  private var waiting: [CheckedContinuation<Int, Never>] = []
  private var lastPage: [Int: Int] = [:]
  /// The first page that cannot be measured: poppler reaches a page through all those before it,
  /// so none behind this one can be measured either.
  private var wall: (index: Int, error: DocumentError)?

  /// A pool over an open file, which must stay open as long as the pool lives. No process is
  /// started yet.
  public init(_ settings: Settings, document: FileDescriptor) {
    lanes = (0..<settings.workers).map { _ in WorkerLane(settings, document: document) }
    idle = Array(lanes.indices.reversed())
  }

  /// Opens the whole document in a worker.
  public func open() async throws(DocumentError) -> OpenedDocument {
    let lane = await acquire(for: nil)
    defer { release(lane) }
    return try await lanes[lane].open()
  }

  /// Measures pages in a worker, as far as poppler reaches them.
  public func measure(
    _ pages: Range<Int>
  ) async throws(DocumentError) -> [Result<PageFacts, DocumentError>] {
    let lane = await acquire(for: nil)
    defer { release(lane) }
    let end = min(pages.upperBound, wall?.index ?? .max)
    var results: [Result<PageFacts, DocumentError>] = []
    if pages.lowerBound < end {
      let (measured, failure) = await lanes[lane].measure(pages.lowerBound..<end)
      results = Array(measured.prefix(end - pages.lowerBound))
      if let failure {
        wall = (pages.lowerBound + results.count, failure)
      } else if results.count < end - pages.lowerBound {
        throw DocumentError(.fault, during: "measure", "the worker left out a page")
      }
    }
    if let wall {
      results += Array(repeating: .failure(wall.error), count: pages.count - results.count)
    }
    return results
  }

  /// Draws parts of a page in the worker that knows it best.
  public func draw(
    _ raster: PageRaster,
    parts: [PixelRect],
    isOneOff: Bool,
    window: DocumentWindow?
  ) async throws(DocumentError) -> DrawnPage {
    let lane = await acquire(for: raster.pageIndex)
    defer { release(lane) }
    return try await lanes[lane].draw(raster, parts: parts, isOneOff: isOneOff, window: window)
  }

  /// Ends all processes.
  public func close() async {
    for lane in lanes { await lane.close() }
  }

  private func acquire(for page: Int?) async -> Int {
    if let place = idle.lastIndex(where: { lastPage[$0] == page }) ?? idle.indices.last {
      let lane = idle.remove(at: place)
      lastPage[lane] = page ?? lastPage[lane]
      return lane
    }
    let lane = await withCheckedContinuation { waiting.append($0) }
    lastPage[lane] = page ?? lastPage[lane]
    return lane
  }

  private func release(_ lane: Int) {
    if waiting.isEmpty {
      idle.append(lane)
    } else {
      waiting.removeFirst().resume(returning: lane)
    }
  }
}
