internal import DocumentModel

/// The state and decisions of a queue, as a value.
///
/// Methods report what happened, then ``decide(at:)`` returns the actions to take. Time is passed
/// in; nothing reads a clock or runs by itself.
///
/// Invariants:
/// - A tile of a source is in at most one job that is not being stopped.
/// - A job starts with wanted tiles only, and at most ``RenderQueue/Settings/slots`` are drawn at
///   once, including jobs that are being stopped.
/// - A tile is reported only while the newest focus of its source shows it.
struct QueueState {
  /// A batch that a source works on.
  struct Job {
    var source: SourceID
    var keys: [TileKey]
    var isDrawn: Bool
    var start: Duration
    /// Drawn only when nothing more urgent is waiting.
    var isIdle = false
    /// It was told to stop.
    var isStopped = false
  }

  /// Effects to perform outside.
  enum Action: Hashable {
    case look(JobID, SourceID, [TileKey])
    case draw(JobID, SourceID, [TileKey])
    /// Stop the job; it still finishes like any other.
    case stop(JobID)
    case answer(WaiterID, Answer)
  }

  /// The result for a waiter.
  enum Answer: Hashable {
    case tile(Tile)
    case failed(DocumentError)
    case cancelled
  }

  private struct Request {
    var waiter: WaiterID
    var tile: SourceTile
  }

  let settings: RenderQueue.Settings
  var sources: [SourceID: SourceDemand] = [:]
  var jobs: [JobID: Job] = [:]
  var memory: TileMemory
  var counts = QueueStatistics()
  /// Unread events. Bounded by what the focuses show.
  private(set) var events: [QueueEvent] = []
  /// Callers admitted, and where they wait.
  private var waiting: [WaiterID: (tile: SourceTile, urgency: TileUrgency)] = [:]
  private var admitted: [TileUrgency: Int] = [:]
  /// Callers waiting for admission, by urgency, in order of arrival.
  private var admissionQueue: [TileUrgency: [Request]] = [:]
  private var actions: [Action] = []
  private var wasIdle = true
  private var lastNumber = 0

  init(_ settings: RenderQueue.Settings) {
    self.settings = settings
    memory = TileMemory(limit: settings.memoryBytes)
  }

  /// A number larger than all before.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Input

  mutating func add() -> SourceID {
    let id = SourceID(number: nextNumber())
    sources[id] = SourceDemand()
    return id
  }

  /// Removes a source and stops its jobs.
  mutating func remove(_ source: SourceID) {
    guard sources.removeValue(forKey: source) != nil else { return }
    for id in waiting.keys.sorted(by: { $0.number < $1.number })
    where waiting[id]?.tile.source == source {
      answer(id, .cancelled)
    }
    for urgency in TileUrgency.allCases {
      for request in admissionQueue[urgency] ?? [] where request.tile.source == source {
        actions.append(.answer(request.waiter, .cancelled))
      }
      admissionQueue[urgency]?.removeAll { $0.tile.source == source }
    }
    for (id, job) in jobs where job.source == source && !job.isStopped {
      jobs[id]?.isStopped = true
      actions.append(.stop(id))
    }
    memory.removeAll(of: source)
    events.removeAll { $0.source == source }
    admit()
  }

  /// Replaces the window of a source.
  mutating func focus(_ id: SourceID, on window: TileWindow) {
    guard var source = sources[id] else { return }
    let plan = settings.order.tiles(for: window)
    for key in source.tiles.keys { source.tiles[key]?.planned = nil }
    let visible = plan.filter { $0.urgency == .visible }.map(\.key)
    let visibleRasters = Set(visible.map(\.raster))
    source.rasters = Set(plan.map(\.key.raster))
    // A failed page is tried again when it comes back into view, but not while it stays.
    source.failures = source.failures.filter { raster, _ in
      source.rasters.contains(raster)
        && (!visibleRasters.contains(raster) || source.visibleRasters.contains(raster))
    }
    source.visible = Set(visible)
    source.visibleRasters = visibleRasters
    source.delivered.formIntersection(source.visible)
    source.bytesAhead = 0
    removeEvents(of: id, notIn: source)
    demand(plan, of: id, &source)
    for key in Array(source.tiles.keys) where source.dropIfUnwanted(key) { counts.cancelled += 1 }
    sources[id] = source
    let sources = sources
    memory.trim { sources[$0.source]?.visible.contains($0.key) ?? false }
    repeatIdle()
  }

