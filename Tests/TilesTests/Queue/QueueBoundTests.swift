import RectoGeometry
import Testing

@testable import RectoTiles

/// What a queue may hold and use.
@Suite struct QueueBoundTests {
  private let source = SourceID(number: 1)

  @Test(arguments: [0, 5_000, 30_000, 100_000, 1 << 30]) func `prefetch stays within its bytes`(
    budget: Int
  ) {
    var driver = Driver(.init(slots: 2, tilesPerJob: 3, prefetchBytes: budget))
    driver.tileBytes = 4000
    let source = driver.add()
    let window = QueueFixture.window(at: 640, reach: 9, velocity: 512)
    driver.focus(source, window)
    let drawn = driver.finishAll()
    let order = TileOrder().tiles(for: window)
    let near = order.filter { $0.urgency >= .margin }.count
    let ahead = drawn.count - near
    #expect(ahead * 4000 <= budget)
    // What may still have been begun is what could not be told to fit.
    let isAll = drawn.count == order.count
    #expect(isAll || (ahead + 1) * 4000 + QueueState.mostBytes(QueueFixture.key(0)) > budget)
    #expect(Set(drawn) == Set(order.prefix(drawn.count).map(\.key)))
    #expect(driver.events().last == .idle)
  }

  @Test func `what is visible knows no byte budget`() {
    var driver = Driver(.init(prefetchBytes: 0))
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 640, reach: 9, velocity: 512))
    driver.finishAll()
    #expect(driver.tileEvents().count == 16)
  }

  @Test func `a request for a tile ahead knows no byte budget`() {
    var driver = Driver(.init(prefetchBytes: 0))
    let source = driver.add()
    driver.focus(source, QueueFixture.window(at: 640, reach: 9, velocity: 512))
    let waiter = driver.request(QueueFixture.key(12), of: source, .idle)
    driver.finishAll()
    #expect(driver.answers[waiter] == .tile(QueueFixture.tile(QueueFixture.key(12))))
  }

  @Test func `prefetch that is in memory counts`() {
    var driver = Driver(.init(prefetchBytes: 30_000))
    driver.tileBytes = 4000
    let source = driver.add()
    let window = QueueFixture.window(at: 640, reach: 9, velocity: 512)
    driver.focus(source, window)
    let first = driver.finishAll()
    #expect(first.count > 16)
    driver.focus(source, window)
    #expect(driver.finishAll().isEmpty)
  }

  @Test func `memory is bounded and keeps what is visible`() {
    // Room for 20 tiles, while 16 are visible at a time.
    var driver = Driver(.init(memoryBytes: 2000, order: .visibleOnly))
    let source = driver.add()
    for page in Range(pageCount: 9) {
      driver.focus(source, QueueFixture.window(at: Double(page.value * 64)))
      driver.finishAll()
      #expect(driver.state.memory.bytes <= 2000)
      #expect((0..<16).allSatisfy { isHeld(QueueFixture.key(page, $0 % 4, $0 / 4), driver) })
    }
    #expect(driver.state.memory.count == 20)
    // More is visible than there is room for: it stays, and goes with the next focus.
    driver.focus(source, QueueFixture.window(at: 0, height: 256))
    driver.finishAll()
    #expect(driver.state.memory.bytes == 6400)
    #expect((0..<4).allSatisfy { isHeld(QueueFixture.key($0, 3, 3), driver) })
    driver.focus(source, QueueFixture.window(at: 0, height: 16))
    #expect(driver.state.memory.bytes <= 2000)
    #expect((0..<4).allSatisfy { isHeld(QueueFixture.key(0, $0, 0), driver) })
  }

  @Test func `what one document shows stays in memory while another one is read`() {
    var driver = Driver(.init(memoryBytes: 2000, order: .visibleOnly))
    let (still, read) = (driver.add(), driver.add())
    driver.focus(still, QueueFixture.window(at: 0, height: 16))
    driver.finishAll()
    for page in 0..<9 {
      driver.focus(read, QueueFixture.window(at: Double(page * 64)))
      driver.finishAll()
    }
    for column in 0..<4 {
      var memory = driver.state.memory
      #expect(memory.use(SourceTile(source: still, key: QueueFixture.key(0, column, 0))) != nil)
    }
  }

  private func isHeld(_ key: TileKey, _ driver: Driver) -> Bool {
    var memory = driver.state.memory
    return driver.state.sources.keys.contains {
      memory.use(SourceTile(source: $0, key: key)) != nil
    }
  }

  @Test func `callers beyond the limit wait for admission`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1, requests: 2))
    let source = driver.add()
    let waiters = (0..<5).map { driver.request(QueueFixture.key($0), of: source, .prefetch) }
    #expect(driver.state.sources[source]?.tiles.count == 2)
    #expect(driver.state.statistics.waiting == 5)
    driver.finish()
    #expect(driver.state.sources[source]?.tiles.count == 2)
    driver.leave(waiters[3])
    #expect(driver.answers[waiters[3]] == .cancelled)
    driver.finishAll()
    #expect(driver.drawn == [0, 1, 2, 4].map { [QueueFixture.key($0)] })
    #expect(driver.answers.count == 5)
    #expect(driver.state.statistics.waiting == 0)
  }

  @Test func `a caller waiting for admission is answered from what came meanwhile`() {
    var driver = Driver(.init(slots: 1, tilesPerJob: 1, requests: 1))
    let source = driver.add()
    let waiters = (0..<3).map { _ in driver.request(QueueFixture.key(1), of: source) }
    driver.finish()
    #expect(driver.drawing.isEmpty)
    #expect(waiters.allSatisfy { driver.answers[$0] != nil })
  }

  @Test func `unread events are no more than the visible tiles`() {
    var driver = Driver(.init(memoryBytes: 0))
    let source = driver.add()
    for page in 0..<50 {
      driver.focus(source, QueueFixture.window(at: Double(page * 32), reach: 1))
      driver.finishAll()
    }
    #expect(driver.events().count <= 2 * 16 + 1)
  }
}
