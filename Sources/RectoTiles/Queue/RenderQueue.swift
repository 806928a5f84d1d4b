internal import DocumentModel

/// Decides which tiles are worked on next, for one viewer and any number of documents.
///
/// The queue draws nothing itself. Its decisions are made by a value, `QueueState`; the actor around
/// it runs the jobs that were decided on, hands out their results, and reads the clock.
///
/// A viewer sends what it looks at (``focus(_:on:)``), as often as it likes, and reads ``events``.
/// A caller that wants a certain tile instead awaits it (``tile(_:of:urgency:)``). Both may be mixed; work
/// on one tile is shared.
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
  ///   - settings: What the queue may use, and how it decides.
  ///   - clock: Measures how long jobs have been running.
  public init(_ settings: Settings = Settings(), clock: some Clock<Duration> = ContinuousClock()) {
    state = QueueState(settings)
    stopwatch = Stopwatch(clock)
  }

  // MARK: Sources

  /// Takes in a document. Nothing is done for it yet.
  public func add(_ source: any TileSource) -> SourceID {
    let id = state.add()
    if isShutDown { state.remove(id) } else { sources[id] = source }
    return id
  }

  /// Takes a document out: its jobs are cancelled, callers that wait for its tiles get a
  /// `CancellationError`, and its tiles leave memory. An unknown one is ignored.
  public func remove(_ source: SourceID) {
    state.remove(source)
    sources[source] = nil
    perform()
  }

  // MARK: Wishes

  /// Says what a document's viewer looks at now; this replaces what it looked at before.
  ///
  /// - Complexity: O(*k* log *k*) in the number of tiles within reach of the window.
  public func focus(_ source: SourceID, on window: TileWindow) {
    state.focus(source, on: window)
    perform()
  }

  /// A tile, from memory, from the source's store, or drawn.
  ///
  /// Requests for one tile share the work, which is as urgent as the most urgent of them. When the
  /// task is cancelled the caller leaves; with the last one the tile leaves the queue.
  ///
  /// - Parameters:
  ///   - key: The tile.
  ///   - source: What draws it, as ``RenderQueue`` has numbered it.
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
      // Runs after the lines above, which do not leave the actor.
      Task { await self.leave(id) }
    }
  }

  private func leave(_ waiter: WaiterID) {
    state.leave(waiter)
    perform()
  }

  // MARK: Events

  /// What happens, for one reader.
  ///
  /// Events are not sent but fetched: what a newer focus does not show any more is taken back as long
  /// as it was not read, so a slow reader gets nothing stale, and no more is kept than the focuses
  /// show. Ends when the queue is shut down or the reading task is cancelled.
  public nonisolated var events: AsyncStream<QueueEvent> {
    AsyncStream { await self.nextEvent() }
  }

  /// Whether nothing is left to do and every event has been read.
  public var isQuiet: Bool { state.isQuiet }

  /// Has ``QueueEvent/idle`` told once more, behind everything that is unread, as soon as nothing is
  /// left to do: for a viewer with work of its own that has come to an end.
  public func repeatIdle() {
    state.repeatIdle()
    perform()
  }

  /// Waits until every tile that a source's newest focus shows is there or has failed: for work that would take
  /// the processor from them.
  ///
  /// - Parameters:
  ///   - source: The source; for an unknown one there is nothing to wait for.
  ///   - limit: How long to wait at the most, by the clock of the queue.
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

  /// How many wait for sources to be complete.
  var completionCount: Int { completions.count }

  /// Resumes those who wait for sources to be complete.
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

  /// What was done until now, and what is held.
  ///
  /// - Complexity: O(number of wanted tiles).
  public func statistics() -> QueueStatistics { state.statistics }

  /// Ends everything: all sources are removed, ``events`` ends, and a caller that still asks for a tile
  /// gets a `CancellationError`. Returns when no job runs any more.
  public func shutdown() async {
    isShutDown = true
    for source in sources.keys.sorted() { remove(source) }
    for reader in readers { reader.continuation.resume(returning: nil) }
    readers.removeAll()
    while let job = jobs.first?.value { await job.value }
  }

  // MARK: Deeds

  /// Does what the state decides.
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

  /// Sleeps until a job may be due to be stopped.
  private func setAlarm() {
    guard alarm?.time != state.deadline else { return }
    alarm?.task.cancel()
    alarm = state.deadline.map { time in
      let task = Task { [sleep = stopwatch.sleep] in
        do {
          try await sleep(time)
          self.alarmRang(at: time)
        } catch {
          // Set to another time, or not needed any more.
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
