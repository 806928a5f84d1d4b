internal import DocumentModel
internal import RectoGeometry

extension QueueState {
  /// The most tiles that a source looks up at a time: a more urgent one has to wait for them.
  private static let tilesPerLook = 16

  /// The tiles in the order of work that are at a stage, with their ranks.
  private static func ordered(
    _ source: SourceDemand,
    _ stage: TileDemand.Stage,
    where isMeant: (TileKey, TileDemand) -> Bool = { _, _ in true }
  ) -> [(key: TileKey, rank: TileDemand.Rank)] {
    source.tiles
      .compactMap { key, tile in
        guard tile.stage == stage, let rank = tile.rank, isMeant(key, tile) else { return nil }
        return (key, rank)
      }
      .sorted { $0.rank < $1.rank }
  }

  // MARK: Looking up

  /// Makes each source look up wanted tiles, one batch at a time, within the byte budget.
  mutating func startLooking(at now: Duration) -> [Action] {
    let busy = Set(jobs.values.filter { !$0.isDrawn }.map(\.source))
    var actions: [Action] = []
    for id in sources.keys.sorted() where !busy.contains(id) {
      guard let source = sources[id] else { continue }
      var left = settings.prefetchBytes - source.bytesAhead
      for (key, tile) in source.tiles where tile.isAhead && tile.stage != .fresh {
        left -= Self.mostBytes(key)
      }
      var keys: [TileKey] = []
      for (key, _) in Self.ordered(source, .fresh) where keys.count < Self.tilesPerLook {
        if source.tiles[key]?.isAhead == true {
          // Stops at the first tile that does not fit, to keep the order.
          left -= Self.mostBytes(key)
          guard left >= 0 else { continue }
        }
        keys.append(key)
      }
      guard !keys.isEmpty else { continue }
      for key in keys { sources[id]?.tiles[key]?.stage = .looking }
      let job = JobID(number: nextNumber())
      jobs[job] = Job(source: id, keys: keys, isDrawn: false, start: now)
      actions.append(.look(job, id, keys))
    }
    return actions
  }

  /// The largest PNG of a tile: uncompressed pixels, headers and metadata.
  static func mostBytes(_ key: TileKey) -> Int { key.part.width * key.part.height * 4 + 4096 }

  // MARK: Drawing

  /// Fills the slots.
  mutating func startDrawing(at now: Duration) -> [Action] {
    var actions: [Action] = []
    while jobs.values.count(where: \.isDrawn) < settings.slots, let next = nextDrawing() {
      for key in next.keys { sources[next.source]?.tiles[key]?.stage = .drawing }
      let job = JobID(number: nextNumber())
      jobs[job] = Job(
        source: next.source,
        keys: next.keys,
        isDrawn: true,
        start: now,
        isIdle: next.urgency == .idle
      )
      sources[next.source]?.lastTurn[next.urgency] = job.number
      actions.append(.draw(job, next.source, next.keys))
    }
    return actions
  }

  /// The job to draw next: the first tile of the most urgent class, from the source whose turn it is, with others of
  /// the same raster and class.
  ///
  /// Unless it is visible, a raster that is being drawn waits for the slot that has it open.
  private func nextDrawing() -> (source: SourceID, keys: [TileKey], urgency: TileUrgency)? {
    // A lookup for more urgent tiles ends soon; a job would take longer.
    let lowest = sources.values.flatMap(\.tiles.values).compactMap { tile in
      tile.stage == .looking || (tile.stage == .fresh && !tile.isAhead) ? tile.rank?.urgency : nil
    }.max()
    for urgency in TileUrgency.allCases.reversed() where urgency >= lowest ?? .idle {
      guard urgency > .idle || mayBeginIdleWork else { continue }
      let waiting = sources.compactMap { id, source in
        drawable(urgency, of: id, source).map { (id: id, source: source, first: $0) }
      }
      let turn = waiting.min { first, second in
        let turns = (first.source.lastTurn[urgency] ?? 0, second.source.lastTurn[urgency] ?? 0)
        return turns.0 == turns.1 ? first.id < second.id : turns.0 < turns.1
      }
      guard let turn else { continue }
      let keys = Self.ordered(turn.source, .missing) { key, tile in
        key.raster == turn.first.raster && tile.rank?.urgency == urgency
      }
      return (turn.id, keys.prefix(settings.tilesPerJob).map(\.key), urgency)
    }
    return nil
  }

  /// Whether a slot is left for idle work. It never takes the last of several slots: after a jump to another page the
  /// reader would have to wait for all of them, and may jump again.
  private var mayBeginIdleWork: Bool {
    jobs.values.count(where: \.isIdle) < max(1, settings.slots - 1)
  }

  /// The first tile of a class that a source may draw now.
  private func drawable(
    _ urgency: TileUrgency,
    of id: SourceID,
    _ source: SourceDemand
  ) -> TileKey? {
    let open = Set(
      jobs.values.filter { $0.isDrawn && !$0.isStopped && $0.source == id }
        .compactMap(\.keys.first?.raster)
    )
    let tiles = source.tiles.compactMap { key, tile -> (key: TileKey, rank: TileDemand.Rank)? in
      guard tile.stage == .missing, let rank = tile.rank, rank.urgency == urgency else {
        return nil
      }
      return (key, rank)
    }
    let elsewhere = tiles.filter { !open.contains($0.key.raster) }.min { $0.rank < $1.rank }
    if let elsewhere { return elsewhere.key }
    return urgency == .visible ? tiles.min { $0.rank < $1.rank }?.key : nil
  }

  // MARK: Stopping

  /// Stops unwanted jobs that delay visible tiles for longer than the patience: at most as many as
  /// there are visible jobs to start.
  mutating func stopBlockers(at now: Duration) -> [Action] {
    let blockers = blockers.filter { now - $0.start >= settings.patience }
    for (id, _) in blockers {
      jobs[id]?.isStopped = true
      counts.killed += 1
    }
    return blockers.map { .stop($0.id) }
  }

  /// When the next job must be stopped, if nothing changes.
  var deadline: Duration? { blockers.map { $0.start + settings.patience }.min() }

  /// Jobs that may be stopped, the longest running first.
  private var blockers: [(id: JobID, start: Duration)] {
    let drawn = jobs.filter(\.value.isDrawn)
    guard drawn.count >= settings.slots else { return [] }
    let waiting = sources.values.reduce(0) { count, source in
      let visible = source.tiles.filter {
        $0.value.stage == .missing && $0.value.rank?.urgency == .visible
      }
      return count + Set(visible.keys.map(\.raster)).count
    }
    let needed = waiting - drawn.values.count(where: \.isStopped)
    guard needed > 0 else { return [] }
    return
      drawn.filter { !$0.value.isStopped && !isWanted($0.value) }
      .sorted { ($0.value.start, $0.key.number) < ($1.value.start, $1.key.number) }
      .prefix(needed)
      .map { ($0.key, $0.value.start) }
  }

  private func isWanted(_ job: Job) -> Bool {
    job.keys.contains { sources[job.source]?.tiles[$0]?.isWanted ?? false }
  }

  // MARK: Counting

  /// The counts so far, and the current lengths.
  var statistics: QueueStatistics {
    var result = counts
    result.bytesHeld = memory.bytes
    result.tilesHeld = memory.count
    result.drawing = jobs.values.count(where: \.isDrawn)
    result.looking = jobs.count - result.drawing
    result.waiting = callers
    for tile in sources.values.flatMap(\.tiles.values) where tile.stage != .drawing {
      if let urgency = tile.rank?.urgency { result.queued[urgency, default: 0] += 1 }
    }
    return result
  }
}
