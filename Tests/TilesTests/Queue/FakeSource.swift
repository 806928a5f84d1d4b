import DocumentModel

@testable import RectoTiles

/// A document whose tiles are drawn when a test opens the gate, or at once.
actor FakeSource: TileSource {
  private var drawing: [(keys: [TileKey], gate: CheckedContinuation<Bool, Never>)] = []
  private var begun: [[TileKey]] = []
  private var watchers: [CheckedContinuation<[TileKey], Never>] = []
  /// What is found without drawing.
  private let onDisk: Set<TileKey>
  /// Whether there are no gates.
  private let isOpen: Bool
  /// Jobs whose task was cancelled.
  private(set) var cancelled: [[TileKey]] = []

  init(onDisk: Set<TileKey> = [], isOpen: Bool = false) {
    self.onDisk = onDisk
    self.isOpen = isOpen
  }

  func stored(_ keys: [TileKey]) -> [Tile?] {
    keys.map { onDisk.contains($0) ? QueueFixture.tile($0, source: .disk) : nil }
  }

  func draw(_ keys: [TileKey]) async throws(DocumentError) -> [Tile] {
    if isOpen { return keys.map { QueueFixture.tile($0) } }
    if watchers.isEmpty {
      begun.append(keys)
    } else {
      watchers.removeFirst().resume(returning: keys)
    }
    let isDrawn = await withTaskCancellationHandler {
      await withCheckedContinuation { drawing.append((keys, $0)) }
    } onCancel: {
      Task { await self.cancel(keys) }
    }
    guard isDrawn else { throw QueueFixture.error }
    return keys.map { QueueFixture.tile($0) }
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

  private func cancel(_ keys: [TileKey]) {
    cancelled.append(keys)
    finish(keys, well: false)
  }
}
