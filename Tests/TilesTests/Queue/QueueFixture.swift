import DocumentModel
import RectoGeometry

@testable import RectoTiles

/// A small world: pages of 64 × 64 pixels one below the other, at one pixel a unit, in tiles of 16.
enum QueueFixture {
  static let side = 16
  static let extent = 64

  static func raster(_ page: PageIndex) -> PageRaster {
    PageRaster(
      pageIndex: page,
      scale: 1,
      rotation: .none,
      userUnit: 1,
      size: PixelSize(width: extent, height: extent)
    )
  }

  static func page(_ page: PageIndex) -> TileWindow.Page {
    let extent = Double(extent)
    return TileWindow.Page(
      raster: raster(page),
      frame: Rect(x: 0, y: Double(page.value) * extent, width: extent, height: extent)
    )
  }

  static func key(_ page: PageIndex, _ column: Int = 0, _ row: Int = 0) -> TileKey {
    TileKey(raster: raster(page), tile: TileIndex(column: column, row: row), side: side)
  }

  /// A viewport of `height` at `y`, with the pages that it shows and `reach` more on both sides, out
  /// of `pages` in all.
  static func window(
    at y: Double,
    height: Double = 64,
    reach: Int = 0,
    pages: Int = 1000,
    velocity: Double = 0
  ) -> TileWindow {
    let first = max(0, Int(y) / extent)
    let last = min(pages - 1, Int((y + height - 1) / Double(extent)))
    let shown = first...max(first, last)
    let around = max(0, first - reach)...min(pages - 1, last + reach)
    return TileWindow(
      pages: shown.map { page(PageIndex($0)) },
      neighbors: around.filter { !shown.contains($0) }.map { page(PageIndex($0)) },
      viewport: Rect(x: 0, y: y, width: 64, height: height),
      scale: 1,
      tileSide: side,
      velocity: Point(x: 0, y: velocity)
    )
  }

  /// A tile whose bytes tell it from all others.
  static func tile(_ key: TileKey, bytes: Int = 100, source: Tile.Source = .rendered) -> Tile {
    let page = key.raster.pageIndex.value
    let name = [page >> 8, page, key.tile.column, key.tile.row]
      .map { UInt8($0 & 255) }
    return Tile(bytes: name + [UInt8](repeating: 0, count: bytes - 4), cached: nil, source: source)
  }

  static let error = DocumentError(.drawing, during: "draw", "a fake failure")
}

extension TileOrder {
  /// What is visible and nothing else.
  static let visibleOnly = TileOrder(surroundings: 0, lookAhead: 0, idleReach: 0)
}

/// Does at once what a state decides, except that jobs end when a test says so.
struct Driver {
  var state: QueueState
  var now = Duration.zero
  /// Tiles that a source finds without drawing.
  var stored: Set<TileKey> = []
  /// Whether sources answer at once when they are to look.
  var looksAtOnce = true
  /// Bytes of each tile.
  var tileBytes = 100
  private(set) var looking: [(id: JobID, source: SourceID, keys: [TileKey])] = []
  private(set) var drawing: [(id: JobID, source: SourceID, keys: [TileKey])] = []
  /// All jobs drawn so far.
  private(set) var drawn: [[TileKey]] = []
  private(set) var stopped: [JobID] = []
  private(set) var answers: [WaiterID: QueueState.Answer] = [:]

  init(_ settings: RenderQueue.Settings) { state = QueueState(settings) }

  mutating func add() -> SourceID { state.add() }

  mutating func focus(_ source: SourceID, _ window: TileWindow) {
    state.focus(source, on: window)
    run()
  }

  @discardableResult
  mutating func request(
    _ key: TileKey,
    of source: SourceID,
    _ urgency: TileUrgency = .visible
  ) -> WaiterID {
    let id = WaiterID(number: state.nextNumber())
    state.request(id, key, of: source, urgency: urgency)
    run()
    return id
  }

  mutating func leave(_ waiter: WaiterID) {
    state.leave(waiter)
    run()
  }

  mutating func remove(_ source: SourceID) {
    state.remove(source)
    run()
  }

  mutating func wait(_ time: Duration) {
    now += time
    run()
  }

  mutating func run() {
    while true {
      let actions = state.decide(at: now)
      for action in actions {
        switch action {
        case .look(let id, let source, let keys): looking.append((id, source, keys))
        case .draw(let id, let source, let keys):
          drawing.append((id, source, keys))
          drawn.append(keys)
        case .stop(let id): stopped.append(id)
        case .answer(let id, let answer): answers[id] = answer
        }
      }
      guard looksAtOnce, !looking.isEmpty else { return }
      finishLooking()
    }
  }

  /// Answers the oldest look.
  mutating func finishLooking() {
    let job = looking.removeFirst()
    state.lookupFinished(
      job.id,
      job.keys.map {
        stored.contains($0) ? QueueFixture.tile($0, bytes: tileBytes, source: .disk) : nil
      }
    )
  }

  /// Ends a job; by default the oldest one, and well.
  mutating func finish(_ place: Int = 0, failing error: DocumentError? = nil) {
    let job = drawing.remove(at: place)
    let result: Result<[Tile], DocumentError> =
      error.map { .failure($0) }
      ?? .success(job.keys.map { QueueFixture.tile($0, bytes: tileBytes) })
    state.drawFinished(job.id, result)
    run()
  }

  /// Ends jobs until none is left, and returns the tiles in the order in which they were begun.
  @discardableResult
  mutating func finishAll() -> [TileKey] {
    let before = drawn.count - drawing.count
    while !drawing.isEmpty { finish() }
    return drawn[before...].flatMap(\.self)
  }

  mutating func events() -> [QueueEvent] {
    var events: [QueueEvent] = []
    while let event = state.takeEvent() { events.append(event) }
    return events
  }

  /// The tiles among the events not read yet.
  mutating func tileEvents() -> [TileKey] {
    events().compactMap { if case .tile(_, let key, _) = $0 { key } else { nil } }
  }
}
