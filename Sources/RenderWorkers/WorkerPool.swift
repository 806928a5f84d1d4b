public import DocumentModel
internal import Glibc
public import RectoGeometry
internal import Synchronization
public import SystemPackage

/// Draws and measures one document in worker processes.
///
/// The pool decides who works and never blocks; each worker is waited for on a queue of its own. A
/// request goes to the idle worker that drew the same page last, because it still has the page's
/// recording; others wait in the order of asking. A worker that crashes, hangs or grows too large
/// costs the page it was drawing.
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
    /// What bounds the processes of several pools together; nil bounds nothing but ``workers``.
    public var budget: WorkerBudget?
    /// What starts workers by copying itself; nil starts each by itself.
    public var template: WorkerTemplate?
    /// Whether workers work without a sandbox.
    public var sandbox: SandboxPolicy
    /// Where glyphs are drawn.
    public var text: TextPlacement
    /// What makes pixels.
    public var rasterizer: Rasterizer

    /// Settings from their parts.
    ///
    /// - Parameters:
    ///   - executable: The path of the worker program.
    ///   - password: For encrypted documents.
    ///   - workers: How many workers at the most; at least one.
    ///   - limits: What each may use.
    ///   - budget: What bounds the processes of several pools together; nil for none.
    ///   - template: What starts workers by copying itself; nil starts each by itself.
    ///   - sandbox: Whether workers work without a sandbox.
    ///   - text: Where glyphs are drawn.
    ///   - rasterizer: What makes pixels.
    public init(
      executable: FilePath,
      password: String? = nil,
      workers: Int = 2,
      limits: WorkerLimits = WorkerLimits(),
      budget: WorkerBudget? = nil,
      template: WorkerTemplate? = nil,
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
  /// What makes pixels.
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
  /// How many slots start processes ahead of need.
  package private(set) var preparing = 0
  private var lastTicket = 0
  private var running: [Int: Cancellation] = [:]
  private var isClosed = false
  private var lastPage: [Int: PageIndex] = [:]
  private let quarantine = SharedQuarantine()
  /// Pages whose recordings do not fit into the memory that a worker may use.
  private var drawnDirectly: Set<PageIndex> = []
  /// Whether pages at which a rasterizer fails are drawn again with the other one.
  private let triesAgain: Bool
  /// Pages that the other rasterizer has drawn after the first had failed, with the smallest scale at which that was: from
  /// there on the other one draws them at once.
  private var drawnByOther: [PageIndex: Double] = [:]
  /// Pages whose text cannot be read: a worker died of it.
  private var unreadable: [PageIndex: DocumentError] = [:]
  /// The first page that cannot be measured: poppler reaches a page through all those before it,
  /// so none behind this one can be measured either.
  private var firstUnmeasurable: (index: PageIndex, error: DocumentError)?

  /// A request without a worker: it gets a slot, or nil when it is to give up.
  private struct Waiting {
    var ticket: Int
    var continuation: CheckedContinuation<Int?, Never>
  }

  /// A pool over a file that is open for reading only, and must stay open as long as the pool lives. No process is
  /// started yet.
  public init(_ settings: Settings, document: FileDescriptor) {
    self.init(settings, document: document, clock: .monotonic)
  }

  /// A pool that waits by the clock given.
  ///
  /// - Parameters:
  ///   - settings: The program, the number of workers and their limits.
  ///   - document: The file, open for reading only; workers get copies of the descriptor.
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

  /// Starts the processes of idle workers ahead of need, all at once; not more than the budget has
  /// room for.
  ///
  /// A request that comes meanwhile waits for one of them. What goes wrong here is met again, and reported, by the
  /// next request.
  ///
  /// - Parameters:
  ///   - subset: Pages to open in them; nil opens nothing yet.
  ///   - workers: How many at the most.
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
          try await worker.open(subset, for: .drawing, cancellation)
        }
      }
    } catch {
      // The next request finds out the same.
    }
  }

  /// Opens the document in a worker.
  ///
  /// Cancelling the task takes the request back (`cancelled`); so it is with the others.
  ///
  /// - Parameter subset: Pages to open; nil opens the whole document.
  /// - Returns: What is open says of itself.
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

  /// Measures pages in a worker, as far as poppler reaches them.
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
  /// A page that the worker dies of is an error of that page; it is not read again by this pool, and those
  /// behind it are read by another worker.
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
      // One that comes behind the last page is the last page's.
      let read = results.prefix(next.distance(to: end) - 1)
      texts += read
      unreadable[next.advanced(by: read.count)] = failure
    }
    return texts
  }

  /// Draws a page in the worker that knows it best.
  ///
  /// When the task is cancelled, its worker is killed and the page counts as not tried. A page that
  /// killed its workers twice in a row is set aside: its error is thrown at once from then on, at
  /// every scale after crashes, at the same and larger scales after limits.
  ///
  /// - Parameters:
  ///   - drawing: The page, and the pictures of it.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  /// - Returns: A picture for each that is asked for, in order, with what poppler warned about.
  /// - Throws: `DocumentError` when any of them failed; `usage` or `pageSize` for pictures that cannot be made of the
  ///   raster; `cancelled` when the task is, or the pool is closed.
  public func draw(
    _ drawing: PageDrawing,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> DrawnPage {
    try drawing.check()
    let raster = drawing.raster
    if let error = quarantine.error(for: raster) { throw error }
    let slot = try await acquire(for: raster.pageIndex, "draw")
    defer { release(slot) }
    // Others may have been at it while this request waited.
    if let error = quarantine.error(for: raster) { throw error }
    return try await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
      var drawing = drawing
      if drawnDirectly.contains(raster.pageIndex) { drawing = drawing.direct }
      let hasFailed = drawnByOther[raster.pageIndex].map { $0 <= raster.scale } ?? false
      let other = SecondTry.rasterizer(for: raster.pageIndex, in: subset)
      let rasterizer = hasFailed ? other : rasterizer
      var (result, deadline) = try await worker.draw(
        .draw(drawing),
        in: subset,
        with: rasterizer,
        by: nil,
        cancellation
      )
      note(result, of: raster)
      // A recording holds all of a page's images at once; drawn directly they come and go.
      if case .failure(let error) = result, error.code == .memoryLimit, !drawing.isDirect {
        drawnDirectly.insert(raster.pageIndex)
        (result, _) = try await worker.draw(
          .draw(drawing.direct),
          in: subset,
          with: rasterizer,
          by: deadline,
          cancellation
        )
        note(result, of: raster)
      }
      guard case .failure(let error) = result, triesAgain, !hasFailed,
        SecondTry.isDue(after: error, by: deadline)
      else { return try result.get() }
      let again = drawing
      return try await drawAgain(raster, after: error) { () async throws(DocumentError) in
        try await worker.draw(
          .draw(again),
          in: subset,
          with: other,
          by: deadline,
          cancellation
        ).0.get()
      }
    }
  }

  /// Draws a page again.
  ///
  /// - Parameters:
  ///   - error: Why it was not drawn.
  /// - Returns: The pictures, with what poppler warned about.
  /// - Throws: The first error, which is the page's; `cancelled`.
  private func drawAgain(
    _ raster: PageRaster,
    after error: DocumentError,
    _ draw: () async throws(DocumentError) -> DrawnPage
  ) async throws(DocumentError) -> DrawnPage {
    let drawn: DrawnPage
    do throws(DocumentError) {
      drawn = try await draw()
    } catch let second {
      throw second.code == .cancelled ? second : error
    }
    note(.success(drawn), of: raster)
    let known = drawnByOther[raster.pageIndex] ?? .infinity
    drawnByOther[raster.pageIndex] = min(known, raster.scale)
    return drawn
  }

  /// Draws pages in a worker, which has each request before it is done with the one in front of it.
  ///
  /// Cancelling and failing pages are treated as in the function above. Where other requests
  /// wait, the worker is theirs after a tenth of a second.
  ///
  /// - Parameters:
  ///   - pages: The pages; several calls may take from the same ones, each with a worker of its own.
  ///   - subset: Pages that can be opened without the others; nil opens the whole document.
  public func draw(_ pages: any DrawingQueue, subset: DocumentSubset?) async {
    let supply = PageSupply(pages, quarantine)
    while await pages.wait() {
      // Cancelled, or the pool is closed.
      guard let slot = try? await acquire(for: nil, "draw") else { return }
      try? await run(on: slot) { (worker, cancellation) async throws(DocumentError) in
        await worker.draw(supply, in: subset, cancellation) { self.hasOthersWaiting }
      }
      release(slot)
    }
  }

  /// Whether a request waits that a worker of this pool is to be left to.
  private nonisolated var hasOthersWaiting: Bool {
    isAwaited.load(ordering: .acquiring) || budget.limits.endsIdle && budget.waitingCount > 0
  }

  /// Keeps what drawing a page has shown of it.
  private func note(_ result: Result<DrawnPage, DocumentError>, of raster: PageRaster) {
    // The compiler has missed callers that were not on the actor.
    assertIsolated()
    quarantine.note(result, of: raster)
  }

  /// Takes back all requests and ends all processes; requests that come later are `cancelled`.
  public func close() async {
    isClosed = true
    for waiting in waiting { waiting.continuation.resume(returning: nil) }
    waiting = []
    for cancellation in running.values { cancellation.cancel() }
    for slot in slots where budget.limits.endsIdle || slot.holdsPermit { await slot.close() }
  }

  /// How many requests wait for a worker.
  package var waitingCount: Int { waiting.count }

  /// Has a slot do something that ends early when the task is cancelled or the pool is closed.
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

  /// Waits for a slot, in the order of asking.
  func acquire(
    for page: PageIndex?,
    _ operation: String
  ) async throws(DocumentError) -> Int {
    guard let slot = isClosed || Task.isCancelled ? nil : await nextSlot(for: page) else {
      throw DocumentError.cancelled.during(operation)
    }
    lastPage[slot] = page ?? lastPage[slot]
    return slot
  }

  private func nextSlot(for page: PageIndex?) async -> Int? {
    // A process that is being started is ready sooner than one that is still to be started, and takes nothing from it.
    guard preparing <= waiting.count else { return await waitForSlot() }
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
      if let permit = budget.enterAtOnce(for: .drawing) {
        idle.removeLast()
        await slots[slot].reserve(permit)
        return slot
      }
    }
    return await waitForSlot()
  }

  /// Waits for a slot that another request, or the start of a process, leaves.
  ///
  /// - Returns: The slot; nil when the task is cancelled or the pool is closed.
  private func waitForSlot() async -> Int? {
    lastTicket += 1
    let ticket = lastTicket
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume(returning: nil)
        } else {
          waiting.append(Waiting(ticket: ticket, continuation: continuation))
        }
      }
    } onCancel: {
      Task { await self.leave(ticket) }
    }
  }

  /// Whether an idle slot may be given a request as it is. Where pools keep their permits, a request
  /// that waits for one could do so for ever: two pools would wait for each other with one permit each.
  /// There a pool waits for its first permit only, and takes others if there is room.
  private func mayTake(_ slot: Int) -> Bool {
    budget.limits.endsIdle || slots[slot].holdsPermit
  }

  /// Takes a request out of the queue, if it still waits.
  private func leave(_ ticket: Int) {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
    waiting.remove(at: index).continuation.resume(returning: nil)
  }

  func release(_ slot: Int) {
    if firstSlot == slot { firstSlot = nil }
    if waiting.isEmpty {
      idle.append(slot)
    } else {
      // Its request was cancelled before there was a permit.
      if !mayTake(slot) { firstSlot = slot }
      waiting.removeFirst().continuation.resume(returning: slot)
    }
  }
}