  /// Removes the events of tiles and pages that are no longer visible.
  private mutating func removeEvents(of id: SourceID, notIn source: SourceDemand) {
    events.removeAll { event in
      switch event {
      case .tile(id, let key, _): !source.visible.contains(key)
      case .failed(id, let raster, _): !source.visibleRasters.contains(raster)
      case .idle: true
      default: false
      }
    }
  }

  /// Sends the visible tiles of a plan that are in memory, and queues those that are not.
  ///
  /// - Parameters:
  ///   - plan: The tiles that a focus wants, in order.
  private mutating func demand(
    _ plan: [PlannedTile],
    of id: SourceID,
    _ source: inout SourceDemand
  ) {
    // In reverse order, so that the most wanted tiles are evicted last.
    var held: [TileKey: Tile] = [:]
    for planned in plan.reversed() {
      held[planned.key] = memory.use(SourceTile(source: id, key: planned.key))
    }
    for (position, planned) in plan.enumerated() where source.failures[planned.key.raster] == nil {
      let key = planned.key
      if let tile = held[key] {
        if planned.urgency < .margin { source.bytesAhead += tile.bytes.count }
        if planned.urgency == .visible, source.delivered.insert(key).inserted {
          counts.memory += 1
          events.append(.tile(id, key, tile))
        }
      } else {
        source.tiles[key, default: TileDemand()].planned = TileDemand.Rank(
          urgency: planned.urgency,
          isRequested: false,
          position: position
        )
      }
    }
  }

  /// Reports `.idle` once more, after all other events, as soon as there is no work left.
  mutating func repeatIdle() {
    events.removeAll { $0 == .idle }
    wasIdle = false
  }

  /// A caller waits for a tile.
  mutating func request(
    _ waiter: WaiterID,
    _ key: TileKey,
    of source: SourceID,
    urgency: TileUrgency
  ) {
    admissionQueue[urgency, default: []].append(
      Request(waiter: waiter, tile: SourceTile(source: source, key: key))
    )
    admit()
  }

  /// A caller does not wait any more.
  mutating func leave(_ waiter: WaiterID) {
    for urgency in TileUrgency.allCases {
      if let index = admissionQueue[urgency]?.firstIndex(where: { $0.waiter == waiter }) {
        admissionQueue[urgency]?.remove(at: index)
        actions.append(.answer(waiter, .cancelled))
        return
      }
    }
    guard let tile = waiting[waiter]?.tile else { return }
    answer(waiter, .cancelled)
    sources[tile.source]?.tiles[tile.key]?.waiters.removeAll { $0.id == waiter }
    if sources[tile.source]?.dropIfUnwanted(tile.key) == true { counts.cancelled += 1 }
    admit()
  }

  /// A source has looked up tiles: one result for each key of the job, in order.
  mutating func lookupFinished(_ id: JobID, _ found: [Tile?]) {
    guard let job = jobs.removeValue(forKey: id) else { return }
    for (index, key) in job.keys.enumerated() where sources[job.source]?.tiles[key] != nil {
      if index < found.count, let tile = found[index] {
        arrived(tile, as: SourceTile(source: job.source, key: key))
      } else {
        putBack(key, of: job.source)
      }
    }
    admit()
  }

  /// A source has drawn tiles, or failed to.
  mutating func drawFinished(_ id: JobID, _ result: Result<[Tile], DocumentError>) {
    guard let job = jobs.removeValue(forKey: id) else { return }
    guard sources[job.source] != nil else { return }
    switch result {
    case .success(let tiles) where tiles.count == job.keys.count:
      for (key, tile) in zip(job.keys, tiles) {
        arrived(tile, as: SourceTile(source: job.source, key: key))
      }
    case .failure where job.isStopped:
      for key in job.keys { putBack(key, of: job.source) }
    case .failure(let error): failed(job, error)
    case .success:
      failed(job, DocumentError(.fault, during: "draw", "a number of tiles that was not asked for"))
    }
    admit()
  }

  /// Callers that have no answer yet.
  var callers: Int { waiting.count + admissionQueue.values.reduce(0) { $0 + $1.count } }

  /// Whether there is no work left and all events were read.
  var isQuiet: Bool { isIdle && events.isEmpty }

  /// Whether every visible tile of a source's newest focus is ready or has failed. True for an unknown source.
  func isComplete(_ id: SourceID) -> Bool {
    guard let source = sources[id] else { return true }
    return source.visible.allSatisfy { key in
      source.delivered.contains(key) || source.failures[key.raster] != nil
    }
  }

  /// Removes and returns the next event.
  mutating func takeEvent() -> QueueEvent? { events.isEmpty ? nil : events.removeFirst() }

