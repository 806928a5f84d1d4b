import DocumentModel
import TileRender

@testable import TileRender

/// A document whose tiles are drawn when a test opens the gate.
actor FakeSource: TileSource {
  private var drawing: [(keys: [TileKey], gate: CheckedContinuation<Bool, Never>)] = []
  private var begun: [[TileKey]] = []
  private var watchers: [CheckedContinuation<[TileKey], Never>] = []
  /// What is found without drawing.
  private let onDisk: Set<TileKey>
  /// Jobs whose task was cancelled.
  private(set) var cancelled: [[TileKey]] = []

  init(onDisk: Set<TileKey> = []) { self.onDisk = onDisk }

  func stored(_ keys: [TileKey]) -> [Tile?] {
    keys.map { onDisk.contains($0) ? World.tile($0, source: .disk) : nil }
  }

  func draw(_ keys: [TileKey]) async throws(DocumentError) -> [Tile] {
    if watchers.isEmpty { begun.append(keys) } else { watchers.removeFirst().resume(returning: keys) }
    let isDrawn = await withTaskCancellationHandler {
      await withCheckedContinuation { drawing.append((keys, $0)) }
    } onCancel: {
      Task { await self.cancel(keys) }
    }
    guard isDrawn else { throw World.error }
    return keys.map { World.tile($0) }
  }

  /// The next job, when it has begun.
  func next() async -> [TileKey] {
    if !begun.isEmpty { return begun.removeFirst() }
    return await withCheckedContinuation { watchers.append($0) }
  }

  /// Opens the gate of a job, which then ends well or not.
  func finish(_ keys: [TileKey], well: Bool = true) {
    guard let place = drawing.firstIndex(where: { $0.keys == keys }) else { return }
    drawing.remove(at: place).gate.resume(returning: well)
  }

  /// Begins and ends jobs until the task is cancelled.
  func finishEverything() async {
    while !Task.isCancelled { finish(await next()) }
  }

  private func cancel(_ keys: [TileKey]) {
    cancelled.append(keys)
    finish(keys, well: false)
  }
}

/// A clock that stands still until a test moves it.
actor ClockHands {
  private var now = Duration.zero
  private var sleepers: [(id: Int, until: Duration, wake: CheckedContinuation<Bool, Never>)] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []
  private var lastID = 0

  /// Returns when somebody sleeps.
  func sleeper() async {
    if sleepers.isEmpty { await withCheckedContinuation { watchers.append($0) } }
  }

  func sleep(until time: Duration) async throws {
    lastID += 1
    let id = lastID
    let isDue = await withTaskCancellationHandler {
      if time <= now { return true }
      return await withCheckedContinuation { wake in
        sleepers.append((id, time, wake))
        for watcher in watchers { watcher.resume() }
        watchers = []
      }
    } onCancel: {
      Task { await self.wake(id) }
    }
    if !isDue { throw CancellationError() }
  }

  private func wake(_ id: Int) {
    guard let place = sleepers.firstIndex(where: { $0.id == id }) else { return }
    sleepers.remove(at: place).wake.resume(returning: false)
  }

  func advance(to time: Duration) {
    now = time
    for sleeper in sleepers where sleeper.until <= time { sleeper.wake.resume(returning: true) }
    sleepers.removeAll { $0.until <= time }
  }
}
