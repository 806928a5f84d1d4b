internal import DocumentModel

/// Decides which tiles to draw next, for one viewer and any number of documents.
///
/// The queue does not draw. A value, `QueueState`, makes the decisions; this actor runs the jobs, delivers the results
/// and reads the clock.
///
/// A viewer sends its window (``focus(_:on:)``) as often as it changes, and reads ``events``. A caller that needs one
/// tile awaits it (``tile(_:of:urgency:)``). Both can be mixed; work on one tile is shared.
public actor RenderQueue {
  private var state: QueueState
  private let stopwatch: Stopwatch
  private var sources: [SourceID: any TileSource] = [:]
  private var jobs: [JobID: Task<Void, Never>] = [:]
  private var waiters: [WaiterID: CheckedContinuation<Tile, any Error>] = [:]
  private var readers: [(id: Int, continuation: CheckedContinuation<QueueEvent?, Never>)] = []
  private var completions:
    [(id: Int, source: SourceID, continuation: CheckedContinuation<Void, Never>)] = []
  private var alarm: (time: Duration, task: Task<Void, Never>)?
  private var isShutDown = false

  /// A queue without sources.
  ///
  /// - Parameters:
  ///   - settings: The queue's resources and priorities.
  ///   - clock: Measures how long jobs have been running.
  public init(_ settings: Settings = Settings(), clock: some Clock<Duration> = ContinuousClock()) {
    state = QueueState(settings)
    stopwatch = Stopwatch(clock)
  }

  // MARK: Sources

  /// Adds a document. Does not start any work.
  public func add(_ source: any TileSource) -> SourceID {
    let id = state.add()
    if isShutDown { state.remove(id) } else { sources[id] = source }
    return id
  }

  /// Removes a document: its jobs are cancelled, callers waiting for its tiles get a
  /// `CancellationError`, and its tiles are removed from memory. Unknown documents are ignored.
  public func remove(_ source: SourceID) {
    state.remove(source)
    sources[source] = nil
    perform()
  }

  // MARK: Requests

  /// Sets the window of a document, replacing the previous one.
  ///
  /// - Complexity: O(*k* log *k*) in the number of tiles within reach of the window.
  public func focus(_ source: SourceID, on window: TileWindow) {
    state.focus(source, on: window)
    perform()
  }

  /// A tile, from memory, from the source's store, or drawn.
  ///
  /// Requests for one tile share the work, which is as urgent as the most urgent request.
  /// Cancelling the task withdraws the request; when the last one is withdrawn, the tile leaves the
  /// queue.
  ///
  /// - Parameters:
  ///   - key: The tile.
  ///   - source: The source that draws it.
  ///   - urgency: How urgent it is.
  /// - Returns: The tile.
  /// - Throws: `DocumentError` when the page cannot be drawn; `CancellationError` when the task is
  ///   cancelled, the source is unknown or was removed, or the queue is shut down.
  public func tile(
    _ key: TileKey,
    of source: SourceID,
    urgency: TileUrgency = .visible
  ) async throws -> Tile {
    let id = WaiterID(number: state.nextNumber())
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiters[id] = continuation
        state.request(id, key, of: source, urgency: urgency)
        perform()
      }
    } onCancel: {
      // Runs after the lines above, which do not suspend.
      Task { await self.leave(id) }
    }
  }

  private func leave(_ waiter: WaiterID) {
    state.leave(waiter)
    perform()
  }

  // MARK: Events

  /// The events, for one reader.
  ///
  /// Events are pulled, not pushed: unread events of tiles that a newer focus does not show are dropped, so a slow
  /// reader never gets stale events, and the buffer is bounded by what the focuses show. Ends when the queue is shut
  /// down or the reading task is cancelled.
  public nonisolated var events: AsyncStream<QueueEvent> {
    AsyncStream { await self.nextEvent() }
  }

  /// Whether there is no work left and every event was read.
  public var isQuiet: Bool { state.isQuiet }

  /// Reports ``QueueEvent/idle`` once more, after all unread events, as soon as there is no work left. For a viewer
  /// whose own work has ended.
  public func repeatIdle() {
    state.repeatIdle()
    perform()
  }

  /// Waits until every visible tile of a source's newest focus is ready or has failed. For work that would compete with
  /// them for the processor.
  ///
  /// - Parameters:
  ///   - source: The source; returns at once for an unknown one.
  ///   - limit: The longest wait, by the clock of the queue.
  public func completion(of source: SourceID, within limit: Duration) async {
    guard !state.isComplete(source) else { return }
    let id = state.nextNumber()
    let timer = Task { [sleep = stopwatch.sleep, end = stopwatch.elapsed() + limit] in
      try await sleep(end)
      self.endCompletions { $0.id == id }
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { completions.append((id, source, $0)) }
    } onCancel: {
      Task { await self.endCompletions { $0.id == id } }
    }
    timer.cancel()
  }

  /// How many callers wait for sources to be complete.
  var completionCount: Int { completions.count }

  /// Resumes the callers that wait for sources to be complete.
  private func endCompletions(where isDue: ((id: Int, source: SourceID)) -> Bool) {
    let due = completions.filter { isDue(($0.id, $0.source)) }
    guard !due.isEmpty else { return }
    completions.removeAll { isDue(($0.id, $0.source)) }
    for completion in due { completion.continuation.resume() }
  }

  private func nextEvent() async -> QueueEvent? {
    if let event = state.takeEvent() { return event }
    if isShutDown { return nil }
    let id = state.nextNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { readers.append((id, $0)) }
    } onCancel: {
      Task { await self.dismiss(reader: id) }
    }
  }

  private func dismiss(reader id: Int) {
    guard let index = readers.firstIndex(where: { $0.id == id }) else { return }
    readers.remove(at: index).continuation.resume(returning: nil)
  }

  // MARK: State

  /// Statistics so far, and the current contents.
  ///
  /// - Complexity: O(number of wanted tiles).
  public func statistics() -> QueueStatistics { state.statistics }

  /// Shuts down: removes all sources, ends ``events``, and later requests for tiles get a `CancellationError`. Returns
  /// when no job is running.
  public func shutdown() async {
    isShutDown = true
    for source in sources.keys.sorted() { remove(source) }
    for reader in readers { reader.continuation.resume(returning: nil) }
    readers.removeAll()
    while let job = jobs.first?.value { await job.value }
  }

  // MARK: Jobs

  /// Performs the actions that the state decides on.
  private func perform() {
    for action in state.decide(at: stopwatch.elapsed()) {
      switch action {
      case .answer(let waiter, let answer):
        waiters.removeValue(forKey: waiter)?.resume(with: answer.result)
      case .stop(let job): jobs[job]?.cancel()
      case .look(let job, let id, let keys):
        guard let source = sources[id] else { continue }
        jobs[job] = Task { self.lookupFinished(job, await source.stored(keys)) }
      case .draw(let job, let id, let keys):
        guard let source = sources[id] else { continue }
        jobs[job] = Task {
          do throws(DocumentError) {
            self.drawFinished(job, .success(try await source.draw(keys)))
          } catch {
            self.drawFinished(job, .failure(error))
          }
        }
      }
    }
    while !readers.isEmpty, let event = state.takeEvent() {
      readers.removeFirst().continuation.resume(returning: event)
    }
    endCompletions { state.isComplete($0.source) }
    setAlarm()
  }

  private func lookupFinished(_ job: JobID, _ tiles: [Tile?]) {
    jobs[job] = nil
    state.lookupFinished(job, tiles)
    perform()
  }

  private func drawFinished(_ job: JobID, _ result: Result<[Tile], DocumentError>) {
    jobs[job] = nil
    state.drawFinished(job, result)
    perform()
  }

  /// Sleeps until a job may have to be stopped.
  private func setAlarm() {
    guard alarm?.time != state.deadline else { return }
    alarm?.task.cancel()
    alarm = state.deadline.map { time in
      let task = Task { [sleep = stopwatch.sleep] in
        do {
          try await sleep(time)
          self.alarmRang(at: time)
        } catch {
          // The alarm was changed or is no longer needed.
        }
      }
      return (time, task)
    }
  }

  private func alarmRang(at time: Duration) {
    guard alarm?.time == time else { return }
    alarm = nil
    perform()
  }
}

extension QueueState.Answer {
  fileprivate var result: Result<Tile, any Error> {
    switch self {
    case .tile(let tile): .success(tile)
    case .failed(let error): .failure(error)
    case .cancelled: .failure(CancellationError())
    }
  }
}
