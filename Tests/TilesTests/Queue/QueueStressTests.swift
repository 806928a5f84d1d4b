import DocumentModel
import RectoGeometry
import TestSupport
import Testing

@testable import RectoTiles

/// A queue under random wishes, and beside it an oracle that keeps its own account of what is wanted
/// now, what runs and what was told.
private struct Storm {
  /// What the oracle knows of a source.
  struct Viewer {
    var wanted: Set<TileKey> = []
    /// Tiles of those that were there since the focus came, kept or not.
    var done: Set<TileKey> = []
    var visible: Set<TileKey> = []
    /// Visible tiles told since they came into view.
    var told: Set<TileKey> = []
    var failed: Set<PageRaster> = []
    /// Rasters that could not be drawn and did not come into view anew since.
    var broken: Set<PageRaster> = []
  }
  struct Running {
    var id: JobID
    var source: SourceID
    var keys: [TileKey]
    var isStopped = false
  }

  let settings: RenderQueue.Settings
  var random: SeededGenerator
  var state: QueueState
  var now = Duration.zero
  var viewers: [SourceID: Viewer] = [:]
  var waiters: [WaiterID: (tile: SourceTile, urgency: TileUrgency)] = [:]
  var left: Set<WaiterID> = []
  var looking: [Running] = []
  var drawing: [Running] = []
  var begun = 0
  var delivered = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    settings = RenderQueue.Settings(
      slots: Int.random(in: 1...4, using: &random),
      tilesPerJob: Int.random(in: 1...6, using: &random),
      memoryBytes: Int.random(in: 0...12_000, using: &random),
      prefetchBytes: Int.random(in: 0...200_000, using: &random),
      requests: Int.random(in: 1...6, using: &random),
      patience: .milliseconds(Int.random(in: 0...50, using: &random))
    )
    state = QueueState(settings)
    for _ in 0..<Int.random(in: 1...3, using: &random) { viewers[state.add()] = Viewer() }
  }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func anySource() -> SourceID? { viewers.keys.sorted().randomElement(using: &random) }

  mutating func step() {
    switch number(0..<100) {
    case 0..<15: focus()
    case 15..<35: request()
    case 35..<43:
      let ids = waiters.keys.sorted { $0.number < $1.number }
      if let id = ids.randomElement(using: &random) {
        left.insert(id)
        state.leave(id)
      }
    case 43..<60: if !looking.isEmpty { look(number(0..<looking.count)) }
    case 60..<85: if !drawing.isEmpty { draw(number(0..<drawing.count), mayFail: true) }
    case 85..<92: now += .milliseconds(number(0..<40))
    case 92..<99: read()
    default: exchangeSource()
    }
    settle()
  }

  mutating func focus() {
    guard let source = anySource() else { return }
    let window = QueueFixture.window(
      at: Double(number(0..<900)),
      height: Double(number(1..<160)),
      reach: number(0..<4),
      pages: 16,
      velocity: Double(number(-3..<4) * 40)
    )
    let plan = settings.order.tiles(for: window)
    var memory = state.memory
    let held = plan.map(\.key).filter { memory.use(SourceTile(source: source, key: $0)) != nil }
    viewers[source]?.done = Set(held)
    state.focus(source, on: window)
    let visible = Set(plan.filter { $0.urgency == .visible }.map(\.key))
    let rasters = Set(visible.map(\.raster))
    let old = Set(viewers[source]?.visible.map(\.raster) ?? [])
    viewers[source]?.broken.formIntersection(plan.map(\.key.raster))
    viewers[source]?.broken.subtract(rasters.subtracting(old))
    viewers[source]?.wanted = Set(plan.map(\.key))
    viewers[source]?.visible = visible
    viewers[source]?.told.formIntersection(visible)
    viewers[source]?.failed.formIntersection(rasters)
  }

  mutating func request() {
    guard let source = anySource() else { return }
    let key = QueueFixture.key(PageIndex(number(0..<16)), number(0..<4), number(0..<4))
    let urgency = TileUrgency(rawValue: number(0..<4)) ?? .idle
    let id = WaiterID(number: state.nextNumber())
    waiters[id] = (SourceTile(source: source, key: key), urgency)
    state.request(id, key, of: source, urgency: urgency)
  }

  mutating func look(_ place: Int) {
    let job = looking.remove(at: place)
    let found = job.keys.map { number(0..<4) == 0 ? QueueFixture.tile($0, source: .disk) : nil }
    for (key, tile) in zip(job.keys, found) where tile != nil {
      viewers[job.source]?.done.insert(key)
    }
    state.lookupFinished(job.id, found)
  }

  mutating func draw(_ place: Int, mayFail: Bool) {
    let job = drawing.remove(at: place)
    let fails = job.isStopped ? number(0..<2) == 0 : mayFail && number(0..<8) == 0
    if fails, !job.isStopped, let raster = job.keys.first?.raster,
      viewers[job.source]?.wanted.contains(where: { $0.raster == raster }) == true
    {
      viewers[job.source]?.broken.insert(raster)
    }
    if !fails { viewers[job.source]?.done.formUnion(job.keys) }
    state.drawFinished(
      job.id,
      fails ? .failure(QueueFixture.error) : .success(job.keys.map { QueueFixture.tile($0) })
    )
  }

  /// A reader takes a few events.
  mutating func read() {
    for _ in 0..<number(1..<12) {
      guard let event = state.takeEvent() else { return }
      told(event)
    }
  }

  mutating func told(_ event: QueueEvent) {
    switch event {
    case .tile(let source, let key, let tile):
      #expect(viewers[source]?.visible.contains(key) == true, "delivered late")
      #expect(viewers[source]?.told.insert(key).inserted == true, "delivered twice")
      #expect(viewers[source]?.failed.contains(key.raster) != true || tile.source != .rendered)
      #expect(tile.bytes == QueueFixture.tile(key).bytes)
      delivered += 1
    case .failed(let source, let raster, _):
      #expect(
        viewers[source]?.visible.contains { $0.raster == raster } == true,
        "failed late"
      )
      #expect(viewers[source]?.failed.insert(raster).inserted == true, "failed twice")
    case .idle: break
    }
  }

  mutating func exchangeSource() {
    if let source = anySource(), number(0..<2) == 0 {
      state.remove(source)
      viewers[source] = nil
    }
    if viewers.count < 3 { viewers[state.add()] = Viewer() }
  }

  /// Does what is decided, and holds it against the account.
  mutating func settle() {
    let demands = state.sources
    for action in state.decide(at: now) {
      switch action {
      case .look(let id, let source, let keys):
        check(keys, of: source)
        looking.append(Running(id: id, source: source, keys: keys))
      case .draw(let id, let source, let keys):
        begun += 1
        check(keys, of: source)
        #expect(Set(keys.map(\.raster)).count == 1)
        #expect(keys.count <= settings.tilesPerJob)
        drawing.append(Running(id: id, source: source, keys: keys))
        #expect(drawing.count <= settings.slots)
        checkThatVisibleComesFirst(keys, source, demands)
      case .stop(let id):
        guard let place = drawing.firstIndex(where: { $0.id == id }) else {
          #expect(looking.contains { $0.id == id })
          continue
        }
        let job = drawing[place]
        #expect(!job.isStopped)
        // Callers waiting for admission have not asked yet.
        let asked = Set(demands[job.source]?.tiles.values.flatMap { $0.waiters.map(\.id) } ?? [])
        #expect(
          !job.keys.contains { isWanted($0, job.source, by: asked) },
          "wanted work was stopped"
        )
        drawing[place].isStopped = true
      case .answer(let id, let answer):
        guard let (tile, _) = waiters.removeValue(forKey: id) else {
          Issue.record("answered twice, or a stranger")
          continue
        }
        switch answer {
        case .tile(let got): #expect(got.bytes == QueueFixture.tile(tile.key).bytes)
        case .failed(let error): #expect(error == QueueFixture.error)
        case .cancelled: #expect(left.contains(id) || viewers[tile.source] == nil)
        }
      }
    }
    checkBounds()
  }

  /// Whether the newest focus or a caller wants a tile; of the callers, only `callers` if given.
  func isWanted(_ key: TileKey, _ source: SourceID, by callers: Set<WaiterID>? = nil) -> Bool {
    if let viewer = viewers[source], viewer.wanted.contains(key),
      !viewer.done.contains(key), !viewer.broken.contains(key.raster)
    {
      return true
    }
    return waiters.contains { id, waiter in
      waiter.tile == SourceTile(source: source, key: key) && callers?.contains(id) ?? true
    }
  }

  func check(_ keys: [TileKey], of source: SourceID) {
    for key in keys {
      #expect(isWanted(key, source), "unwanted work was begun")
      for job in looking + drawing where job.source == source {
        #expect(!job.keys.contains(key), "worked on twice at once")
      }
    }
  }

  /// Nothing less is begun while a visible tile waits that could be drawn instead.
  func checkThatVisibleComesFirst(
    _ keys: [TileKey],
    _ source: SourceID,
    _ demands: [SourceID: SourceDemand]
  ) {
    guard let first = keys.first, !isVisible(first, source) else { return }
    for (id, viewer) in viewers {
      for key in viewer.visible where demands[id]?.tiles[key]?.isWanted == true {
        #expect(
          (drawing + looking).contains { $0.source == id && $0.keys.contains(key) },
          "a visible tile waits behind other work"
        )
      }
    }
  }

  func isVisible(_ key: TileKey, _ source: SourceID) -> Bool {
    viewers[source]?.visible.contains(key) == true
      || waiters.values.contains {
        $0.tile == SourceTile(source: source, key: key) && $0.urgency == .visible
      }
  }

  func checkBounds() {
    let visible = viewers.values.reduce(0) { $0 + $1.visible.count }
    #expect(state.memory.bytes <= settings.memoryBytes + visible * 100)
    #expect(state.events.count <= visible * 2 + 1)
    #expect(state.callers == waiters.count)
    for source in state.sources.values {
      let callers = source.tiles.values.flatMap(\.waiters)
      for urgency in TileUrgency.allCases {
        #expect(callers.count { $0.urgency == urgency } <= settings.requests)
      }
      #expect(source.delivered.isSubset(of: source.visible))
      #expect(source.tiles.values.allSatisfy { $0.isWanted || $0.isInFlight })
    }
    // What was told and is still visible is still in memory.
    var memory = state.memory
    for (id, viewer) in viewers {
      for key in viewer.told {
        #expect(memory.use(SourceTile(source: id, key: key)) != nil, "visible, and let go")
      }
    }
  }

  /// Lets everything come to its end.
  mutating func calm() {
    var rounds = 0
    while !looking.isEmpty || !drawing.isEmpty, rounds < 100_000 {
      if !looking.isEmpty { look(0) } else { draw(0, mayFail: false) }
      settle()
      rounds += 1
    }
    var last: QueueEvent?
    while let event = state.takeEvent() {
      told(event)
      last = event
    }
    #expect(last == nil || last == .idle)
    #expect(waiters.isEmpty, "requests are left waiting")
    for viewer in viewers.values {
      for key in viewer.visible {
        #expect(
          viewer.told.contains(key) || viewer.failed.contains(key.raster),
          "visible, and neither delivered nor failed"
        )
      }
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct QueueStressTests {
  @Test(arguments: UInt64(0)..<24) func `whatever is wished, what is wanted now is what is done`(
    seed: UInt64
  ) {
    var storm = Storm(seed: seed)
    for _ in 0..<500 { storm.step() }
    storm.calm()
    #expect(storm.begun > 20 && storm.delivered > 20)
  }
}
