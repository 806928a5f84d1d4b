internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import Synchronization
internal import SystemPackage

/// One slot of the pool: a worker process, started when first needed and replaced when it dies.
///
/// Every call blocks, on the slot's own queue. The pool gives a slot one request at a time.
actor WorkerSlot {
  private let executor = QueueExecutor(label: "recto.worker-slot")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let settings: WorkerPool.Settings
  private let document: FileDescriptor
  private let clock: PoolClock
  private var backoff = StartBackoff()
  private let budget: WorkerBudget
  var process: WorkerProcess?
  /// Held during a request; the process keeps its own reference.
  private var permit: WorkerPermit?
  /// For the next process.
  private var reserved: WorkerPermit?
  private var isClosed = false
  private let permitted = Atomic(false)

  /// Whether there is a permit that the slot keeps until it is closed.
  nonisolated var holdsPermit: Bool { permitted.load(ordering: .acquiring) }
  /// The document that the process has open.
  private var opened: (subset: DocumentSubset?, rasterizer: Rasterizer, document: OpenedDocument)?
  /// The private memory of the process after it opened the document, in bytes.
  private var ownMemory = 0
  /// Counts the processes.
  private var starts = 0
  /// The number of the process that is watched while it has no request.
  private var watched = 0
  private var idleWatch = IdleWatch()
  /// Whether the latest process had worked on another document.
  private var isReused = false
  /// Whether something failed in such a process: from then on processes are started for this document.
  private var isAlone: Bool
  /// The deadline of the page being drawn.
  var pageDeadline = Deadline(after: 0)

  /// A slot without a process.
  ///
  /// - Parameters:
  ///   - budget: Provides the permits for processes.
  ///   - clock: Measures how long to wait before another process is started.
  init(
    _ settings: WorkerPool.Settings,
    _ budget: WorkerBudget,
    document: FileDescriptor,
    clock: PoolClock
  ) {
    self.settings = settings
    self.budget = budget
    self.document = document
    self.clock = clock
    isAlone = settings.reuse == nil || settings.password != nil
  }

  /// Starts a process if there is none and the budget has room, without opening anything.
  ///
  /// - Throws: `DocumentError` when the process cannot be started.
  @discardableResult
  func start() throws(DocumentError) -> Bool {
    if process?.isUnusable == true { discard() }
    if process != nil { return true }
    guard backoff.advice(at: clock.now()) == .start(after: 0) else { return false }
    permit = budget.enterAtOnce()
    guard permit != nil else { return false }
    defer { rest() }
    _ = try startedProcess()
    return true
  }

  /// Opens the document, or a part of it, in a process.
  ///
  /// - Parameters:
  ///   - wanted: The part of the document to open; nil for all of it.
  ///   - purpose: The purpose of opening the document.
  ///   - cancellation: Cancels the request.
  /// - Returns: The document's info, and the engine.
  /// - Throws: `DocumentError` when the process cannot be started or the document cannot be opened;
  ///   `cancelled`.
  @discardableResult
  func open(
    _ wanted: DocumentSubset?,
    for purpose: WorkerPurpose,
    _ cancellation: Cancellation
  ) async throws(DocumentError) -> OpenedDocument {
    try await enter(for: purpose, cancellation)
    defer { rest() }
    return try await repeating { () async throws(DocumentError) in
      try await ready(wanted, cancellation)
    }
  }

  /// Prepares a process that has the wanted part of the document open.
  ///
  /// Waits if workers recently died before they were ready.
  ///
  /// - Parameters:
  ///   - wanted: The part of the document to open; nil for all of it.
  ///   - rasterizer: The rasterizer; nil if nothing is drawn.
  ///   - deadline: When it must be ready, if that is sooner than the limit for opening.
  /// - Returns: The document's info, and the engine.
  /// - Throws: `DocumentError` when the process cannot be started or the document cannot be opened;
  ///   `cancelled`.
  @discardableResult
  func ready(
    _ wanted: DocumentSubset?,
    with rasterizer: Rasterizer? = nil,
    by deadline: Deadline? = nil,
    _ cancellation: Cancellation
  ) async throws(DocumentError) -> OpenedDocument {
    // A process that was killed while idle must not cost a page.
    if process?.isUnusable == true { discard() }
    if process == nil {
      switch backoff.advice(at: clock.now()) {
      case .fail(let error): throw error
      case .start(let delay): if delay > 0 { await clock.sleep(delay) }
      }
      if cancellation.isCancelled { throw DocumentError.cancelled.during("open") }
    }
    if process != nil, let opened, opened.subset == wanted,
      rasterizer ?? opened.rasterizer == opened.rasterizer
    {
      return opened.document
    }
    do throws(DocumentError) {
      return try open(wanted, rasterizer ?? settings.rasterizer, by: deadline, cancellation)
    } catch {
      throw wanted == nil ? error : error.ofSubset
    }
  }

  /// Measures pages of the whole document as far as possible. If there are fewer results than
  /// pages, the reason is returned.
  ///
  /// - Returns: A result for each page that was reached, and why the others were not; nil when all
  ///   were.
  /// - Throws: Why the document cannot be opened.
  func measure(
    _ pages: Range<PageIndex>,
    _ cancellation: Cancellation
  ) async throws(DocumentError) -> (
    results: [Result<PageInfo, DocumentError>], failure: DocumentError?
  ) {
    try await enter(for: .background, cancellation)
    defer { rest() }
    return try await repeating {
      $0.failure ?? $0.results.lazy.compactMap(\.error).first
    } _: {
      () async throws(DocumentError) in
      try await ready(nil, cancellation)
      var results: [Result<PageInfo, DocumentError>] = []
      do throws(DocumentError) {
        let deadline = Deadline(after: settings.limits.measure)
        try send(.measure(pages), by: deadline, cancellation) { reply in
          if case .measured(_, let batch) = reply { results += batch }
        }
      } catch {
        return (results, error.during("measure"))
      }
      return (results, nil)
    }
  }

  /// Reads the properties of the whole document.
  ///
  /// - Throws: Why the document cannot be opened or its properties cannot be read; `cancelled`.
  func properties(_ cancellation: Cancellation) async throws(DocumentError) -> DocumentProperties {
    try await enter(for: .background, cancellation)
    defer { rest() }
    return try await repeating { () async throws(DocumentError) in
      try await ready(nil, cancellation)
      var properties = DocumentProperties()
      do throws(DocumentError) {
        let deadline = Deadline(after: settings.limits.open)
        try send(.properties, by: deadline, cancellation) { reply in
          if case .properties(let read) = reply { properties = read }
        }
      } catch {
        throw error.during("open")
      }
      return properties
    }
  }

  /// Reads the text of pages as far as possible. If there are fewer results than pages, the reason
  /// is returned.
  ///
  /// - Returns: A result for each page that was reached, and why the next one was not; nil when all were.
  /// - Throws: Why the document cannot be opened.
  func text(
    of pages: Range<PageIndex>,
    hasStyles: Bool,
    in subset: DocumentSubset?,
    _ cancellation: Cancellation
  ) async throws(DocumentError) -> (
    results: [Result<PageText, DocumentError>], failure: DocumentError?
  ) {
    try await enter(for: .viewing, cancellation)
    defer { rest() }
    return try await repeating {
      $0.failure ?? $0.results.lazy.compactMap(\.error).first
    } _: {
      () async throws(DocumentError) in
      try await ready(subset, cancellation)
      var results: [Result<PageText, DocumentError>] = []
      do throws(DocumentError) {
        let deadline = Deadline(after: settings.limits.draw)
        let request = WorkerRequest.readText(pages, hasStyles: hasStyles)
        try send(request, by: deadline, cancellation) { reply in
          if case .text(let text) = reply { results.append(text) }
        }
      } catch {
        return (results, error.during("read the text"))
      }
      return (results, nil)
    }
  }

  /// Asks for one answer about the whole document.
  ///
  /// - Throws: Why the document cannot be opened or the request cannot be answered; `cancelled`.
  func answer(
    to request: WorkerRequest,
    during operation: String,
    _ cancellation: Cancellation
  ) async throws(DocumentError) -> WorkerReply {
    try await enter(for: .background, cancellation)
    defer { rest() }
    return try await repeating { () async throws(DocumentError) in
      try await ready(nil, cancellation)
      var answer: WorkerReply?
      do throws(DocumentError) {
        let deadline = Deadline(after: settings.limits.measure)
        try send(request, by: deadline, cancellation) { answer = $0 }
      } catch {
        throw error.during(operation)
      }
      guard let answer else { throw DocumentError(.fault, during: operation, "no answer") }
      return answer
    }
  }

  /// Ends the process, and returns its permit.
  func close() {
    isClosed = true
    // Before the permit is returned, so that its next holder finds the process.
    if settings.password == nil, let process { settings.reuse?.take(process, settings) }
    discard()
    reserved = nil
    permitted.store(false, ordering: .releasing)
  }

  /// Ends the process; the next request starts another.
  private func discard() {
    process = nil
    opened = nil
  }

  // MARK: Budget

  /// Takes a permit for the first process.
  func reserve(_ permit: WorkerPermit) {
    reserved = permit
    permitted.store(true, ordering: .releasing)
  }

  /// Waits for the permit of a request. The process may have been ended meanwhile.
  func enter(
    for purpose: WorkerPurpose,
    _ cancellation: Cancellation
  ) async throws(DocumentError) {
    if let reserved = reserved.take() {
      permit = reserved
      return
    }
    repeat {
      let granted = try await budget.enter(process?.permit.number, for: purpose, cancellation)
      if granted != nil { discard() }
      // Nil if the process was ended at that moment.
      permit = granted ?? process?.permit
    } while permit == nil
    if !budget.limits.endsIdle { permitted.store(true, ordering: .releasing) }
  }

  /// The request is done: from now on another pool may end the process.
  func rest() {
    guard let permit = permit.take() else { return }
    idleWatch = IdleWatch()
    guard let process, process.permit === permit else {
      // It goes back with its last reference.
      if !budget.limits.endsIdle, !isClosed { reserved = permit }
      return
    }
    let number = permit.number
    budget.rest(permit, bytes: process.ownMemory) { [weak self] in
      Task { await self?.end(number) }
    }
  }

  /// Starts watching the idle process. Not before its first request: until then it runs only our code, and may still be
  /// initializing.
  private func watchIdle() {
    guard watched != starts else { return }
    watched = starts
    let start = starts
    Task.detached { [weak self] in
      repeat {
        // It throws only when the task is cancelled, which never happens here.
        try? await Task.sleep(for: .seconds(IdleWatch.interval))
      } while await self?.look(at: start) == true
    }
  }

  /// Ends an idle process that works, or exceeds its memory limit.
  ///
  /// - Returns: Whether to check it again.
  private func look(at start: Int) -> Bool {
    guard let process, start == starts else { return false }
    guard permit == nil else { return true }
    let (bytes, processorSeconds) = process.look()
    guard
      bytes > settings.limits.memory || idleWatch.isWorking(processorSeconds)
        || shouldReplace(process)
    else { return true }
    if !budget.limits.endsIdle { reserved = process.permit }
    discard()
    return false
  }

  /// Ends the process with this permit, if it still exists.
  private func end(_ number: Int) {
    if process?.permit.number == number { discard() }
  }

  /// Sends a request; discards the process if it died or reached its page or growth limit.
  func send(
    _ request: WorkerRequest,
    by deadline: Deadline,
    _ cancellation: Cancellation,
    ahead: () -> WorkerRequest? = { nil },
    _ take: (WorkerReply) -> Void
  ) throws(DocumentError) {
    guard let process else { throw DocumentError(.fault, during: "", "no worker is ready") }
    defer { if !process.isUsable || shouldReplace(process) { discard() } }
    try process.send(
      request,
      by: deadline,
      memory: settings.limits.memory,
      cancellation: cancellation,
      ahead: ahead,
      take
    )
  }

  private func shouldReplace(_ process: WorkerProcess) -> Bool {
    guard opened != nil, !process.hasRequestAhead else { return false }
    return process.drawn >= settings.limits.pages || hasGrown(process)
  }

  func hasGrown(_ process: WorkerProcess) -> Bool {
    process.ownMemory - ownMemory > min(settings.limits.growth, settings.limits.memory / 2)
  }

  private func startedProcess() throws(DocumentError) -> WorkerProcess {
    guard let permit else { throw DocumentError(.fault, during: "start a worker", "no permit") }
    do throws(DocumentError) {
      let started: WorkerProcess
      if let reused = try reusedProcess(permit) {
        started = reused
      } else {
        started = try WorkerProcess(
          executable: settings.executable,
          template: settings.template,
          sandbox: settings.sandbox,
          document: document.rawValue,
          permit: permit
        )
      }
      process = started
      isReused = started.isReused
      starts += 1
      return started
    } catch {
      backoff.failed(error, at: clock.now())
      throw error
    }
  }

  /// A process that has worked on another document; nil if there is none, or this document gets its own.
  private func reusedProcess(_ permit: WorkerPermit) throws(DocumentError) -> WorkerProcess? {
    guard !isAlone else { return nil }
    while let resting = settings.reuse?.next(settings) {
      let process = try WorkerProcess(resting, document: document.rawValue, permit: permit)
      if !process.isUnusable { return process }
    }
    return nil
  }

  /// Whether something that failed must be done again, because the process had worked on another document. Ends the
  /// process; the next one works on this document alone.
  ///
  /// - Parameter error: The failure.
  func isToRepeat(after error: DocumentError) -> Bool {
    guard isReused, !isAlone, error.code != .cancelled else { return false }
    isAlone = true
    isReused = false
    discard()
    backoff.succeeded()
    return true
  }

  /// Does something with the process; again with a process that works on this document alone, if it fails and the
  /// process had worked on another one.
  ///
  /// - Parameters:
  ///   - failure: The failure in an answer; nil if there is none.
  ///   - body: What to do.
  /// - Throws: What `body` throws.
  func repeating<Answer: Sendable>(
    failure: (Answer) -> DocumentError? = { _ in nil },
    _ body: () async throws(DocumentError) -> Answer
  ) async throws(DocumentError) -> Answer {
    do throws(DocumentError) {
      let answer = try await body()
      guard let error = failure(answer), isToRepeat(after: error) else { return answer }
    } catch {
      guard isToRepeat(after: error) else { throw error }
    }
    return try await body()
  }

  private func open(
    _ subset: DocumentSubset?,
    _ rasterizer: Rasterizer,
    by deadline: Deadline?,
    _ cancellation: Cancellation
  ) throws(DocumentError) -> OpenedDocument {
    let process: WorkerProcess
    if let running = self.process { process = running } else { process = try startedProcess() }
    opened = nil
    watchIdle()
    var info: DocumentInfo?
    do throws(DocumentError) {
      let request = WorkerRequest.open(
        password: settings.password,
        subset: subset,
        text: settings.text,
        rasterizer: rasterizer
      )
      let limit = Deadline(after: settings.limits.open)
      try send(request, by: deadline.map(limit.orSooner) ?? limit, cancellation) { reply in
        if case .opened(let read) = reply { info = read }
      }
    } catch {
      let error = error.during("open")
      if !process.isUsable, error.code != .cancelled { backoff.failed(error, at: clock.now()) }
      throw error
    }
    guard let info, let engine = process.engine else {
      throw DocumentError(.fault, during: "open", "unexpected reply from the worker")
    }
    let answer = OpenedDocument(info: info, engine: engine)
    backoff.succeeded()
    opened = (subset, rasterizer, answer)
    ownMemory = process.ownMemory
    return answer
  }
}

extension Result {
  /// The error; nil for a success.
  var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