  /// The actions to take after everything that was reported.
  mutating func decide(at now: Duration) -> [Action] {
    actions += startLooking(at: now)
    actions += startDrawing(at: now)
    actions += stopBlockers(at: now)
    let isIdle = isIdle
    if isIdle != wasIdle {
      if isIdle { events.append(.idle) } else { events.removeAll { $0 == .idle } }
      wasIdle = isIdle
    }
    defer { actions.removeAll() }
    return actions
  }

  // MARK: Decisions

  /// Whether no wanted tile is outstanding, apart from those beyond the byte budget.
  private var isIdle: Bool {
    let looking = Set(jobs.values.filter { !$0.isDrawn }.map(\.source))
    return sources.allSatisfy { id, source in
      source.tiles.values.allSatisfy { tile in
        !tile.isWanted || (tile.stage == .fresh && tile.isAhead && !looking.contains(id))
      }
    }
  }

  /// Answers callers waiting for admission at once where that is possible, and takes in as many of the others
  /// as there is room for.
  private mutating func admit() {
    for urgency in TileUrgency.allCases.reversed() {
      while admitted[urgency, default: 0] < settings.requests,
        let request = admissionQueue[urgency]?.first
      {
        admissionQueue[urgency]?.removeFirst()
        admit(request, urgency)
      }
    }
  }

  private mutating func admit(_ request: Request, _ urgency: TileUrgency) {
    let tile = request.tile
    guard let source = sources[tile.source] else {
      actions.append(.answer(request.waiter, .cancelled))
      return
    }
    if let held = memory.use(tile) {
      counts.memory += 1
      actions.append(.answer(request.waiter, .tile(held)))
    } else if let error = source.failures[tile.key.raster] {
      actions.append(.answer(request.waiter, .failed(error)))
    } else {
      sources[tile.source]?.tiles[tile.key, default: TileDemand()].waiters
        .append((request.waiter, urgency))
      waiting[request.waiter] = (tile, urgency)
      admitted[urgency, default: 0] += 1
    }
  }

  private mutating func answer(_ waiter: WaiterID, _ answer: Answer) {
    guard let request = waiting.removeValue(forKey: waiter) else { return }
    admitted[request.urgency, default: 0] -= 1
    actions.append(.answer(waiter, answer))
  }

  /// A tile is there: callers that wait for it get it, and it is kept for later ones.
  private mutating func arrived(_ tile: Tile, as name: SourceTile) {
    if tile.source == .rendered { counts.rendered += 1 } else { counts.disk += 1 }
    guard let demand = sources[name.source]?.tiles.removeValue(forKey: name.key) else { return }
    for waiter in demand.waiters { answer(waiter.id, .tile(tile)) }
    if !demand.isWanted { counts.stale += 1 }
    if let urgency = demand.planned?.urgency, urgency < .margin {
      sources[name.source]?.bytesAhead += tile.bytes.count
    }
    if demand.planned?.urgency == .visible,
      sources[name.source]?.delivered.insert(name.key).inserted == true
    {
      events.append(.tile(name.source, name.key, tile))
    }
    let sources = sources
    memory.insert(tile, as: name) { sources[$0.source]?.visible.contains($0.key) ?? false }
  }

  /// A tile that was worked on is not there after all: it waits to be drawn if it is wanted.
  private mutating func putBack(_ key: TileKey, of source: SourceID) {
    sources[source]?.tiles[key]?.stage = .missing
    if sources[source]?.dropIfUnwanted(key) == true { counts.cancelled += 1 }
  }

  /// A job failed, and with it all tiles of its raster that are not in another job.
  private mutating func failed(_ job: Job, _ error: DocumentError) {
    guard var source = sources[job.source], let raster = job.keys.first?.raster else { return }
    counts.failed += 1
    let elsewhere = Set(
      jobs.values.filter { $0.source == job.source }.flatMap(\.keys)
    )
    for (key, tile) in source.tiles where key.raster == raster {
      for waiter in tile.waiters { answer(waiter.id, .failed(error)) }
      if elsewhere.contains(key) {
        // The tiles of another job are kept, but no caller waits for them.
        source.tiles[key]?.waiters = []
        source.tiles[key]?.planned = nil
      } else {
        source.tiles[key] = nil
      }
    }
    if source.rasters.contains(raster), source.failures.updateValue(error, forKey: raster) == nil,
      source.visibleRasters.contains(raster)
    {
      events.append(.failed(job.source, raster, error))
    }
    sources[job.source] = source
  }

}

extension QueueEvent {
  fileprivate var source: SourceID? {
    switch self {
    case .tile(let source, _, _), .failed(let source, _, _): source
    case .idle: nil
    }
  }
}
