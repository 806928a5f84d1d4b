import DocumentModel
import RectoGeometry
import Testing

@testable import RectoTiles

/// The actor around the decisions, with a fake source behind gates.
@Suite(.timeLimit(.minutes(10))) struct RenderQueueTests {
  private static let small = RenderQueue.Settings(slots: 1, tilesPerJob: 16, order: .visibleOnly)

  /// Runs a test with a queue of one slot and one source.
  private func queue(
    _ settings: RenderQueue.Settings = small,
    clock: ManualClock = ManualClock(),
    onDisk: Set<TileKey> = [],
    _ body: (RenderQueue, FakeSource, SourceID) async throws -> Void
  ) async throws {
    let queue = RenderQueue(settings, clock: clock)
    let source = FakeSource(onDisk: onDisk)
    try await body(queue, source, await queue.add(source))
    await queue.shutdown()
  }

  @Test func `a tile is drawn once for all who ask for it`() async throws {
    try await queue { queue, source, id in
      let key = QueueFixture.key(0)
      async let first = queue.tile(key, of: id)
      let job = await source.next()
      async let second = queue.tile(key, of: id, urgency: .idle)
      while await queue.statistics().waiting < 2 { await Task.yield() }
      await source.finish(job)
      let one = try await first
      #expect(one == QueueFixture.tile(key))
      let other = try await second
      #expect(other == QueueFixture.tile(key))
      let again = try await queue.tile(key, of: id)
      #expect(again.source == .memory)
      #expect(await queue.statistics().rendered == 1)
    }
  }

  @Test func `what the source has stored is not drawn`() async throws {
    try await queue(onDisk: [QueueFixture.key(0)]) { queue, _, id in
      let tile = try await queue.tile(QueueFixture.key(0), of: id)
      #expect(tile.source == .disk)
      #expect(await queue.statistics().rendered == 0)
    }
  }

  @Test func `a failure reaches every waiting request`() async throws {
    try await queue { queue, source, id in
      let caller = Task { try await queue.tile(QueueFixture.key(0), of: id) }
      await source.finish(await source.next(), well: false)
      await #expect(throws: QueueFixture.error) { _ = try await caller.value }
    }
  }

  @Test func `a cancelled caller leaves at once, and the others stay`() async throws {
    try await queue { queue, source, id in
      let key = QueueFixture.key(0)
      let leaver = Task { try await queue.tile(key, of: id) }
      let job = await source.next()
      async let stays = queue.tile(key, of: id)
      while await queue.statistics().waiting < 2 { await Task.yield() }
      leaver.cancel()
      await #expect(throws: CancellationError.self) { _ = try await leaver.value }
      await source.finish(job)
      let tile = try await stays
      #expect(tile == QueueFixture.tile(key))
    }
  }

  @Test func `a caller cancelled beforehand gets no tile and leaves nothing behind`() async throws {
    try await queue { queue, source, id in
      async let busy = queue.tile(QueueFixture.key(9), of: id)
      let job = await source.next()
      let caller = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await queue.tile(QueueFixture.key(0), of: id)
      }
      await #expect(throws: CancellationError.self) { _ = try await caller.value }
      #expect(await queue.statistics().waiting == 1)
      await source.finish(job)
      _ = try await busy
      #expect(await queue.statistics().drawing == 0)
    }
  }

  @Test func `the events of a focus are its tiles and then idle`() async throws {
    try await queue { queue, source, id in
      await queue.focus(id, on: QueueFixture.window(at: 0))
      var events = queue.events.makeAsyncIterator()
      await source.finish(await source.next())
      var told: Set<TileKey> = []
      while let event = await events.next(), case .tile(id, let key, let tile) = event {
        #expect(tile == QueueFixture.tile(key))
        told.insert(key)
      }
      #expect(told.count == 16)
    }
  }

  @Test func `a slow reader gets nothing that is not shown any more`() async throws {
    try await queue { queue, source, id in
      await queue.focus(id, on: QueueFixture.window(at: 0))
      await source.finish(await source.next())
      while await queue.statistics().rendered == 0 { await Task.yield() }
      await queue.focus(id, on: QueueFixture.window(at: 640))
      await source.finish(await source.next())
      for await event in queue.events {
        guard case .tile(_, let key, _) = event else { break }
        #expect(key.raster.pageIndex == 10)
      }
    }
  }

  @Test func `an unwanted job is cancelled after its grace period`() async throws {
    let clock = ManualClock()
    try await queue(clock: clock) { queue, source, id in
      await queue.focus(id, on: QueueFixture.window(at: 0))
      let stale = await source.next()
      await queue.focus(id, on: QueueFixture.window(at: 640))
      await clock.sleeper()
      #expect(await source.cancelled.isEmpty)
      clock.advance(by: .milliseconds(100))
      // It begins because the other one has ended.
      let wanted = await source.next()
      #expect(wanted.allSatisfy { $0.raster.pageIndex == 10 })
      #expect(await source.cancelled == [stale])
      #expect(await queue.statistics().killed == 1)
    }
  }

  @Test func `who waits for what is seen waits for its last tile and for no other`() async throws {
    try await queue(.init(slots: 1, tilesPerJob: 8)) { queue, source, id in
      await queue.completion(of: id, within: .seconds(1))
      await queue.focus(id, on: QueueFixture.window(at: 0, reach: 2))
      let completion = Task { await queue.completion(of: id, within: .seconds(1)) }
      let first = await source.next()
      await source.finish(first)
      let last = await source.next()
      #expect(Set(first + last).count == 16)
      #expect(await queue.completionCount == 1)
      await source.finish(last)
      await completion.value
      // The page behind is still to be drawn.
      #expect(await source.next().allSatisfy { $0.raster.pageIndex == 1 })
    }
  }

  @Test func `who waits for what is seen does not wait for a page that fails`() async throws {
    try await queue { queue, source, id in
      await queue.focus(id, on: QueueFixture.window(at: 0))
      let completion = Task { await queue.completion(of: id, within: .seconds(1)) }
      await source.finish(await source.next(), well: false)
      await completion.value
    }
  }

  @Test func `who waits for what is seen waits no longer than told`() async throws {
    let clock = ManualClock()
    try await queue(clock: clock) { queue, source, id in
      await queue.focus(id, on: QueueFixture.window(at: 0))
      let job = await source.next()
      let completion = Task { await queue.completion(of: id, within: .seconds(1)) }
      await clock.sleeper()
      clock.advance(by: .seconds(1))
      await completion.value
      await source.finish(job)
    }
  }

  @Test(arguments: ["cancelled", "removed", "shut down"])
  func `waiting for what is seen ends when it is`(_ end: String) async throws {
    try await queue { queue, source, id in
      await queue.focus(id, on: QueueFixture.window(at: 0))
      let job = await source.next()
      let completion = Task { await queue.completion(of: id, within: .seconds(1)) }
      while await queue.completionCount == 0 { await Task.yield() }
      switch end {
      case "cancelled": completion.cancel()
      case "removed": await queue.remove(id)
      default: await queue.shutdown()
      }
      await completion.value
      await source.finish(job)
    }
  }

  @Test func `removing a source cancels its jobs and its callers`() async throws {
    try await queue { queue, source, id in
      let caller = Task { try await queue.tile(QueueFixture.key(0), of: id) }
      let job = await source.next()
      await queue.remove(id)
      await #expect(throws: CancellationError.self) { _ = try await caller.value }
      await #expect(throws: CancellationError.self) {
        _ = try await queue.tile(QueueFixture.key(1), of: id)
      }
      await queue.shutdown()
      #expect(await source.cancelled == [job])
    }
  }

  @Test func `shutting down ends jobs, callers and events`() async throws {
    try await queue { queue, source, id in
      let caller = Task { try await queue.tile(QueueFixture.key(0), of: id) }
      let reader = Task {
        for await _ in queue.events {}
        return true
      }
      _ = await source.next()
      await queue.shutdown()
      #expect(await queue.statistics().drawing == 0)
      await #expect(throws: CancellationError.self) { _ = try await caller.value }
      #expect(await reader.value)
      let late = await queue.add(source)
      await #expect(throws: CancellationError.self) {
        _ = try await queue.tile(QueueFixture.key(0), of: late)
      }
      for await event in queue.events { Issue.record("\(event)") }
    }
  }

  @Test func `a reader that is cancelled stops reading`() async throws {
    try await queue { queue, _, _ in
      let reader = Task {
        for await _ in queue.events {}
        return true
      }
      reader.cancel()
      #expect(await reader.value)
    }
  }

  @Test func `many callers of many documents all get an answer`() async throws {
    let settings = RenderQueue.Settings(slots: 3, tilesPerJob: 4, memoryBytes: 3000, requests: 5)
    let queue = RenderQueue(settings)
    var ids: [SourceID] = []
    for _ in 0..<3 { ids.append(await queue.add(FakeSource(isOpen: true))) }
    let answered = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<150 {
        group.addTask { [ids] in
          let key = QueueFixture.key(PageIndex(number % 7), number % 4, number / 7 % 4)
          let urgency = TileUrgency(rawValue: number % 4) ?? .idle
          let tile = try? await queue.tile(key, of: ids[number % 3], urgency: urgency)
          return tile?.bytes == QueueFixture.tile(key).bytes
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(answered == 150)
    #expect(await queue.statistics().bytesHeld <= 3000)
    await queue.shutdown()
  }
}
