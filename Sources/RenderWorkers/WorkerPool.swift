public import DocumentModel
public import RectoGeometry
internal import Synchronization
public import SystemPackage

/// Draws and measures one document in worker processes.
///
/// The pool assigns requests and never blocks; each worker is waited for on its own queue. A
/// request goes to the idle worker that last drew the same page, because it still has the page's
/// recording; other requests wait in order of arrival, thumbnails and pages as files behind all
/// others. If a worker crashes, hangs or grows too
/// large, only the page it was drawing fails.
public actor WorkerPool: DocumentEngine {
  /// The settings of a pool.
  public struct Settings: Hashable, Sendable {
    /// The path of the worker program.
    public var executable: FilePath
    /// For encrypted documents.
    public var password: String?
    /// The most workers; at least one.
    public var workers: Int
    /// The limits of each worker.
    public var limits: WorkerLimits
    /// The budget shared by several pools; nil bounds only ``workers``.
    public var budget: WorkerBudget?
    /// Starts workers by forking; nil starts each from scratch.
    public var template: WorkerTemplate?
    /// Passes workers on to other pools that share it, if there is no password; nil ends them with the pool.
    public var reuse: WorkerReuse?
    /// Whether workers work without a sandbox.
    public var sandbox: SandboxPolicy
    /// Where glyphs are drawn.
    public var text: TextPlacement
    /// The rasterizer.
    public var rasterizer: Rasterizer

    /// Settings from their parts.
    ///
    /// - Parameters:
    ///   - executable: The path of the worker program.
    ///   - password: For encrypted documents.
    ///   - workers: The most workers; at least one.
    ///   - limits: The limits of each worker.
    ///   - budget: The budget shared by several pools; nil for none.
    ///   - template: Starts workers by forking; nil starts each from scratch.
    ///   - reuse: Passes workers on to other pools; nil ends them with the pool.
    ///   - sandbox: Whether workers may work without a sandbox.
    ///   - text: Where glyphs are drawn.
    ///   - rasterizer: The rasterizer.
    public init(
      executable: FilePath,
      password: String? = nil,
      workers: Int = 2,
      limits: WorkerLimits = WorkerLimits(),
      budget: WorkerBudget? = nil,
      template: WorkerTemplate? = nil,
      reuse: WorkerReuse? = nil,
      sandbox: SandboxPolicy = .auto,
      text: TextPlacement = .precise,
      rasterizer: Rasterizer = .auto
    ) {
      self.executable = executable
      self.password = password
      self.workers = max(1, workers)
      self.limits = limits
      self.budget = budget
      self.template = template
      self.reuse = reuse
      self.sandbox = sandbox
      self.text = text
      self.rasterizer = rasterizer
    }

    /// The budget, or one that has room for all workers of one pool.
    fileprivate var budgetOrOwn: WorkerBudget {
      budget ?? WorkerBudget(.init(processes: workers, background: workers, memory: .max))
    }
  }

  /// Where glyphs are drawn.
  public nonisolated let text: TextPlacement
  /// The rasterizer.
  public nonisolated let rasterizer: Rasterizer
  private let slots: [WorkerSlot]
  private let budget: WorkerBudget
  private var idle: [Int]
  /// The slot whose request waits for the first permit of this pool; nil if there is none.
  private var firstSlot: Int?
  private var waiting: [Waiting] = [] {
    didSet { isAwaited.store(!waiting.isEmpty, ordering: .releasing) }
  }
  private let isAwaited = Atomic(false)
  /// How many slots are starting processes in advance.
  package private(set) var preparing = 0
  private var lastTicket = 0
  private var running: [Int: Cancellation] = [:]
  private var isClosed = false
  private var lastPage: [Int: PageIndex] = [:]
  let quarantine = SharedQuarantine()
  /// Pages whose recordings exceed a worker's memory limit.
  var drawnDirectly: Set<PageIndex> = []
  /// Whether pages at which a rasterizer fails are drawn again with the other one.
  let triesAgain: Bool
  /// Pages that the other rasterizer drew after the first failed, with the smallest scale at which that happened. From
  /// that scale on the other one is used at once.
  var drawnByOther: [PageIndex: Double] = [:]
  /// Pages whose text cannot be read, because it killed a worker.
  private var unreadable: [PageIndex: DocumentError] = [:]
  /// The first page that cannot be measured: poppler reaches a page through all pages before it, so
  /// later ones cannot be measured either.
  private var firstUnmeasurable: (index: PageIndex, error: DocumentError)?

  /// A request that waits for a worker: it gets a slot, or nil if it must give up.
  private struct Waiting {
    var ticket: Int
    var purpose: WorkerPurpose
    var continuation: CheckedContinuation<Int?, Never>
  }

  /// A pool for a file, which must be open read-only as long as the pool exists. Does not start processes yet.
  public init(_ settings: Settings, document: FileDescriptor) {
    self.init(settings, document: document, clock: .monotonic)
  }

  /// A pool with a clock.
  ///
  /// - Parameters:
  ///   - settings: The program, the number of workers and their limits.
  ///   - document: The file, open read-only; workers get copies of the descriptor.
  ///   - clock: Measures how long a pool waits before it starts another worker.
  package init(_ settings: Settings, document: FileDescriptor, clock: PoolClock) {
    let budget = settings.budgetOrOwn
    self.budget = budget
    text = settings.text
    rasterizer = settings.rasterizer
    triesAgain = SecondTry.isAllowed(settings)
    slots = (0..<settings.workers).map { _ in
      WorkerSlot(settings, budget, document: document, clock: clock)
    }
    idle = Array(slots.indices.reversed())
  }

  /// Starts the processes of idle workers in advance, all at once, as far as the budget allows.
  ///
  /// Requests wait for one of them meanwhile. Errors are ignored here; the next request meets and reports them.
  ///
  /// - Parameters:
  ///   - subset: Pages to open in them; nil opens nothing yet.
  ///   - workers: The most workers to start.
  public func prepare(subset: DocumentSubset? = nil, workers: Int = .max) async {
    guard !isClosed else { return }
    let taken = Array(idle.suffix(max(0, workers)))
    idle.removeLast(taken.count)
    preparing += taken.count
    await withTaskGroup { group in
      for slot in taken {
        group.addTask { await self.prepare(slot, subset) }
      }
    }
  }

  private func prepare(_ slot: Int, _ subset: DocumentSubset?) async {
    defer {
      preparing -= 1
      release(slot)
    }
    do throws(DocumentError) {
      try await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
        if try await worker.start(), let subset {
          try await worker.open(subset, for: .viewing, cancellation)
        }
      }
    } catch {
      // The next request finds out the same.
    }
  }

  /// Opens the document in a worker.
  ///
  /// Cancelling the task cancels the request (`cancelled`), here and in the other functions.
  ///
  /// - Parameter subset: Pages to open; nil opens the whole document.
  /// - Returns: The info of the open document.
  /// - Throws: `DocumentError` when no worker can be started or the document cannot be opened;
  ///   `cancelled`.
  public func open(_ subset: DocumentSubset?) async throws(DocumentError) -> OpenedDocument {
    let slot = try await acquire(for: nil, "open")
    defer { release(slot) }
    return try await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
      try await worker.open(subset, for: .background, cancellation)
    }
  }

  /// Reads the properties of the whole document in a worker.
  ///
  /// - Throws: `DocumentError` when no worker can be started or the document cannot be opened;
  ///   `cancelled`.
  public func properties() async throws(DocumentError) -> DocumentProperties {
    let slot = try await acquire(for: nil, "open")
    defer { release(slot) }
    return try await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
      try await worker.properties(cancellation)
    }
  }

  /// Measures pages in a worker, as far as poppler can reach them.
  ///
  /// - Returns: Info or an error for each page, in order.
  /// - Throws: `DocumentError` when no worker can be started or the document cannot be opened;
  ///   `cancelled`.
  public func measure(
    _ pages: Range<PageIndex>
  ) async throws(DocumentError) -> [Result<PageInfo, DocumentError>] {
    let slot = try await acquire(for: nil, "measure")
    defer { release(slot) }
    let end = min(pages.upperBound, firstUnmeasurable?.index ?? pages.upperBound)
    var results: [Result<PageInfo, DocumentError>] = []
    if pages.lowerBound < end {
      let wanted = pages.lowerBound..<end
      let (measured, failure) = try await run(on: slot) {
        (worker, cancellation) async throws(DocumentError) in
        try await worker.measure(wanted, cancellation)
      }
      results = measured
      if let failure {
        guard failure.code != .cancelled else { throw failure }
        firstUnmeasurable = (pages.lowerBound.advanced(by: results.count), failure)
      }
    }
    if let firstUnmeasurable {
      results += Array(
        repeating: .failure(firstUnmeasurable.error),
        count: pages.count - results.count
      )
    }
    return results
  }

  /// Reads the text of pages in a worker.
  ///
  /// If a page kills the worker, it gets an error and is not read again by this pool. Another worker reads the pages
  /// after it.
  ///
  /// - Parameters:
  ///   - pages: The pages of the document.
  ///   - hasStyles: Whether fonts, sizes and colors are wanted.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  /// - Returns: The text of each page, in order, or why there is none.
  /// - Throws: `DocumentError` when no worker can be started or the document cannot be opened;
  ///   `cancelled`.
  public func text(
    of pages: Range<PageIndex>,
    hasStyles: Bool,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> [Result<PageText, DocumentError>] {
    let slot = try await acquire(for: pages.lowerBound, "read the text")
    defer { release(slot) }
    var texts: [Result<PageText, DocumentError>] = []
    while texts.count < pages.count {
      let next = pages.lowerBound.advanced(by: texts.count)
      if let error = unreadable[next] {
        texts.append(.failure(error))
        continue
      }
      let end = (next..<pages.upperBound).first { unreadable[$0] != nil } ?? pages.upperBound
      let (results, failure) = try await run(on: slot) {
        (worker, cancellation) async throws(DocumentError) in
        try await worker.text(of: next..<end, hasStyles: hasStyles, in: subset, cancellation)
      }
      guard let failure else {
        texts += results
        continue
      }
      guard failure.code != .cancelled else { throw failure }
      // An error after the last page belongs to the last page.
      let read = results.prefix(next.distance(to: end) - 1)
      texts += read
      unreadable[next.advanced(by: read.count)] = failure
    }
    return texts
  }

  /// Whether a request waits that should get a worker of this pool.
  nonisolated var hasOthersWaiting: Bool {
    isAwaited.load(ordering: .acquiring) || budget.limits.endsIdle && budget.waitingCount > 0
  }

  /// Cancels all requests and ends all processes; later requests fail with `cancelled`.
  public func close() async {
    isClosed = true
    for waiting in waiting { waiting.continuation.resume(returning: nil) }
    waiting = []
    for cancellation in running.values { cancellation.cancel() }
    for slot in slots where budget.limits.endsIdle || slot.holdsPermit { await slot.close() }
  }

  /// How many requests wait for a worker.
  package var waitingCount: Int { waiting.count }

  /// Runs an operation on a slot, which ends early when the task is cancelled or the pool is
  /// closed.
  func run<Answer: Sendable>(
    on slot: Int,
    _ body: (WorkerSlot, Cancellation) async throws(DocumentError) -> Answer
  ) async throws(DocumentError) -> Answer {
    let cancellation = Cancellation()
    running[slot] = cancellation
    if isClosed { cancellation.cancel() }
    defer { running[slot] = nil }
    return try await withTaskCancellationHandler {
      do throws(DocumentError) {
        return Result<Answer, DocumentError>.success(try await body(slots[slot], cancellation))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      cancellation.cancel()
    }.get()
  }

  /// Waits for a slot, in the order of asking, pictures behind everything else.
  func acquire(
    for page: PageIndex?,
    _ operation: String,
    _ purpose: WorkerPurpose = .viewing
  ) async throws(DocumentError) -> Int {
    let slot = isClosed || Task.isCancelled ? nil : await nextSlot(for: page, purpose)
    guard let slot else {
      throw DocumentError.cancelled.during(operation)
    }
    lastPage[slot] = page ?? lastPage[slot]
    return slot
  }

  private func nextSlot(for page: PageIndex?, _ purpose: WorkerPurpose) async -> Int? {
    // A process that is being started will be ready sooner than a new one.
    guard preparing <= waiting.count else { return await waitForSlot(purpose) }
    if let index = idle.lastIndex(where: { lastPage[$0] == page && mayTake($0) })
      ?? idle.lastIndex(where: mayTake)
    {
      return idle.remove(at: index)
    }
    if let slot = idle.last, firstSlot == nil {
      if !slots.contains(where: \.holdsPermit) {
        firstSlot = slot
        return idle.removeLast()
      }
      if let permit = budget.enterAtOnce(for: .viewing) {
        idle.removeLast()
        await slots[slot].reserve(permit)
        return slot
      }
    }
    return await waitForSlot(purpose)
  }

  /// Waits for a slot to be freed by another request, or by the start of a process.
  ///
  /// - Returns: The slot; nil when the task is cancelled or the pool is closed.
  private func waitForSlot(_ purpose: WorkerPurpose) async -> Int? {
    lastTicket += 1
    let ticket = lastTicket
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume(returning: nil)
        } else {
          let waiter = Waiting(ticket: ticket, purpose: purpose, continuation: continuation)
          let firstPicture = waiting.firstIndex { $0.purpose == .pictures && purpose != .pictures }
          waiting.insert(waiter, at: firstPicture ?? waiting.endIndex)
        }
      }
    } onCancel: {
      Task { await self.leave(ticket) }
    }
  }

  /// Whether an idle slot may get a request. If pools keep their permits, waiting for one could deadlock: two pools
  /// with one permit each would wait for each other. So a pool waits only for its first permit, and takes others if
  /// there is room.
  private func mayTake(_ slot: Int) -> Bool {
    budget.limits.endsIdle || slots[slot].holdsPermit
  }

  /// Removes a request from the queue, if it is still waiting.
  private func leave(_ ticket: Int) {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
    waiting.remove(at: index).continuation.resume(returning: nil)
  }

  func release(_ slot: Int) {
    if firstSlot == slot { firstSlot = nil }
    if waiting.isEmpty {
      idle.append(slot)
    } else {
      // Its request was cancelled before it got a permit.
      if !mayTake(slot) { firstSlot = slot }
      waiting.removeFirst().continuation.resume(returning: slot)
    }
  }
}
