import DocumentModel
import RectoGeometry
import Testing

@testable import RectoTiles

/// Joining, leaving, stale results, failures, and stopping.
@Suite struct QueueSharingTests {
  private func driver(_ slots: Int = 1, patience: Duration = .milliseconds(100)) -> Driver {
    Driver(
      .init(slots: slots, tilesPerJob: 16, patience: patience, order: .visibleOnly)
    )
  }

  // MARK: Joining and leaving

  @Test func `requests for one tile share the work, before and while it is drawn`() {
    var driver = driver()
    let source = driver.add()
    driver.request(QueueFixture.key(0), of: source)
    let early = driver.request(QueueFixture.key(5), of: source)
    let joined = driver.request(QueueFixture.key(5), of: source, .idle)
    driver.finish()
    let late = driver.request(QueueFixture.key(5), of: source)
    driver.finish()
    #expect(driver.drawn.count == 2)
    for waiter in [early, joined, late] {
      #expect(driver.answers[waiter] == .tile(QueueFixture.tile(QueueFixture.key(5))))
    }
    let later = driver.request(QueueFixture.key(5), of: source)
    #expect(driver.answers[later] == .tile(QueueFixture.tile(QueueFixture.key(5), source: .memory)))
  }

  @Test func `a request and a focus share the work`() {
    var driver = driver()
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0))
    let waiter = driver.request(QueueFixture.key(0), of: source)
    driver.finishAll()
    #expect(driver.drawn.flatMap(\.self).count == 16)
    #expect(driver.answers[waiter] == .tile(QueueFixture.tile(QueueFixture.key(0))))
    #expect(driver.tileEvents().count == 16)
  }

  @Test func `the last one to leave takes the tile out of the queue`() {
    var driver = driver()
    let source = driver.add()
    driver.request(QueueFixture.key(0), of: source)
    let first = driver.request(QueueFixture.key(5), of: source)
    let second = driver.request(QueueFixture.key(5), of: source)
    driver.leave(first)
    #expect(driver.state.sources[source]?.tiles[QueueFixture.key(5)] != nil)
    driver.leave(second)
    driver.leave(second)
    #expect(driver.state.sources[source]?.tiles[QueueFixture.key(5)] == nil)
    #expect(driver.answers[first] == .cancelled && driver.answers[second] == .cancelled)
    driver.finish()
    #expect(driver.drawing.isEmpty)
    #expect(driver.state.statistics.cancelled == 1)
  }

  @Test func `a tile that a focus wants stays when its waiters leave`() {
    var driver = driver()
    let source = driver.add()
    driver.request(QueueFixture.key(500), of: source)
    driver.focus(source, QueueFixture.window(at: 0))
    driver.leave(driver.request(QueueFixture.key(0), of: source))
    driver.finishAll()
    #expect(driver.tileEvents().contains(QueueFixture.key(0)))
  }

  // MARK: Stale results

  @Test func `a stale result is kept and not delivered, until it is wanted again`() {
    var driver = driver()
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0))
    driver.focus(source, QueueFixture.window(at: 640))
    driver.finish()
    #expect(driver.events().isEmpty)
    #expect(driver.state.statistics.stale == 16)
    driver.finishAll()
    #expect(driver.tileEvents().allSatisfy { $0.raster.pageIndex == 10 })
    driver.focus(source, QueueFixture.window(at: 0))
    #expect(driver.drawing.isEmpty)
    let events = driver.events()
    #expect(events.count == 17 && events.last == .idle)
    for event in events.dropLast() {
      guard case .tile(source, let key, let tile) = event else {
        Issue.record("\(event)")
        continue
      }
      #expect(key.raster.pageIndex == 0 && tile.source == .memory)
    }
  }

  @Test func `an event that was not read is taken back by a focus that does not show it`() {
    var driver = driver()
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0, height: 128))
    driver.finishAll()
    driver.focus(source, QueueFixture.window(at: 64, height: 128))
    driver.finishAll()
    let told = driver.tileEvents()
    #expect(Set(told.map(\.raster.pageIndex)) == [1, 2])
    #expect(Set(told).count == told.count && told.count == 32)
  }

  @Test func `a tile is told once as long as it stays visible, and again when it comes back`() {
    var driver = driver()
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0, height: 32))
    driver.finishAll()
    #expect(driver.tileEvents().count == 8)
    driver.focus(source, QueueFixture.window(at: 16, height: 32))
    driver.finishAll()
    #expect(Set(driver.tileEvents().map(\.tile.row)) == [2])
    driver.focus(source, QueueFixture.window(at: 0, height: 32))
    #expect(Set(driver.tileEvents().map(\.tile.row)) == [0])
  }

  @Test func `idle is told once for each focus, when all is there`() {
    var driver = driver()
    let source = driver.add()
    #expect(driver.events().isEmpty)
    driver.focus(source, QueueFixture.window(at: 0))
    #expect(!driver.events().contains(.idle))
    driver.finish()
    #expect(driver.events().last == .idle)
    driver.focus(source, QueueFixture.window(at: 0))
    driver.focus(source, QueueFixture.window(at: 0))
    #expect(driver.events() == [.idle])
    driver.request(QueueFixture.key(50), of: source)
    #expect(driver.events().isEmpty)
    driver.finish()
    #expect(driver.events() == [.idle])
  }

  // MARK: Failures

  @Test func `a page that fails is told once, and tried again when it comes into view anew`() {
    var driver = driver(2)
    let source = driver.add()
    let both = QueueFixture.window(at: 0, height: 128)
    driver.focus(source, both)
    driver.finish(failing: QueueFixture.error)
    driver.finishAll()
    let failed = driver.drawn[0][0].raster
    let events = driver.events()
    #expect(events.count { $0 == .failed(source, failed, QueueFixture.error) } == 1)
    #expect(events.count == 16 + 1 + 1)
    driver.focus(source, both)
    #expect(driver.drawing.isEmpty)
    #expect(driver.events() == [.idle])
    driver.focus(source, QueueFixture.window(at: 640))
    driver.finishAll()
    driver.focus(source, both)
    #expect(driver.drawing.map { $0.keys[0].raster } == [failed])
    driver.finishAll()
    #expect(Set(driver.tileEvents().map(\.raster)).contains(failed))
  }

  @Test func `a failure takes along what is queued of its raster, and nothing else`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1))
    let (source, other) = (driver.add(), driver.add())
    let same = (0..<3).map { driver.request(QueueFixture.key(0, $0), of: source) }
    let next = driver.request(QueueFixture.key(1), of: source)
    let elsewhere = driver.request(QueueFixture.key(0), of: other)
    driver.finish(failing: QueueFixture.error)
    #expect(same.allSatisfy { driver.answers[$0] == .failed(QueueFixture.error) })
    driver.finishAll()
    #expect(driver.answers[next] == .tile(QueueFixture.tile(QueueFixture.key(1))))
    #expect(driver.answers[elsewhere] == .tile(QueueFixture.tile(QueueFixture.key(0))))
    // The page is not visible, so the next request tries it again.
    driver.request(QueueFixture.key(0), of: source)
    #expect(driver.drawing.count == 1)
  }

  @Test func `a page that fails ahead is silent, and tried again when it becomes visible`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 16))
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0, reach: 1))
    driver.finish()
    #expect(driver.drawing[0].keys[0].raster.pageIndex == 1)
    driver.finish(failing: QueueFixture.error)
    #expect(!driver.events().contains(.failed(source, QueueFixture.raster(1), QueueFixture.error)))
    driver.focus(source, QueueFixture.window(at: 64, reach: 1))
    #expect(driver.drawing[0].keys[0].raster.pageIndex == 1)
    driver.finish(failing: QueueFixture.error)
    #expect(driver.events().contains(.failed(source, QueueFixture.raster(1), QueueFixture.error)))
    let waiter = driver.request(QueueFixture.key(1), of: source)
    #expect(driver.answers[waiter] == .failed(QueueFixture.error))
  }

  @Test func `a source that returns too few tiles has failed`() {
    var state = QueueState(.init())
    let source = state.add()
    state.request(WaiterID(number: 77), QueueFixture.key(0), of: source, urgency: .visible)
    guard case .look(let look, _, _) = state.decide(at: .zero).first else {
      Issue.record("nothing was looked up")
      return
    }
    state.lookupFinished(look, [])
    guard case .draw(let draw, _, _) = state.decide(at: .zero).first else {
      Issue.record("nothing was drawn")
      return
    }
    state.drawFinished(draw, .success([]))
    guard case .answer(_, .failed(let error)) = state.decide(at: .zero).first else {
      Issue.record("nothing was answered")
      return
    }
    #expect(error.code == .fault)
  }

  // MARK: Stopping

  @Test func `an unwanted job is stopped when it blocks visible tiles too long`() {
    var driver = driver()
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0))
    let job = driver.drawing[0].id
    driver.wait(.milliseconds(30))
    driver.focus(source, QueueFixture.window(at: 640))
    #expect(driver.stopped.isEmpty)
    #expect(driver.state.deadline == .milliseconds(100))
    driver.wait(.milliseconds(69))
    #expect(driver.stopped.isEmpty)
    driver.wait(.milliseconds(1))
    #expect(driver.stopped == [job])
    #expect(driver.state.deadline == nil)
    driver.wait(.seconds(9))
    #expect(driver.stopped == [job])
    // The slot is free when the job has ended, and not before.
    #expect(driver.drawing.count == 1)
    driver.finish(failing: QueueFixture.error)
    #expect(driver.drawing[0].keys[0].raster.pageIndex == 10)
    #expect(driver.events().isEmpty)
    #expect(driver.state.statistics.killed == 1)
  }

  @Test func `no job is stopped while a slot is free`() {
    var driver = driver(2)
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0))
    driver.focus(source, QueueFixture.window(at: 640))
    driver.wait(.seconds(9))
    #expect(driver.stopped.isEmpty && driver.state.deadline == nil)
    #expect(driver.drawing.count == 2)
  }

  @Test func `no job is stopped for anything but visible tiles`() {
    var driver = driver()
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0))
    driver.focus(source, TileWindow(pages: [], viewport: .zero, scale: 1, tileSide: 16))
    for urgency in [TileUrgency.margin, .prefetch, .idle] {
      driver.request(QueueFixture.key(PageIndex(50 + urgency.rawValue)), of: source, urgency)
    }
    driver.wait(.seconds(9))
    #expect(driver.stopped.isEmpty && driver.state.deadline == nil)
  }

  @Test func `no wanted job is stopped`() {
    var driver = driver()
    let source = driver.add()
    let waiter = driver.request(QueueFixture.key(0), of: source, .idle)
    driver.request(QueueFixture.key(1), of: source)
    driver.wait(.seconds(9))
    #expect(driver.stopped.isEmpty && driver.state.deadline == nil)
    driver.leave(waiter)
    #expect(driver.stopped.count == 1)
  }

  @Test func `no more jobs are stopped than are needed, the longest running first`() {
    var driver = driver(3)
    let source = driver.add()
    let first = Range(pageCount: 3).map { page in
      defer { driver.wait(.milliseconds(10)) }
      return driver.request(QueueFixture.key(page), of: source, .prefetch)
    }
    let jobs = driver.drawing.map(\.id)
    for waiter in first { driver.leave(waiter) }
    driver.request(QueueFixture.key(50), of: source)
    driver.wait(.seconds(9))
    #expect(driver.stopped == [jobs[0]])
  }

  @Test func `a stopped tile that is wanted again is drawn again, and has not failed`() {
    var driver = driver()
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0))
    driver.focus(source, QueueFixture.window(at: 640))
    driver.wait(.seconds(1))
    #expect(driver.stopped.count == 1)
    driver.focus(source, QueueFixture.window(at: 0))
    #expect(driver.drawing.count == 1)
    driver.finish(failing: QueueFixture.error)
    driver.finishAll()
    let events = driver.events()
    #expect(events.count == 17 && events.last == .idle)
  }

  @Test func `a stopped job that ends well is as good as any`() {
    var driver = driver()
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0))
    driver.focus(source, QueueFixture.window(at: 640))
    driver.wait(.seconds(1))
    driver.finish()
    #expect(driver.state.memory.count == 16)
  }

  @Test func `a source that is removed takes everything along`() {
    var driver = driver()
    let (source, other) = (driver.add(), driver.add())
    driver.focus(source, QueueFixture.window(at: 0))
    let waiter = driver.request(QueueFixture.key(5), of: source)
    let left = driver.request(QueueFixture.key(6), of: other)
    driver.remove(source)
    #expect(driver.answers[waiter] == .cancelled)
    #expect(driver.stopped == [driver.drawing[0].id])
    driver.finish(failing: QueueFixture.error)
    driver.finishAll()
    #expect(driver.answers[left] == .tile(QueueFixture.tile(QueueFixture.key(6))))
    #expect(driver.events() == [.idle])
    #expect(driver.state.memory.count == 1)
    let late = driver.request(QueueFixture.key(0), of: source)
    #expect(driver.answers[late] == .cancelled)
    driver.focus(source, QueueFixture.window(at: 0))
    #expect(driver.drawing.isEmpty)
  }
}
