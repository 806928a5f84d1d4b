extension RenderQueue {
  /// A queue's resources and priorities.
  public struct Settings: Hashable, Sendable {
    /// Jobs drawn at the same time, over all sources; at least 1. With more jobs than workers, jobs
    /// wait where they can no longer be reordered.
    public var slots: Int
    /// The most tiles in one job; at least 1. All tiles of a job are finished together, and a new
    /// focus has to wait for that.
    public var tilesPerJob: Int
    /// Bytes of tiles kept in memory. Visible tiles are kept even beyond that.
    public var memoryBytes: Int
    /// The most bytes of tiles outside the surroundings of the viewport for one focus: finished
    /// tiles count with their size, tiles in progress with the largest possible one.
    public var prefetchBytes: Int
    /// The most callers of each urgency that the queue admits. Others wait for admission, and their requests are
    /// ignored until then.
    public var requests: Int
    /// How long an unwanted job may delay a visible tile, counted from its start.
    public var patience: Duration
    /// The order of a window's tiles.
    public var order: TileOrder

    /// Settings; by default for two workers.
    ///
    /// - Parameters:
    ///   - slots: Jobs drawn at the same time, over all sources; at least 1.
    ///   - tilesPerJob: The most tiles in one job; at least 1.
    ///   - memoryBytes: Bytes of tiles kept in memory.
    ///   - prefetchBytes: The most bytes that tiles outside the surroundings of the viewport may
    ///     take for one focus.
    ///   - requests: The most callers of each urgency that the queue admits; at least 1.
    ///   - patience: How long an unwanted job may delay a visible tile.
    ///   - order: The order of a window's tiles.
    public init(
      slots: Int = 2,
      tilesPerJob: Int = 4,
      memoryBytes: Int = 256 << 20,
      prefetchBytes: Int = 64 << 20,
      requests: Int = 256,
      patience: Duration = .milliseconds(100),
      order: TileOrder = TileOrder()
    ) {
      self.slots = max(1, slots)
      self.tilesPerJob = max(1, tilesPerJob)
      self.memoryBytes = max(0, memoryBytes)
      self.prefetchBytes = max(0, prefetchBytes)
      self.requests = max(1, requests)
      self.patience = max(.zero, patience)
      self.order = order
    }
  }
}
