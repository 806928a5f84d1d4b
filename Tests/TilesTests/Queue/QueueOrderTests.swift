import DocumentModel
import RectoGeometry
import Testing

@testable import RectoTiles

/// What is worked on next.
@Suite struct QueueOrderTests {
  @Test func `tiles are drawn in the window's order`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1))
    let source = driver.add()
    let window = QueueFixture.window(at: 650, height: 30, reach: 4, velocity: 64)
    driver.focus(source, window)
    let order = TileOrder().tiles(for: window)
    #expect(Set(order.map(\.urgency)).count == 4)
    #expect(driver.finishAll() == order.map(\.key))
  }

  @Test func `a job is made of tiles of one raster and one class, and not of too many`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 3))
    let source = driver.add()
    let window = QueueFixture.window(at: 670, height: 100, reach: 4, velocity: 64)
    driver.focus(source, window)
    driver.finishAll()
    let order = TileOrder().tiles(for: window)
    let urgency = Dictionary(uniqueKeysWithValues: order.map { ($0.key, $0.urgency) })
    for job in driver.drawn {
      #expect(Set(job.map(\.raster)).count == 1)
      #expect(Set(job.map { urgency[$0] }).count == 1)
      #expect(job.count <= 3)
    }
    #expect(driver.drawn.flatMap(\.self).count == order.count)
    #expect(driver.drawn.contains { $0.count == 3 })
  }

  @Test func `pages go to different slots`() {
    var driver = Driver(.init(slots: 2, tilesPerJob: 4))
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 640, height: 128))
    #expect(driver.drawing.count == 2)
    #expect(Set(driver.drawing.flatMap(\.keys).map(\.raster)).count == 2)
  }

  @Test func `a visible page takes a slot that would be idle, a page ahead does not open twice`() {
    var driver = Driver(.init(slots: 3, tilesPerJob: 4))
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 640))
    #expect(driver.drawing.count == 3)
    driver = Driver(.init(slots: 3, tilesPerJob: 4))
    let other = driver.add()
    for row in 0..<4 {
      for column in 0..<4 { driver.request(QueueFixture.key(7, column, row), of: other, .prefetch) }
    }
    #expect(driver.drawing.count == 1)
    #expect(driver.finishAll().count == 16)
  }

  @Test(arguments: 1...4) func `idle work leaves one of several slots free`(slots: Int) {
    var driver = Driver(.init(slots: slots, tilesPerJob: 1))
    let source = driver.add()
    for page in Range(pageCount: 9) { driver.request(QueueFixture.key(page), of: source, .idle) }
    #expect(driver.drawing.count == max(1, slots - 1))
    driver.request(QueueFixture.key(99), of: source)
    if slots > 1 { #expect(driver.drawing.contains { $0.keys == [QueueFixture.key(99)] }) }
    #expect(driver.finishAll().count >= 9)
  }

  @Test func `a visible request does not wait behind queued prefetch`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1, requests: 4))
    let source = driver.add()
    for page in Range(pageCount: 20) {
      driver.request(QueueFixture.key(page), of: source, .prefetch)
    }
    driver.request(QueueFixture.key(99), of: source)
    driver.finish()
    #expect(driver.drawing.map(\.keys) == [[QueueFixture.key(99)]])
  }

  @Test func `a visible request raises the prefetch of the same tile`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1))
    let source = driver.add()
    for page in Range(pageCount: 9) {
      driver.request(QueueFixture.key(page), of: source, .prefetch)
    }
    let raised = driver.request(QueueFixture.key(7), of: source)
    driver.finish()
    #expect(driver.drawing.map(\.keys) == [[QueueFixture.key(7)]])
    driver.finish()
    #expect(driver.answers[raised] == .tile(QueueFixture.tile(QueueFixture.key(7))))
    #expect(driver.drawing.map(\.keys) == [[QueueFixture.key(1)]])
  }

  @Test func `a raised tile falls back when the urgent waiter leaves`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1))
    let source = driver.add()
    for page in Range(pageCount: 9) {
      driver.request(QueueFixture.key(page), of: source, .prefetch)
    }
    driver.leave(driver.request(QueueFixture.key(7), of: source))
    driver.finish()
    #expect(driver.drawing.map(\.keys) == [[QueueFixture.key(1)]])
  }

  @Test func `documents take turns within a class`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1, order: .visibleOnly))
    let sources = [driver.add(), driver.add(), driver.add()]
    // The first one has far more to do and was there before.
    driver.focus(sources[0], QueueFixture.window(at: 0, height: 640))
    driver.focus(sources[1], QueueFixture.window(at: 0, height: 16))
    driver.focus(sources[2], QueueFixture.window(at: 0, height: 16))
    var order: [SourceID] = []
    while let job = driver.drawing.first {
      order.append(job.source)
      driver.finish()
    }
    #expect(order.prefix(12) == ArraySlice((0..<4).flatMap { _ in sources }))
    #expect(order.count == 160 + 8)
  }

  @Test func `no document's prefetch comes before what another one shows`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1))
    let first = driver.add()
    let second = driver.add()
    driver.focus(first, QueueFixture.window(at: 640, reach: 2, velocity: 64))
    while driver.drawing.first.map({ $0.keys[0].raster.pageIndex == 10 }) ?? false {
      driver.finish()
    }
    driver.focus(second, QueueFixture.window(at: 0))
    driver.finish()
    for _ in 0..<16 {
      #expect(driver.drawing.map(\.source) == [second])
      driver.finish()
    }
    #expect(driver.drawing.map(\.source) == [first])
  }

  @Test func `what is stored is not drawn and needs no slot`() {
    var driver = Driver(.init(slots: 1, order: .visibleOnly))
    let source = driver.add()
    driver.request(QueueFixture.key(500), of: source)
    let window = QueueFixture.window(at: 0)
    driver.stored = Set(TileOrder.visibleOnly.tiles(for: window).map(\.key))
    driver.focus(source, window)
    #expect(driver.drawn == [[QueueFixture.key(500)]])
    #expect(Set(driver.tileEvents()) == driver.stored)
    #expect(driver.state.statistics.disk == 16)
  }

  @Test func `nothing less urgent is begun while something more urgent is looked up`() {
    var driver = Driver(.init(slots: 2))
    let (one, other) = (driver.add(), driver.add())
    driver.looksAtOnce = false
    driver.request(QueueFixture.key(1), of: one, .prefetch)
    driver.request(QueueFixture.key(2), of: other)
    driver.finishLooking()
    driver.run()
    #expect(driver.drawing.isEmpty)
    driver.finishLooking()
    driver.run()
    #expect(driver.drawing.map(\.keys) == [[QueueFixture.key(2)], [QueueFixture.key(1)]])
  }

  @Test func `a new focus replaces what is queued`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1, order: .visibleOnly))
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 0, height: 640))
    driver.focus(source, QueueFixture.window(at: 6400))
    driver.finish()
    let rest = driver.finishAll()
    #expect(rest.allSatisfy { $0.raster.pageIndex == 100 })
    #expect(rest.count == 16)
    #expect(driver.state.statistics.cancelled == 159)
  }
}
